import Columns
import RealmModel
import TestRandomness
import Testing

@testable import RealmFile

@Suite struct `The sorter of an index` {
    private struct Entry: Hashable {
        var bytes: [UInt8]
        var key: Int64
    }

    private static func entries(_ count: Int, _ random: inout SeededGenerator) -> [Entry] {
        (0..<count).map { key in
            // Few values, so that many are there more than once, and some that are longer than an index follows.
            let length = Int.random(in: 0..<12, using: &random) == 0 ? 300 : Int.random(in: 0...9, using: &random)
            let bytes = (0..<length).map { _ in UInt8.random(in: 120...130, using: &random) }
            return Entry(bytes: bytes, key: Int64(key))
        }
    }

    private static func sorted(_ entries: [Entry], by sorter: IndexSorter) throws -> [Entry] {
        for entry in entries {
            try sorter.add { run in entry.bytes.withUnsafeBytes { run.add(key: entry.key, $0) } }
        }
        let merge = try sorter.finish()
        var result: [Entry] = []
        while let (entry, run) = try merge.next() {
            result.append(Entry(bytes: Array(run.bytes(of: entry)), key: entry.key))
        }
        return result
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `gives the same order however little memory there is`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let entries = Self.entries(Int.random(in: 0...2000, using: &random), &random)
        let whole = try Self.sorted(entries, by: IndexSorter(runBytes: .max) { throw ColumnError.rowGroupTooLarge })
        #expect(whole.count == entries.count)
        #expect(Set(whole.map(\.key)).count == entries.count)
        let sorter = IndexSorter(
            runBytes: Int.random(in: 1...20_000, using: &random), mergedRuns: Int.random(in: 2...5, using: &random)
        ) { MemorySegmentStore() }
        #expect(try Self.sorted(entries, by: sorter) == whole)
    }

    /// Each run takes a block of memory while all are merged, and what is sorted at once takes `runBytes`.
    @Test(arguments: [100, 1000, 10_000])
    func `merges few runs however many entries there are`(count: Int) throws {
        var random = SeededGenerator(seed: 1)
        let sorter = IndexSorter(runBytes: 1000, mergedRuns: 4) { MemorySegmentStore() }
        for entry in Self.entries(count, &random) {
            try sorter.add { run in
                entry.bytes.withUnsafeBytes { run.add(key: entry.key, $0) }
                #expect(run.byteCount < 2000)
            }
            #expect(sorter.runCount < 24)
        }
    }

    @Test func `writes long values in blocks that stay small`() throws {
        let store = MemorySegmentStore()
        let run = IndexRun()
        let value = [UInt8](repeating: 7, count: 10_000)
        for key in 0..<500 as Range<Int64> { value.withUnsafeBytes { run.add(key: key, $0) } }
        let blocks = try IndexBlock.write(IndexMerge([IndexCursor(run)]), to: store)
        for block in blocks {
            let part = IndexRun()
            try block.read(into: part, from: store)
            #expect(part.byteCount < 200_000)
        }
        #expect(blocks.count > 30)
    }
}
