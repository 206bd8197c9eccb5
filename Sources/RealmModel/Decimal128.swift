/// An IEEE 754-2008 decimal128 in the binary-integer (BID) encoding, as Realm files store it.
///
/// Equality is of bits: `1.50` and `1.5` differ, as their text does.
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
}
