import RealmModel

/// The narrow decimals of format 24, REALM_FORMAT section 10.2.
extension Decimal128 {
    /// The low bits of the NaN that stands for null.
    static let nullPayload: UInt64 = 0xaa

    /// Whether the bits are those that stand for null.
    static func isNull(low: UInt64, high: UInt64) -> Bool { high == notANumber.high && low == nullPayload }

    /// The value of an IEEE 754 decimal32 in BID; nil where it stands for null.
    static func widening(_ bits: UInt32) -> Decimal128? {
        bits == 0x7c00_00aa ? nil : widening(UInt64(bits), width: 32, exponentBits: 8, bias: 101)
    }

    /// The value of an IEEE 754 decimal64 in BID; nil where it stands for null.
    static func widening(_ bits: UInt64) -> Decimal128? {
        bits == 0x7c00_0000_0000_00aa ? nil : widening(bits, width: 64, exponentBits: 10, bias: 398)
    }

    private static func widening(_ bits: UInt64, width: UInt64, exponentBits: UInt64, bias: UInt64) -> Decimal128 {
        let sign = (bits >> (width - 1)) << 63
        if bits >> (width - 5) & 0b1111 == 0b1111 {
            // Infinity and NaN: the top five bits below the sign are kept, a payload is not.
            return Decimal128(low: 0, high: sign | (bits >> (width - 6) & 0b1_1111) << 58)
        }
        let isLarge = bits >> (width - 3) & 0b11 == 0b11
        let coefficientBits = width - 1 - exponentBits - (isLarge ? 2 : 0)
        let exponent = bits >> coefficientBits & (1 << exponentBits - 1)
        let tail = bits & (1 << coefficientBits - 1)
        let coefficient = isLarge ? tail | 0b100 << coefficientBits : tail
        let limit: UInt64 = width == 32 ? 9_999_999 : 9_999_999_999_999_999
        return Decimal128(
            low: coefficient > limit ? 0 : coefficient, high: sign | (exponent + 6176 - bias) << 49)
    }
}
