import RealmModel
import TestRandomness
import Testing

@testable import RealmFile

struct NextSequenceTests {
    @Test func `keeps a counter that leads to a key that is not used`() {
        #expect(next(counter: 3, keys: [0, 1, 2, 9]) == 3)
        #expect(next(counter: 300, keys: [0, 65_536 + 43]) == 300)
        #expect(next(counter: 0, keys: []) == 0)
    }

    @Test func `skips keys that are used`() {
        #expect(next(counter: 2, keys: [0, 1, 2, 3, 5]) == 4)
        #expect(next(counter: 255, keys: [255, 65_536, 65_537, 70_000]) == 258)
    }

    @Test(arguments: 0..<50) func `never leads to a used key`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let keys = Set((0..<40).map { _ in Int64.random(in: 0..<60, using: &generator) }).sorted()
        let counter = Int64.random(in: 0..<60, using: &generator)
        let sequence = next(counter: counter, keys: keys)
        #expect(sequence >= counter)
        #expect(!keys.contains(ObjectKey.allocated(sequence: sequence, hasPrimaryKey: false).value))
    }

    @Test func `stays clear of keys that are primary keys or hashes of old formats`() {
        let hash: Int64 = 1 << 61
        #expect(next(counter: 0, keys: [5, 6, 1000, hash], hasPrimaryKey: true, areHashed: true) == 1001)
        #expect(next(counter: 0, keys: [5, 6, 1000, hash], hasPrimaryKey: true, areHashed: false) == 0)
    }

    private func next(
        counter: Int64, keys: [Int64], hasPrimaryKey: Bool = false, areHashed: Bool = false
    ) -> Int64 {
        var sequence = NextSequence(counter: counter, hasPrimaryKey: hasPrimaryKey, keysAreHashed: areHashed)
        var keys = keys
        let half = keys.count / 2
        keys.withUnsafeMutableBufferPointer {
            sequence.skip(UnsafeMutableBufferPointer(rebasing: $0[..<half]))
            sequence.skip(UnsafeMutableBufferPointer(rebasing: $0[half...]))
        }
        return sequence.value
    }
}
