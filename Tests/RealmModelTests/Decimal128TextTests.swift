import RealmModel
import TestRandomness
import Testing

@Suite struct Decimal128TextTests {
    static let canonical = [
        "0", "-0", "0.0", "0.00", "0E+3", "0E-6176", "0E+6111", "1", "-1", "1.5", "1.50", "1E+3", "1.0E+3", "0.001",
        "0.000001", "0.0000012", "1E-7", "1.2E-7", "123456789012345678901234567890.1234", "3.14", "-9.99E+30",
        "9.999999999999999999999999999999999E+6144", "-9.999999999999999999999999999999999E+6144", "1E-6176",
        "9999999999999999999999999999999999", "0.1000000000000000000000000000000000",
        "1.000000000000000000000000000000000E+6144", "NaN", "Infinity", "-Infinity", "9.07430E-15",
    ]

    @Test(arguments: canonical)
    func `canonical text is read and written back`(text: String) throws {
        #expect(try #require(Decimal128(text)).description == text)
    }

    @Test func `text is of the bits`() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let coefficient = generator.coefficient()
            let exponent = Int.random(in: Decimal128.exponents, using: &generator)
            let number = try #require(
                Decimal128(isNegative: Bool.random(using: &generator), coefficient: coefficient, exponent: exponent))
            #expect(Decimal128(number.description) == number)
            #expect(number.coefficient == coefficient)
            #expect(number.exponent == exponent)
        }
    }

    @Test(arguments: [
        ("+1", "1"), ("1.", "1"), (".5", "0.5"), ("00012.50", "12.50"), ("1e3", "1E+3"), ("12e-3", "0.012"),
        ("1E+6112", "1.0E+6112"), ("1000E-6178", "1.0E-6175"), ("0E+99999999999999999999", "0E+6111"),
        ("0E-99999999999999999999", "0E-6176"), ("nan", "NaN"), ("-NaN", "NaN"), ("inf", "Infinity"),
        ("-INFINITY", "-Infinity"),
        ("10000000000000000000000000000000000000", "1.000000000000000000000000000000000E+37"),
        ("0.00000000000000000000000000000000000000001", "1E-41"),
        ("1000000000000000000000000000000000000.0", "1.000000000000000000000000000000000E+36"),
    ])
    func `other text is clamped and never rounded`(text: String, canonical: String) throws {
        #expect(try #require(Decimal128(text)).description == canonical)
    }

    @Test(arguments: [
        "", "-", "+", ".", "E3", "1E", "1E+", "1..2", "1.2.3", " 1", "1 ", "0x10", "1_0", "--1", "Infinit", "Infinityx",
        "NaN(1)", "12345678901234567890123456789012345", "1.0000000000000000000000000000000001", "1E+6145", "1E-6177",
        "1E+99999999999999999999", "1E-99999999999999999999", "٣", "9.9999999999999999999999999999999999",
    ])
    func `what can not be exact is nothing`(text: String) {
        #expect(Decimal128(text) == nil)
    }

    @Test func `a coefficient beyond 34 digits counts as zero`() {
        #expect(Decimal128(low: .max, high: 0x3041_ffff_ffff_ffff).description == "0")
        #expect(Decimal128(low: .max, high: 0x6c10_0000_0000_0000).coefficient == 0)
    }

    @Test func `any bits have a text that is read`() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<20_000 {
            let number = Decimal128(low: generator.next(), high: generator.next())
            let text = number.description
            #expect(try #require(Decimal128(text)).description == text)
        }
    }
}

extension SeededGenerator {
    /// A coefficient of any number of digits.
    mutating func coefficient() -> UInt128 {
        let digits = Int.random(in: 1...Decimal128.maximumDigits, using: &self)
        let random = UInt128(next()) << 64 | UInt128(next())
        return random % (0..<digits).reduce(1) { power, _ in power * 10 }
    }
}
