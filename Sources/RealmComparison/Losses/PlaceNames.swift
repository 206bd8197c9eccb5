/// The names of properties and keys, by their places: whether values went to each other's.
///
/// Each has one new place in all objects then, and the two names say the opposite of what they said.
struct PlaceNames {
    /// Places on either side, at most.
    private static let limit = 4_096

    /// A name in what has it: an object, an embedded one or a dictionary.
    private struct Name: Hashable {
        var parent: UInt64
        var name: String

        init(_ value: PlacedValue) { (parent, name) = (value.parent, value.name) }
    }

    private var before: [UInt64: Name] = [:]
    private var after: [UInt64: Name] = [:]

    mutating func note(_ gone: [PlacedValue], _ fresh: [PlacedValue]) {
        // Where all are of the object itself, each name is where it was.
        guard fresh.contains(where: { $0.parent != 0 }) || gone.contains(where: { $0.parent != 0 }) else { return }
        for value in gone where before[value.family] == nil && before.count < Self.limit {
            before[value.family] = Name(value)
        }
        for value in fresh where after[value.family] == nil && after.count < Self.limit {
            after[value.family] = Name(value)
        }
    }

    mutating func add(_ others: PlaceNames) {
        before.merge(others.before) { own, _ in own }
        after.merge(others.after) { own, _ in own }
    }

    /// The places before whose values have each other's names now, perhaps by way of third ones.
    func exchanged(_ sources: [UInt64: PlaceSource]) -> [UInt64] {
        /// The new names of values, by the old ones, of two objects of which one took values over from the other.
        var moves: [[UInt64]: [String: (place: UInt64, targets: Set<String>)]] = [:]
        for (place, source) in sources {
            guard let name = before[place] else { continue }
            for target in source.steady {
                guard let other = after[target], other.parent != name.parent else { continue }
                moves[[name.parent, other.parent], default: [:]][name.name, default: (place, [])].targets
                    .insert(other.name)
            }
        }
        return moves.values.flatMap { moves -> [UInt64] in
            var left = moves.filter { !$1.targets.contains($0) }
            while true {
                let taken = left.values.reduce(into: Set<String>()) { $0.formUnion($1.targets) }
                let kept = left.filter { taken.contains($0) && $1.targets.contains { left[$0] != nil } }
                if kept.count == left.count { return left.values.map(\.place) }
                left = kept
            }
        }
    }
}
