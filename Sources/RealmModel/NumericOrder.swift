/// The order of numbers of all of Realm's types by their value.
///
/// Integers and binary floating-point numbers compare exactly; with decimals a double counts by its first 15
/// significant digits and a float by its first 7, as in Realm.
public enum NumericOrder {
    /// Compares two numbers; values of other types are the same as anything.
    public static func compare(_ lhs: Value, _ rhs: Value) -> Ordering {
        switch (lhs, rhs) {
        case (.int(let lhs), .int(let rhs)): return Ordering(lhs, rhs)
        case (.decimal128, _), (_, .decimal128):
            guard let lhs = decimal(lhs), let rhs = decimal(rhs) else { return .same }
            return Decimal128.compare(lhs, rhs)
        case (.int(let lhs), _):
            guard let rhs = binary(rhs) else { return .same }
            return compare(lhs, rhs)
        case (_, .int(let rhs)):
            guard let lhs = binary(lhs) else { return .same }
            return compare(rhs, lhs).reversed
        default:
            guard let lhs = binary(lhs), let rhs = binary(rhs) else { return .same }
            return compare(lhs, rhs)
        }
    }

    private static func binary(_ value: Value) -> Double? {
        switch value {
        case .float(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    private static func decimal(_ value: Value) -> Decimal128? {
        switch value {
        case .int(let number): Decimal128(number)
        case .float(let number): Decimal128(number)
        case .double(let number): Decimal128(number)
        case .decimal128(let number): number
        default: nil
        }
    }

    private static func compare(_ lhs: Double, _ rhs: Double) -> Ordering {
        if lhs.isNaN || rhs.isNaN { return Ordering(lhs.isNaN ? 0 : 1, rhs.isNaN ? 0 : 1) }
        return Ordering(lhs, rhs)
    }

    /// Compares without rounding the integer, which a double above 2^53 would do.
    private static func compare(_ lhs: Int64, _ rhs: Double) -> Ordering {
        if rhs.isNaN || rhs < -0x1p63 { return .descending }
        guard rhs < 0x1p63 else { return .ascending }
        let whole = Int64(rhs)
        return Ordering(lhs, whole).then(Ordering(0, rhs - Double(whole)))
    }
}
