import RealmModel

/// The order of mixed values that an index has the same bytes for: by value, as sets are, and only then by key.
///
/// An index keeps the part of a decimal before the point, so 9.5, 9 and the integer 9 stand in one list, which Realm
/// searches by halving. Values of two types share their bytes, too, `true` and 1 for one.
enum MixedIndexOrder {
    /// How a number stands to the integer whose bytes it has.
    private enum Side: UInt8 {
        case below = 0
        case same = 1
        case above = 2
        /// Above all decimals that have the same bytes: a binary number whose bits happen to be the integer's.
        case farAbove = 3
    }

    /// Bytes whose bytewise order is that of values with the same index bytes.
    static func bytes(of value: Value) -> [UInt8] {
        switch value {
        case .decimal128(let number): [ValueOrder.rank(value)] + fraction(of: number)
        case .double(let number): [ValueOrder.rank(value), side(of: number).rawValue]
        case .int, .float: [ValueOrder.rank(value), Side.same.rawValue]
        default: [ValueOrder.rank(value)]
        }
    }

    private static func side(of number: Double) -> Side {
        guard Int32(exactly: number) == nil else { return .same }
        let integer = Double(Int64(bitPattern: number.bitPattern))
        return number == integer ? .same : number > integer ? .farAbove : .below
    }

    /// Which side of its integer a decimal is on, and how far: the zeros behind the point, then the digits.
    private static func fraction(of number: Decimal128) -> [UInt8] {
        guard number.isFinite, number.exponent < 0 else { return [Side.same.rawValue] }
        let places = -number.exponent
        var digits = number.coefficient
        // 38 digits are the most that 128 bits hold, and a coefficient has 34.
        if places <= 38 { digits %= (0..<places).reduce(UInt128(1)) { power, _ in power * 10 } }
        guard digits > 0 else { return [Side.same.rawValue] }
        var text = Array(String(digits).utf8)
        let zeros = places - text.count
        while text.last == UInt8(ascii: "0") { text.removeLast() }
        let above = [~UInt8(truncatingIfNeeded: zeros >> 8), ~UInt8(truncatingIfNeeded: zeros)] + text
        // Below, more is less: every byte turned, and an end that is above any digit.
        return number.isNegative
            ? [Side.below.rawValue] + above.map { ~$0 } + [0xff] : [Side.above.rawValue] + above
    }
}
