import RealmJSON
import TestRandomness
import Testing

/// Rows are parted so that no part takes much memory.
struct RowPiecesTests {
    @Test func `parts are the rows in their order, and hold no more values than asked for, or one row`() {
        var random = SeededGenerator(seed: 26)
        for _ in 0..<300 {
            let rows = (0..<Int.random(in: 0...200, using: &random)).map { $0 * 3 }
            let (most, each) = (Int.random(in: 0...64, using: &random), Int.random(in: 0...20, using: &random))
            let pieces = rows.pieces(ofValues: most, each: each)
            #expect(Array(pieces.joined()) == rows)
            #expect(pieces.allSatisfy { $0.count == 1 || !$0.isEmpty && $0.count * max(1, each) <= most })
        }
    }
}
