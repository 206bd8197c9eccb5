import RealmModel
import Testing

@testable import RealmQuery

/// A set of constants holds what equals one of them, by the comparison's own rules.
@Suite struct ConstantSetTests {
    private static let values: [Value] =
        [
            .null, .bool(false), .bool(true), .int(0), .int(1), .int(1 << 53 + 1), .int(.max), .int(.min), .float(0),
            .float(-0.0),
            .float(0.1), .float(1), .float(.nan), .double(0), .double(-0.0), .double(0.1), .double(1), .double(0x1p53),
            .double(0x1p63), .double(-0x1p63), .double(.nan), .double(.infinity), .double(-.infinity),
            .double(0.1 + 0.2), .double(0.3), .double(1.0000000000000002),
        ]
        + [
            "0", "-0", "1", "1.00", "0.1", "0.3", "100E-2", "NaN", "Infinity", "-Infinity", "9223372036854775807",
            "1E+3",
        ]
        .compactMap { Decimal128($0).map { .decimal128($0) } } + [
            .int(1_000), .string(""), .string("a"), .string("A"), .string("é"), .string("e\u{301}"), .data([]),
            .data([0x61]),
            .data([0x41]), .date(Timestamp(seconds: 0, nanoseconds: 0)), .date(Timestamp(seconds: 0, nanoseconds: 1)),
            .link(ObjectKey(1)), .link(ObjectKey(2)), .typedLink(className: "é", ObjectKey(1)),
            .typedLink(className: "e\u{301}", ObjectKey(1)), .list([]), .list([.int(1)]), .dictionary([]),
        ]

    @Test(arguments: [ValueTest.Rules.any, .stored], [false, true])
    func `as each of them does`(rules: ValueTest.Rules, ignoresCase: Bool) throws {
        let test = ValueTest(.in, ignoresCase: ignoresCase, rules: rules)
        for (index, first) in Self.values.enumerated() {
            for second in Self.values[index...] {
                let set = try #require(ConstantSet([(first, test), (second, test)]))
                for value in Self.values {
                    let holds = test.holds(value, first) || test.holds(value, second)
                    #expect(set.contains(value) == holds, "\(value) in \(first), \(second)")
                }
            }
        }
    }

    @Test func `is none of kinds, orders and one constant`() {
        func set(_ comparator: Comparator, _ rules: ValueTest.Rules, count: Int = 2) -> ConstantSet? {
            let test = ValueTest(comparator, ignoresCase: false, rules: rules)
            return ConstantSet((0..<count).map { (.int(Int64($0)), test) })
        }
        #expect(set(.in, .kinds) == nil && set(.less, .any) == nil && set(.equal, .any, count: 1) == nil)
        #expect(set(.equal, .any) != nil)
    }
}
