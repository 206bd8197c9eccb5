import RealmModel

/// A value that is gone from its place, with the ways in which it may stand whole in another one.
struct CarriedValue {
    private let value: Value
    private let number: Double?
    /// The texts that say it, of three bytes at least where it is one.
    let writings: [String]

    init(_ value: Value) {
        self.value = value
        number = value.number
        switch value {
        case .string(let text): writings = text.utf8.count > 2 ? [text] : []
        case .date(let date): writings = [date.description, "\(date.seconds)", "\(date.milliseconds)"]
        default:
            // A number without a fraction is often written as an integer.
            let whole = value.number.flatMap { Int64(exactly: $0) }.map { "\($0)" }
            writings = [value.numberText, whole].compactMap(\.self)
        }
    }

    /// Whether another value is this one, or has it in it side by side.
    func isWhole(in other: Value) -> Bool {
        if other == value { return true }
        if let number, let found = other.number { return number == found }
        if case .date(let date) = value, let found = other.number { return date.isSaid(by: found) }
        guard !writings.isEmpty else { return false }
        switch other {
        case .string(let text):
            return isWritten(in: text)
                || writings.contains { writing in
                    number == nil ? text.utf8.contains(writing.utf8) : text.utf8.contains(number: writing.utf8)
                }
        case .int(let found): return writings.contains("\(found)")
        default: return false
        }
    }

    /// Whether a text has it as a date in one of the ways in which people write them.
    private func isWritten(in text: String) -> Bool {
        guard case .date = value, text.utf8.contains(where: ValueWords.isDigit) else { return false }
        var words = ValueWords()
        words.add(text: text.utf8)
        return words.contain(value, exactDates: true)
    }
}

extension [PlacedValue] {
    /// The places without the numbers of elements that have a value whole, each once.
    ///
    /// - Parameter steady: places that are looked at alone where one of them has it; nil where all are.
    func families(having value: Value, first steady: [UInt64]? = nil) -> [UInt64] {
        let sought = CarriedValue(value)
        func having(_ isLookedAt: (UInt64) -> Bool) -> [UInt64] {
            var found: [UInt64] = []
            for other in self
            where isLookedAt(other.family) && !found.contains(other.family) && sought.isWhole(in: other.value) {
                found.append(other.family)
            }
            return found
        }
        let found = steady.map { having($0.contains) } ?? []
        return found.isEmpty ? having { _ in true } : found
    }
}

extension Timestamp {
    /// Whether a number is its seconds or milliseconds.
    func isSaid(by number: Double) -> Bool {
        number == Double(seconds) || number == Double(milliseconds) || number == Double(milliseconds) / 1_000
    }
}

extension String.UTF8View {
    fileprivate func contains(_ other: Self) -> Bool { Array(self)[...].contains(run: Array(other)[...]) }

    /// Whether a number is written in it, with no digits beside it.
    fileprivate func contains(number: Self) -> Bool { Array(self)[...].contains(number: Array(number)) }
}

extension ArraySlice<UInt8> {
    /// Whether a number is written in these bytes, with no digits beside it.
    func contains(number: [UInt8]) -> Bool {
        guard count >= number.count else { return false }
        return (startIndex...(endIndex - number.count)).contains { start in
            let end = start + number.count
            guard self[start] == number[0], self[start..<end].elementsEqual(number) else { return false }
            return !(start > startIndex && ValueWords.isDigit(self[start - 1]))
                && !(end < endIndex && ValueWords.isDigit(self[end]))
        }
    }
}
