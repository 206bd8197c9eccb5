import RealmJSON
import TestRandomness
import Testing

/// Integers are written as Swift describes them.
struct DecimalDigitsTests {
    private static let edges: [Int64] = {
        var edges: [Int64] = [0, .min, .max]
        var power: Int64 = 1
        for _ in 0...18 {
            for number in power - 1...power + 1 { edges += [number, -number] }
            power &*= 10
        }
        return edges
    }()

    @Test(arguments: edges)
    func `writes what is at the edge of a number of digits`(_ number: Int64) {
        var out = Array("x".utf8)
        DecimalDigits.append(number, to: &out)
        DecimalDigits.append(number.magnitude, to: &out)
        #expect(String(decoding: out, as: UTF8.self) == "x\(number)\(number.magnitude)")
    }

    @Test func `writes any number`() {
        var generator = SeededGenerator(seed: 1)
        let wrong = (0..<10_000).lazy.map { _ in Int64(bitPattern: generator.next()) >> Int64(generator.below(64)) }
            .first { number in
                var out: [UInt8] = []
                DecimalDigits.append(number, to: &out)
                return String(decoding: out, as: UTF8.self) != "\(number)"
            }
        #expect(wrong == nil)
    }
}
