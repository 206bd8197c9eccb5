import RealmModel

/// A value that is gone from its place, with the ways in which it may stand whole in another one.
struct CarriedValue {
    private let value: Value
    private let number: Double?
    private let writings: [String]

    init(_ value: Value) {
        self.value = value
        number = value.number
        switch value {
        case .string(let text): writings = text.utf8.count > 2 ? [text] : []
        case .date(let date): writings = [date.description, "\(date.seconds)", "\(date.milliseconds)"]
        default: writings = value.numberText.map { [$0] } ?? []
        }
    }

    /// Whether another value is this one, or has it in it side by side.
    func isWhole(in other: Value) -> Bool {
        if other == value { return true }
        if let number, let found = other.number { return number == found }
        guard !writings.isEmpty else { return false }
        switch other {
        case .string(let text):
            return writings.contains { writing in
                number == nil ? text.utf8.contains(writing.utf8) : text.utf8.contains(number: writing.utf8)
            }
        case .int(let found): return writings.contains("\(found)")
        default: return false
        }
    }
}

extension [PlacedValue] {
    /// The places without the numbers of elements that have a value whole, each once.
    func families(having value: Value) -> [UInt64] {
        let sought = CarriedValue(value)
        var found: [UInt64] = []
        for other in self where !found.contains(other.family) && sought.isWhole(in: other.value) {
            found.append(other.family)
        }
        return found
    }
}

extension String.UTF8View {
    fileprivate func contains(_ other: Self) -> Bool { Array(self)[...].contains(run: Array(other)[...]) }

    /// Whether a number is written in it, with no digits beside it.
    fileprivate func contains(number: Self) -> Bool {
        let (text, digits) = (Array(self), Array(number))
        guard text.count >= digits.count else { return false }
        return (0...(text.count - digits.count)).contains { start in
            let end = start + digits.count
            return text[start..<end].elementsEqual(digits)
                && !(start > 0 && ValueWords.isDigit(text[start - 1]))
                && !(end < text.count && ValueWords.isDigit(text[end]))
        }
    }
}
