import Foundation
import TestRandomness
import Testing

/// Lowered Swift does what the compiler's own program does.
@Suite(.serialized)
struct CompilerComparisonTests {
    private static let realm = """
        {"schemaVersion": 1, "schema": [{"name": "Empty", "properties": {"n": "int"}}], "objects": {"Empty": []}}
        """
    private static let target = """
        {"schemaVersion": 2, "schema": [{"name": "Empty", "properties": {"n": "int"}}]}
        """

    /// Runs a function `run()` as a migration: what it prints, or the error.
    private func lowered(_ source: String) throws -> BuiltProgram.Outcome {
        let script = try TemporaryFolder.shared.file(
            source + "\nfunc migrate(migration: Migration, old: UInt64) { run() }\n", "Migration.swift")
        return try BuiltProgram.run([
            "migrate", try TemporaryFolder.shared.file(Self.realm, "in.json"), "--schema",
            try TemporaryFolder.shared.file(Self.target, "target.json"), "--script", script, "--output",
            try TemporaryFolder.shared.path("out.json"), "--quiet",
        ])
    }

    /// The output of the compiler's program.
    private func compiled(_ source: String) throws -> String {
        let program = try TemporaryFolder.shared.path("program")
        let main = try TemporaryFolder.shared.file("run()\n", "main.swift")
        let outcome = try BuiltProgram.compile(
            [try TemporaryFolder.shared.file(source, "Snippets.swift"), main], to: program)
        try #require(outcome.code == 0, "\(outcome.errors)")
        // The name of the module is not known to a migration.
        return try BuiltProgram.run(program: program, []).output.replacingOccurrences(of: "program.", with: "")
    }

    @Test(arguments: [
        "numbers", "strings", "collections", "control", "foundation", "types", "json", "values", "places", "literals",
        "library", "library-more", "chosen", "lazy", "wider", "results", "told",
        "extended", "parts", "options", "errors", "sequences", "generics", "conforming",
        "language-more", "foundation-more", "foundation-errors", "decoding", "decoding-errors", "expressions",
        "as-in-apps", "asked", "by-object", "decimals", "told-more", "operators", "casts", "keys", "accesses",
        "accesses-more", "accesses-computed", "json-keys", "evaluated", "collections-more",
    ])
    func `prints what the compiler's program prints`(name: String) throws {
        let file = try #require(Bundle.module.url(forResource: "Snippets/\(name).swift", withExtension: "txt"))
        let source = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let outcome = try lowered(source)
        let expected = try compiled(source).split(separator: "\n", omittingEmptySubsequences: false)
        let got = outcome.errors.split(separator: "\n", omittingEmptySubsequences: false)
        for (line, texts) in zip(expected, got).enumerated() { #expect(texts.0 == texts.1, "line \(line + 1)") }
        #expect(expected.count == got.count, "\(outcome.errors.suffix(500))")
    }

    @Test(arguments: [1, 2, 3])
    func `works out random arithmetic as the compiler's program does`(seed: UInt64) throws {
        var random = RandomExpressions(seed: seed)
        let lines = (0..<120).map { _ in "    print(\(random.statement()))" }
        let source =
            "import Foundation\n\nfunc run() {\n    let a = 7, b = -3, c = 1 << 40, five = 5, two = -2, three = 3, seven = 7, thousand = 1000\n"
            + "    let x = 2.5, y = -0.75, tenth = 0.1, huge = 1e10\n    let s = \"añb\", t = \"xyz\"\n    let n: Int? = nil, m: Int? = 4\n"
            + "    let list = [3, 1, 2]\n" + lines.joined(separator: "\n") + "\n}\n"
        let outcome = try lowered(source)
        let expected = try compiled(source).split(separator: "\n")
        let got = outcome.errors.split(separator: "\n")
        for (index, texts) in zip(expected, got).enumerated() { #expect(texts.0 == texts.1, "\(lines[index])") }
        #expect(expected.count == got.count, "\(outcome.errors.suffix(500))")
    }
}

/// Expressions at random that no compiler refuses, and that stop nowhere.
struct RandomExpressions {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func one<Element>(_ choices: [Element]) -> Element {
        choices[Int(random.next() % UInt64(choices.count))]
    }

    mutating func statement() -> String {
        switch random.next() % 7 {
        case 0: integer(2)
        case 1: double(2)
        case 2: text(2)
        case 3: truth(2)
        case 4, 5: choice()
        default: "\"\\(\(integer(1))) \\(\(truth(1))) \\(\(text(1)))\""
        }
    }

    /// A switch with patterns of every kind, as the value of a closure.
    mutating func choice() -> String {
        let (subject, patterns): (String, [String])
        switch random.next() % 4 {
        case 0:
            subject = "\(integer(1)) % 12"
            patterns = [
                "0", "1, -1, 7", "2..<5", "5...9", "..<(-6)", "(-6)...", "let v where v % three == 0", "seven",
                "let v where v < b",
            ]
        case 1:
            subject = text(1)
            patterns = [
                "\"\"", "\"xyz\", \"q\"", "s", "let v where v.count > 3", "let v where v < t",
                "let v where v.hasPrefix(\"a\")",
            ]
        case 2:
            subject = one(["n", "m", "list.first", "list.first { $0 > \(integer(0)) }", "Int(\(text(1)))"])
            patterns = [
                "nil", "4?", ".none", "let v? where v > 1", ".some(1...3)", "let v? where \(truth(0)) && v < five",
                ".some(let v)",
            ]
        default:
            subject = "(\(integer(1)) % 4, \(truth(1)))"
            patterns = [
                "(0, _)", "(_, false)", "(1...2, true)", "let (v, w) where v < 0 && w", "(let v, true) where v > 1",
                "(3, let w)",
            ]
        }
        var cases: [String] = []
        for index in 0..<(1 + Int(random.next() % 4)) {
            let pattern = one(patterns)
            let name = ["v", "w"].first { pattern.contains("let \($0)") || pattern.contains("let (\($0)") }
            cases.append("case \(pattern): return \"\(index)\(name.map { " \\(\($0))" } ?? "")\"")
        }
        let all = cases.joined(separator: "; ")
        return "{ () -> String in switch \(subject) { \(all); default: return \"else\" } }()"
    }

    mutating func integer(_ depth: Int) -> String {
        guard depth > 0 else {
            return one(["a", "b", "c", "five", "two", "list.count", "(n ?? 9)", "(m ?? 0)", "s.count"])
        }
        switch random.next() % 8 {
        case 0: return "(\(integer(depth - 1)) \(one(["&-", "&*", "&+"])) \(integer(depth - 1)))"
        case 1: return "(\(integer(depth - 1)) / \(one(["three", "seven", "b"])))"
        case 2: return "(\(integer(depth - 1)) % \(one(["three", "seven", "b"])))"
        case 3: return "(\(integer(depth - 1)) \(one(["&", "|", "^"])) \(integer(depth - 1)))"
        case 4: return "(\(truth(depth - 1)) ? \(integer(depth - 1)) : \(integer(depth - 1)))"
        case 5: return "abs(\(integer(depth - 1)) % thousand)"
        case 6: return "list.map { $0 &* \(integer(depth - 1)) }.reduce(0, &+)"
        default: return "min(\(integer(depth - 1)), \(integer(depth - 1)))"
        }
    }

    mutating func double(_ depth: Int) -> String {
        guard depth > 0 else { return one(["x", "y", "tenth", "Double(a)", "huge"]) }
        switch random.next() % 4 {
        case 0: return "(\(double(depth - 1)) \(one(["+", "-", "*"])) \(double(depth - 1)))"
        case 1: return "Double(\(integer(depth - 1)))"
        case 2: return "max(\(double(depth - 1)), \(double(depth - 1)))"
        default: return "(\(double(depth - 1)) * tenth).rounded()"
        }
    }

    mutating func text(_ depth: Int) -> String {
        guard depth > 0 else { return one(["s", "t", "\"q\"", "\"\"", "String(a)"]) }
        switch random.next() % 5 {
        case 0: return "(\(text(depth - 1)) + \(text(depth - 1)))"
        case 1: return "\(text(depth - 1)).uppercased()"
        case 2: return "String(\(text(depth - 1)).reversed())"
        case 3: return "String(\(text(depth - 1)).prefix(2))"
        default: return "String(\(integer(depth - 1)))"
        }
    }

    mutating func truth(_ depth: Int) -> String {
        guard depth > 0 else { return one(["true", "(n == nil)", "(m != nil)", "s.isEmpty", "list.contains(2)"]) }
        switch random.next() % 4 {
        case 0: return "(\(integer(depth - 1)) \(one(["<", "==", ">=", "!="])) \(integer(depth - 1)))"
        case 1: return "(\(truth(depth - 1)) \(one(["&&", "||"])) \(truth(depth - 1)))"
        case 2: return "(!\(truth(depth - 1)))"
        default: return "(\(text(depth - 1)) \(one(["<", "=="])) \(text(depth - 1)))"
        }
    }
}
