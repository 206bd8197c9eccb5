import Columns
import RealmJSON
import RealmModel
import Testing

@testable import RealmComparison

/// The losses between two snapshots, by name.
@Suite struct RehearsalTests {
    /// A property before and after, its values, and what of them is lost: the kind and the object keys.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var before: Property
        var after: Property?
        var values: [Value]
        var results: [Value] = []
        var losses: [Rehearsal.Loss.Kind: [Int64]] = [:]

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "values that become null", before: Property("v", .int, isOptional: true),
            after: Property("v", .int, isOptional: true), values: [.int(1), .int(0), .null, .int(4)],
            results: [.null, .null, .null, .int(4)], losses: [.null: [0, 1]]),
        Case(
            name: "links that become null", before: Property("v", .object, objectType: "Person", isOptional: true),
            after: Property("v", .object, objectType: "Person", isOptional: true),
            values: [.link(ObjectKey(1)), .null], results: [.null, .link(ObjectKey(0))], losses: [.link: [0]]),
        Case(
            name: "texts that become zero", before: Property("v", .string), after: Property("v", .int),
            values: [.string("7"), .string("seven"), .string("0"), .string("")],
            results: [.int(7), .int(0), .int(0), .int(0)], losses: [.zero: [1]]),
        Case(
            name: "numbers that are cut", before: Property("v", .double), after: Property("v", .int),
            values: [.double(1), .double(2.5), .double(0.25), .double(0)],
            results: [.int(1), .int(2), .int(0), .int(0)], losses: [.inexact: [1], .zero: [2]]),
        Case(
            name: "numbers that become texts", before: Property("v", .int), after: Property("v", .string),
            values: [.int(1), .int(0)], results: [.string("1"), .string("0")]),
        Case(
            name: "a property that is gone", before: Property("v", .string, isOptional: true), after: nil,
            values: [.string("a"), .string(""), .null, .string("b")], losses: [.dropped: [0, 3]]),
        Case(
            name: "a property that is gone and was empty", before: Property("v", .int), after: nil,
            values: [.int(0), .int(0)]),
        Case(
            name: "nulls in a property that takes none any more", before: Property("v", .int, isOptional: true),
            after: Property("v", .int), values: [.null, .int(3), .int(4), .null],
            results: [.int(0), .int(0), .int(4), .int(-1)], losses: [.nullToZero: [0], .zero: [1]]),
        Case(
            name: "texts that are cut", before: Property("v", .string), after: Property("v", .string),
            values: [.string("Rex the dog"), .string("Rex  "), .string("Rex"), .string("Rex")],
            results: [.string("Rex"), .string("Rex"), .string("Rexa"), .string("")],
            losses: [.truncated: [0], .emptied: [3]]),
        Case(
            name: "data and lists that are cut", before: Property("v", .string, collection: .list),
            after: Property("v", .string, collection: .list),
            values: [
                .list([.string("a"), .string("b")]), .list([.string("a"), .string("b")]), .list([.string("a")]),
            ],
            results: [.list([.string("a")]), .list([.string("b")]), .list([])],
            losses: [.truncated: [0, 1], .emptied: [2]]),
        Case(
            name: "times that lose their fraction", before: Property("v", .date), after: Property("v", .date),
            values: [
                .date(Timestamp(seconds: 5, nanoseconds: 1_234_567)), .date(Timestamp(seconds: 5, nanoseconds: 1)),
                .date(Timestamp(seconds: 5, nanoseconds: 0)),
            ],
            results: [
                .date(Timestamp(seconds: 5, nanoseconds: 1_000_000)), .date(Timestamp(seconds: 6, nanoseconds: 0)),
                .date(Timestamp(seconds: 7, nanoseconds: 0)),
            ], losses: [.truncated: [0]]),
        Case(
            name: "decimal numbers that are rounded", before: Property("v", .decimal128),
            after: Property("v", .decimal128),
            values: ["1.25", "2.75", "7", "4.5"].map { .decimal128(Decimal128($0) ?? .zero) },
            results: ["1.3", "3", "7", "4"].map { .decimal128(Decimal128($0) ?? .zero) }, losses: [.rounded: [0, 1, 3]]),
        Case(
            name: "numbers that are rounded, one of them to zero", before: Property("v", .double),
            after: Property("v", .double), values: [0.37, 1.37, 2.37, 3.37, 4.37, 5.37].map { .double($0) },
            results: [0, 1, 2, 3, 4, 5].map { .double($0) }, losses: [.emptied: [0], .rounded: [1, 2, 3, 4, 5]]),
        Case(
            name: "integers that are rounded to hundreds, also those that ended in zero", before: Property("v", .int),
            after: Property("v", .int),
            values: [1999, 2450, 99_999, 12_340, 5001, 777, 1200].map { .int($0) },
            results: [1900, 2400, 99_900, 12_300, 5000, 700, 1200].map { .int($0) },
            losses: [.rounded: [0, 1, 2, 3, 4, 5]]),
        Case(
            name: "integers that become tens by another sum", before: Property("v", .int), after: Property("v", .int),
            values: [40, 90, 110, 240, 330, 80].map { .int($0) },
            results: [100, 150, 170, 300, 390, 140].map { .int($0) }
        ),
        Case(
            name: "times that become days", before: Property("v", .date), after: Property("v", .date),
            values: [90_061, 180_122, 86_400 * 3].map { .date(Timestamp(seconds: $0, nanoseconds: 0)) },
            results: [86_400, 172_800, 86_400 * 3].map { .date(Timestamp(seconds: $0, nanoseconds: 0)) },
            losses: [.truncated: [0, 1]]),
        Case(
            name: "times of another time zone", before: Property("v", .date), after: Property("v", .date),
            values: (1...8).map { .date(Timestamp(seconds: $0 * 86_400 - 7_200, nanoseconds: 0)) },
            results: (1...8).map { .date(Timestamp(seconds: $0 * 86_400, nanoseconds: 0)) }),
        Case(
            name: "elements that are empty, in part and all", before: Property("v", .string, collection: .list),
            after: Property("v", .string, collection: .list),
            values: [
                .list([.string("a"), .string("b")]), .list([.string("a"), .string("b")]), .list([.string("a")]),
            ],
            results: [.list([.string("a"), .string("")]), .list([.string(""), .string(" ")]), .list([.string("A")])],
            losses: [.truncated: [0], .emptied: [1]]),
        Case(
            name: "elements of which some are one less and zero", before: Property("v", .int, collection: .list),
            after: Property("v", .int, collection: .list),
            values: [.list([.int(1), .int(2)]), .list([.int(1)]), .list([.int(4)])],
            results: [.list([.int(0), .int(1)]), .list([.int(0)]), .list([.int(3)])]),
        Case(
            name: "parts of mixed values", before: Property("v", .mixed), after: Property("v", .mixed),
            values: [
                .dictionary([DictionaryEntry("k", .list([.int(1)]))]), .list([.int(1), .string("x")]), .string("old"),
            ],
            results: [.dictionary([DictionaryEntry("k", .list([]))]), .list([.string("x")]), .int(5)],
            losses: [.emptied: [0], .truncated: [1]]),
        Case(
            name: "lists that become one of their elements", before: Property("v", .string, collection: .list),
            after: Property("v", .string),
            values: [
                .list([.string("a"), .string("b")]), .list([.string("a")]), .list([.string("a"), .string("b")]),
            ],
            results: [.string("a"), .string("a"), .string("a, b")], losses: [.truncated: [0]]),
        Case(
            name: "dates in numbers", before: Property("v", .date), after: Property("v", .int),
            values: [1_500_000, 0, 1_500_000].map { .date(Timestamp(seconds: 7, nanoseconds: $0)) },
            results: [.int(7), .int(7), .int(7_001)], losses: [.truncated: [0]]),
        Case(
            name: "data as texts", before: Property("v", .data), after: Property("v", .string),
            values: [[0xab, 0xcd, 0xef], [0xab, 0xcd, 0xef], [0xab, 0xcd, 0xef]].map { .data($0) },
            results: [.string("ABCDEF"), .string("q83v"), .string("abcd")], losses: [.truncated: [2]]),
        Case(
            name: "integers that went through a script's numbers", before: Property("v", .int),
            after: Property("v", .int), values: [.int(1 << 53), .int(9_007_199_254_740_993), .int(5)],
            results: [.int(1 << 53), .int(9_007_199_254_740_992), .int(4)], losses: [.inexact: [1]]),
        Case(
            name: "what a script makes of nothing", before: Property("v", .string, isOptional: true),
            after: Property("v", .string, isOptional: true),
            values: [.string("a"), .null, .string("undefined"), .string("b")],
            results: [.string("undefined"), .string("null"), .string("undefined"), .string("nullable")],
            losses: [.wrongType: [0, 1]]),
        Case(
            name: "the beginnings of texts as numbers", before: Property("v", .string), after: Property("v", .int),
            values: [.string("12 years"), .string("gold"), .string("1.5")],
            results: [.int(12), .int(3), .int(1)], losses: [.inexact: [0, 2]]),
        Case(
            name: "words of which one is left that was there twice", before: Property("v", .string),
            after: Property("v", .string), values: [.string("the cat saw the"), .string("a b")],
            results: [.string("the cat saw"), .string("a b")], losses: [.truncated: [0]]),
        Case(
            name: "elements of which one is left that was there twice", before: Property("v", .int, collection: .list),
            after: Property("v", .int, collection: .list),
            values: [.list([.int(1), .int(1), .int(2)]), .list([.int(3), .int(4)])],
            results: [.list([.int(1), .int(2)]), .list([.int(3), .int(4), .int(4)])], losses: [.truncated: [0]]),
        Case(
            name: "repeated elements that become a set", before: Property("v", .string, collection: .list),
            after: Property("v", .string, collection: .set),
            values: [.list([.string("the"), .string("the"), .string("other")]), .list([.string("b"), .string("a")])],
            results: [.list([.string("other"), .string("the")]), .list([.string("a"), .string("b")])],
            losses: [.truncated: [0]]),
        Case(
            name: "decimals of more digits than a double has", before: Property("v", .decimal128),
            after: Property("v", .double),
            values: ["1.2345678901234567890123", "1.1"].map { .decimal128(Decimal128($0) ?? .zero) },
            results: [.double(1.2345678901234568), .double(1.1)], losses: [.inexact: [0]]),
        Case(
            name: "decimals without their fraction", before: Property("v", .decimal128), after: Property("v", .int),
            values: ["12345678901234567.5", "3.0"].map { .decimal128(Decimal128($0) ?? .zero) },
            results: [.int(12_345_678_901_234_567), .int(3)], losses: [.inexact: [0]]),
        Case(
            name: "zeros that a script works out anew", before: Property("v", .double),
            after: Property("v", .decimal128), values: [.double(0), .double(0), .double(2.5)],
            results: ["10", "0", "7"].map { .decimal128(Decimal128($0) ?? .zero) }, losses: [.inexact: [2]]),
        Case(
            name: "amounts in cents", before: Property("v", .decimal128), after: Property("v", .int),
            values: ["12.34", "0.50", "7"].map { .decimal128(Decimal128($0) ?? .zero) },
            results: [.int(1_234), .int(50), .int(700)]),
        Case(
            name: "amounts in cents of which one is none", before: Property("v", .decimal128),
            after: Property("v", .int), values: ["12.34", "0.50", "7"].map { .decimal128(Decimal128($0) ?? .zero) },
            results: [.int(1_234), .int(50), .int(7)], losses: [.inexact: [0, 1]]),
        Case(
            name: "a dictionary that is gone, of which some have keys alone",
            before: Property("v", .bool, collection: .dictionary), after: nil,
            values: [flags(["milk", "tea"], []), flags(["milk"], ["tea"]), flags([], []), flags(["eggs"], [])],
            losses: [.dropped: [0, 1, 3]]),
        Case(
            name: "keys that are gone, of entries without a value",
            before: Property("v", .bool, collection: .dictionary),
            after: Property("v", .bool, collection: .dictionary),
            values: [
                flags(["milk", "tea"], []), flags(["milk"], ["tea"]), flags(["milk"], []), flags(["milk"], []),
                flags(["milk"], []),
            ],
            results: [
                flags(["tea"], []), flags([], ["tea"]), flags([], []), flags([], ["milk"]), flags(["bread"], []),
            ], losses: [.truncated: [0, 1], .emptied: [2]]),
        Case(
            name: "other values", before: Property("v", .int), after: Property("v", .int), values: [.int(1), .int(2)],
            results: [.int(2), .int(0)]),
    ]

    /// A dictionary of flags, by their keys.
    private static func flags(_ unset: [String], _ set: [String]) -> Value {
        let entries = unset.map { DictionaryEntry($0, .bool(false)) } + set.map { DictionaryEntry($0, .bool(true)) }
        return .dictionary(entries.sorted { $0.key < $1.key })
    }

    @Test(arguments: cases, [1, 100])
    func `names what is lost`(tried: Case, rows: Int) throws {
        let store = MemorySegmentStore()
        let limits = RowGroupLimits(rows: rows, bytes: 1 << 20)
        let before = try Self.snapshot([tried.before], tried.values.map { [$0] }, limits, in: store)
        let after = try Self.snapshot(
            tried.after.map { [$0] } ?? [],
            tried.results.isEmpty ? tried.values.map { _ in [] } : tried.results.map { [$0] },
            limits, in: store)
        let found = try Rehearsal(from: before, to: after, store: store)
        #expect(found.losses.allSatisfy { $0.className == "Person" && $0.property == "v" })
        let lost = Dictionary(uniqueKeysWithValues: found.losses.map { ($0.kind, $0.objects) })
        #expect(lost == tried.losses.mapValues { NamedObjects($0.count, first: $0) })
        #expect(found.losses.allSatisfy { ($0.total ?? .max) >= $0.objects.count && $0.examples.count <= 3 })
    }

    /// Values that are all there, in another order or at other keys, are counted as replaced; the same ones and more are not.
    @Test(arguments: [
        (Value.list([.int(1), .int(0)]), Value.list([.int(0), .int(1)]), Property("v", .int, collection: .list), 1),
        (.list([.int(1), .int(0)]), .list([.int(1), .int(0), .int(5)]), Property("v", .int, collection: .list), 0),
        (
            .dictionary([DictionaryEntry("a", .string("x")), DictionaryEntry("b", .string("y"))]),
            .dictionary([DictionaryEntry("a", .string("y")), DictionaryEntry("b", .string("x"))]),
            Property("v", .string, collection: .dictionary), 1
        ),
        (
            .dictionary([DictionaryEntry("a", .string("x")), DictionaryEntry("b", .string("y"))]),
            .dictionary([DictionaryEntry("ui_a", .string("x")), DictionaryEntry("ui_b", .string("y"))]),
            Property("v", .string, collection: .dictionary), 0
        ),
        (flags(["a"], []), flags(["b"], []), Property("v", .bool, collection: .dictionary), 1),
        (
            .dictionary([DictionaryEntry("a", .null)]), .dictionary([DictionaryEntry("ui_a", .null)]),
            Property("v", .string, collection: .dictionary, isOptional: true), 0
        ),
        (flags(["a"], []), flags(["a"], ["b"]), Property("v", .bool, collection: .dictionary), 0),
        (.string("the old cat"), .string("theoldcat"), Property("v", .string), 1),
        (.string("+49 30 1234"), .string("49301234"), Property("v", .string), 0),
        (.string("a.b@c.com"), .string("abccom"), Property("v", .string), 1),
        (.string("550e8400-e29b"), .string("550E8400E29B"), Property("v", .string), 0),
        (.string("the old cat"), .string("The Old Cat"), Property("v", .string), 0),
    ])
    func `notices another order`(before: Value, after: Value, property: Property, replaced: Int) throws {
        let store = MemorySegmentStore()
        let limits = RowGroupLimits(rows: 10, bytes: 1 << 20)
        let found = try Rehearsal(
            from: Self.snapshot([property], [[before]], limits, in: store),
            to: Self.snapshot([property], [[after]], limits, in: store), store: store)
        #expect(found.losses.isEmpty && found.untold.replaced == replaced)
    }

    @Test func `misses the keys of a dictionary whose values alone are taken over`() throws {
        let store = MemorySegmentStore()
        let limits = RowGroupLimits(rows: 10, bytes: 1 << 20)
        let value = Value.dictionary([DictionaryEntry("size", .string("x")), DictionaryEntry("zoom", .string("y"))])
        let before = try Self.snapshot([Property("v", .string, collection: .dictionary)], [[value]], limits, in: store)
        for (texts, replaced) in [(["x", "y"], 1), (["size=x", "zoom=y"], 0)] {
            let after = try Self.snapshot(
                [Property("w", .string, collection: .list)], [[.list(texts.map { .string($0) })]], limits, in: store)
            let found = try Rehearsal(from: before, to: after, store: store)
            #expect(found.losses.isEmpty && found.untold.replaced == replaced)
        }
    }

    @Test func `finds the keys of entries without a value in another property`() throws {
        let before: Rows = (
            [Property("v", .bool, collection: .dictionary)],
            [[Self.flags(["milk", "tea"], [])], [Self.flags(["eggs"], [])]]
        )
        func rehearsal(_ property: Property, _ values: [Value]) throws -> Rehearsal {
            try Rehearsal(before, ([property], values.map { [$0] }))
        }
        let texts = [["tea", "milk"], ["eggs"]].map { Value.list($0.map { .string($0) }) }
        #expect(try rehearsal(Property("w", .string, collection: .list), texts).losses.isEmpty)
        let flags = [Self.flags([], ["milk", "tea"]), Self.flags(["eggs"], [])]
        #expect(try rehearsal(Property("w", .bool, collection: .dictionary), flags).losses.isEmpty)
        let others = texts.map { _ in Value.list([.string("bread")]) }
        #expect(try rehearsal(Property("w", .string, collection: .list), others).losses.map(\.kind) == [.dropped])
    }

    @Test func `notices flags of a dictionary that are set on the way to another property`() throws {
        func dictionaries(_ name: String, _ values: [Value]) -> Rows {
            ([Property(name, .bool, collection: .dictionary)], values.map { [$0] })
        }
        let flags = [Self.flags(["tue"], ["mon"]), Self.flags(["mon"], ["tue"])]
        let moved = try Rehearsal(dictionaries("v", flags), dictionaries("w", flags))
        #expect(moved.losses.isEmpty && moved.untold.replaced == 0)
        let set = flags.map { _ in Self.flags([], ["mon", "tue"]) }
        let changed = try Rehearsal(dictionaries("v", flags), dictionaries("w", set))
        #expect(!changed.losses.isEmpty || changed.untold.replaced == 2)
    }

    /// Each with what became of it in another property, and the objects that lost keys.
    @Test(arguments: [
        ([("ada", Value.null), ("bob", .string("x"))], Value.dictionary([DictionaryEntry("bob", .string("x"))]), true),
        (
            [("ada", .null), ("bob", .string("x"))],
            .dictionary([DictionaryEntry("ADA", .null), DictionaryEntry("BOB", .string("x"))]), false
        ),
        ([("ada", .null), ("bob", .string("x"))], .list([.string("bob=x"), .string("ada=")]), false),
        ([("ada", .int(0)), ("bob", .bool(true))], .dictionary([DictionaryEntry("bob", .bool(true))]), true),
        ([("ada", .null), ("bob", .int(0))], .null, true),
    ])
    func `tells of keys without a value that are gone on the way`(
        before: [(key: String, value: Value)], after: Value, isLost: Bool
    ) throws {
        let value = Value.dictionary(before.map { DictionaryEntry($0.key, $0.value) })
        let found = try Rehearsal(([Property("v", .mixed)], [[value]]), ([Property("w", .mixed)], [[after]]))
        #expect(found.losses.isEmpty == !isLost)
        guard case .dictionary = after else { return }
        let inPlace = try Rehearsal(([Property("v", .mixed)], [[value]]), ([Property("v", .mixed)], [[after]]))
        #expect(inPlace.losses.map(\.kind) == (isLost ? [.truncated] : []))
    }

    /// Two of three objects are equal: one of them may go, both may not.
    @Test func `does not miss one of several equal objects`() throws {
        let store = MemorySegmentStore()
        let limits = RowGroupLimits(rows: 10, bytes: 1 << 20)
        let before = try Self.snapshot(
            [Property("v", .string)], [[.string("DE")], [.string("FR")], [.string("DE")]], limits, in: store)
        for (left, lost) in [([["DE"], ["FR"]], 0), ([["DE"]], 1)] {
            let after = try Self.snapshot(
                [Property("v", .string)], left.map { $0.map { .string($0) } }, limits, in: store)
            let found = try Rehearsal(from: before, to: after, store: store)
            #expect(found.losses.reduce(0) { $0 + $1.objects.count } == lost)
            #expect(found.untold.gone == 3 - left.count)
        }
    }

    /// The phones of persons go to contacts of their own, of the next person, or without a link.
    @Test(arguments: [([0, 1, 2], [], 0), ([1, 2, 0], [Rehearsal.Loss.Kind.dropped], 0), ([], [], 3)])
    func `follows values into objects that are linked alone`(
        links: [Int64], losses: [Rehearsal.Loss.Kind], replaced: Int
    ) throws {
        let store = MemorySegmentStore()
        let limits = RowGroupLimits(rows: 10, bytes: 1 << 20)
        let phones: [[Value]] = (0..<3).map { [.string("+49 \(1234 + $0)")] }
        let before = try Self.snapshot([Property("phone", .string)], phones, limits, in: store)
        let contact = links.isEmpty ? [] : [Property("contact", .object, objectType: "Contact", isOptional: true)]
        var after = try Self.snapshot(
            contact, links.isEmpty ? [[], [], []] : links.map { [.link(ObjectKey($0))] }, limits, in: store)
        let contacts = try Self.snapshot([Property("phone", .string)], phones, limits, className: "Contact", in: store)
        after.classes += contacts.classes
        after.declared = Schema(after.classes.map(\.schema))
        let found = try Rehearsal(from: before, to: after, store: store)
        #expect(found.losses.map(\.kind) == losses && found.untold.replaced == replaced)
    }

    /// The phones of persons go to contacts of their own, some of which get another one.
    @Test(arguments: [0, 1, 40, 150], [5, 1_000])
    func `misses the values that linked objects did not get`(count: Int, rows: Int) throws {
        let store = MemorySegmentStore()
        let limits = RowGroupLimits(rows: rows, bytes: 1 << 20)
        let all = 200
        let phones: [[Value]] = (0..<all).map { [.string("+49 \(1_234 + $0)")] }
        let before = try Self.snapshot([Property("phone", .string)], phones, limits, in: store)
        let link = [Property("contact", .object, objectType: "Contact", isOptional: true)]
        var after = try Self.snapshot(link, (0..<all).map { [.link(ObjectKey(Int64($0)))] }, limits, in: store)
        let given = phones.prefix(all - count) + (0..<count).map { _ in [.string("none")] }
        let contacts = try Self.snapshot(
            [Property("phone", .string)], Array(given), limits, className: "Contact", in: store)
        after.classes += contacts.classes
        after.declared = Schema(after.classes.map(\.schema))
        let found = try Rehearsal(from: before, to: after, store: store)
        let (isTold, first) = (count > 1, Int64(all - count))
        #expect(found.losses.map(\.kind) == (isTold ? [.dropped] : []))
        #expect(found.losses.first?.objects.count ?? 0 == (isTold ? count : 0))
        #expect(!isTold || found.losses.first?.objects.keys.first == first)
        #expect(found.untold.few == (count == 1 ? 1 : 0))
    }

    /// All persons become people, or some of them.
    @Test(arguments: [0, 1, 40, 150], [5, 1_000])
    func `misses the objects that are in no other class`(count: Int, rows: Int) throws {
        let store = MemorySegmentStore()
        let limits = RowGroupLimits(rows: rows, bytes: 1 << 20)
        let persons: [[Value]] = (0..<200).map { [.string("person \($0)"), .int(1_000 + $0)] }
        let properties = [Property("name", .string), Property("number", .int)]
        let before = try Self.snapshot(properties, persons, limits, in: store)
        let after = try Self.snapshot(
            properties, Array(persons.dropFirst(count)), limits, className: "People", in: store)
        let found = try Rehearsal(from: before, to: after, store: store)
        #expect(found.losses.map(\.kind) == (count > 0 ? [.dropped] : []))
        #expect(found.losses.first?.objects.count ?? 0 == count)
        #expect(found.untold.gone == (count > 0 ? 200 : 0) && found.untold.few == 0)
        // A single value may have become another.
        let changed = [[persons[0][0], .int(7)]] + persons.dropFirst()
        let people = try Self.snapshot(properties, changed, limits, className: "People", in: store)
        let few = try Rehearsal(from: before, to: people, store: store)
        #expect(few.losses.isEmpty && few.untold.replaced == 1)
    }

    @Test func `takes a property whose column has another name for carried over`() throws {
        let store = MemorySegmentStore()
        let before = try Self.snapshot(
            [Property("old", .int)], [[.int(1)], [.int(2)]], RowGroupLimits(rows: 10, bytes: 1 << 20), in: store)
        var after = before
        after.classes[0].schema.properties[0] = Property("new", .int)
        after.declared = Schema(after.classes.map(\.schema))
        #expect(try Rehearsal(from: before, to: after, store: store).losses.isEmpty)
        after.classes[0].columns[0] = .constant(.int(0))
        #expect(try Rehearsal(from: before, to: after, store: store).losses.map(\.kind) == [.dropped, .unfilled])
    }

    @Test func `compares a renamed property with what it was, and names what it replaced`() throws {
        let store = MemorySegmentStore()
        let limits = RowGroupLimits(rows: 10, bytes: 1 << 20)
        let before = try Self.snapshot(
            [Property("old", .int, isOptional: true), Property("new", .int)],
            [[.int(1), .int(7)], [.int(2), .int(0)]], limits, in: store)
        let after = try Self.snapshot(
            [Property("new", .int, isOptional: true)], [[.int(1)], [.null]], limits, in: store)
        let renames = [SchemaRename.property(className: "Person", from: "old", to: "new")]
        let found = try Rehearsal(from: before, to: after, renames: renames, store: store)
        let places = found.losses.map { [$0.property ?? "", $0.kind.rawValue, "\($0.objects.keys)"] }
        #expect(Set(places) == [["old", "null", "[1]"], ["new", "dropped", "[0]"]])
    }

    @Test func `ends where it is cancelled`() throws {
        let store = MemorySegmentStore()
        let limits = RowGroupLimits(rows: 1, bytes: 1 << 20)
        let snapshots = try [1, 2].map {
            try Self.snapshot([Property("v", .int)], [[.int($0)], [.int($0)], [.int($0)]], limits, in: store)
        }
        var questions = 0
        #expect(throws: Rehearsal.Cancelled.self) {
            _ = try Rehearsal(from: snapshots[0], to: snapshots[1], store: store) {
                questions += 1
                return questions > 2
            }
        }
    }

    @Test func `takes a value for kept that another property was given`() throws {
        let store = MemorySegmentStore()
        let limits = RowGroupLimits(rows: 2, bytes: 1 << 20)
        let properties = [Property("v", .string), Property("w", .string)]
        func losses(_ values: [[Value]]) throws -> [Rehearsal.Loss] {
            let before = try Self.snapshot(
                properties, [[.string("Ada Lovelace"), .string("x")], [.string("Alan Turing"), .string("y")]], limits,
                in: store)
            let after = try Self.snapshot(properties, values, limits, in: store)
            return try Rehearsal(from: before, to: after, store: store).losses
        }
        let half = try losses([[.string(""), .string("LOVELACE, Ada")], [.string(""), .string("y")]])
        #expect(half.map(\.kind) == [.emptied] && half.first?.to == .empty)
        #expect(half.first?.objects == NamedObjects(1, first: [1]) && half.first?.total == 2)
        let examples = half.first?.examples ?? []
        #expect(examples == [.init(key: 1, before: .string("Alan Turing"), after: .string(""))])
        let moved = try losses([[.string(""), .string("Ada Lovelace")], [.string(""), .string("T. Alan Turing")]])
        #expect(moved.isEmpty)
    }

    @Test(arguments: [(2_000, 19, false), (2_000, 20, true), (1_000, 9, false), (1_000, 10, true), (3, 1, true)])
    func `tells of emptied values from one in a hundred on, or twenty`(total: Int, emptied: Int, isTold: Bool) throws {
        let store = MemorySegmentStore()
        let limits = RowGroupLimits(rows: 256, bytes: 1 << 20)
        let rows: [[Value]] = (0..<total).map { [.string("name \($0)")] }
        let before = try Self.snapshot([Property("v", .string)], rows, limits, in: store)
        let after = try Self.snapshot(
            [Property("v", .string)], rows.indices.map { $0 < emptied ? [.string(" ")] : rows[$0] }, limits, in: store)
        let losses = try Rehearsal(from: before, to: after, store: store).losses
        #expect(losses.map(\.objects.count) == (isTold ? [emptied] : []))
        #expect(losses.allSatisfy { $0.total == total && $0.examples.count == min(3, emptied) })
    }

    @Test func `counts objects, and names a class that is gone`() throws {
        let store = MemorySegmentStore()
        let limits = RowGroupLimits(rows: 2, bytes: 1 << 20)
        let before = try Self.snapshot([Property("v", .int)], [[.int(1)], [.int(2)], [.int(3)]], limits, in: store)
        let after = Snapshot(schemaVersion: 2, declared: Schema([]), classes: [])
        let rehearsal = try Rehearsal(from: before, to: after, store: store)
        #expect(rehearsal.objectCounts == (created: 0, deleted: 3, touched: 0))
        #expect(
            rehearsal.losses == [
                Rehearsal.Loss(
                    className: "Person", property: nil, kind: .dropped, objects: NamedObjects(3, first: [0, 1, 2]),
                    total: 3)
            ])
        var report = RehearsalReport(fromVersion: 1, toVersion: 2)
        report.add(rehearsal, from: before.declared, to: after.declared)
        let json = report.json
        #expect(json["objects"] == ["touched": 0, "created": 0, "deleted": 3])
        #expect(
            json["losses"] == [
                [
                    "class": "Person", "property": .null, "kind": "dropped", "count": 3, "keys": [0, 1, 2], "total": 3,
                    "share": 1.0,
                ]
            ])
    }

    private static func snapshot(
        _ properties: [Property], _ rows: [[Value]], _ limits: RowGroupLimits, className: String = "Person",
        in store: any SegmentStore
    ) throws -> Snapshot {
        let schema = ObjectSchema(className, properties: properties)
        let writer = ClassWriter(schema: schema, store: store, limits: limits)
        for (number, row) in rows.enumerated() {
            for (column, value) in zip(writer.columns, row) { try column.append(value) }
            try writer.endRow(key: ObjectKey(Int64(number)))
        }
        return Snapshot(
            schemaVersion: 1, declared: Schema([schema]), classes: [try writer.finish(nextSequence: Int64(rows.count))])
    }
}
