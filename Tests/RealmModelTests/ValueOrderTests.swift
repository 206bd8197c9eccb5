import RealmModel
import TestRandomness
import Testing

@Suite struct ValueOrderTests {
    /// Ascending; those in one row are one element of a set.
    static func ladder() throws -> [[Value]] {
        func decimal(_ text: String) throws -> Value { .decimal128(try #require(Decimal128(text))) }
        return [
            [.null], [.bool(false)], [.bool(true)],
            [.double(.nan), .float(-.nan), try decimal("NaN")], [.double(-.infinity), try decimal("-Infinity")],
            [try decimal("-9.99E+30")], [.int(.min), .double(-0x1p63)],
            [.int(-1), .float(-1)], [.double(-0.5)],
            [.int(0), .double(0), .double(-0.0), .float(-0.0), try decimal("-0.00")],
            [.double(0.1), try decimal("0.10")], [.float(0.1)], [.int(1), .double(1), .float(1), try decimal("1.0")],
            [.float(1.5)], [.double(2.5), try decimal("2.50")], [.int(3)], [try decimal("3.14"), .double(3.14)],
            [.double(0x1p53), .int(1 << 53)], [.int(1 << 53 + 1)], [.int(.max)], [.double(0x1p63)],
            [.double(.infinity), try decimal("Infinity")],
            [.string("")], [.string("Z")], [.string("a")], [.string("a\u{0}")], [.string("ab")], [.string("e\u{301}")],
            [.string("\u{e9}")], [.string("\u{ffff}")], [.string("\u{10000}")],
            [.data([])], [.data([0])], [.data([1, 2])], [.data([0xff])],
            [.date(Timestamp(seconds: -1, nanoseconds: -1))], [.date(Timestamp(seconds: -1, nanoseconds: 0))],
            [.date(Timestamp(seconds: 0, nanoseconds: 0))], [.objectId(.zero)],
            [.objectId(try #require(ObjectId("ff0000000000000000000000")))], [.uuid(.zero)],
            [.link(ObjectKey(1))], [.link(ObjectKey(2))],
            [.typedLink(className: "A", ObjectKey(2))], [.typedLink(className: "B", ObjectKey(1))],
        ]
    }

    @Test func `values are in the order of Realm's sets`() throws {
        let rungs = try Self.ladder().enumerated().flatMap { rung, values in values.map { (rung, $0) } }
        for (left, lhs) in rungs {
            // A float is 0.1 to a decimal and more than that to a double, in Realm as here.
            if lhs == .float(0.1) { continue }
            for (right, rhs) in rungs where rhs != .float(0.1) {
                #expect(ValueOrder.compare(lhs, rhs) == Ordering(left, right), "\(lhs) and \(rhs)")
            }
        }
    }

    @Test func `a set of shuffled elements is sorted and has each once`() throws {
        var generator = SeededGenerator(seed: 7)
        let rungs = try Self.ladder().filter { $0 != [.float(0.1)] }
        for _ in 0..<200 {
            let set = ValueOrder.sortedUnique(rungs.flatMap { $0 }.shuffled(using: &generator))
            #expect(set.count == rungs.count)
            #expect(zip(set, rungs).allSatisfy { element, rung in rung.contains(element) })
            #expect(ValueOrder.sortedUnique(set) == set)
        }
    }

    @Test func `of elements that are the same the first stays`() {
        #expect(ValueOrder.sortedUnique([.double(1), .int(0), .int(1)]) == [.int(0), .double(1)])
        #expect(ValueOrder.sortedUnique([.double(-0.0), .double(0)]) == [.double(-0.0)])
    }

    @Test func `a float counts by seven digits beside a decimal`() throws {
        #expect(ValueOrder.isSame(.float(0.1), .decimal128(try #require(Decimal128("0.1")))))
        #expect(!ValueOrder.isSame(.float(0.1), .double(0.1)))
    }
}
