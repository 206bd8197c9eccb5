import Columns
import RealmModel

/// The tables of a file that is made of another one's leaves, and what copies each of their columns.
final class CopiedColumns {
    let layout: FileLayout

    private let result: Snapshot
    private let file: FileOutline
    private let plan: CopyPlan
    private let image: Image
    private let output: NodeOutput
    private let flush: () throws -> Void
    private let collections = CollectionNumbers()
    private let options: RealmFileWriter.Options
    private let scratch: () throws -> any SegmentStore
    private let classIndexes: [NameKey: Int]
    /// The columns of backlinks of each class of the old file.
    private let backlinks: [[StoredBacklink]]
    /// The sums of each column of links, by class, column and target of the new file.
    private var sums: [Path: LinkSum] = [:]

    private struct Path: Hashable {
        let classIndex: Int
        let propertyIndex: Int
        let target: Int
    }

    /// - Throws: `InputError` where the result can't be copied.
    init(
        _ result: Snapshot, of file: FileOutline, seed: UInt64, in image: Image, options: RealmFileWriter.Options,
        scratch: @escaping () throws -> any SegmentStore, to output: NodeOutput, flush: @escaping () throws -> Void
    ) throws(InputError) {
        self.result = result
        self.file = file
        self.image = image
        self.options = options
        self.scratch = scratch
        self.output = output
        self.flush = flush
        let plan = try CopyPlan(result, of: file)
        self.plan = plan
        classIndexes = result.classes.classIndexes
        var backlinks: [[StoredBacklink]] = []
        for source in file.schema.classes { backlinks.append(try source.table.backlinks(in: image)) }
        self.backlinks = backlinks
        let sources = Self.sources(result, plan, file, backlinks, classIndexes)
        layout = try FileLayout(result, LinkCensus(sources: sources), in: .current)
        for source in sources {
            for target in source.targets {
                let path = Path(classIndex: source.classIndex, propertyIndex: source.propertyIndex, target: target)
                sums[path] = LinkSum(seed: seed)
            }
        }
    }

    /// The columns that links may come from, each with the classes that have backlinks of it.
    private static func sources(
        _ result: Snapshot, _ plan: CopyPlan, _ file: FileOutline, _ backlinks: [[StoredBacklink]],
        _ classIndexes: [NameKey: Int]
    ) -> [LinkSource] {
        var sources: [LinkSource] = []
        for (classIndex, stored) in result.classes.enumerated() {
            for (propertyIndex, property) in stored.schema.properties.enumerated()
            where property.type == .object || property.type == .mixed {
                let named = property.objectType.flatMap { classIndexes[name: $0] }
                let found = plan.classes.indices.filter { target in
                    plan.backlink(to: target, from: classIndex, propertyIndex, of: file, backlinks) != nil
                }
                let targets = property.type == .object ? [named].compactMap(\.self) : found
                sources.append(
                    LinkSource(
                        classIndex: classIndex, propertyIndex: propertyIndex, type: ColumnType(property), target: named,
                        counts: Dictionary(uniqueKeysWithValues: targets.map { ($0, []) })))
            }
        }
        return sources
    }

    /// Checks that each link has its backlink.
    func checkLinks() throws(InputError) {
        guard sums.values.allSatisfy(\.isBalanced) else { throw .uncopied("links and backlinks that differ") }
    }

    /// Appends a class.
    func append(table index: Int) throws -> Int64 {
        let table = layout.tables[index]
        let writers = writers(table)
        func empty() throws -> [Int64] {
            try zip(writers, table.columns).map { writer, column in
                try writer.append(ColumnBuilder(ColumnType(column.property)).finish(), 0..<0)
            } + table.backlinks.map { _ in output.append(integers: [], .hasRefs) }
        }
        let stored = result.classes[index]
        let top = TableTopWriter(table: table, output: output)
        guard let source = plan.classes[index].source else {
            var tree = ClusterTreeWriter(output)
            let root = try tree.finish(emptyColumns: empty)
            return top.append(clusters: root, indexes: try indexes(index), nextSequence: stored.nextSequence)
        }
        let copier = TableCopier(
            table, from: file.schema.classes[source], objectCount: stored.objectCount,
            by: try copiers(index, writers), empty: empty, in: image, decoders: decoders(), to: output, flush: flush)
        let (root, nextSequence) = try copier.appendObjects()
        return top.append(clusters: root, indexes: try indexes(index), nextSequence: nextSequence)
    }

    private func writers(_ table: TableLayout) -> [ColumnLeafWriter] {
        table.columns.map {
            ColumnLeafWriter(
                $0.property, of: table.name, to: output, in: .current, tableKeys: layout.tableKeys,
                nextCollection: collections.next)
        }
    }

    private func copiers(_ index: Int, _ writers: [ColumnLeafWriter]) throws -> [any ColumnCopier] {
        var copiers: [any ColumnCopier] = []
        for (propertyIndex, origin) in plan.classes[index].columns.enumerated() {
            let property = result.classes[index].schema.properties[propertyIndex]
            switch origin {
            case .constant(let value):
                copiers.append(try ConstantColumnCopier(value, property, writers[propertyIndex]))
            case .column(let column):
                guard let source = plan.classes[index].source else { continue }
                let stored = file.schema.classes[source].table.columns[column]
                copiers.append(try copier(of: stored, as: property, index, propertyIndex, writers[propertyIndex]))
            }
        }
        for backlink in layout.tables[index].backlinks {
            let source = backlink.source
            let stored = plan.backlink(
                to: index, from: source.classIndex, source.propertyIndex, of: file, backlinks)
            guard let sum = sum(source.classIndex, source.propertyIndex, to: index) else { continue }
            copiers.append(BacklinkColumnCopier(stored?.leafIndex, sum, in: image, to: output))
        }
        return copiers
    }

    private func sum(_ classIndex: Int, _ propertyIndex: Int, to target: Int) -> LinkSum? {
        sums[Path(classIndex: classIndex, propertyIndex: propertyIndex, target: target)]
    }

    /// Decoders of leaves, which count by themselves what they read.
    private func decoders() -> ColumnDecoderFactory {
        ColumnDecoderFactory(
            image: Image(image.bytes, formatVersion: image.formatVersion), targets: file.schema.targets)
    }

    /// The copier of a column of the old file.
    private func copier(
        of stored: StoredColumn, as property: Property, _ classIndex: Int, _ propertyIndex: Int,
        _ writer: ColumnLeafWriter
    ) throws(InputError) -> any ColumnCopier {
        let decoders = decoders()
        let target = property.objectType.flatMap { classIndexes[name: $0] }
        let tally = tally(classIndex, propertyIndex, property, target)
        let isRequired = !stored.attributes.contains(.nullable)
        let leaves = LeafCopier(
            image: image, output: output, type: stored.type, isRequired: isRequired,
            becomesOptional: isRequired && property.isOptional, flush: flush)
        let sum = target.flatMap { self.sum(classIndex, propertyIndex, to: $0) }
        switch stored.collection {
        case .none where stored.type == .object:
            guard let sum else { throw .uncopied("links without backlinks") }
            return LinkColumnCopier(stored, sum, in: image, to: output)
        case .list where stored.type != .mixed, .set where keepsOrder(stored):
            return ListColumnCopier(
                stored, leaves, LeafRecoder(try decoders.elements(of: stored), in: decoders.image), sum, tally, writer)
        default:
            let recoded = RecodedColumnCopier(
                stored, LeafRecoder(try decoders.decoder(of: stored), in: decoders.image), tally, writer)
            return stored.collection == .none && stored.type != .mixed
                ? ValueColumnCopier(stored, leaves, recoded) : recoded
        }
    }

    /// Whether sets of a column are in the order that the current format has.
    private func keepsOrder(_ stored: StoredColumn) -> Bool {
        switch stored.type {
        case .mixed: false
        case .string, .data: image.formatVersion >= FormatVersion.bytewiseSets
        default: true
        }
    }

    /// The tally of the links of a column whose values are decoded; nil for one without links.
    private func tally(
        _ classIndex: Int, _ propertyIndex: Int, _ property: Property, _ target: Int?
    ) -> LinkTally? {
        guard property.type == .object || property.type == .mixed else { return nil }
        let source = LinkSource(
            classIndex: classIndex, propertyIndex: propertyIndex, type: ColumnType(property), target: target,
            counts: [:])
        let own = sums.filter { $0.key.classIndex == classIndex && $0.key.propertyIndex == propertyIndex }
        return LinkTally(
            source, classIndexes: classIndexes,
            sums: Dictionary(uniqueKeysWithValues: own.map { ($0.key.target, $0.value) }))
    }

    /// Appends the search indexes of a class.
    private func indexes(_ index: Int) throws -> [Int64] {
        let (table, origins) = (layout.tables[index], plan.classes[index])
        return try zip(table.columns, origins.columns).map { column, origin in
            guard column.isIndexed else { return 0 }
            let copier = IndexCopier(
                column: column, layout: layout, options: options, scratch: scratch, output: output, flush: flush)
            guard let source = origins.source.map({ file.schema.classes[$0].table }) else {
                return try copier.appendEmpty()
            }
            let decoders = decoders()
            switch origin {
            case .constant(let value): return try copier.append(value, of: source, in: decoders.image)
            case .column(let place):
                let stored = source.columns[place]
                return try copier.append(
                    stored, of: source, by: try decoders.decoder(of: stored), in: decoders.image)
            }
        }
    }
}

extension CopyPlan {
    /// The column of the old file that has the backlinks of a column to a class; nil where there is none.
    fileprivate func backlink(
        to target: Int, from classIndex: Int, _ propertyIndex: Int, of file: FileOutline,
        _ backlinks: [[StoredBacklink]]
    ) -> StoredBacklink? {
        guard let origin = classes[classIndex].source, let target = classes[target].source,
            case .column(let column) = classes[classIndex].columns[propertyIndex]
        else { return nil }
        let table = file.schema.classes[origin].table
        return backlinks[target].first {
            $0.originTable == table.key && $0.originColumn == table.columns[column].key
        }
    }
}
