import RealmModel

/// Parts of values that changed places: words of texts, and elements of lists and sets.
///
/// All of them are there, and in other values than before.
enum WordExchanges {
    /// A place and the words that it has no more or that it had not.
    private struct Node {
        let column: Int
        let family: UInt64
        let isNumber: Bool
        /// Whether there is more than numbers, which may be the same by chance.
        let isTelling: Bool
        let gone: [UInt64]
        let fresh: [UInt64]
        /// The places that have all of the value, side by side; none where no place has.
        var owners: [UInt64] = []

        func mayGive(to other: Node) -> Bool {
            // Elements of one list may be numbered anew, and of two numbers others know.
            guard other.family != family, !(isNumber && other.isNumber) else { return false }
            // Some words of a text that is whole elsewhere are in others by chance.
            return owners.isEmpty || owners.contains(other.family) || Set(other.fresh).isSuperset(of: gone)
        }
    }

    /// The columns of which places gave a part to others and have one of theirs, perhaps by way of third ones, and whether more than numbers
    /// did so.
    ///
    /// - Parameters:
    ///   - before: values that are gone from their places.
    ///   - fresh: values that were not there before.
    ///   - after: those that are at the places now; nil where there is none.
    static func columns(
        _ before: [PlacedValue], in fresh: [PlacedValue], _ after: (PlacedValue) -> Value?
    ) -> [Int: Bool] {
        var nodes: [Node] = []
        for value in before where !value.value.isFlag {
            guard let now = after(value), !now.isHollow else { continue }
            let (old, new) = (counts(value.value), counts(now))
            var node = Node(
                column: value.column, family: value.family, isNumber: value.value.number != nil,
                isTelling: value.value.leaves.contains { $0.number == nil },
                gone: old.filter { $0.value > new[$0.key] ?? 0 }.map(\.key),
                fresh: new.filter { $0.value > old[$0.key] ?? 0 }.map(\.key))
            guard !node.gone.isEmpty, !node.fresh.isEmpty else { continue }
            node.owners = fresh.families(having: value.value)
            nodes.append(node)
        }
        guard nodes.count > 1 else { return [:] }
        return onCircles(nodes).reduce(into: [:]) {
            $0[$1.column, default: false] = $0[$1.column] == true || $1.isTelling
        }
    }

    /// The words of a value, or of its elements, and how often each is there.
    private static func counts(_ value: Value) -> [UInt64: Int] {
        var words = ValueWords()
        words.add(value)
        return words.words.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// The nodes that are left where those that give nothing to another, or take nothing, are put away again and again.
    private static func onCircles(_ nodes: [Node]) -> [Node] {
        var takers: [UInt64: [Int]] = [:]
        for (number, node) in nodes.enumerated() { for word in node.fresh { takers[word, default: []].append(number) } }
        let next = nodes.map { node in
            Set(node.gone.flatMap { takers[$0] ?? [] }).filter { node.mayGive(to: nodes[$0]) }
        }
        var left = Set(nodes.indices)
        while true {
            let taking = Set(left.flatMap { next[$0] })
            let kept = left.filter { taking.contains($0) && !next[$0].isDisjoint(with: left) }
            if kept.count == left.count { return left.map { nodes[$0] } }
            left = kept
        }
    }
}

extension WordExchanges {
    /// Texts of an object of which each is compared with each other one.
    private static let limit = 64

    /// The columns of texts of which the words are parted among the same places, so that each of these has words of both.
    ///
    /// - Parameter fresh: values that were not there before.
    static func mixedColumns(_ gone: [PlacedValue], _ fresh: [PlacedValue]) -> Set<Int> {
        var texts = Array(gone.lazy.filter(\.value.hasSeveralWords).prefix(limit))
        if texts.count > 1 { texts.removeAll { !fresh.families(having: $0.value).isEmpty } }
        guard texts.count > 1 else { return [] }
        var owners: [UInt64: Set<UInt64>] = [:]
        for value in fresh {
            var words = ValueWords()
            words.add(value.value)
            for word in words.words { owners[word, default: []].insert(value.place) }
        }
        let parted = texts.map { text in
            var words = ValueWords()
            words.add(text.value)
            // A word that several have says nothing.
            return Set(words.words.compactMap { owners[$0]?.count == 1 ? owners[$0]?.first : nil })
        }
        return Set(
            texts.indices.filter { one in
                texts.indices.contains { other in
                    other != one && parted[one].intersection(parted[other]).count > 1
                }
            }.map { texts[$0].column })
    }
}

extension Value {
    fileprivate var hasSeveralWords: Bool {
        guard case .string(let text) = self else { return false }
        return text.utf8.contains { $0 < UInt8(ascii: "0") }
    }
}
