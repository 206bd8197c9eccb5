import Columns
import RealmModel
import TestRandomness
import Testing

@testable import RealmFile

@Suite struct `The windows of backlinks` {
    private static let person = ObjectSchema(
        "Person", properties: [Property("boss", .object, objectType: "Person", isOptional: true)])

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `have every row group once, and no more links than the limit`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let store = MemorySegmentStore()
        let writer = ClassWriter(schema: Self.person, store: store, limits: RowGroupLimits(rows: 16, bytes: 1 << 20))
        let count = Int64.random(in: 1...2000, using: &random)
        for key in 0..<count {
            // The first ones are linked to most.
            writer.columns[0].append(int: Int64.random(in: 0...key, using: &random) * key / count)
            try writer.endRow(key: ObjectKey(key))
        }
        let reader = try ClassReader(try writer.finish(nextSequence: count), store: store)
        let scans = try LinkCensus([reader], in: .current).sources.map {
            LinkScan($0, reader, classIndexes: [reader.stored].classIndexes, in: .current)
        }
        let limit = Int.random(in: 500...20_000, using: &random)
        let windows = BacklinkWindow.windows(of: 0, reader, from: scans, byteLimit: limit)
        #expect(windows.flatMap { Array($0) } == Array(reader.rowGroups.indices))
        for window in windows where window.count > 1 {
            let rows = reader.rowGroups[window].reduce(0) { $0 + $1.rowCount }
            let links = scans.reduce(0) { $0 + $1.source.linkCount(to: 0, window) }
            #expect((links + 2 * rows) * 8 <= limit)
        }
        let spill = try LinkSpill(to: 0, reader.rowGroups, in: windows, from: scans, store: store)
        var found = 0
        for (number, window) in windows.enumerated() {
            let keys = reader.rowGroups[window.lowerBound].firstKey...reader.rowGroups[window.upperBound - 1].lastKey
            try spill.forEachLink(column: 0, window: number) { _, key in
                found += 1
                #expect(keys.contains(ObjectKey(key)))
            }
        }
        #expect(found == count)
    }
}
