import Columns
import Testing
import Threads

@testable import Sandbox

/// Arrays that are encoded on another thread arrive in their order, or fail where they are waited for.
@Suite struct SegmentEncoderTests {
    private struct Full: Error {}

    @Test(arguments: [1, 1000, 100_000, 1_000_000])
    func `passes segments on in the order of their arrays`(rows: Int) throws {
        let sent = Mutex<[[UInt8]]>([])
        let encoder = SegmentEncoder { bytes in sent.withLock { $0.append(bytes) } }
        let arrays = (0..<12).map { start in
            // The sizes differ: small ones must not overtake large ones.
            let count = start.isMultiple(of: 3) ? 1 : rows
            return ColumnArray(count: count, values: .double((0..<count).map { Double($0 + start) }))
        }
        defer { encoder.close() }
        for array in arrays { try encoder.encode(array) }
        try encoder.finish()
        #expect(sent.withLock { $0 } == arrays.map { SegmentCoding.encode($0) })
    }

    @Test func `throws what sending threw, then and ever after`() throws {
        let encoder = SegmentEncoder { _ in throw Full() }
        defer { encoder.close() }
        let array = ColumnArray(count: 100_000, values: .double(Array(repeating: 0, count: 100_000)))
        #expect(throws: Full.self) {
            for _ in 0..<1000 { try encoder.encode(array) }
        }
        #expect(throws: Full.self) { try encoder.finish() }
        #expect(throws: Full.self) { try encoder.encode(array) }
    }
}
