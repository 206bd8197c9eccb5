import RealmModel

/// Numbers of the same sign and the same number of digits; zero, infinities and what is no number stay.
///
/// Whole numbers become whole numbers, the same whatever their type is, and no two numbers become one: a set of mixed values
/// keeps its elements.
struct NumberReplacement {
    /// Digits of whole numbers that a double has exactly, whatever they are.
    private static let exactDigits = 15
    /// Digits of whole numbers that a float has exactly.
    private static let exactFloatDigits = 7

    let permutation: KeyedPermutation

    func replacement(of number: Int64) -> Int64 {
        guard number != 0 else { return 0 }
        let limit = number < 0 ? Int64.min.magnitude : Int64.max.magnitude
        let magnitude = UInt64(replacement(of: UInt128(number.magnitude), atMost: UInt128(limit)))
        return number < 0 ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(magnitude)
    }

    func replacement(of number: Double) -> Double {
        guard number.isFinite, number != 0 else { return number }
        if let whole = Self.whole(number.magnitude, digits: Self.exactDigits) {
            return number.sign == .minus ? -Double(replacement(of: whole)) : Double(replacement(of: whole))
        }
        let isWhole = number == number.rounded(.towardZero)
        let fraction = number.significandBitPattern
        let replaced = replacement(ofMantissa: fraction, bits: 52, of: number.bitPattern ^ fraction) { mantissa in
            Self.isWhole(number, with: mantissa) == isWhole
        }
        return Self.number(number, with: replaced)
    }

    func replacement(of number: Float) -> Float {
        guard number.isFinite, number != 0 else { return number }
        if let whole = Self.whole(Double(number.magnitude), digits: Self.exactFloatDigits) {
            return number.sign == .minus ? -Float(replacement(of: whole)) : Float(replacement(of: whole))
        }
        let isWhole = number == number.rounded(.towardZero)
        let fraction = number.significandBitPattern
        let head = UInt64(number.bitPattern ^ fraction)
        let replaced = replacement(ofMantissa: UInt64(fraction), bits: 23, of: head) { mantissa in
            Self.isWhole(number, with: Float.RawSignificand(mantissa)) == isWhole
        }
        return Self.number(number, with: Float.RawSignificand(replaced))
    }

    /// The number with another mantissa.
    private static func number<Number: BinaryFloatingPoint>(
        _ number: Number, with mantissa: Number.RawSignificand
    ) -> Number {
        Number(sign: number.sign, exponentBitPattern: number.exponentBitPattern, significandBitPattern: mantissa)
    }

    /// Whether the number with another mantissa is whole; nil where it is zero, which nothing becomes.
    private static func isWhole<Number: BinaryFloatingPoint>(
        _ number: Number, with mantissa: Number.RawSignificand
    ) -> Bool? {
        let other = Self.number(number, with: mantissa)
        return other == 0 ? nil : other == other.rounded(.towardZero)
    }

    func replacement(of number: Decimal128) -> Decimal128 {
        var (coefficient, zeros) = (number.coefficient, 0)
        guard number.isFinite, coefficient > 0 else { return number }
        while coefficient.isMultiple(of: 10) { (coefficient, zeros) = (coefficient / 10, zeros + 1) }
        let exponent = number.exponent + zeros
        let replaced: Decimal128?
        if exponent >= 0, exponent < Self.exactDigits, coefficient < Self.power(Self.exactDigits - exponent) {
            // A whole number: as an integer of its value is.
            let whole = replacement(of: coefficient * Self.power(exponent))
            let places = max(-number.exponent, 0)
            replaced = Decimal128(
                isNegative: number.isNegative, coefficient: whole * Self.power(places), exponent: -places)
        } else {
            let digits = replacement(ofFraction: coefficient, exponent: exponent)
            replaced = Decimal128(
                isNegative: number.isNegative, coefficient: digits * Self.power(zeros), exponent: number.exponent)
        }
        return replaced ?? number
    }

    /// A date with seconds of as many digits, and a fraction as fine.
    func replacement(of date: Timestamp) -> Timestamp {
        Timestamp(
            seconds: replacement(of: date.seconds),
            nanoseconds: date.nanoseconds < 0
                ? -replacement(ofNanoseconds: -date.nanoseconds) : replacement(ofNanoseconds: date.nanoseconds))
    }

    /// The whole number that a magnitude is, where it has no more digits than given.
    private static func whole(_ magnitude: Double, digits: Int) -> UInt128? {
        guard magnitude == magnitude.rounded(.towardZero), magnitude < Double(power(digits)) else { return nil }
        return UInt128(magnitude)
    }

    private static func power(_ exponent: Int) -> UInt128 { (0..<exponent).reduce(1) { power, _ in power * 10 } }

    /// A whole number of as many digits, not above a limit that the number is not above.
    private func replacement(of number: UInt128, atMost limit: UInt128 = .max) -> UInt128 {
        var digits = Self.digits(of: number)
        var radices = [UInt32](repeating: 10, count: digits.count)
        radices[0] = 9
        digits[0] -= 1
        func value(_ digits: [UInt32]) -> UInt128 {
            digits.enumerated().reduce(0) { $0 * 10 + UInt128($1.element + ($1.offset == 0 ? 1 : 0)) }
        }
        permutation.permute(&digits, radices: radices, as: .integer) { value($0) <= limit }
        return value(digits)
    }

    /// Digits that neither begin nor end with zero, as the given ones do not.
    private func replacement(ofFraction number: UInt128, exponent: Int) -> UInt128 {
        var digits = Self.digits(of: number)
        let last = digits.count - 1
        var radices = [UInt32](repeating: 10, count: digits.count)
        for place in Set([0, last]) {
            radices[place] = 9
            digits[place] -= 1
        }
        permutation.permute(&digits, radices: radices, as: .fraction, tweak: UInt64(bitPattern: Int64(exponent)))
        return digits.enumerated().reduce(0) {
            $0 * 10 + UInt128($1.element + ($1.offset == 0 || $1.offset == last ? 1 : 0))
        }
    }

    /// - Parameter number: 0 … 999,999,999.
    private func replacement(ofNanoseconds number: Int32) -> Int32 {
        guard number > 0 else { return number }
        var (thousands, count) = (UInt32(number), 3)
        while thousands.isMultiple(of: 1000) { (thousands, count) = (thousands / 1000, count - 1) }
        var digits = (0..<count).map { thousands / UInt32(Self.power(3 * $0)) % 1000 }
        permutation.permute(
            &digits, radices: [UInt32](repeating: 1000, count: count), as: .nanoseconds, tweak: UInt64(count)
        ) { $0[0] != 0 }
        let value = digits.reversed().reduce(UInt32(0)) { $0 * 1000 + $1 }
        return Int32(value * UInt32(Self.power(3 * (3 - count))))
    }

    /// Another mantissa for a sign and an exponent.
    private func replacement(
        ofMantissa mantissa: UInt64, bits: UInt64, of head: UInt64, into isIn: (UInt64) -> Bool
    ) -> UInt64 {
        let low = bits / 2
        let lowMask: UInt64 = (1 << low) - 1
        var digits = [UInt32(mantissa >> low), UInt32(mantissa & lowMask)]
        let radices: [UInt32] = [1 << UInt32(bits - low), 1 << UInt32(low)]
        func joined(_ digits: [UInt32]) -> UInt64 { UInt64(digits[0]) << low | UInt64(digits[1]) }
        permutation.permute(&digits, radices: radices, as: .mantissa, tweak: head) { isIn(joined($0)) }
        return joined(digits)
    }

    private static func digits(of number: UInt128) -> [UInt32] {
        var (digits, rest) = ([UInt32](), number)
        while rest > 0 {
            digits.append(UInt32(rest % 10))
            rest /= 10
        }
        return digits.reversed()
    }
}
