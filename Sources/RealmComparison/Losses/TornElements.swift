import RealmModel

/// Values of one row that are in two rows of one place afterwards: each is there, and they are in no row together.
///
/// A row is an element of a list with its members, an entry of a dictionary with its key, or a property with its name. Of rows that have
/// names on both sides others know. Holds counters for some pairs of places.
struct TornElements {
    /// Pairs over all objects, rows of one kind in an object, and values after that are looked through, at most.
    private static let limit = (pairs: 1_024, rows: 16)

    /// Two places before, as far as it matters which they are, and those after that have their values.
    private struct Pair: Hashable {
        var sources: [UInt64?]
        var targets: [UInt64]
    }

    private struct Row {
        enum Kind { case members, entry, property }

        let kind: Kind
        let column: Int
        /// The values, with their places; a name has none.
        var cells: [(place: UInt64?, value: Value)]
    }

    private var counts: [Pair: (column: Int, objects: NamedObjects)] = [:]
    /// The columns of elements and entries, and whether each has become one of the other kind as a whole.
    private var areWhole: [Int: Bool] = [:]

    mutating func add(_ others: TornElements) { counts.merge(others.counts) { own, _ in own } }

    /// Notes the rows of an object.
    ///
    /// - Parameter elements: those of lists among the new values.
    mutating func note(_ gone: [PlacedValue], in fresh: [PlacedValue], _ elements: [PlacedValue], of key: Int64) {
        let lists = RowCells(elements.filter { $0.spot != nil })
        var rows = Self.elementRows(gone)
        let named = RowCells(rows.isEmpty ? [] : fresh.prefix(RowCells.searched).flatMap(\.namedRows))
        for value in gone where value.spot == nil && !value.value.isHollow {
            if (value.value.entries?.count ?? 0) > Self.limit.rows { areWhole[value.column] = false }
            // Where there is no list, names stay names.
            if lists.isEmpty, value.value.entries != nil { areWhole[value.column] = false }
            if !lists.isEmpty, rows.count < 2 * Self.limit.rows { rows += Self.namedRows(value) }
        }
        var pairs: [Pair: Int] = [:]
        for row in rows {
            if row.kind == .members { note(row, in: named, arePlaces: false, &pairs) }
            note(row, in: lists, arePlaces: row.kind != .entry, &pairs)
            if row.kind == .property { continue }
            let isWhole = (row.kind == .members ? named : lists).isTogether(row.cells.map(\.value))
            areWhole[row.column] = isWhole && areWhole[row.column] != false
        }
        for (pair, column) in pairs where counts[pair] != nil || counts.count < Self.limit.pairs {
            counts[pair, default: (column, NamedObjects())].objects.add(key)
        }
    }

    private static func elementRows(_ gone: [PlacedValue]) -> [Row] {
        let members = gone.filter { $0.spot != nil && $0.isPart && !$0.value.isHollow }
        guard members.count > 1 else { return [] }
        let rows = Dictionary(grouping: members) { $0.spot }.values.filter { $0.count > 1 }
        return rows.sorted { $0[0].place < $1[0].place }.prefix(limit.rows).map { members in
            Row(kind: .members, column: members[0].column, cells: members.map { ($0.family, $0.value) })
        }
    }

    private static func namedRows(_ value: PlacedValue) -> [Row] {
        guard let entries = value.value.entries else {
            let cells: [(UInt64?, Value)] = [(nil, .string(value.name)), (value.family, value.value)]
            return value.value.isCollection ? [] : [Row(kind: .property, column: value.column, cells: cells)]
        }
        return entries.prefix(limit.rows).filter { !$0.value.isHollow }.map { entry in
            Row(kind: .entry, column: value.column, cells: [(nil, .string(entry.key)), (nil, entry.value)])
        }
    }

    private func note(_ row: Row, in others: RowCells, arePlaces: Bool, _ pairs: inout [Pair: Int]) {
        // Most names are in no list.
        if others.isEmpty || row.kind == .property && others.being(row.cells[0].value).isEmpty { return }
        let found = row.cells.map { others.having($0.value) }
        for one in row.cells.indices {
            for other in row.cells.indices.dropFirst(one + 1) {
                for targets in RowCells.apart(found[one], found[other], areRows: row.kind == .entry) {
                    let sources = [row.cells[one].place, row.cells[other].place].map { arePlaces ? $0 : nil }
                    pairs[Pair(sources: sources, targets: targets)] = row.column
                }
            }
        }
    }

    /// The columns of lists whose elements, or of dictionaries whose entries, are the other kind's with all that is in each.
    var paired: Set<Int> { Set(areWhole.filter(\.value).keys) }

    /// The columns of such values, with the objects.
    ///
    /// - Parameter leads: whether the values of a place are at another one in all objects.
    func strays(_ leads: (UInt64, UInt64) -> Bool) -> [(column: Int, objects: NamedObjects)] {
        counts.filter { pair, _ in
            zip(pair.sources, pair.targets).allSatisfy { source, target in source.map { leads($0, target) } ?? true }
        }.map { ($1.column, $1.objects) }
    }
}

/// Values of an object after, by the rows that they are in.
private struct RowCells {
    /// Values that are looked through for a part of them, and so few that they are gone through for a whole one.
    static let (searched, few) = (64, 8)

    private let cells: [PlacedValue]
    /// By the values.
    private let known: [Value: [PlacedValue]]

    init(_ cells: [PlacedValue]) {
        self.cells = cells
        known = cells.count > Self.few ? Dictionary(grouping: cells, by: \.value) : [:]
    }

    var isEmpty: Bool { cells.isEmpty }

    /// Those that are a value.
    func being(_ value: Value) -> [PlacedValue] {
        known.isEmpty ? cells.filter { $0.value == value } : known[value] ?? []
    }

    /// Those that are a value, or else have it in them.
    func having(_ value: Value) -> [PlacedValue] {
        let found = being(value)
        guard found.isEmpty, cells.count <= Self.searched else { return found }
        let sought = CarriedValue(value)
        return cells.filter { sought.isWhole(in: $0.value) }
    }

    /// Whether values are in one row, or at the same number in several lists.
    func isTogether(_ values: [Value]) -> Bool {
        guard let first = values.first else { return true }
        var numbers = Set(having(first).map(\.spot?.number))
        for value in values.dropFirst() where !numbers.isEmpty {
            numbers.formIntersection(having(value).map(\.spot?.number))
        }
        return !numbers.isEmpty
    }

    /// The places in one list, or in two that are gone through together, that have two values at no number together.
    static func apart(_ found: [PlacedValue], _ others: [PlacedValue], areRows: Bool) -> [[UInt64]] {
        Dictionary(grouping: found, by: \.family).flatMap { family, found in
            Dictionary(grouping: others, by: \.family).compactMap { other, others in
                let areOfOne = areRows || others[0].spot?.collection == found[0].spot?.collection
                let numbers = Set(found.map(\.spot?.number))
                return other != family && areOfOne && numbers.isDisjoint(with: others.map(\.spot?.number))
                    ? [family, other] : nil
            }
        }
    }
}

extension PlacedValue {
    /// The name and the value of a property, or of each entry of a dictionary, in a row each.
    fileprivate var namedRows: [PlacedValue] {
        func row(_ name: String, _ value: Value, _ number: UInt64, in collection: UInt64) -> [PlacedValue] {
            [.string(name), value].enumerated().map { member, value in
                var placed = self
                placed.value = value
                placed.family = PlacedValues.below(collection, UInt64(member))
                placed.spot = ElementSpot(Int(truncatingIfNeeded: number), in: collection)
                return placed
            }
        }
        guard let entries = value.entries else {
            return spot != nil || value.isCollection ? [] : row(name, value, family, in: parent)
        }
        return entries.enumerated().flatMap { row($1.key, $1.value, UInt64($0), in: family) }
    }
}
