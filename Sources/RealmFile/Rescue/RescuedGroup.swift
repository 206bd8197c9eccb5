import Columns
import RealmModel

/// The tables under one top array of a damaged file, those that can be described.
struct RescuedGroup {
    /// The factor by which an older choice has to be worth more than another to be taken in its place.
    static let advantage = 1.01
    /// The share of the objects of a commit that has to be readable so that nothing else is looked for.
    private static let sufficientShare = 0.9
    /// Where a table's top array has the tables that links lead to.
    private static let targetsSlot = 7

    let candidate: TopCandidate
    let image: Image
    let tables: [Table]
    /// The number of the transaction that wrote it; 0 where that can't be read.
    let snapshotVersion: Int64
    /// Whether what the top array says besides the tables can't be read whole, or the history can't.
    let isOwnStateLost: Bool
    /// Changesets of a sync client that its server never acknowledged; nil where nothing is known of that, as in `ReadingReport`.
    let unsentChangesets: Int?
    /// The classes whose tables can't be described, by name, and how many tables have lost their names.
    private(set) var lostClasses: [String] = []
    private(set) var lostTables = 0
    /// Whether the table that holds the schema version is among those.
    private(set) var isVersionLost = false
    /// Whether nothing under the top array seems to be damaged.
    let isWhole: Bool
    /// How many nodes can't be read or believed.
    let damagedNodes: Int
    /// Whether bytes that say which tables there are may not be what was there.
    private let isListSuspect: Bool
    /// How many objects the classes have; nil where that can't be read of all.
    let expected: Int?
    /// How many objects of classes can be read; of one of which half of the columns can, half an object.
    let worth: Double

    /// Looks at everything under a top array; nil where there is none.
    init?(_ candidate: TopCandidate, of file: DamagedFile) {
        let (image, survey) = file.surveyed(from: [candidate.ref], formatVersion: candidate.formatVersion)
        guard let top = try? image.node(at: candidate.ref), top.layout == .bits, (2...12).contains(top.count),
            let refs = try? image.integers(1, of: top, "the list of tables")
        else { return nil }
        NodeEnds(of: top, in: image).map { survey.refuseNodes(endingOutside: $0, in: image) }
        let names = (try? image.requiredChild(0, of: top, "the list of table names")).flatMap {
            try? ByteLeaf($0, of: .string, in: image, nullIsEmpty: true)
        }
        // Names and references of no bytes at all are those of removed tables, or of none.
        guard let names, names.count == refs.count, refs.width > 0 || refs.count <= SchemaLimit.classCount else {
            return nil
        }
        self.init(candidate, OwnState(of: top, in: image), image, survey, count: refs.count) { index in
            guard let element = try? refs.integer(at: index), element & 1 == 0 else { return nil }
            // A name that is there is not nil: the list has empty names for nulls.
            return (try? names.text(at: index), try? image.requiredChild(index, of: refs, "a table"))
        }
    }

    /// Looks at tables that were found one by one, where the list of them is lost.
    ///
    /// - Parameter names: what the tables are called, by their places in the list.
    init?(
        _ tables: [Int: [FoundTable]], named names: [String], formatVersion: Int, of file: DamagedFile
    ) {
        let places = tables.keys.filter { names.indices.contains($0) && !names[$0].isEmpty }.sorted()
        guard !places.isEmpty, formatVersion >= FormatVersion.clusters.lowerBound else { return nil }
        // Commits share what did not change: one table at a time is what no other version of it takes part in.
        let chosen = places.compactMap { place in
            Self.best(of: tables[place] ?? [], named: names[place], formatVersion, file).map { (place, $0.ref) }
        }
        guard let first = chosen.first else { return nil }
        let (image, survey) = file.surveyed(from: chosen.map(\.1), formatVersion: formatVersion)
        let candidate = TopCandidate(source: .tables, ref: first.1, formatVersion: formatVersion)
        let refs = Dictionary(uniqueKeysWithValues: chosen)
        // A table that has a name and was not found is lost.
        self.init(candidate, OwnState(), image, survey, count: names.count) { index in
            names[index].isEmpty ? nil : (names[index], refs[index].flatMap { try? image.node(at: $0) })
        }
    }

    /// The version of a table of which most can be read; of two alike the newer.
    private static func best(
        of versions: [FoundTable], named name: String, _ formatVersion: Int, _ file: DamagedFile
    ) -> FoundTable? {
        guard versions.count > 1 else { return versions.first }
        var best: (table: FoundTable, worth: Double)?
        for found in versions {
            let (image, _) = file.surveyed(from: [found.ref], formatVersion: formatVersion)
            guard let top = try? image.node(at: found.ref), let table = try? Table(name: name, top, in: image) else {
                continue
            }
            let worth = worth(of: table, in: image)
            if best.map({ worth > $0.worth * advantage }) ?? true { best = (found, worth) }
        }
        return best?.table
    }

    /// Describes the tables of a list.
    ///
    /// - Parameter entry: the name and the top array of a table, as far as they can be read; nil of a removed one.
    private init(
        _ candidate: TopCandidate, _ state: OwnState, _ image: Image, _ survey: NodeSurvey, count: Int,
        _ entry: (Int) -> (name: String?, top: Node?)?
    ) {
        self.candidate = candidate
        self.image = image
        (snapshotVersion, isOwnStateLost, unsentChangesets) = (state.version ?? 0, state.isLost, state.unsentChangesets)
        var tables: [Table] = []
        for index in 0..<count {
            guard let (name, top) = entry(index) else { continue }
            guard let name, Self.isBelieved(name) else {
                lostTables += 1
                continue
            }
            if let table = Self.table(named: name, top, at: index, in: image) {
                tables.append(table)
            } else if let className = Table.className(ofTable: name) {
                lostClasses.append(className)
            } else if name.hasSameBytes(as: SchemaVersion.tableName) {
                isVersionLost = true
            }
        }
        if image.formatVersion < FormatVersion.clusters.lowerBound {
            try? LegacyPrimaryKeys.assign(to: &tables, in: image)
        }
        self.tables = tables
        damagedNodes = survey.damageCount
        isListSuspect = candidate.source != .tables && Self.isListSuspect(candidate, in: image)
        isWhole = !survey.foundDamage && lostClasses.isEmpty && lostTables == 0 && !isVersionLost
        let counts = tables.filter { $0.className != nil }.map { try? $0.rowCount(in: image) }
        expected =
            lostClasses.isEmpty && lostTables == 0
            ? counts.reduce(0) { sum, count in sum.flatMap { sum in count.map { sum + min($0, 1 << 40) } } } : nil
        worth = tables.reduce(0) { $0 + ($1.className == nil ? 0 : Self.worth(of: $1, in: image)) }
    }

    /// The slots in which the top array of every table that has them has a number: its key, the counts of its columns, changes and
    /// objects, its kind.
    private static let numberSlots = [3, 5, 6, 9, 12]

    /// Whether most of what the commit had can be read.
    ///
    /// One without tables may have lost the list of them.
    var isSufficient: Bool {
        !tables.isEmpty && (isWhole || expected.map { worth >= Self.sufficientShare * Double($0) } ?? false)
    }

    /// Whether a table may be called so.
    ///
    /// A class may have U+0000 in its name, but zeros in place of the prefix of all classes, or at the end, are what is left of
    /// a name that is damaged, or of the count of the zeros behind it.
    private static func isBelieved(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.contains(0) else { return !name.isEmpty }
        return Table.className(ofTable: name) != nil && name.utf8.last != 0
    }

    private static func isListSuspect(_ candidate: TopCandidate, in image: Image) -> Bool {
        guard image.hasDoubts, let top = try? image.header(at: candidate.ref) else { return false }
        let lists = [try? image.child(0, of: top), try? image.child(1, of: top)].compactMap { $0 ?? nil }
        return ([top] + lists).contains { !image.doubts(in: $0).isEmpty }
    }

    /// Whether bytes that describe a table may not be what was there.
    private func isDescriptionSuspect(_ table: Table) -> Bool {
        if hasRepairedName(table) || table.sharesPlaces { return true }
        guard image.hasDoubts else { return false }
        guard !isListSuspect, let top = try? image.header(at: Int64(table.offset)) else { return true }
        let parts = [0, Self.targetsSlot].compactMap { (try? image.child($0, of: top)) ?? nil }
        return !image.doubts(in: top).isEmpty || lacksNumbers(top) || parts.contains { image.isDoubtful(tree: $0) }
    }

    /// Whether zeros stand where the top array of a table has numbers, and all behind them, the primary key among it, may be lost.
    private func lacksNumbers(_ top: Node) -> Bool {
        guard image.formatVersion >= FormatVersion.clusters.lowerBound, image.endsInZeros(top) else { return false }
        // Numbers are odd as they are stored: none is zero.
        return Self.numberSlots.contains { slot in slot < top.count && ((try? top.tagged(at: slot)) ?? nil) == nil }
    }

    /// Whether the name of a table, or of one of its columns, has what stands for bytes that are no valid UTF-8.
    private func hasRepairedName(_ table: Table) -> Bool {
        ([table.name] + table.columns.map(\.name)).contains { $0.unicodeScalars.contains("\u{FFFD}") }
    }

    /// Whether the schema version may not be what was there.
    var isVersionSuspect: Bool {
        guard image.hasDoubts, let table = tables.first(where: { $0.name.hasSameBytes(as: SchemaVersion.tableName) })
        else { return false }
        return isListSuspect || (try? image.header(at: Int64(table.offset))).map { image.isDoubtful(tree: $0) } ?? true
    }

    private static func table(named name: String, _ top: Node?, at index: Int, in image: Image) -> Table? {
        guard let top else { return nil }
        return image.formatVersion < FormatVersion.clusters.lowerBound
            ? try? Table(name: name, top, legacyAt: index, in: image) : try? Table(name: name, top, in: image)
    }

    private static func worth(of table: Table, in image: Image) -> Double {
        guard case .clusters(let root) = table.layout else {
            return Double((try? table.rowCount(in: image)) ?? 0)
        }
        var scan = ClusterScan(root: root, in: image)
        var worth = 0.0
        while let piece = scan.next() {
            guard case .cluster(let cluster, _, _) = piece else { continue }
            let readable = table.columns.count { column in
                (try? cluster.node.reference(at: column.key.leafIndex + 1)).map {
                    (try? image.header(at: $0)) != nil
                } ?? false
            }
            worth += Double(cluster.count * (readable + 1)) / Double(table.columns.count + 1)
        }
        return worth
    }

    /// The schema version; nil where the file has none, or where it can't be read.
    func schemaVersion() -> (UInt64?, isLost: Bool) {
        do {
            return (try SchemaVersion.read(tables, in: image), isVersionLost)
        } catch {
            return (nil, true)
        }
    }

    /// The classes, with those of their properties that can be understood.
    func classes() throws(InputError) -> (classes: [RescuedClass], lost: [String]) {
        var names: [Int64: String] = [:]
        var seen: Set<NameKey> = []
        var (lost, found) = (lostClasses, [] as [(String, Table)])
        for table in tables {
            guard let name = table.className else { continue }
            guard !name.isEmpty, names[table.key] == nil, seen.insert(name: name) else {
                lost.append(name)
                continue
            }
            names[table.key] = name
            found.append((name, table))
        }
        let limit = SchemaLimit.violation(
            classCount: found.count, propertyCount: found.reduce(0) { $0 + $1.1.columns.count })
        if let limit { throw InputError(.tooLarge, ProblemItem(limit)) }
        let targets = LinkTargets(uncheckedNamed: names, in: image)
        let classes = found.map { name, table in rescued(name, table, names, targets) }
        return (classes, lost)
    }

    private func rescued(
        _ name: String, _ table: Table, _ classNames: [Int64: String], _ targets: LinkTargets
    ) -> RescuedClass {
        var schema = ObjectSchema(name, kind: table.kind)
        var columns: [StoredColumn] = []
        var lost: [String] = []
        var seen: Set<NameKey> = []
        for column in table.columns {
            let objectType = column.targetTable.flatMap { classNames[$0] }
            guard column.agreesWithKey(in: image), (column.type == .object) == (objectType != nil),
                !column.name.isEmpty, seen.insert(name: column.name)
            else {
                lost.append(column.name)
                continue
            }
            let isPrimaryKey = column.key == table.primaryKey  // no name
            if isPrimaryKey { schema.primaryKey = column.name }
            schema.properties.append(column.property(isPrimaryKey: isPrimaryKey, objectType: objectType))
            columns.append(column)
        }
        let rescued = RescuedClass(schema, table, columns: columns, in: image, targets: targets)
        rescued.report.lostProperties = lost
        // A primary key that is none of the columns is one that was lost.
        let hasLostKey = table.primaryKey != nil && schema.primaryKey == nil
        rescued.report.isDescriptionSuspect = hasLostKey || isDescriptionSuspect(table)
        return rescued
    }
}

extension StoredColumn {
    /// Whether the type and the kind of collection are those that the column's key has, too (since format 10).
    fileprivate func agreesWithKey(in image: Image) -> Bool {
        guard image.formatVersion >= FormatVersion.clusters.lowerBound else { return true }
        let kinds: ColumnAttributes = [.list, .set, .dictionary]
        let keyKinds = ColumnAttributes(rawValue: key.value >> 22 & 0xff).intersection(kinds)
        return TypeCode.propertyType(key.value >> 16 & 0x3f) == type && keyKinds == attributes.intersection(kinds)
    }
}
