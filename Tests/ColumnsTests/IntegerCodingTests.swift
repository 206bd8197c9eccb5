import TestRandomness
import Testing

@testable import Columns

@Suite struct IntegerCodingTests {
    private static func decoded(_ cells: [Int64]) throws -> (cells: [Int64], byteCount: Int) {
        var writer = ByteWriter()
        IntegerCoding.write(cells, into: &writer)
        var reader = ByteReader(writer.bytes)
        let decoded = try IntegerCoding.read(cells.count, from: &reader)
        #expect(reader.isAtEnd)
        return (decoded, writer.bytes.count)
    }

    @Test(
        arguments: [
            [], [0], [.min], [.max], [.min, .max], [.max, .min], [.min, 0, .max], [.max, 0, .min], [1, 1, 1],
            [3, 2, 1],
            [.max, .min, .min + 1], [.min, .max, .max - 1], [0, 255], [0, 256], [0, 65_535], [0, 65_536],
            [-1, 0xffff_fffe],
            [-1, 0xffff_ffff], [.max - 2, .max - 1, .max], [0, .max, -2], [0, 1 << 62, .min], [5, 5],
        ] as [[Int64]])
    func `cells come back`(cells: [Int64]) throws {
        #expect(try Self.decoded(cells).cells == cells)
    }

    @Test func `random cells of every width come back`() throws {
        var generator = SeededGenerator(seed: 9)
        for bits in Int64(0)..<64 {
            let cells = (0..<50).map { _ in Int64(truncatingIfNeeded: generator.next()) >> bits }
            #expect(try Self.decoded(cells).cells == cells)
        }
    }

    @Test func `keys that ascend evenly take two numbers`() throws {
        #expect(try Self.decoded((0..<10_000).map { 1000 + 3 * $0 }).byteCount == 17)
        #expect(try Self.decoded([Int64](repeating: 7, count: 10_000)).byteCount <= 17)
        #expect(try Self.decoded((0..<1000).map { $0 % 7 - 1 }).byteCount == 1009)
    }
}
