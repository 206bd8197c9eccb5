import Columns
import RealmJSON
import RealmModel

/// A Parquet file of a class's objects: a row group a row group, a page a column, compressed by zstd, with statistics.
final class ParquetFile: ClassFile {
    private let context: ClassFileContext
    private let relation: ClassRelation
    private let relations: NamedRelations
    private let schema: ParquetSchema
    private let embedded: EmbeddedRows
    private var groups: [ParquetRowGroup] = []
    private var offset: Int64 = 0
    private(set) var losses: [NameKey: Losses] = [:]

    init(_ context: ClassFileContext) throws {
        self.context = context
        guard let relations = context.relations, let relation = relations[context.source.schema.name] else {
            throw ExportError.noSuchClass(context.source.schema.name)
        }
        self.relations = relations
        self.relation = relation
        schema = ParquetSchema(relation, relations)
        embedded = EmbeddedRows(context.snapshot, store: context.store)
    }

    var names: [NameKey: PlaceName] {
        zip(relation.schema.persistedProperties, schema.names).reduce(into: [:]) { names, column in
            let (property, name) = column
            names[NameKey(property.name)] = PlaceName(.column, name, insteadOf: property.publicName)
        }
    }

    func begin() -> [UInt8] {
        offset = Int64(ParquetFooter.magic.count)
        return ParquetFooter.magic
    }

    func write(group: Int, _ text: RowGroupText) throws -> [UInt8] {
        let rows = context.source.liveRows(inGroup: group)
        guard !rows.isEmpty, !schema.nodes.isEmpty else { return [] }
        var nodes = schema.nodes[...]
        if relation.key.property == nil, let node = nodes.popFirst() {
            let keys = try context.source.keys(inGroup: group)
            let cells = CellColumn(count: keys.count, validity: nil, cells: .integer(keys))
            try node.append(.leaf(ParquetCells(cells)), rows: rows)
        }
        for (property, node) in zip(relation.schema.persistedProperties, nodes) {
            var found = losses[name: property.name] ?? Losses()
            let array = try context.source.column(property, inGroup: group)
            try node.append(try values(array, property, rows, &found), rows: rows)
            if !found.counts.isEmpty { losses[name: property.name] = found }
        }
        return try finishGroup(rowCount: rows.count)
    }

    func finish() -> [UInt8] {
        ParquetFooter.bytes(
            schema: schema.elements, rowCount: groups.reduce(0) { $0 + $1.rowCount }, groups: groups,
            notes: [
                ("realm.class", relation.schema.name),
                ("realm.schemaVersion", context.snapshot.schemaVersion.map(String.init) ?? ""),
            ], leafCount: schema.nodes.reduce(0) { $0 + $1.leaves.count })
    }

    private func finishGroup(rowCount: Int) throws -> [UInt8] {
        var out: [UInt8] = []
        var chunks: [ParquetChunk] = []
        for leaf in schema.nodes.flatMap(\.leaves) {
            let (bytes, chunk) = try leaf.finish(at: offset)
            offset += Int64(bytes.count)
            out += bytes
            chunks.append(chunk)
        }
        groups.append(ParquetRowGroup(rowCount: rowCount, chunks: chunks))
        return out
    }

    /// The values of a property, embedded objects with theirs.
    private func values(
        _ array: ColumnArray, _ property: Property, _ rows: [Int], _ losses: inout Losses
    ) throws -> ParquetNode.Values {
        switch array.values {
        case .list(let offsets, let elements):
            let live = Self.elements(of: rows, offsets)
            return .list(offsets: offsets, try single(elements, property, live, &losses))
        case .dictionary(let offsets, let keys, let elements):
            let live = Self.elements(of: rows, offsets)
            var none = Losses()
            let names = try context.maker.cells(of: keys, Property("key", .string), nil, rows: [], losses: &none)
            return .map(
                offsets: offsets, keys: ParquetCells(names), try single(elements, property, live, &losses))
        default: return try single(array, property, rows, &losses)
        }
    }

    private func single(
        _ array: ColumnArray, _ property: Property, _ rows: [Int], _ losses: inout Losses
    ) throws -> ParquetNode.Values {
        if let target = relations.embeddedClass(of: property) {
            return try structure(array, target, rows, &losses)
        }
        let loss = LossPlace(array, rows)
        if let cells = ParquetCells(array, property.type, loss, &losses) { return .leaf(cells) }
        let reference = property.objectType.flatMap { relations[$0] }
        let cells = try context.maker.cells(
            of: array, property,
            reference.map { Reference(className: $0.schema.name, table: $0.table, key: $0.key) }, rows: rows,
            losses: &losses)
        return .leaf(reference?.key.type == .uuid ? ParquetCells(uuids: cells) : ParquetCells(cells))
    }

    private func structure(
        _ keys: ColumnArray, _ target: ObjectSchema, _ rows: [Int], _ losses: inout Losses
    ) throws -> ParquetNode.Values {
        let (validity, columns) = try embedded.columns(of: keys, target)
        guard !target.persistedProperties.isEmpty else {
            let flags = ColumnArray(
                count: keys.count, validity: validity, values: .bool(Bitmap(repeating: true, count: keys.count)))
            return .leaf(
                ParquetCells(flags, .bool, LossPlace(flags, []), &losses) ?? ParquetCells(CellColumn(nulls: keys.count))
            )
        }
        let live = rows.filter { validity[$0] }
        return .structure(
            validity: validity,
            try zip(columns, target.persistedProperties).map { try values($0, $1, live, &losses) })
    }

    private static func elements(of rows: [Int], _ offsets: [Int32]) -> [Int] {
        rows.flatMap { Int(offsets[$0])..<Int(offsets[$0 + 1]) }
    }
}
