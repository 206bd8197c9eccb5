import RealmModel
import TestRandomness
import Testing

@testable import RealmComparison

/// Values of one object that leave their places.
struct ObjectLedgerTests {
    private static func placed(_ values: [(place: UInt64, value: Value)]) -> [PlacedValue] {
        values.map { place, value in
            PlacedValue(place: place, family: place, name: "p\(place)", value: value, column: Int(place))
        }
    }

    private static func ledger(
        _ before: [(place: UInt64, value: Value)], _ after: [(place: UInt64, value: Value)]
    ) -> ObjectLedger {
        var ledger = ObjectLedger()
        let object = LedgerObject(before: placed(before), after: placed(after), all: after.map(\.value))
        ledger.take(object, of: 0)
        return ledger
    }

    @Test func `are exchanged where they stand in each other's places, in whatever order they do`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            let places = Array(1...UInt64.random(in: 2...7, using: &generator))
            let values = places.map { _ in Value.int(Int64.random(in: 1...20, using: &generator)) }
            let moved = values.shuffled(using: &generator)
            let ledger = Self.ledger(Array(zip(places, values)), Array(zip(places, moved)))
            let changed = zip(values, moved).count { $0 != $1 }
            #expect((changed > 0) == !ledger.exchanged.isEmpty)
            #expect(ledger.exchanged.count <= changed)
            #expect((changed > 0) == places.contains { ledger.doubtCount(Int($0)) > 0 })
        }
    }

    @Test func `are found where each has a new place, and in doubt where two share one`() {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<500 {
            let places = Array(1...UInt64.random(in: 1...7, using: &generator))
            let values = places.map { _ in Value.string("word\(Int.random(in: 1...4, using: &generator))") }
            let moved = zip(places, values).map { (place: $0 + 100, value: $1) }.shuffled(using: &generator)
            let all = Self.ledger(Array(zip(places, values)), moved)
            #expect(places.allSatisfy { all.isFound(Int($0)) } && all.exchanged.isEmpty)
            let (gone, left) = (moved[0].value, Array(moved.dropFirst()))
            let fewer = Self.ledger(Array(zip(places, values)), left)
            let isElsewhere = left.contains { $0.value == gone }
            // Nobody else would find a value that is nowhere; one that is there too few times is this one's to tell.
            #expect(isElsewhere == places.contains { fewer.doubtCount(Int($0)) > 0 })
            #expect(places.contains { !fewer.isFound(Int($0)) })
        }
    }

    @Test func `that are zero change places as others do`() {
        let ledger = Self.ledger([(1, .int(5)), (2, .int(0))], [(1, .int(0)), (2, .int(5))])
        #expect(ledger.doubtCount(1) == 1)
        // A text that is empty is none: the other one was moved.
        let texts = Self.ledger([(1, .string("a")), (2, .string(""))], [(1, .string("")), (2, .string("a"))])
        #expect(texts.isFound(1))
    }

    @Test func `take over nothing where they stood before`() {
        let word = Value.string("red")
        let ledger = Self.ledger([(1, word), (2, word)], [(2, word)])
        #expect(ledger.doubtCount(1) == 1 && ledger.doubtCount(2) == 0)
    }

    @Test(arguments: [
        ([1, 2, 3], [1, 2, 3], 0), ([1, 2, 3], [3, 2, 1], 1), ([1, 1, 2], [1, 1, 2, 5], 0), ([1, 2], [5, 1, 6, 2], 0),
    ])
    func `of a list stand in their order`(old: [Int64], new: [Int64], doubts: Int) {
        let lists = [old, new].map { Value.list($0.map { .int($0) }) }
        for place in [1 as UInt64, 2] {
            #expect(Self.ledger([(1, lists[0])], [(place, lists[1])]).doubtCount(1) == doubts)
        }
    }

    // MARK: Objects of one class

    @Test func `have one map, and those that another one moved are told`() {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<300 {
            let places = Array(1...UInt64.random(in: 2...5, using: &generator))
            let (one, other) = (places.shuffled(using: &generator), places.shuffled(using: &generator))
            let count = Int.random(in: 3...40, using: &generator)
            let strays = Set((0..<count).filter { _ in Int.random(in: 0...3, using: &generator) == 0 })
            var ledger = ObjectLedger()
            for number in 0..<count {
                let values = places.map { (place: $0, value: Value.string("word \($0) of \(number)")) }
                let targets = strays.contains(number) ? other : one
                let moved = zip(targets, values).map { (place: $0 + 100, value: $1.value) }
                let object = LedgerObject(
                    before: Self.placed(values), after: Self.placed(moved.shuffled(using: &generator)),
                    all: moved.map(\.value))
                ledger.take(object, of: Int64(number))
            }
            let fewer = min(strays.count, count - strays.count)
            for (place, targets) in zip(places, zip(one, other)) {
                #expect(ledger.doubtCount(Int(place)) == (targets.0 == targets.1 ? 0 : fewer))
            }
        }
    }

    // MARK: Parts of values

    @Test(
        arguments: [
            (["ada king", "grace hopper"], ["ada hopper", "grace king"], true),
            (["ada king", "hopper"], ["ada hopper", "king"], true),
            (["ada", "king"], ["ada king", "king"], false), (["ada king", "grace"], ["ada", "grace king"], false),
            (["a 1", "b 2", "c 3"], ["a 2", "b 3", "c 1"], true), (["a 1", "b 2"], ["a 3", "b 4"], false),
        ] as [([String], [String], Bool)])
    func `change places by words`(before: [String], after: [String], areExchanged: Bool) {
        for isList in [false, true] {
            func values(_ texts: [String]) -> [(place: UInt64, value: Value)] {
                texts.enumerated().map { number, text in
                    let words = text.split(separator: " ").map { Value.string(String($0)) }
                    return (UInt64(number + 1), isList ? .list(words) : .string(text))
                }
            }
            let ledger = Self.ledger(values(before), values(after))
            #expect(!ledger.exchanged.isEmpty == areExchanged)
            #expect((1...before.count).contains { ledger.doubtCount($0) > 0 } == areExchanged)
        }
    }

    // MARK: Flags

    @Test func `that are flags have a place each`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let count = UInt64.random(in: 1...5, using: &generator)
            let kept = UInt64.random(in: 0...count, using: &generator)
            let objects = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                (1...count).map { _ in Value.bool(Bool.random(using: &generator)) }
            }
            var ledger = FlagLedger()
            for flags in objects {
                let before = Self.placed(Array(zip(1...count, flags)))
                let after = Self.placed((0..<kept).map { ($0 + 100, flags[Int($0)]) })
                ledger.take(before, after)
            }
            let lost = (kept..<count).filter { place in objects.contains { $0[Int(place)] == .bool(true) } }
            // One that was never true leaves a place to another that has the same.
            let spare = (0..<kept).count { place in objects.allSatisfy { $0[Int(place)] == .bool(false) } }
            #expect(ledger.untold.isEmpty == lost.isEmpty || spare > 0)
            #expect(ledger.untold.count <= lost.count)
        }
    }

    @Test(arguments: [
        (Value.bool(true), Value.bool(false), 1, true), (.int(1), .int(0), 1, true),
        (.string("true"), .string("false"), 1, true), (.string("yes"), .null, 1, true),
        (.bool(false), .bool(true), 1, false), (.bool(false), .bool(true), 3, true),
        (.string("a"), .string("b"), 1, false), (.string("a"), .string("b"), 3, true),
        (.string("a"), .string("a"), 3, false),
    ])
    func `that are flags have words of their own`(yes: Value, no: Value, times: Int, areKept: Bool) {
        var ledger = FlagLedger()
        for _ in 0..<times {
            for flag in [true, false] {
                ledger.take(Self.placed([(1, .bool(flag))]), Self.placed([(2, flag ? yes : no)]))
            }
        }
        #expect(ledger.untold.isEmpty == areKept)
    }
}
