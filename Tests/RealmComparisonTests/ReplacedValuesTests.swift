import Columns
import RealmModel
import TestRandomness
import Testing

@testable import RealmComparison

/// Values for which those of other objects stand, and many that become few.
struct ReplacedValuesTests {
    private static let text = Property("v", .string)
    private static let number = Property("v", .int)
    private static let names = (0..<5_000).map { "person of the number \($0 * 37 % 5_000)" }

    @Test(arguments: [Value.null, .string("")]) func `move into an empty property of one object alone`(left: Value)
        throws
    {
        func rows(_ moved: Int?) -> Rows {
            let properties = ["a", "b"].map { Property($0, .string, isOptional: true) }
            return (
                properties,
                (0..<9).map { $0 == moved ? [.string(Self.names[$0]), left] : [.null, .string(Self.names[$0])] }
            )
        }
        let rehearsal = try Rehearsal(rows(nil), rows(4))
        #expect(rehearsal.losses == [] && rehearsal.untold.replaced == 1)
    }

    @Test(arguments: [[832, 832, 832, 81, 81], Array(3...30)])
    func `became zero where all others are in another unit`(before: [Int64]) throws {
        func losses(_ zeroed: Int?) throws -> [Rehearsal.Loss] {
            let after = before.enumerated().map { $0 == zeroed ? 0 : 100 * $1 }
            return try Rehearsal(
                ([Self.number], before.map { [.int($0)] }), ([Self.number], after.map { [.int($0)] })
            ).losses
        }
        #expect(try losses(nil) == [])
        let lost = try losses(2)
        #expect(lost.map(\.kind) == [.emptied] && lost.first?.objects == NamedObjects(1, first: [2]))
    }

    @Test func `are cut where they are written in small letters`() throws {
        func replaced(_ cut: Int) throws -> Int {
            let names = ["Ada@A.org", "Ken@B.org", "Ada@A.org", "Ken@B.org"]
            let after = names.map { Value.string(String($0.lowercased().dropLast(cut))) }
            return try Rehearsal(
                ([Self.text], names.map { [.string($0)] }), ([Self.text], after.map { [$0] })
            ).untold.replaced
        }
        #expect(try replaced(0) == 0 && replaced(1) == 4)
    }

    @Test func `became zero where all others are an identifier for a text`() throws {
        func losses(_ zeroed: Int?) throws -> [Rehearsal.Loss] {
            let texts = [1, 2, 3, 2, 2].map { "6\($0)c20983-3a77-4693-8f65-36ed4ba6ce69" }
            let after = try texts.enumerated().map { index, text in
                index == zeroed ? UUID.zero : try #require(UUID(text))
            }
            return try Rehearsal(
                ([Self.text], texts.map { [.string($0)] }), ([Property("v", .uuid)], after.map { [.uuid($0)] })
            ).losses
        }
        #expect(try losses(nil) == [])
        #expect(try losses(0).map(\.kind) == [.zero])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var property: Property
        var before: [Value]
        var after: [Value]
        var kinds: [Rehearsal.Loss.Kind]

        init(
            _ name: String, _ property: Property, _ before: [Value], _ after: [Value],
            _ kinds: [Rehearsal.Loss.Kind] = []
        ) {
            testDescription = name
            (self.property, self.before, self.after, self.kinds) = (property, before, after, kinds)
        }
    }

    private static func shuffled(_ values: [Value]) -> [Value] {
        var generator = SeededGenerator(seed: 7)
        return values.shuffled(using: &generator)
    }

    private static let texts: [Value] = names.map { .string($0) }
    private static let numbers: [Int64] = (0..<5_000).map { (n: Int) -> Int64 in Int64(n * 7_919 % 5_000 * 3 + 11) }
    private static let ages: [Int64] = (0..<5_000).map { (n: Int) -> Int64 in Int64(n * 7_919 % 61 + n % 13 + 20) }
    private static let words = ["open", "closed", "new", "old", "gone", "lost"]
    private static let few: [Value] = (0..<5_000).map { .string(words[$0 % 6]) }

    private static func ints(_ numbers: [Int64], _ map: (Int, Int64) -> Int64 = { $1 }) -> [Value] {
        numbers.enumerated().map { Value.int(map($0, $1)) }
    }

    private static func strings(_ map: (Int) -> String) -> [Value] { (0..<5_000).map { Value.string(map($0)) } }

    private static let exchanged: [Case] = [
        Case("shuffled texts", text, texts, shuffled(texts), [.exchanged]),
        Case("the neighbour's text", text, texts, [.string("nobody")] + texts.dropLast(), [.exchanged]),
        Case("shuffled numbers", number, ints(numbers), shuffled(ints(numbers)), [.exchanged]),
        Case("the neighbour's number", number, ints(numbers), [.int(1)] + ints(numbers).dropLast(), [.exchanged]),
        Case("a few shuffled texts", text, few, shuffled(few), [.exchanged]),
        Case("texts of every second object", text, texts, strings { names[$0 - $0 % 2] }, [.exchanged]),
    ]

    private static let merged: [Case] = [
        Case("thousands of texts that become three", text, texts, strings { ["a", "b", "c"][$0 % 3] }, [.merged]),
        Case(
            "numbers that become a few", number, ints(ages), ints(ages) { $1 < 40 ? 1 : $1 < 60 ? 2 : 3 }, [.merged]),
    ]

    private static let workedOut: [Case] = [
        Case("ages that are reckoned anew", number, ints(ages), ints(ages) { $1 + ($0 % 5 == 0 ? 2 : 1) }),
        Case("numbers that are twice as many", number, ints(numbers), ints(numbers) { 2 * $1 }),
        Case("numbers the other way round", number, ints(numbers), ints(numbers) { 15_019 - $1 }),
        Case("words in other words", text, few, strings { ["closed", "open"][$0 % 2] }),
        Case("texts that become others", text, texts, strings { "record #\($0 * 13 + 700_000)" }),
    ]

    @Test(arguments: exchanged + merged + workedOut) func `are told, and what a script works out is not`(_ tried: Case)
        throws
    {
        let found = try Self.rehearse(tried.property, tried.before, tried.after)
        #expect(found.losses.map(\.kind) == tried.kinds)
        let changed = zip(tried.before, tried.after).count { $0 != $1 }
        let told = found.losses.reduce(0) { $0 + $1.objects.count }
        // Numbers that look as if they were rounded are counted apart.
        #expect(told + found.untold.replaced + found.untold.few == changed || tried.kinds.isEmpty)
        #expect(tried.kinds.isEmpty || told * 10 >= changed * 9)
    }

    @Test(
        arguments: [
            (["C++", "C#", "C"], Property("v", .string), ["C", "C", "C"], 2),
            (["a.b", "a,b", "a b"], Property("v", .string), ["a b", "a b", "a b"], 2),
            (["-5", "5", "-7"], Property("v", .string), ["5", "5", "7"], 2),
            (["-5", "-7"], Property("v", .string), ["5", "7"], 2),
            (["01234", "99999"], Property("v", .int), [1234, 99999], 1),
            (["1.10", "1.1"], Property("v", .double), [1.1, 1.1], 1),
            (["+49 30", "+49 31"], Property("v", .string), ["4930", "4931"], 0),
            ([" A", "a", "A "], Property("v", .string), ["a", "a", "a"], 0),
            (["36", "-7"], Property("v", .int), [36, -7], 0),
        ] as [([String], Property, [any Sendable], Int)])
    func `written otherwise are not all there where two that differed are one`(
        texts: [String], property: Property, after: [any Sendable], count: Int
    ) throws {
        let values = after.map { value -> Value in
            switch value {
            case let text as String: .string(text)
            case let number as Int: .int(Int64(number))
            case let number as Double: .double(number)
            default: .null
            }
        }
        let found = try Self.rehearse(Self.text, texts.map { .string($0) }, values, as: property)
        #expect(found.losses.isEmpty && found.untold.replaced == count)
    }

    @Test(arguments: [
        (Property("v", .double), Value.double(9_007_199_254_740_992)), (text, .string("1.2345678901234568e+18")),
    ])
    func `of more digits than a double has are told where they are others`(_ property: Property, _ after: Value) throws
    {
        let before: Int64 = property.type == .double ? 9_007_199_254_740_993 : 1_234_567_890_123_456_789
        let found = try Self.rehearse(
            Self.number, [.int(before), .int(5)], [after, property.type == .double ? .double(5) : .string("5")],
            as: property)
        #expect(found.losses.map(\.kind) == [.inexact] && found.losses.first?.objects.count == 1)
    }

    @Test func `that are the same in all objects take over none that differ`() throws {
        let levels = (0..<30).map { Value.string($0 % 2 == 0 ? "low" : "high") }
        let options = [Value](repeating: .string("low, high"), count: 30)
        let added = Property("w", .string)
        #expect(try Self.rehearse(Self.text, levels, options, as: added).losses.map(\.kind) == [.dropped])
        #expect(try Self.rehearse(Self.text, options, options, as: added).losses.isEmpty)
    }

    @Test(arguments: [(Property("v", .int, isOptional: true), Value.int(0)), (text, .string("x"))])
    func `where nothing was are counted as filled`(_ property: Property, _ value: Value) throws {
        let nothing = property.isOptional ? Value.null : .string("")
        let found = try Self.rehearse(
            property, [Value](repeating: nothing, count: 30), [Value](repeating: value, count: 30))
        #expect(found.losses.isEmpty && found.untold.isNone && found.untold.filled == 30)
    }

    @Test(
        arguments: [
            ([1_999, 2_499, 1_250], [19, 24, 12], 3), ([1_900, 2_499, 1_250], [19, 24, 12], 2),
            // A part that all lost alike can be put there again, and one that none had is not lost.
            ([1_999, 2_499, 4_999], [19, 24, 49], 0), ([1_900, 2_400, 1_200], [19, 24, 12], 0),
            // Of two numbers nobody knows.
            ([1_999, 2_450], [19, 24], 0), ([1_999, 2_499, 1_250, 7], [19, 24, 12, 8], 0),
        ] as [([Int64], [Int64], Int)])
    func `of which a division left a part are told`(before: [Int64], after: [Int64], count: Int) throws {
        for type in [PropertyType.int, .double] {
            func values(_ numbers: [Int64]) -> [Value] { numbers.map { type == .int ? .int($0) : .double(Double($0)) } }
            let found = try Self.rehearse(Property("v", type), values(before), values(after))
            #expect(found.losses.map(\.kind) == (count == 0 ? [] : [.rounded]))
            #expect(found.losses.first?.objects.count ?? 0 == count)
        }
    }

    @Test(
        arguments: [
            ([["ada", "lovelace"], ["alan", "turing"]], [["lovelace", "ada"], ["turing", "alan"]], true),
            // Both are the same, and neither changes.
            (
                [["ada", "ada"], ["alan", "turing"], ["b", "c"]], [["ada", "ada"], ["turing", "alan"], ["c", "b"]], true
            ),
            ([["ada", "lovelace"], ["alan", "turing"]], [["lovelace", "ada"], ["turing", "x"]], false),
            ([["ada", "lovelace"]], [["lovelace", "ada"]], true),
            // One value that moves is where it was moved to.
            ([["ada", ""]], [["", "ada"]], false),
            ([["1", "2"], ["3", "4"]], [["2", "1"], ["4", "3"]], false),
        ] as [([[String]], [[String]], Bool)])
    func `of two properties that are exchanged are told, of both`(before: [[String]], after: [[String]], isTold: Bool)
        throws
    {
        let isNumber = before[0][0] == "1"
        func rows(_ texts: [[String]]) -> [[Value]] {
            texts.map { $0.map { isNumber ? .int(Int64($0) ?? 0) : .string($0) } }
        }
        let properties = ["v", "w"].map { Property($0, isNumber ? .int : .string) }
        let found = try Rehearsal((properties, rows(before)), (properties, rows(after)))
        #expect(found.losses.map(\.property) == (isTold ? ["v", "w"] : []))
        #expect(found.losses.allSatisfy { $0.kind == .exchanged })
    }

    /// Zeros of a property that gets another type.
    @Test(
        arguments: [
            (
                PropertyType.int, [Value.int(0), .int(0), .int(70)], PropertyType.double,
                [.double(0), .double(0), .double(70)]
            ),
            (.int, [.int(0), .int(5)], .string, [.string("0"), .string("5")]),
        ] as [(PropertyType, [Value], PropertyType, [Value])])
    func `are the same zeros in another type`(
        type: PropertyType, before: [Value], newType: PropertyType, after: [Value]
    ) throws {
        let rehearsal = try Rehearsal(
            ([Property("v", type)], before.map { [$0] }), ([Property("v", newType)], after.map { [$0] }))
        #expect(rehearsal.losses.isEmpty && rehearsal.untold.isNone)
    }

    @Test func `of flags that were all set are no loss where they have one word now`() throws {
        func told(_ flags: [Bool]) throws -> [Rehearsal.Loss.Kind] {
            try Rehearsal(
                ([Property("v", .bool)], flags.map { [.bool($0)] }),
                ([Property("v", .string)], flags.map { _ in [.string("yes")] })
            ).losses.map(\.kind)
        }
        #expect(try told([true, true, true]) == [])
        #expect(try told([true, false, true]) == [.uniform])
    }

    @Test func `that those of a property that is gone replaced are told`() throws {
        let before: [[Value]] = (0..<8).map { [.string("own \($0)"), .string("other \($0)")] }
        let found = try Rehearsal(
            ([Property("v", .string), Property("w", .string)], before),
            ([Property("v", .string)], before.map { [$0[1]] }))
        #expect(found.losses.map(\.property) == ["v"] && found.losses.map(\.kind) == [.exchanged])
    }

    @Test func `of links are told where the property is of another type and has nothing`() throws {
        let link = Property("v", .object, objectType: "Person", isOptional: true)
        let links: [Value] = (0..<3).map { .link(ObjectKey($0)) }
        for type in [PropertyType.string, .int] {
            let found = try Self.rehearse(
                link, links, links.map { _ in .list([]) }, as: Property("v", type, collection: .list))
            #expect(found.losses.map(\.kind) == [.link] && found.losses.first?.objects.count == 3)
        }
    }

    private static func rehearse(
        _ property: Property, _ before: [Value], _ after: [Value], as newProperty: Property? = nil
    ) throws -> Rehearsal {
        try Rehearsal(([property], before.map { [$0] }), ([newProperty ?? property], after.map { [$0] }))
    }
}

extension Value {
    fileprivate var int: Int64? { if case .int(let number) = self { number } else { nil } }
}
