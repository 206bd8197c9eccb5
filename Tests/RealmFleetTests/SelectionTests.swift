import RealmFleet
import Testing

@Suite struct SelectionTests {
    @Test(
        arguments: [
            ("<3", [nil, 0, 1, 2]), ("<=3", [nil, 0, 1, 2, 3]), (">3", [4]), (">=3", [3, 4]),
            ("!=3", [nil, 0, 1, 2, 4]),
            ("3", [3]), ("=3", [3]), ("<0", [nil]),
        ] as [(String, [UInt64?])])
    func `means versions`(text: String, expected: [UInt64?]) throws {
        let condition = try #require(VersionCondition(text))
        #expect([nil, 0, 1, 2, 3, 4].filter(condition.matches) == expected)
        #expect(VersionCondition("\(condition)") == condition)
    }

    @Test(arguments: ["", "<", "3<", "< 3", "-1", "<>3", "99999999999999999999", "18446744073709551615", "a"])
    func `takes nothing else for a version`(text: String) { #expect(VersionCondition(text) == nil) }

    @Test(arguments: [("a*", "a%"), ("a_b%c", "a\\_b\\%c"), ("*", "%"), ("x", "x")])
    func `is a pattern of SQL`(text: String, like: String) { #expect(NamePattern(text).like == like) }
}
