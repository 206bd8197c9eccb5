import Columns
import RealmModel

/// The part that is left of a value that was moved or written otherwise.
enum Remainder {
    /// Not all of it.
    case none
    /// All parts of it, and not as they stood in it: in another order, at other keys, or without the white space between them.
    case parts
    /// The days of its dates, and all else of it, but not their time or their fraction.
    case cut
    /// All of it.
    case all
}

extension ValueWords {
    /// Whether parts of a value that are all among these stand as they stood in it: the elements of a list in their order, the values of
    /// a dictionary behind their keys, the words of a text apart from each other.
    ///
    /// - Parameter hasParts: whether the value has embedded objects in it, whose properties have no order.
    func keepOrder(of value: Value, _ type: ColumnType, hasParts: Bool) -> Bool {
        switch value {
        case .list(let elements):
            if type.collection == .set { return true }
            var rest = words[...]
            for word in elements.prefix(Self.elementLimit).flatMap({ Self.spelling($0) }) {
                guard let place = rest.firstIndex(of: word) else { return false }
                rest = rest[(place + 1)...]
            }
            return true
        case .dictionary(let entries):
            if hasParts, type.collection != .dictionary { return true }
            return entries.prefix(Self.elementLimit).allSatisfy { entry in
                if entry.value.isHollow { return true }
                let value: [UInt64] = hasParts ? [] : Array(Self.spelling(entry.value).prefix(1))
                return contain(run: Self.spelling(.string(entry.key)) + value)
            }
        case .string(let text): return keepWords(of: text)
        default: return true
        }
    }

    /// Whether words that stood apart are still words: those of digits alone are one number together, and those of an identifier in
    /// hexadecimal are one.
    private func keepWords(of text: String) -> Bool {
        var sought = ValueWords()
        sought.add(text: text.utf8)
        let letters = sought.squeezed.dropLast()
        if sought.words.count < 2 || letters.allSatisfy(Self.isDigit) || Timestamp(whole: text) != nil { return true }
        let hasSpace = text.utf8.contains { $0 <= UInt8(ascii: " ") }
        let isIdentifier = !hasSpace && letters.allSatisfy { Self.isDigit($0) || $0 &- UInt8(ascii: "a") < 6 }
        return isIdentifier || sought.words.allSatisfy(words.contains)
    }

    private func contain(run sought: [UInt64]) -> Bool {
        guard let first = sought.first else { return true }
        return words.indices.contains { words[$0] == first && words[$0...].starts(with: sought) }
    }

    /// The words that a part of a value is known by in its place: of a date the day, of an embedded object its first value; none where
    /// it may be written in several ways.
    private static func spelling(_ value: Value) -> [UInt64] {
        switch value {
        case .data: return []
        case .date: return day(of: value).words
        case .list, .dictionary: return value.leaves.first.map(spelling) ?? []
        default:
            var words = ValueWords()
            words.add(value)
            return words.words
        }
    }
}

extension Sequence<Value> {
    /// The elements that others have not, or not as often.
    func without(_ others: [Value]) -> [Value] {
        var left: [Value: Int] = others.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return filter { value in
            guard let count = left[value], count > 0 else { return true }
            left[value] = count - 1
            return false
        }
    }
}

extension [Value] {
    /// Whether all elements of another list are in this one, in their order.
    func haveInOrder(_ others: some Sequence<Value>) -> Bool {
        var rest = self[...]
        for other in others {
            guard let place = rest.firstIndex(of: other) else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }
}
