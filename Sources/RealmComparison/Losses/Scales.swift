import RealmModel

/// How many times as much numbers are, those of lists among them.
struct Scales {
    private var first: (before: Value, after: Value, number: Double, scale: Double)?
    private(set) var isOne = true
    private var hasSeveralNumbers = false
    /// How many numbers and lists were noted.
    private(set) var count = 0
    private var haveSameDigits = true

    /// Notes a number, or all of a list, and what became of them.
    mutating func note(_ before: Value, _ after: Value) {
        guard isOne, let pairs = before.numbers(beside: after) else {
            isOne = false
            return
        }
        count += 1
        for (number, other) in pairs where number.number != 0 || other.number != 0 { note(number, as: other) }
    }

    private mutating func note(_ before: Value, as after: Value) {
        guard let number = before.number, let other = after.number, number != 0, other != 0, other.isFinite else {
            isOne = false
            return
        }
        haveSameDigits = haveSameDigits && Digits(of: before) == Digits(of: after)
        guard let first else {
            first = (before, after, number, other / number)
            return
        }
        hasSeveralNumbers = hasSeveralNumbers || number != first.number
        if case (.int(let one), .int(let oneAfter), .int(let next), .int(let nextAfter)) = (
            first.before, first.after, before, after
        ) {
            // One times as much as a double holds may be rounded.
            isOne = one.multipliedFullWidth(by: nextAfter) == next.multipliedFullWidth(by: oneAfter)
        } else {
            isOne =
                abs(other - first.scale * number) <= 64 * abs(other).ulp
                && (haveSameDigits || !before.hasMoreDigits || !after.hasMoreDigits)
        }
    }

    /// Whether several are as many times as much.
    var areSteady: Bool { areOne && hasSeveralNumbers }

    /// Whether all are in another unit, and none has lost a digit.
    var areOne: Bool {
        isOne && (haveSameDigits || hasSeveralNumbers) && first.map { abs($0.scale - 1) > 1e-6 } ?? false
    }
}

extension Value {
    /// Whether it is a decimal number with more digits than a double keeps.
    fileprivate var hasMoreDigits: Bool {
        guard case .decimal128(let number) = self else { return false }
        return "\(number)".utf8.prefix { $0 != UInt8(ascii: "E") }.count(where: ValueWords.isDigit) > 15
    }

    /// The number that it is, or those of a list, each with the one in its place; nil where another one has not as many.
    func numbers(beside other: Value) -> [(Value, Value)]? {
        guard case (.list(let elements), .list(let others)) = (self, other) else {
            return number == nil || other.number == nil ? nil : [(self, other)]
        }
        let pairs = zip(elements, others).compactMap { $0.numbers(beside: $1) }
        return pairs.count == elements.count && pairs.count == others.count ? Array(pairs.joined()) : nil
    }
}
