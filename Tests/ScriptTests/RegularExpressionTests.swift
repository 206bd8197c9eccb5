import RealmMigration
import Testing

@testable import ScriptChild

/// Point 2: a regular expression that gives up is no "no match".
@Suite struct RegularExpressionTests {
    private let realm: TestRealm

    init() throws {
        realm = try TestRealm(
            #"{"schemaVersion": 1, "schema": [{"name": "A", "properties": {"n": "int"}}], "objects": {"A": []}}"#)
    }

    /// Patterns that match all of the text in every engine that has the time, and the text's length at which
    /// JavaScriptCore has not.
    private static let matching = [
        "/^(?:(a+)+b|.*)$/", "/^(?:(?:a+)+b|.*)$/", "/^(?:(a|a)*b|.*)$/s", "/^(?:(a|aa)+b|.*)$/m", "/^(?:(.*)*b|.*)$/u",
        "/^(?:(\\w+)*b|.*)$/i",
    ]

    private func message(_ expression: String) throws -> MigrationError {
        try realm.error(
            """
            function migrate() {
              const text = "a".repeat(40);
              console.log(String(\(expression)).substring(0, 20));
            }
            """)
    }

    @Test(arguments: matching)
    func `fails where it may have given up`(_ pattern: String) throws {
        let error = try message("\(pattern).test(text)")
        #expect(error.script == .exception)
        #expect(error.message.hasPrefix("The regular expression \(pattern.dropLast(pattern.hasSuffix("/") ? 0 : 1))"))
        #expect(error.message.contains("found nothing for so long that it may have given up"))
        #expect(error.details.first?.line == 3)
    }

    @Test(arguments: [
        "/^(?:(a+)+b|.*)$/g.test(text)", "/^(?:(a+)+b|.*)$/y.test(text)", "/^(?:(a+)+b|.*)$/.exec(text)",
        "/^(?:(a+)+b|.*)$/[Symbol.match](text)", "text.match(/^(?:(a+)+b|.*)$/)", "text.match(/^(?:(a+)+b|.*)$/g)",
        "text.match('^(?:(a+)+b|.*)$')", "[...text.matchAll(/^(?:(a+)+b|.*)$/g)]",
        "text.replace(/^(?:(a+)+b|.*)$/, 'x')", "text.replace(/^(?:(a+)+b|.*)$/g, () => 'x')",
        "('b\\n' + text).replace(/b|^(?:(a+)+c|.*)$/gm, 'x')", "text.replaceAll(/^(?:(a+)+b|.*)$/g, 'x')",
        "text.split(/^(?:(a+)+b|.*)$/)", "text.search(/^(?:(a+)+b|.*)$/)",
    ])
    func `fails in whatever function it stands`(_ expression: String) throws {
        #expect(try message(expression).message.contains("may have given up"))
    }

    @Test(arguments: [
        ("function migrate(m) { return m.matches; }", false),
        ("  // a/b\nfunction migrate() {}\n\t// exec /a/\r\n", false),
        ("f('http://x'.replace(/x/, ''))", true), ("a // b", false), ("`\n// ${/a/}\n`", true), ("/* a */", false),
        ("'a/b' + \"/\" + `/${{ a: `}/` }.a}/`", false), ("`${a / b}`", true), ("'it\\'s' / 2", true),
        ("a <!-- `\n/x/", true),
        ("// a\u{2028}/x/", true), ("'a'.match('b')", true), ("'a'.search('b')", true), ("new RegExp('b')", true),
        ("'a'['m\\u0061tch']('b')", true), ("this['Reg' + 'Exp']", true), ("''.constructor", true),
    ])
    func `are watched where a script may have them`(_ source: String, _ may: Bool) {
        #expect(ScriptSyntax.mayMatchExpressions(source) == may)
    }

    @Test(arguments: ["", "// exec\n"])
    func `answers as ever where it does not`(_ way: String) throws {
        let lines = try realm.log(
            #"""
            \#(way)function migrate() {
              const text = "a".repeat(20), long = "word ".repeat(400000);
              console.log(/^(?:(a+)+b|.*)$/.test(text), /^b/.test(text), /(a)(b)?/.exec(text), text.search(/b/));
              console.log("a1b22".match(/\d+/g), "a1b22".match(/\d/).index, "x".match(/y/), [..."a1b22".matchAll(/(\d)/g)].length);
              console.log("a1b22".replace(/\d/g, d => d * 2), "a.b".replaceAll(".", "-"), "a, b".split(/,\s*/), "a-b".split("-"));
              console.log(long.replace(/\s/g, "").length, long.split(/\s/).length, long.match(/w/g).length);
              console.log([...long.matchAll(/o/g)].length, long.search(/x/), "abc".replace("b", "$&$&"), "ab".split(""));
              const sticky = /a/y; sticky.lastIndex = 3;
              console.log(sticky.test("aaab"), sticky.lastIndex, "😀".replace(/(?:)/gu, "-"));
            }
            """#)
        #expect(
            lines == [
                #"true false ["a","a",null] -1"#, #"["1","22"] 1 null 3"#, #"a2b44 a-b ["a","b"] ["a","b"]"#,
                "1600000 400001 400000", #"400000 -1 abbc ["a","b"]"#, "false 0 -😀-",
            ])
    }
}
