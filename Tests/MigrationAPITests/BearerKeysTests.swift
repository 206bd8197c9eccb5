import Testing

@testable import MigrationAPI

@Suite struct BearerKeysTests {
    @Test func `takes no digest for another`() {
        for _ in 0..<20_000 {
            let one = (0..<32).map { _ in UInt8.random(in: 0...255) }
            let other = (0..<32).map { _ in UInt8.random(in: 0...255) }
            if one != other, BearerKeys.isEqual(one, other) { Issue.record("Two digests count as one.") }
        }
    }

    @Test(arguments: 0..<32) func `sees a difference in any place`(place: Int) {
        let one = (0..<32).map { _ in UInt8.random(in: 0...255) }
        var other = one
        other[place] ^= UInt8(1 << (place % 8))
        #expect(!BearerKeys.isEqual(one, other) && !BearerKeys.isEqual(other, one))
        #expect(!BearerKeys.isEqual(one, Array(one.dropLast())))
    }
}
