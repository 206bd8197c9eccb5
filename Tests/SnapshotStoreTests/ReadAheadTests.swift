import Columns
import Testing

@testable import SnapshotStore

@Suite struct ReadAheadTests {
    private static func id(_ number: Int) -> SegmentID {
        SegmentID(batch: BatchID(high: 1, low: 2), ordinal: Int32(number))
    }

    /// Counts what is asked of the database for.
    private final class Source {
        var questions: [[Int32]] = []

        func get(_ ids: [SegmentID]) -> [SegmentID: [UInt8]] {
            questions.append(ids.map(\.ordinal))
            return Dictionary(ids.map { ($0, [UInt8(truncatingIfNeeded: $0.ordinal)]) }) { first, _ in first }
        }
    }

    /// Each read gives its segment, for any announcement and any order of reading.
    @Test(arguments: 0..<40)
    func `gives what is asked for, however it was announced`(seed: Int) throws {
        var generator = SeededOrder(seed: UInt64(seed))
        let source = Source()
        var ahead = ReadAhead()
        for _ in 0..<200 {
            let number = Int.random(in: 0..<50, using: &generator)
            if Bool.random(using: &generator) {
                ahead.announce(Self.id(number), byteCount: .random(in: 1...ReadAhead.byteLimit, using: &generator))
            } else {
                let bytes = ahead.take(Self.id(number)) ?? ahead.fetch(Self.id(number), source.get)
                #expect(bytes == [UInt8(number)])
            }
        }
    }

    @Test func `asks once for as many as fit, in the order of the announcements`() {
        let source = Source()
        var ahead = ReadAhead()
        let size = ReadAhead.byteLimit / 4
        for number in 0..<10 { ahead.announce(Self.id(number), byteCount: size) }
        for number in 0..<10 {
            #expect(ahead.take(Self.id(number)) ?? ahead.fetch(Self.id(number), source.get) == [UInt8(number)])
        }
        #expect(source.questions == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]])
    }

    @Test func `fetches a segment that is larger than the limit, and one that nobody announced, alone`() {
        let source = Source()
        var ahead = ReadAhead()
        for number in 0..<3 { ahead.announce(Self.id(number), byteCount: ReadAhead.byteLimit + 1) }
        _ = ahead.fetch(Self.id(1), source.get)
        _ = ahead.fetch(Self.id(7), source.get)
        _ = ahead.fetch(Self.id(2), source.get)
        #expect(source.questions == [[1], [7], [2]])
    }

    @Test func `keeps no more announcements than its limit`() {
        let source = Source()
        var ahead = ReadAhead()
        for number in 0..<3 * ReadAhead.announcedLimit { ahead.announce(Self.id(number), byteCount: 1) }
        _ = ahead.fetch(Self.id(3 * ReadAhead.announcedLimit - 1), source.get)
        _ = ahead.fetch(Self.id(0), source.get)
        #expect(source.questions == [[Int32(3 * ReadAhead.announcedLimit - 1)], [0]])
    }
}

/// Repeats the same order for the same seed (SplitMix64).
private struct SeededOrder: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
