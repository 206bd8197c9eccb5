import Foundation
import RealmModel
import TestRandomness
import Testing

@Suite struct Decimal128BinaryTests {
    @Test(arguments: [
        (0.1, "0.1"), (-2.5, "-2.5"), (0, "0"), (1e300, "1E+300"), (9.999999999999999e22, "1.00000000000000E+23"),
        (Double.leastNonzeroMagnitude, "4.94065645841247E-324"), (Double.leastNormalMagnitude, "2.22507385850720E-308"),
        // By the digits that tell which double it is these would be halves; exactly they are less.
        (0.1234567890123455, "0.123456789012345"), (0.1234567890123465, "0.123456789012346"),
    ])
    func `a double beside a decimal has fifteen digits of its exact value`(number: Double, text: String) throws {
        #expect(Decimal128(number).isNumericallyEqual(to: try #require(Decimal128(text))))
    }

    @Test func `a float beside a decimal has seven`() throws {
        #expect(Decimal128(Float(0.1)).isNumericallyEqual(to: try #require(Decimal128("0.1"))))
        #expect(
            Decimal128(Float.leastNonzeroMagnitude).isNumericallyEqual(to: try #require(Decimal128("1.401298E-45"))))
    }

    @Test func `what is not finite stays it`() {
        #expect(Decimal128(Double.nan).isNaN)
        #expect(Decimal128(Double.infinity) == .infinity)
        #expect(Decimal128(-Double.infinity).isInfinite && Decimal128(-Double.infinity).isNegative)
    }

    @Test func `any double is rounded as the C library rounds it`() throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            let number = Double(bitPattern: UInt64.random(in: .min ... .max, using: &generator))
            guard number.isFinite else { continue }
            let expected = try #require(Decimal128(String(format: "%.14e", number)))
            #expect(Decimal128(number).isNumericallyEqual(to: expected), "\(number)")
            let short = Float(bitPattern: UInt32.random(in: .min ... .max, using: &generator))
            guard short.isFinite else { continue }
            let expectedShort = try #require(Decimal128(String(format: "%.6e", Double(short))))
            #expect(Decimal128(short).isNumericallyEqual(to: expectedShort), "\(short)")
        }
    }
}
