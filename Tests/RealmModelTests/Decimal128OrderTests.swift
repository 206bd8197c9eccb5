import RealmModel
import TestRandomness
import Testing

@Suite struct Decimal128OrderTests {
    /// Ascending; those in one row are the same number.
    static let ladder = [
        ["NaN"], ["-Infinity"], ["-9.999999999999999999999999999999999E+6144"], ["-1.5", "-1.50"],
        ["-1E-6176"], ["0", "-0", "0E+10", "0.000"], ["1E-6176"], ["0.1", "0.10"], ["1", "1.0", "1.00"], ["1.5"],
        ["9"], ["10", "1E+1", "1.0E+1"], ["11"], ["123456789012345678901234567890.1234"],
        ["9.999999999999999999999999999999999E+6144"], ["Infinity"],
    ]

    @Test func `numbers are in the order of their values`() throws {
        let rungs = try Self.ladder.enumerated().flatMap { rung, texts in
            try texts.map { (rung, try #require(Decimal128($0))) }
        }
        for (left, lhs) in rungs {
            for (right, rhs) in rungs {
                #expect(Decimal128.compare(lhs, rhs) == Ordering(left, right), "\(lhs) and \(rhs)")
            }
        }
    }

    @Test func `zeros at the end change no value`() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<5_000 {
            let coefficient = generator.coefficient()
            let exponent = Int.random(in: -100...100, using: &generator)
            let number = try #require(Decimal128(coefficient: coefficient, exponent: exponent))
            guard let longer = Decimal128(coefficient: coefficient * 10, exponent: exponent - 1) else { continue }
            #expect(number.isNumericallyEqual(to: longer))
        }
    }

    @Test func `integers are exact`() {
        #expect(Decimal128(Int64.min).description == "-9223372036854775808")
        #expect(Decimal128(Int64.max).description == "9223372036854775807")
    }
}
