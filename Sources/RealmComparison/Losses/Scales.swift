import RealmModel

/// How many times as much numbers are that a conversion made others.
struct Scales {
    private var first: (number: Double, scale: Double)?
    private(set) var isOne = true
    private var hasSeveralNumbers = false
    /// How many numbers were noted.
    private(set) var count = 0
    private var haveSameDigits = true

    mutating func note(_ before: Value, _ after: Value) {
        guard isOne, let number = before.number, let other = after.number, number != 0, other != 0, other.isFinite
        else {
            isOne = false
            return
        }
        count += 1
        haveSameDigits = haveSameDigits && Digits(of: before) == Digits(of: after)
        guard let first else {
            first = (number, other / number)
            return
        }
        hasSeveralNumbers = hasSeveralNumbers || number != first.number
        isOne = abs(other - first.scale * number) <= 1e-9 * abs(other)
    }

    /// Whether several are as many times as much.
    var areSteady: Bool { isOne && hasSeveralNumbers }

    /// Whether all are in another unit, and none has lost a digit.
    var areOne: Bool { isOne && (haveSameDigits || hasSeveralNumbers) }
}
