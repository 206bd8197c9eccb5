import RealmModel
import Testing

@testable import RealmComparison

/// Numbers and flags of which a text of one type becomes a value of another, in a property that was added or in its own.
struct TextNumbersTests {
    /// A property before, those after, and for each object its value before and those after.
    struct Case: Sendable {
        var before: PropertyType
        var after: [PropertyType]
        var values: [(Value, [Value])]
        /// The objects that lost something.
        var lost: [Int64] = []
    }

    private static func texts(_ texts: [String], _ after: [PropertyType], _ values: [[Value]], lost: [Int64] = [])
        -> Case
    {
        Case(before: .string, after: after, values: zip(texts.map { .string($0) }, values).map { ($0, $1) }, lost: lost)
    }

    private static func numbers(
        _ before: PropertyType, _ numbers: [Value], _ texts: [String], lost: [Int64] = []
    ) -> Case {
        Case(before: before, after: [.string], values: zip(numbers, texts).map { ($0, [.string($1)]) }, lost: lost)
    }

    private static func decimal(_ number: String) -> Value { .decimal128(Decimal128(number) ?? .zero) }

    private static func ints(_ numbers: [Int64]) -> [[Value]] { numbers.map { [.int($0)] } }

    private static func doubles(_ numbers: [Double]) -> [[Value]] { numbers.map { [.double($0)] } }

    private static let flags = ["false", "true", "true", "false", "false"]

    private static let numbers: [Case] = [
        texts(["1045", "2307", "88120", "4711"], [.int], ints([1045, 2307, 88_120, 4711])),
        texts(["1045", "2307", "88120", "4711"], [.int], ints([1_045_000, 2_307_000, 88_120_000, 4_711_000])),
        texts(["1045", "2307", "88120", "4711"], [.int], ints([1045, 2_307_000, 88_120, 4_711_000]), lost: [1, 3]),
        texts(["10", "10", "20", "20"], [.int], ints([10, 10_000, 20, 20_000]), lost: [1, 3]),
        texts(
            ["12.51", "8.25", "103.99", "17.45"], [.double], doubles([12.51, -8.25, 103.99, -17.45]), lost: [1, 3]),
        texts(["19.99", "2.50", "73.00", "0.99"], [.int], ints([1999, 250, 7300, 99])),
        texts(["19.99", "2.50", "73.00", "0.99"], [.int], ints([1999, 250, 73, 99]), lost: [0, 1, 3]),
        texts(["12.5 kg", "80 kg", "7.25 kg"], [.double], doubles([12.5, 80, 7.25])),
        texts(["12.5 kg", "80 lb", "7.25 kg"], [.double], doubles([12.5, 80, 7.25]), lost: [0, 1, 2]),
        texts(
            ["52.5,13.25", "48.75,2.5", "47.25,8.75"], [.double, .double],
            [[.double(52.5), .double(13.25)], [.double(48.75), .double(13.25)], [.double(47.25), .double(2.5)]],
            lost: [1, 2]),
    ]

    /// Numbers whose digits are in texts: they have to be as many times as much there.
    private static let digits: [Case] = [
        numbers(
            .double, [.double(12.5), .double(3), .double(1250.5), .double(0.5)],
            ["EUR 12,50", "EUR 3,00", "EUR 1.250,50", "EUR 0,50"]),
        numbers(.double, [.double(12.5), .double(3), .double(0.75)], ["1250 ct", "300 ct", "75 ct"]),
        numbers(
            .double, [.double(0.5), .double(0.05), .double(1), .double(0.125)], ["50 %", "5 %", "100 %", "12,5 %"]),
        numbers(.double, [.double(0.5), .double(0.05), .double(1)], ["50 %", "50 %", "100 %"], lost: [0, 1, 2]),
        numbers(.int, [.int(1500), .int(150), .int(35_000), .int(42)], ["15", "15", "35", "42"], lost: [0, 1, 2]),
        numbers(
            .int, [.int(15), .int(250), .int(35), .int(42)], ["1500", "2500", "3500", "4200"], lost: [0, 1, 2, 3]),
        numbers(.int, [.int(1), .int(10), .int(100), .int(5)], ["1", "1", "1", "5"], lost: [1, 2]),
        numbers(
            .decimal128, [decimal("12.5"), decimal("1.25"), decimal("125"), decimal("7")], ["125", "125", "125", "7"],
            lost: [0, 1]),
        numbers(
            .decimal128, [decimal("1.5E+6"), decimal("3.25E+7"), decimal("7.25E-25")],
            ["1.5", "3.25", "7.25"], lost: [0, 1, 2]),
        Case(
            before: .double, after: [.double],
            values: [(.double(1.5e30), [.double(1.5)]), (.double(3.25e25), [.double(3.25)])], lost: [0, 1]),
    ]

    /// Numbers of lists in texts.
    private static let listed: [([Int64], String, Bool)] = [
        ([1500, 250], "1500 and 250", true), ([1500, 250], "1500;250", true), ([1500, 25], "15.00, 0.25", true),
        ([1500, 150], "15, 15", false), ([1500, 250], "15, 25", false),
    ]

    @Test(arguments: listed) func `of a list are in a text where all are as many times as much`(
        numbers: [Int64], text: String, areThere: Bool
    ) {
        var words = ValueWords()
        words.add(.string(text))
        #expect(words.contain(.list(numbers.map { .int($0) })) == areThere)
    }

    /// Texts of which several become one number, or one text.
    private static let glued: [Case] = [
        texts(["1.11.1", "11.1.1", "1.1.11", "2.0.0"], [.int], ints([1111, 1111, 1111, 200]), lost: [0, 1, 2]),
        texts(
            ["555 12-34", "555-1234", "55 66"], [.string],
            [[.string("5551234")], [.string("5551234")], [.string("5566")]], lost: [0, 1]),
        texts(["555-12", "555-12", "55 66"], [.string], [[.string("55512")], [.string("55512")], [.string("5566")]]),
        texts(["A+", "A-", "B+", "B+"], [.string], ["A", "A", "B", "B"].map { [.string($0)] }, lost: [0, 1]),
        texts(
            ["A+", "A-", "B+"], [.string, .string],
            [["a", "+"], ["a", "-"], ["b", "+"]].map { $0.map { .string($0) } }),
        texts(
            ["Ada@x.org", "ADA@x.org", "bo@y.org"], [.string],
            ["ada@x.org", "ada@x.org", "bo@y.org"].map { [.string($0)] }),
    ]

    private static let zeros: [Case] = [
        texts(["0", "5", "7", "12"], [.int], ints([0, 5, 7, 12])),
        texts(["0.00", "5.10", "7.25"], [.double], doubles([0, 5.1, 7.25])),
        texts(["0", "5", "7", "0"], [.int], ints([0, 0, 0, 0]), lost: [0, 1, 2, 3]),
        texts(["0", "5", "7", "12"], [.int], ints([0, 5, 0, 0]), lost: [2, 3]),
        texts(
            ["3/0", "0/4", "5/6"], [.int, .int], [[.int(3), .int(0)], [.int(0), .int(4)], [.int(5), .int(6)]]),
        texts(
            ["3/0", "0/4", "5/6"], [.int, .int], [[.int(3), .int(0)], [.int(0), .int(0)], [.int(5), .int(0)]],
            lost: [0, 1, 2]),
        texts(
            ["1970-01-01", "2020-02-03"], [.date],
            [0, 1_580_688_000].map { [.date(Timestamp(seconds: $0, nanoseconds: 0))] }),
    ]

    private static let booleans: [Case] = [
        texts(flags, [.bool], flags.map { [.bool($0 == "true")] }),
        texts(flags, [.bool], flags.map { _ in [.bool(false)] }, lost: [0, 1, 2, 3, 4]),
        Case(before: .int, after: [.bool], values: [0, 1, 1, 0, 0].map { (.int($0), [.bool($0 == 1)]) }),
        Case(
            before: .int, after: [.string], values: [0, 1, 1, 0, 0].map { (.int($0), [.string($0 == 1 ? "a" : "b")]) }),
        Case(
            before: .int, after: [.bool],
            values: [0, 1, 1, 0, 0].enumerated().map { (.int($1), [.bool($0 % 2 == 0)]) }, lost: [1, 2]),
    ]

    @Test(arguments: numbers + digits + glued + zeros + booleans)
    func `are taken over by an added property where all of them are`(tried: Case) throws {
        let after = tried.after.enumerated().map { Property("n\($0)", $1) }
        let found = try Rehearsal(
            ([Property("t", tried.before)], tried.values.map { [$0.0] }), (after, tried.values.map(\.1)))
        let dropped = found.losses.filter { $0.kind == .dropped }
        #expect(dropped.flatMap(\.objects.keys) == tried.lost)
        #expect(tried.lost.isEmpty == found.losses.isEmpty)
    }

    private static func lists(_ old: [[Double]], _ new: [[Int64]]) -> [(Value, Value)] {
        zip(old, new).map { (.list($0.map { .double($0) }), .list($1.map { .int($0) })) }
    }

    /// Values before and after in the same property, and whether they are told in another unit.
    private static let units: [(Property, Property, [(Value, Value)], Bool)] = [
        (
            Property("v", .int), Property("v", .string),
            [(.int(1234), .string("12.34")), (.int(999), .string("9.99")), (.int(50_000), .string("500.00"))], true
        ),
        (
            Property("v", .int), Property("v", .string),
            [(.int(1234), .string("12.34")), (.int(999), .string("999")), (.int(50_000), .string("500.00"))], false
        ),
        (
            Property("v", .string), Property("v", .int),
            [(.string("19.99"), .int(1999)), (.string("2.50"), .int(250)), (.string("73.00"), .int(7300))], true
        ),
        (
            Property("v", .string), Property("v", .int),
            [(.string("19.99"), .int(1999)), (.string("2.50"), .int(250)), (.string("73.00"), .int(73))], false
        ),
        (
            Property("v", .double, collection: .list), Property("v", .int, collection: .list),
            lists([[1.5, 2.5], [4.1], [7.7, 0]], [[15, 25], [41], [77, 0]]), true
        ),
        (
            Property("v", .double, collection: .list), Property("v", .int, collection: .list),
            lists([[1.5, 2.5], [4], [7.7, 9]], [[15, 25], [4], [77, 90]]), false
        ),
    ]

    @Test(arguments: units.indices) func `stay what they are in another unit if all are in it`(number: Int) throws {
        let (before, after, values, isUnit) = Self.units[number]
        let found = try Rehearsal(([before], values.map { [$0.0] }), ([after], values.map { [$0.1] }))
        #expect(found.losses.map(\.kind) == (isUnit ? [] : [.inexact]))
        #expect(!isUnit || found.untold.replaced == 0)
    }
}
