/// An IEEE 754-2008 decimal128 in the binary-integer (BID) encoding, as Realm files store it.
///
/// Equality is of bits: `1.50` and `1.5` differ, as their text does. `compare` is of numbers.
public struct Decimal128: Hashable, Sendable {
    /// The less significant 64 bits.
    public var low: UInt64
    /// The more significant 64 bits: sign, exponent, head of the coefficient.
    public var high: UInt64

    /// Wraps the stored bits.
    public init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// The value `+0E0`, Realm's value for a required property that was never set.
    public static let zero = Decimal128(low: 0, high: 0x3040_0000_0000_0000)
    /// The positive infinity.
    public static let infinity = Decimal128(low: 0, high: infinityBits)
    /// The quiet NaN with no payload.
    public static let notANumber = Decimal128(low: 0, high: notANumberBits)

    /// The digits that a coefficient has at most.
    public static let maximumDigits = 34
    /// The largest coefficient, 34 nines.
    public static let maximumCoefficient: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999
    /// The exponents that a number can have.
    public static let exponents = -6176...6111

    static let signBit: UInt64 = 0x8000_0000_0000_0000
    static let infinityBits: UInt64 = 0x7800_0000_0000_0000
    static let notANumberBits: UInt64 = 0x7c00_0000_0000_0000
    private static let coefficientHead: UInt64 = 0x0001_ffff_ffff_ffff

    /// The number `±coefficient × 10^exponent`; nil where either is out of range.
    public init?(isNegative: Bool = false, coefficient: UInt128, exponent: Int) {
        guard coefficient <= Self.maximumCoefficient, Self.exponents.contains(exponent) else { return nil }
        let biased = UInt64(exponent - Self.exponents.lowerBound)
        low = UInt64(truncatingIfNeeded: coefficient)
        high = UInt64(truncatingIfNeeded: coefficient >> 64) | biased << 49 | (isNegative ? Self.signBit : 0)
    }

    /// Whether the sign is minus, of zeros and NaNs too.
    public var isNegative: Bool { high & Self.signBit != 0 }

    /// Whether the value is no number.
    public var isNaN: Bool { high & Self.notANumberBits == Self.notANumberBits }

    /// Whether the value is one of the two infinities.
    public var isInfinite: Bool { high & Self.notANumberBits == Self.infinityBits }

    /// Whether the value is a number other than the infinities.
    public var isFinite: Bool { high & Self.infinityBits != Self.infinityBits }

    /// The digits of a finite number as an integer; zero where the encoding is not canonical, as IEEE 754 has it.
    public var coefficient: UInt128 {
        guard isFinite, !hasLongExponentForm else { return 0 }
        let stored = UInt128(high & Self.coefficientHead) << 64 | UInt128(low)
        return stored <= Self.maximumCoefficient ? stored : 0
    }

    /// The power of ten of a finite number; zero for the others.
    public var exponent: Int {
        guard isFinite else { return 0 }
        let biased = hasLongExponentForm ? high >> 47 : high >> 49
        return Int(biased & 0x3fff) + Self.exponents.lowerBound
    }

    /// Whether the exponent stands two bits lower, behind `11`: the coefficient is then above 34 digits.
    private var hasLongExponentForm: Bool { high >> 61 & 3 == 3 }
}
