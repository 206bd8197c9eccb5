extension Decimal128 {
    /// Compares by value: `1.50` and `1.5` are the same, `-0` and `0` are, NaNs are and come before all numbers.
    public static func compare(_ lhs: Decimal128, _ rhs: Decimal128) -> Ordering {
        if lhs.isNaN || rhs.isNaN { return Ordering(lhs.isNaN ? 0 : 1, rhs.isNaN ? 0 : 1) }
        let signs = Ordering(lhs.signum, rhs.signum)
        guard signs == .same, lhs.signum != 0 else { return signs }
        let magnitudes = compareMagnitudes(lhs, rhs)
        return lhs.isNegative ? magnitudes.reversed : magnitudes
    }

    /// Whether both are the same number, or both are none.
    public func isNumericallyEqual(to other: Decimal128) -> Bool {
        Self.compare(self, other) == .same
    }

    /// The number of an integer, exactly.
    public init(_ integer: Int64) {
        let coefficient = UInt128(integer.magnitude)
        self = Decimal128(isNegative: integer < 0, coefficient: coefficient, exponent: 0) ?? .zero
    }

    private var signum: Int {
        if isFinite && coefficient == 0 { return 0 }
        return isNegative ? -1 : 1
    }

    var digitCount: Int { String(coefficient).utf8.count }

    private static func compareMagnitudes(_ lhs: Decimal128, _ rhs: Decimal128) -> Ordering {
        guard lhs.isFinite, rhs.isFinite else { return Ordering(lhs.isFinite ? 0 : 1, rhs.isFinite ? 0 : 1) }
        let leading = Ordering(lhs.exponent + lhs.digitCount, rhs.exponent + rhs.digitCount)
        guard leading == .same else { return leading }
        // The leading digits stand at the same place, so the scaled coefficients have at most 34 digits.
        let exponent = min(lhs.exponent, rhs.exponent)
        return Ordering(
            lhs.coefficient * powerOfTen(lhs.exponent - exponent), rhs.coefficient * powerOfTen(rhs.exponent - exponent)
        )
    }

    /// - Parameter exponent: 0 … 38.
    static func powerOfTen(_ exponent: Int) -> UInt128 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}
