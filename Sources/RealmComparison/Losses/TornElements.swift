import RealmModel

/// Values of one element of a list that are in two elements of another list: each is there, and they are in no element together.
///
/// Holds counters for some pairs of places.
struct TornElements {
    /// Pairs over all objects, and elements of an object, at most.
    private static let limit = (pairs: 1_024, elements: 16)

    /// Two places before that are in one element, and those after that are in one, too.
    private struct Pair: Hashable {
        var sources: [UInt64]
        var targets: [UInt64]
    }

    private var counts: [Pair: (column: Int, objects: NamedObjects)] = [:]

    mutating func add(_ others: TornElements) { counts.merge(others.counts) { own, _ in own } }

    /// Notes the elements of an object.
    mutating func note(_ gone: [PlacedValue], in elements: [PlacedValue], of key: Int64) {
        let members = Dictionary(grouping: gone.filter { $0.spot != nil && $0.isPart && !$0.value.isHollow }) {
            $0.spot
        }
        guard members.values.contains(where: { $0.count > 1 }) else { return }
        var (pairs, column): (Set<Pair>, Int) = ([], 0)
        for members in members.values.sorted(by: { $0[0].place < $1[0].place }).prefix(Self.limit.elements) {
            let found = members.map { member in
                let sought = CarriedValue(member.value)
                return elements.filter { $0.spot != nil && sought.isWhole(in: $0.value) }
            }
            for one in members.indices {
                for other in members.indices.dropFirst(one + 1) {
                    for targets in Self.apart(found[one], found[other]) {
                        pairs.insert(Pair(sources: [members[one].family, members[other].family], targets: targets))
                        column = members[one].column
                    }
                }
            }
        }
        for pair in pairs where counts[pair] != nil || counts.count < Self.limit.pairs {
            counts[pair, default: (column, NamedObjects())].objects.add(key)
        }
    }

    /// The places in one list that have two values in no element together.
    private static func apart(_ found: [PlacedValue], _ others: [PlacedValue]) -> [[UInt64]] {
        Dictionary(grouping: found, by: \.family).flatMap { family, found in
            Dictionary(grouping: others, by: \.family).compactMap { other, others in
                let isApart =
                    other != family && others[0].spot?.collection == found[0].spot?.collection
                    && Set(found.map(\.spot)).isDisjoint(with: others.map(\.spot))
                return isApart ? [family, other] : nil
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
