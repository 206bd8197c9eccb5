import TestRandomness
import Testing

@testable import RealmFile

/// The keys of objects that a rescue keeps count of.
struct RescuedKeysTests {
    @Test(arguments: 0..<20)
    func `keeps ranges of keys exactly while they are few`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var ranges = KeyRanges()
        var keys: Set<Int64> = []
        for _ in 0..<(seed < 10 ? 40 : 400) {
            let first = Int64.random(in: seed % 2 == 0 ? -60...60 : Int64.min...Int64.max, using: &generator)
            let last = first.addingReportingOverflow(Int64.random(in: 0...5, using: &generator))
            let range = KeyRanges.KeyRange(first, last.overflow ? first : last.partialValue)
            keys.formUnion(range.first...range.last)
            ranges.insert(range)
        }
        #expect(ranges.ranges.count <= KeyRanges.limit)
        #expect(zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy { $0.last < $1.first - 1 })
        #expect(keys.allSatisfy { key in ranges.ranges.contains { $0.first <= key && key <= $0.last } })
        if ranges.ranges.count < KeyRanges.limit {
            #expect(ranges.ranges.reduce(0) { $0 + Int($1.last - $1.first) + 1 } == keys.count)
        }
    }

    @Test func `takes those keys of a cluster that are in order beyond doubt`() {
        #expect(AscendingKeys.rows(of: [1, 2, 3]) == [0, 1, 2])
        #expect(AscendingKeys.rows(of: [1, 5, 3, 4]) == [0, 2, 3])
        #expect(AscendingKeys.rows(of: [1, 3, 2]) == [0])
        #expect(AscendingKeys.rows(of: [1, nil, 3]) == [0, 2])
        #expect(AscendingKeys.rows(of: [9, 1, 2, 3]) == [1, 2, 3])
        #expect(AscendingKeys.rows(of: []) == [])
    }

    @Test(arguments: 0..<10)
    func `knows which objects there are`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let census = ObjectCensus()
        var keys: [Int64] = []
        var next: Int64 = 0
        for _ in 0..<20 {
            let step: Int64 = [1, 3, 1000, 1 << 40][Int.random(in: 0..<4, using: &generator)]
            let block = (0..<Int.random(in: 1...256, using: &generator)).map { _ in
                next += Int64.random(in: 1...step, using: &generator)
                return next
            }
            census.append(block)
            keys += block
        }
        #expect(census.objectCount == keys.count)
        for key in keys {
            let position = census.position(of: key)
            #expect(position.map { census.key(at: $0) } == key)
            if key % 3 == 0, let position { census.remove(position) }
        }
        let present = Set(keys)
        for key in keys { #expect(census.contains(key) == (key % 3 != 0)) }
        for key in keys where !present.contains(key + 1) { #expect(!census.contains(key + 1)) }
        var alive = 0
        census.forEachAlive { _ in alive += 1 }
        #expect(alive == keys.count { $0 % 3 != 0 })
    }
}
