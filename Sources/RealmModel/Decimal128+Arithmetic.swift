extension Decimal128 {
    /// The sum, rounded to 34 digits, halves to the even digit (IEEE 754).
    public static func + (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
        if lhs.isNaN || rhs.isNaN { return .notANumber }
        if lhs.isInfinite || rhs.isInfinite {
            if lhs.isInfinite, rhs.isInfinite, lhs.isNegative != rhs.isNegative { return .notANumber }
            return lhs.isInfinite ? lhs : rhs
        }
        let (high, low) = lhs.exponent >= rhs.exponent ? (lhs, rhs) : (rhs, lhs)
        if high.coefficient == 0 {
            guard low.coefficient == 0 else { return low }
            // A sum of zeros is negative where both are.
            return high.isNegative && low.isNegative ? low : .zero
        }
        // The one of the greater exponent is brought to the other's as far as 256 bits go; digits of the smaller one
        // that are below all that counts are told by one digit.
        let distance = high.exponent - low.exponent
        let raised = min(distance, 37)
        var small = low.coefficient
        var isInexact = false
        for _ in 0..<min(distance - raised, 40) {
            isInexact = isInexact || !small.isMultiple(of: 10)
            small /= 10
        }
        let large = WideInteger(high.coefficient.multipliedFullWidth(by: powerOfTen(raised)))
        return sum(
            large, isNegative: high.isNegative, WideInteger(high: 0, low: small), isNegative: low.isNegative,
            isInexact: isInexact, exponent: high.exponent - raised)
    }

    private static func sum(
        _ large: WideInteger, isNegative: Bool, _ small: WideInteger, isNegative smallIsNegative: Bool,
        isInexact: Bool, exponent: Int
    ) -> Decimal128 {
        guard isNegative != smallIsNegative else {
            return (large + small).rounded(isNegative: isNegative, exponent: exponent, isInexact: isInexact)
        }
        if large < small {
            return (small - large).rounded(isNegative: smallIsNegative, exponent: exponent, isInexact: isInexact)
        }
        var difference = large - small
        // The part that was cut off the smaller one is missing from the difference.
        if isInexact { difference = difference - WideInteger(high: 0, low: 1) }
        if difference.isZero { return .zero }
        return difference.rounded(isNegative: isNegative, exponent: exponent, isInexact: isInexact)
    }

    /// The difference, rounded as a sum is.
    public static func - (lhs: Decimal128, rhs: Decimal128) -> Decimal128 { lhs + rhs.negated }

    /// The product, rounded as a sum is.
    public static func * (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
        if lhs.isNaN || rhs.isNaN { return .notANumber }
        let isNegative = lhs.isNegative != rhs.isNegative
        if lhs.isInfinite || rhs.isInfinite {
            let isUndefined = lhs.isFinite && lhs.coefficient == 0 || rhs.isFinite && rhs.coefficient == 0
            return isUndefined ? .notANumber : infinity(isNegative: isNegative)
        }
        return WideInteger(lhs.coefficient.multipliedFullWidth(by: rhs.coefficient))
            .rounded(isNegative: isNegative, exponent: lhs.exponent + rhs.exponent, isInexact: false)
    }

    /// The quotient, rounded as a sum is; a division by zero gives an infinity, 0 / 0 a NaN.
    public static func / (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
        if lhs.isNaN || rhs.isNaN || lhs.isInfinite && rhs.isInfinite { return .notANumber }
        let isNegative = lhs.isNegative != rhs.isNegative
        if lhs.isInfinite { return infinity(isNegative: isNegative) }
        if rhs.isInfinite { return isNegative ? zero.negated : zero }
        guard rhs.coefficient != 0 else {
            return lhs.coefficient == 0 ? .notANumber : infinity(isNegative: isNegative)
        }
        guard lhs.coefficient != 0 else { return isNegative ? zero.negated : zero }
        // Two or three digits more than count, and whether any follow.
        let shift = 36 + rhs.digitCount - lhs.digitCount
        var dividend = WideInteger(lhs.coefficient.multipliedFullWidth(by: powerOfTen(min(shift, 37))))
        if shift > 37 { dividend = dividend.multiplied(by: powerOfTen(shift - 37)) }
        let (quotient, remainder) = rhs.coefficient.dividingFullWidth((dividend.high, dividend.low))
        return WideInteger(high: 0, low: quotient).rounded(
            isNegative: isNegative, exponent: lhs.exponent - rhs.exponent - shift, isInexact: remainder != 0)
    }

    /// The number with the other sign.
    public var negated: Decimal128 { Decimal128(low: low, high: high ^ Self.signBit) }

    fileprivate static func infinity(isNegative: Bool) -> Decimal128 { isNegative ? infinity.negated : infinity }
}

/// 256 bits without a sign.
private struct WideInteger {
    var high: UInt128
    var low: UInt128

    init(high: UInt128, low: UInt128) {
        self.high = high
        self.low = low
    }

    init(_ product: (high: UInt128, low: UInt128)) { self.init(high: product.high, low: product.low) }

    var isZero: Bool { high == 0 && low == 0 }

    static func < (lhs: WideInteger, rhs: WideInteger) -> Bool { (lhs.high, lhs.low) < (rhs.high, rhs.low) }

    static func + (lhs: WideInteger, rhs: WideInteger) -> WideInteger {
        let low = lhs.low.addingReportingOverflow(rhs.low)
        return WideInteger(high: lhs.high + rhs.high + (low.overflow ? 1 : 0), low: low.partialValue)
    }

    static func - (lhs: WideInteger, rhs: WideInteger) -> WideInteger {
        let low = lhs.low.subtractingReportingOverflow(rhs.low)
        return WideInteger(high: lhs.high - rhs.high - (low.overflow ? 1 : 0), low: low.partialValue)
    }

    /// The caller answers for the product's having 256 bits at most.
    func multiplied(by factor: UInt128) -> WideInteger {
        let lowest = low.multipliedFullWidth(by: factor)
        return WideInteger(high: high * factor + lowest.high, low: lowest.low)
    }

    /// The decimal that is next to this, of at most 71 digits, times a power of ten.
    ///
    /// - Parameter isInexact: whether the number is a little more than this.
    func rounded(isNegative: Bool, exponent: Int, isInexact: Bool) -> Decimal128 {
        var cut = 0
        while cut < 38, high >= Decimal128.powerOfTen(cut) || quotient(cut).quotient > Decimal128.maximumCoefficient {
            cut += 1
        }
        // Below the least exponent the digits become fewer.
        cut = max(cut, min(Decimal128.exponents.lowerBound - exponent, 37))
        var (coefficient, remainder) = quotient(cut)
        let half = Decimal128.powerOfTen(cut) / 2
        let isAboveHalf = remainder > half || remainder == half && isInexact && cut > 0
        if cut > 0, isAboveHalf || remainder == half && !isInexact && !coefficient.isMultiple(of: 2) {
            coefficient += 1
        }
        if coefficient > Decimal128.maximumCoefficient { (coefficient, cut) = (coefficient / 10, cut + 1) }
        return Decimal128(isNegative: isNegative, clamping: coefficient, exponent: exponent + cut)
            ?? (exponent + cut > 0
                ? Decimal128.infinity(isNegative: isNegative)
                : Decimal128(isNegative: isNegative, coefficient: 0, exponent: 0) ?? .zero)
    }

    /// The number without its last digits, and those; the high half is less than the power of ten.
    private func quotient(_ digits: Int) -> (quotient: UInt128, remainder: UInt128) {
        Decimal128.powerOfTen(digits).dividingFullWidth((high, low))
    }
}
