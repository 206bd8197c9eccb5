import Columns
import TestRandomness
import Testing

@testable import RealmJSON

@Suite struct `The sorter of records` {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `agrees with sorting in memory`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        // Few values, so that records differ in any of their numbers.
        let records = (0..<Int.random(in: 0...5000, using: &random)).map { _ in
            SortedRecord(
                group: Int64.random(in: -1...2, using: &random), low: UInt64.random(in: 0...3, using: &random) << 62,
                high: UInt64.random(in: 0...3, using: &random), value: Int64.random(in: .min ... .max, using: &random))
        }
        let sorter = RecordSorter(
            runRecords: Int.random(in: 1...3000, using: &random), mergedRuns: Int.random(in: 2...5, using: &random),
            store: MemorySegmentStore())
        for record in records { try sorter.add(record) }
        var sorted: [SortedRecord] = []
        try sorter.forEach { sorted.append($0) }
        #expect(sorted == records.sorted())
    }

    @Test func `reads numbers from any place`() throws {
        var numbers = ScratchNumbers(MemorySegmentStore())
        for number in 0..<20_000 as Range<Int64> { try numbers.append(number * 7) }
        for place in [0, 8191, 8192, 19_999, 3, 16_384] { #expect(try numbers.number(at: place) == Int64(place) * 7) }
    }
}
