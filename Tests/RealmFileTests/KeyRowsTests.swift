import TestRandomness
import Testing

@testable import RealmFile

/// Rows are found by key, however the keys were given away.
struct KeyRowsTests {
    enum Kind: CaseIterable {
        case consecutive, counted, countedWithGaps, anyhow, ofAllBytes
    }

    private static func keys(_ kind: Kind, _ generator: inout SeededGenerator) -> [Int64] {
        let (first, count) = (Int64(generator.below(3000)), Int64(generator.below(600)))
        func counted(_ number: Int64) -> Int64 { (number & 0xff) | (number >> 8) << 16 }
        switch kind {
        case .consecutive: return Array(first..<first + count)
        case .counted: return (first..<first + count).map(counted)
        case .countedWithGaps: return (first..<first + count).filter { _ in generator.below(50) > 0 }.map(counted)
        case .anyhow: return Set((0..<count).map { _ in Int64(generator.below(5000)) - 100 }).sorted()
        case .ofAllBytes:
            return Set((0..<count).map { _ in Int64(bitPattern: UInt64.random(in: 0 ... .max, using: &generator)) })
                .sorted()
        }
    }

    @Test(arguments: 0..<30 as Range<UInt64>, Kind.allCases)
    func `a key has the row that a walk through all keys finds`(seed: UInt64, kind: Kind) {
        var generator = SeededGenerator(seed: seed)
        let keys = Self.keys(kind, &generator)
        let rows = KeyRows(keys)
        for (row, key) in keys.enumerated() { #expect(rows.row(of: key) == row) }
        let others = keys.flatMap { [$0 &- 1, $0 &+ 1, $0 &+ 256, $0 &- 256, $0 &+ 65536] } + [0, .min, .max]
        for key in others { #expect(rows.row(of: key) == keys.firstIndex(of: key)) }
    }
}
