import RealmModel

/// Which places took values over from which, over all objects of a class: one place before leads to one place after.
///
/// A script may choose the new place by the object. Where it chooses one that another place's values have in other objects, nobody
/// can tell the two apart afterwards, and the values may be exchanged. Holds counters for some pairs of places.
struct PlaceMap {
    /// Places before, and places after of each of them, at most.
    private static let limit = (sources: 1_024, targets: 64)

    /// The fewest objects whose values changed places that did not do so by chance.
    private static let fewest = (numbers: 5, others: 2)

    private var sources: [UInt64: Source] = [:]
    /// By the place before, the spots in lists and dictionaries that have its values.
    private var spots: [UInt64: Source] = [:]
    /// By the place after, without the numbers of elements.
    private var rows: [UInt64: ElementRow] = [:]
    /// Columns with more places than are looked at.
    private var overfull: Set<Int> = []

    /// The places that have had a place's value in each object so far; nil where no object was noted.
    func steadyTargets(of place: UInt64) -> [UInt64]? { sources[place]?.steady }

    /// Notes an object in which a value is gone from its place.
    ///
    /// - Parameters:
    ///   - targets: the places that have it now and had it not before: of those that have had it in each object so far all, and of
    ///     the others where none of these is among them.
    ///   - place: that had it before.
    mutating func note(_ targets: [UInt64], from place: UInt64, column: Int, of key: Int64) {
        if sources[place] == nil {
            guard sources.count < Self.limit.sources else {
                if !targets.isEmpty { overfull.insert(column) }
                return
            }
            sources[place] = Source(column: column)
        }
        sources[place]?.note(targets, of: key, limit: Self.limit.targets)
    }

    /// Notes where values of an object went, of those of one family the first.
    ///
    /// - Parameter fresh: the values that are at places that had them not before.
    mutating func note(_ gone: [PlacedValue], in fresh: [PlacedValue], of key: Int64) {
        let elements = fresh.flatMap(\.elementsApart)
        noteRows(elements)
        let places = fresh + elements
        var noted: Set<UInt64> = []
        for value in gone where !value.value.isHollow && noted.insert(value.family).inserted {
            let found = places.families(having: value.value, first: steadyTargets(of: value.family))
            note(found, from: value.family, column: value.column, of: key)
            if !elements.isEmpty { noteSpots(elements, having: value, of: key) }
        }
    }

    private mutating func noteRows(_ elements: [PlacedValue]) {
        for (family, elements) in Dictionary(grouping: elements, by: \.family) {
            guard let spot = elements.first?.spot else { continue }
            if rows[family] == nil, rows.count >= Self.limit.sources { continue }
            rows[family, default: ElementRow(spot)].note(elements)
        }
    }

    private mutating func noteSpots(_ elements: [PlacedValue], having value: PlacedValue, of key: Int64) {
        let sought = CarriedValue(value.value)
        let found = elements.filter { sought.isWhole(in: $0.value) }.compactMap { $0.spot?.place }
        if found.isEmpty || spots[value.family] == nil && spots.count >= Self.limit.sources { return }
        spots[value.family, default: Source(column: value.column)].note(found, of: key, limit: Self.limit.targets)
    }

    /// Whether so many objects are told as a finding of their own.
    static func isTold(_ count: Int, isNumber: Bool) -> Bool {
        count >= (isNumber ? fewest.numbers : fewest.others)
    }

    /// Takes over the counters of other places.
    mutating func add(_ others: PlaceMap) {
        sources.merge(others.sources) { own, _ in own }
        spots.merge(others.spots) { own, _ in own }
        rows.merge(others.rows) { own, _ in own }
        overfull.formUnion(others.overfull)
    }

    /// The objects in which a column's values are where another place's are in others.
    var mixed: [Int: NamedObjects] {
        var mixed = Self.mixed(sources.values.filter(\.isMoved))
        mixed.merge(Self.mixed(spotted)) { places, _ in places }
        for column in overfull where mixed[column] == nil { mixed[column] = NamedObjects(1, first: []) }
        return mixed
    }

    private static func mixed(_ moved: [Source]) -> [Int: NamedObjects] {
        var takers: [UInt64: Int] = [:]
        for source in moved { for target in source.targets { takers[target, default: 0] += 1 } }
        var mixed: [Int: NamedObjects] = [:]
        for source in moved where source.strayCount > 0 && source.targets.contains(where: { takers[$0] ?? 0 > 1 }) {
            let known = mixed[source.column] ?? NamedObjects()
            // An object with several such values is one.
            let count = max(known.count, source.strayCount)
            mixed[source.column] = NamedObjects(count, first: Set(known.keys + source.strayKeys).sorted())
        }
        return mixed
    }

    /// The places whose values went into lists or dictionaries, and nowhere else, but for those that a script sorted.
    private var spotted: [Source] {
        let moved = spots.filter { place, _ in
            guard let source = sources[place], source.isMoved, !source.steady.isEmpty else { return false }
            return source.steady.allSatisfy { rows[$0]?.hasSpots == true }
        }
        let families = Set(moved.keys.flatMap { sources[$0]?.steady ?? [] })
        let sorted = Set(families.compactMap { rows[$0]?.isSorted == true ? rows[$0]?.collection : nil })
        return moved.filter { place, _ in
            !(sources[place]?.steady ?? []).contains { family in
                rows[family].map { sorted.contains($0.collection) } ?? false
            }
        }.map(\.value)
    }
}

/// A place before, and the places after that have its values.
private struct Source {
    let column: Int
    /// Objects in which a place has the value.
    private var found = NamedObjects()
    /// How many have it at none.
    private var missed = 0
    /// The places that had it in each object; empty where there is none, and the others are counted.
    private(set) var steady: [UInt64] = []
    private var counts: [UInt64: NamedObjects] = [:]

    init(column: Int) { self.column = column }

    mutating func note(_ targets: [UInt64], of key: Int64, limit: Int) {
        guard !targets.isEmpty else {
            missed += 1
            return
        }
        let before = found
        found.add(key)
        if before.count == 0 {
            steady = Array(targets.prefix(limit))
            return
        }
        if !steady.isEmpty {
            let left = steady.filter(targets.contains)
            if left.count == steady.count { return }
            if left.isEmpty { for target in steady { counts[target] = before } }
            steady = left
        }
        guard steady.isEmpty else { return }
        for target in targets where counts[target] != nil || counts.count < limit {
            counts[target, default: NamedObjects()].add(key)
        }
    }

    /// Whether it is moved at all: what is worked out anew is elsewhere by chance.
    var isMoved: Bool { found.count >= missed }

    var targets: [UInt64] { steady.isEmpty ? Array(counts.keys) : steady }

    /// How many objects have it elsewhere than most.
    var strayCount: Int { steady.isEmpty ? found.count - (counts.values.map(\.count).max() ?? found.count) : 0 }

    /// The keys of some of them.
    var strayKeys: [Int64] {
        let best = counts.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }?.key
        let usual = Set(best.flatMap { counts[$0]?.keys } ?? [])
        return counts.filter { $0.key != best }.flatMap(\.value.keys).filter { !usual.contains($0) }
    }
}
