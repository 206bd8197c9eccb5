import RealmModel

/// What is asked of two values.
struct ValueTest: Hashable, Sendable {
    let comparator: Comparison.Operator
    let ignoresCase: Bool

    /// Whether it is about the characters of strings.
    var isOfText: Bool { [.beginsWith, .endsWith, .contains, .like].contains(comparator) }

    func holds(_ left: Value, _ right: Value) -> Bool {
        switch comparator {
        case .equal, .in: isEqual(left, right)
        case .notEqual: !isEqual(left, right)
        case .less: order(left, right) == .ascending
        case .greater: order(left, right) == .descending
        case .lessOrEqual: order(left, right).map { $0 != .descending } ?? false
        case .greaterOrEqual: order(left, right).map { $0 != .ascending } ?? false
        case .beginsWith: text(left, right) { $0.starts(with: $1) }
        case .endsWith: text(left, right) { $0.reversed().starts(with: $1.reversed()) }
        case .contains: text(left, right, contains)
        case .like: text(left, right, isLike)
        }
    }

    private func isEqual(_ left: Value, _ right: Value) -> Bool {
        if left.isNull || right.isNull { return left.isNull && right.isNull }
        if isNaN(left) || isNaN(right) { return isNaN(left) && isNaN(right) }
        return ValueOrder.compare(folded(left), folded(right)) == .same
    }

    /// Nil for what has no order: null, a NaN, or values of different kinds.
    private func order(_ left: Value, _ right: Value) -> Ordering? {
        guard !left.isNull, !right.isNull, !isNaN(left), !isNaN(right), isComparable(left, right) else { return nil }
        return ValueOrder.compare(folded(left), folded(right))
    }

    private func isComparable(_ left: Value, _ right: Value) -> Bool {
        func kind(_ value: Value) -> Int {
            switch value {
            case .int, .float, .double, .decimal128: 0
            case .bool: 1
            case .string: 2
            case .data: 3
            case .date: 4
            case .objectId: 5
            case .uuid: 6
            case .null, .link, .typedLink, .list, .dictionary: 7
            }
        }
        return kind(left) == kind(right) && kind(left) != 7
    }

    private func isNaN(_ value: Value) -> Bool {
        switch value {
        case .double(let number): number.isNaN
        case .float(let number): number.isNaN
        default: false
        }
    }

    private func folded(_ value: Value) -> Value {
        guard ignoresCase, case .string(let text) = value else { return value }
        return .string(text.lowercased())
    }

    private func text(_ left: Value, _ right: Value, _ holds: ([UInt8], [UInt8]) -> Bool) -> Bool {
        guard case .string(let left) = folded(left), case .string(let right) = folded(right) else { return false }
        return holds(Array(left.utf8), Array(right.utf8))
    }

    private func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard part.count <= text.count else { return false }
        guard let first = part.first else { return true }
        return (0...(text.count - part.count)).contains { start in
            text[start] == first && text[start..<start + part.count].elementsEqual(part)
        }
    }

    /// Whether a text fits a pattern: `*` stands for any characters, `?` for one, `\` takes the next as it is.
    ///
    /// In time of text times pattern at most: a star that did not fit is tried one character further on.
    private func isLike(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
        let text = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
        let parts = Self.parts(pattern)
        var (place, part) = (0, 0)
        var star: (part: Int, place: Int)?
        while place < text.count {
            if part < parts.count, parts[part] == .many {
                star = (part, place)
                part += 1
            } else if part < parts.count, parts[part] == .one || parts[part] == .scalar(text[place]) {
                place += 1
                part += 1
            } else if let last = star {
                star = (last.part, last.place + 1)
                (place, part) = (last.place + 1, last.part + 1)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == .many }
    }

    private enum Part: Hashable {
        case many
        case one
        case scalar(Unicode.Scalar)
    }

    private static func parts(_ pattern: [UInt8]) -> [Part] {
        var parts: [Part] = []
        var isEscaped = false
        for scalar in String(decoding: pattern, as: UTF8.self).unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                parts.append(.scalar(scalar))
                isEscaped = false
            case "\\": isEscaped = true
            case "*": parts.append(.many)
            case "?": parts.append(.one)
            default: parts.append(.scalar(scalar))
            }
        }
        return parts
    }
}
