import RealmModel
import TestRandomness
import Testing

/// Sums and products of decimals, as IEEE 754 rounds them.
struct Decimal128ArithmeticTests {
    private func decimal(_ text: String) throws -> Decimal128 { try #require(Decimal128(text)) }

    @Test(arguments: [
        ("1", "+", "2", "3"), ("0.1", "+", "0.2", "0.3"), ("1E+40", "+", "1", "1E+40"),
        ("9999999999999999999999999999999999", "+", "1", "1E+34"), ("1", "-", "1", "0"),
        ("1E+34", "-", "1", "9999999999999999999999999999999999"), ("-5", "+", "3", "-2"), ("3", "-", "5", "-2"),
        ("1.5", "*", "-2", "-3"), ("1", "/", "3", "0.3333333333333333333333333333333333"),
        ("2", "/", "3", "0.6666666666666666666666666666666667"), ("1", "/", "0", "Infinity"), ("0", "/", "0", "NaN"),
        (
            "9999999999999999999999999999999999", "*", "9999999999999999999999999999999999",
            "9.999999999999999999999999999999998E+67"
        ),
        ("1E+6144", "*", "10", "Infinity"), ("Infinity", "-", "Infinity", "NaN"), ("7", "/", "0.5", "14"),
        ("1000000000000000000000000000000000", "+", "0.5", "1000000000000000000000000000000000"),
        ("1000000000000000000000000000000001", "+", "0.5", "1000000000000000000000000000000002"),
        ("1", "-", "1E-35", "1"), ("1E+34", "+", "-0.1", "1E+34"), ("10", "-", "1E-34", "10"),
        ("1", "-", "1E-100", "1"),
        ("9999999999999999999999999999999999", "+", "0.6", "1E+34"), ("1E+6144", "-", "1", "1E+6144"),
    ])
    func `calculates`(_ left: String, _ sign: String, _ right: String, _ expected: String) throws {
        let (lhs, rhs) = (try decimal(left), try decimal(right))
        let result =
            switch sign {
            case "+": lhs + rhs
            case "-": lhs - rhs
            case "*": lhs * rhs
            default: lhs / rhs
            }
        #expect(Decimal128.compare(result, try decimal(expected)) == .same, "\(result)")
    }

    @Test func `a sum of zeros is negative where both are`() throws {
        let (zero, negative) = (try decimal("0"), try decimal("-0"))
        #expect(!(zero + negative).isNegative && !(negative + zero).isNegative && !(negative - negative).isNegative)
        #expect((negative + negative).isNegative && (negative - zero).isNegative)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `agrees with integers`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let (left, right) = (Int64(generator.below(1 << 30)) - 1 << 29, Int64(generator.below(1 << 30)) + 1)
            let (lhs, rhs) = (Decimal128(left), Decimal128(right))
            #expect((lhs + rhs).isNumericallyEqual(to: Decimal128(left + right)))
            #expect((lhs - rhs).isNumericallyEqual(to: Decimal128(left - right)))
            #expect((lhs * rhs).isNumericallyEqual(to: Decimal128(left * right)))
            #expect((lhs * rhs / rhs).isNumericallyEqual(to: lhs))
        }
    }
}
