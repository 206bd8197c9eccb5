import RealmModel

/// Values of one element of a list, or a key of a dictionary and its value, that are in two elements of another list: each is there, and
/// they are in no element together.
///
/// Holds counters for some pairs of places.
struct TornElements {
    /// Pairs over all objects, elements of an object, and those of an object after that are looked through, at most.
    private static let limit = (pairs: 1_024, elements: 16, searched: 64)

    /// Two places before that are in one element, none of those in dictionaries, and those after that are in one, too.
    private struct Pair: Hashable {
        var sources: [UInt64]
        var targets: [UInt64]
    }

    private var counts: [Pair: (column: Int, objects: NamedObjects)] = [:]

    mutating func add(_ others: TornElements) { counts.merge(others.counts) { own, _ in own } }

    /// The columns of dictionaries, and whether each entry of them is in one element.
    private var dictionaries: [Int: Bool] = [:]

    /// Notes the elements and entries of an object.
    mutating func note(_ gone: [PlacedValue], in elements: [PlacedValue], of key: Int64) {
        let elements = elements.filter { $0.spot != nil }
        let members = Dictionary(grouping: gone.filter { $0.spot != nil && $0.isPart && !$0.value.isHollow }) {
            $0.spot
        }.values.filter { $0.count > 1 }.sorted { $0[0].place < $1[0].place }
        let entries = gone.filter { $0.value.entries != nil && !$0.value.isHollow }
        guard !elements.isEmpty, !members.isEmpty || !entries.isEmpty else {
            for value in entries { dictionaries[value.column] = false }
            return
        }
        let exact = Dictionary(grouping: elements, by: \.value)
        func having(_ value: Value) -> [PlacedValue] {
            if let found = exact[value] { return found }
            let sought = CarriedValue(value)
            return elements.count > Self.limit.searched ? [] : elements.filter { sought.isWhole(in: $0.value) }
        }
        var pairs: [Pair: Int] = [:]
        for members in members.prefix(Self.limit.elements) {
            let found = members.map { having($0.value) }
            for one in members.indices {
                for other in members.indices.dropFirst(one + 1) {
                    for targets in Self.apart(found[one], found[other]) {
                        let sources = [members[one].family, members[other].family]
                        pairs[Pair(sources: sources, targets: targets)] = members[one].column
                    }
                }
            }
        }
        for value in entries {
            var isPaired = value.value.entries?.count ?? 0 <= Self.limit.elements
            for entry in value.value.entries?.prefix(Self.limit.elements) ?? [] where !entry.value.isHollow {
                let (names, values) = (having(.string(entry.key)), having(entry.value))
                let numbers = Set(names.map(\.spot?.number))
                // In an element, or at the same place in two lists.
                if !numbers.isDisjoint(with: values.map(\.spot?.number)) { continue }
                isPaired = false
                for targets in Self.apart(names, values, areRows: true) {
                    pairs[Pair(sources: [], targets: targets)] = value.column
                }
            }
            dictionaries[value.column] = isPaired && dictionaries[value.column] != false
        }
        for (pair, column) in pairs where counts[pair] != nil || counts.count < Self.limit.pairs {
            counts[pair, default: (column, NamedObjects())].objects.add(key)
        }
    }

    /// The columns of dictionaries each entry of which is an element with its key.
    var paired: Set<Int> { Set(dictionaries.filter(\.value).keys) }

    /// The places in one list, or in two that are gone through together, that have two values at no number together.
    private static func apart(
        _ found: [PlacedValue], _ others: [PlacedValue], areRows: Bool = false
    ) -> [[UInt64]] {
        Dictionary(grouping: found, by: \.family).flatMap { family, found in
            Dictionary(grouping: others, by: \.family).compactMap { other, others in
                let areOfOne = areRows || others[0].spot?.collection == found[0].spot?.collection
                let numbers = Set(found.map(\.spot?.number))
                return other != family && areOfOne && numbers.isDisjoint(with: others.map(\.spot?.number))
                    ? [family, other] : nil
            }
        }
    }

    /// The columns of such values, with the objects.
    ///
    /// - Parameter leads: whether the values of a place are at another one in all objects.
    func strays(_ leads: (UInt64, UInt64) -> Bool) -> [(column: Int, objects: NamedObjects)] {
        counts.filter { zip($0.key.sources, $0.key.targets).allSatisfy(leads) }.map { ($1.column, $1.objects) }
    }
}
