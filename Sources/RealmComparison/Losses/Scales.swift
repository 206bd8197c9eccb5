import RealmModel

/// How many times as much numbers are, those of lists among them.
struct Scales {
    private var first: (number: Double, scale: Double)?
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
            first = (number, other / number)
            return
        }
        hasSeveralNumbers = hasSeveralNumbers || number != first.number
        isOne = abs(other - first.scale * number) <= 1e-9 * abs(other)
    }

    /// Whether several are as many times as much.
    var areSteady: Bool { areOne && hasSeveralNumbers }

    /// Whether all are in another unit, and none has lost a digit.
    var areOne: Bool {
        isOne && (haveSameDigits || hasSeveralNumbers) && first.map { abs($0.scale - 1) > 1e-6 } ?? false
    }
}

extension Value {
    /// The number that it is, or those of a list, each with the one in its place; nil where another one has not as many.
    func numbers(beside other: Value) -> [(Value, Value)]? {
        guard case (.list(let elements), .list(let others)) = (self, other) else {
            return number == nil || other.number == nil ? nil : [(self, other)]
        }
        let pairs = zip(elements, others).compactMap { $0.numbers(beside: $1) }
        return pairs.count == elements.count && pairs.count == others.count ? Array(pairs.joined()) : nil
    }
}
