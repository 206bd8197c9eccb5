/// The names of properties and keys, by their places: whether values went to each other's.
///
/// Each has one new place in all objects then, and the two names say the opposite of what they said.
struct PlaceNames {
    /// Places on either side, at most.
    private static let limit = 4_096
    /// Names that several objects have, of which each is compared with each other one.
    private static let limitOfTorn = 64

    /// The new names of places, by the old ones, and whether another object has them.
    private typealias Moves = [String: (places: [UInt64], targets: Set<String>, areElsewhere: Bool)]

    private var before: [UInt64: PlaceName] = [:]
    private var after: [UInt64: PlaceName] = [:]
    /// Those of the objects that have the places, by the places of these.
    private var wholes: (before: [UInt64: PlaceName], after: [UInt64: PlaceName]) = ([:], [:])

    mutating func note(_ gone: [PlacedValue], _ fresh: [PlacedValue]) {
        // Where all are of the object itself, each name is where it was.
        guard
            fresh.contains(where: { $0.parent != 0 })
                || gone.contains(where: { $0.parent != 0 || $0.value.entries != nil })
        else { return }
        for value in gone + gone.flatMap({ $0.elementsApart })
        where before[value.family] == nil && before.count < Self.limit {
            before[value.family] = value.placeName
            wholes.before[value.parent] = value.whole
        }
        for value in fresh where after[value.family] == nil && after.count < Self.limit {
            after[value.family] = value.placeName
            wholes.after[value.parent] = value.whole
        }
    }

    mutating func add(_ others: PlaceNames) {
        before.merge(others.before) { own, _ in own }
        after.merge(others.after) { own, _ in own }
        wholes.before.merge(others.wholes.before) { own, _ in own }
        wholes.after.merge(others.wholes.after) { own, _ in own }
    }

    /// The places before whose values have each other's names now, perhaps by way of third ones.
    ///
    /// They are in one object that took values over from another one, in one that took them over from several, in several that took them
    /// over from one, or in the objects of a dictionary by their keys. Of those that stayed in their object others know.
    func exchanged(_ sources: [UInt64: PlaceSource]) -> Set<UInt64> {
        var moves: [[UInt64?]: Moves] = [:]
        func note(_ place: UInt64, _ from: PlaceName, _ to: PlaceName) {
            for key in [[from.parent, to.parent], [nil, to.parent], [from.parent, nil]] {
                var move = moves[key]?[from.name] ?? ([], [], false)
                if !move.places.contains(place) { move.places.append(place) }
                move.targets.insert(to.name)
                move.areElsewhere = move.areElsewhere || from.parent != to.parent
                moves[key, default: [:]][from.name] = move
            }
        }
        for (place, source) in sources {
            guard let name = before[place] else { continue }
            for target in source.steady {
                guard let other = after[target] else { continue }
                note(place, name, other)
                if let whole = wholes.before[name.parent], let otherWhole = wholes.after[other.parent] {
                    note(place, whole, otherWhole)
                }
            }
        }
        return moves.reduce(into: Set(torn(sources))) { found, moves in
            // Of several objects a name that more than one has says nothing.
            let isOfOne = moves.key[0] != nil
            found.formUnion(Self.onCircles(isOfOne ? moves.value : moves.value.filter { $1.places.count == 1 }))
        }
    }

    /// The places of two objects whose members were parted crosswise among two others under their names.
    private func torn(_ sources: [UInt64: PlaceSource]) -> [UInt64] {
        var homes: [String: [UInt64: (place: UInt64, target: UInt64)]] = [:]
        for (place, source) in sources {
            guard let name = before[place] else { continue }
            let targets = Set(source.steady.compactMap { after[$0] }.filter { $0.name == name.name }.map(\.parent))
            guard targets.count == 1, let target = targets.first else { continue }
            homes[name.name, default: [:]][name.parent] = (place, target)
        }
        let members = homes.values.filter { $0.count > 1 }.prefix(Self.limitOfTorn)
        return members.flatMap { one in
            members.flatMap { other in
                one.flatMap { parent, home -> [UInt64] in
                    guard let own = other[parent], own.target != home.target else { return [] }
                    let isTorn = one.contains { $1.target == own.target && other[$0]?.target == home.target }
                    return isTorn ? [home.place, own.place] : []
                }
            }
        }
    }

    private static func onCircles(_ moves: Moves) -> [UInt64] {
        var left = moves.filter { !$1.targets.contains($0) }
        while true {
            let taken = left.values.reduce(into: Set<String>()) { $0.formUnion($1.targets) }
            let kept = left.filter { taken.contains($0) && $1.targets.contains { left[$0] != nil } }
            if kept.count == left.count {
                return left.values.contains(where: \.areElsewhere) ? left.values.flatMap(\.places) : []
            }
            left = kept
        }
    }
}

/// A name in what has it: an object, an embedded one or a dictionary.
struct PlaceName: Hashable {
    var parent: UInt64
    var name: String
}

extension PlacedValue {
    var placeName: PlaceName { PlaceName(parent: parent, name: name) }
}
