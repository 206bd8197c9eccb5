import Foundation
import Testing

/// Names that files of a script declare for themselves, of which another file has the same.
@Suite struct PrivateNameTests {
    private static let realm = """
        {"schemaVersion": 1, "schema": [{"name": "Item", "properties": {"s": "string", "i": "int"}}],
          "objects": {"Item": [{"s": "one", "i": 1}]}}
        """

    /// Migrates with files, of which the first has the block.
    private func migrate(_ files: [String], options: [String] = []) throws -> BuiltProgram.Outcome {
        let folder = try TemporaryFolder.shared.path("script")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (number, text) in files.enumerated() {
            try text.write(toFile: "\(folder)/File\(number).swift", atomically: true, encoding: .utf8)
        }
        return try BuiltProgram.run(
            [
                "migrate", try TemporaryFolder.shared.file(Self.realm, "in.json"), "--schema",
                try TemporaryFolder.shared.file(
                    Self.realm.replacing("\"schemaVersion\": 1", with: "\"schemaVersion\": 2").prefix(while: {
                        $0 != "\n"
                    })
                    .dropLast() + "}",
                    "target.json"), "--script", folder, "--output", try TemporaryFolder.shared.path("out.json"),
                "--quiet",
            ] + options)
    }

    private static let block = """
        import RealmSwift
        private enum Key { static let name = "block" }
        private let prefix = "main "
        let config = Realm.Configuration(schemaVersion: 2, migrationBlock: { migration, _ in
            migration.enumerateObjects(ofType: "Item") { old, new in
                print(prefix + Key.name, fromA(old!), fromB(old!), Key.self)
            }
        })
        """

    private static func file(_ name: String, key: String, type: String, besides: String = "") -> String {
        """
        import RealmSwift
        private let prefix = "\(name)", dateFormat = 5
        private enum Key { static let title = "\(key)" }
        private struct Tool { var prefixed = 1; func run() -> String { "tool\(name)" } }
        private typealias Value = \(type)
        private var count = 0
        private func next() -> Int { count += 1; return count }
        private func described<Value>(_ value: Value, prefix label: String) -> String { label + " \\(value)" }
        \(besides)
        func from\(name)(_ object: MigrationObject) -> String {
            let key = Key.title
            let next = next() + next()
            return "abc".prefix(1) + prefix + " \\(object[key]!) " + Tool().run() + " \\(object["i"] is Value) \\(next) " + described(Tool(), prefix: prefix)
        }
        """
    }

    @Test func `stand in each file for its own`() throws {
        let outcome = try migrate([
            Self.block, Self.file("A", key: "s", type: "String"), Self.file("B", key: "i", type: "Int"),
        ])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(
            outcome.errors
                == "main block aA one toolA false 3 A Tool(prefixed: 1) aB 1 toolB true 3 B Tool(prefixed: 1) Key\n",
            "\(outcome.errors)")
    }

    @Test func `stay what they are where a stub names them`() throws {
        let files = ["A", "B"].map { name in
            Self.file(name, key: "s", type: "String", besides: "private let logger = Logger(\"\(name)\")")
                .replacing("    let key = Key.title", with: "    logger.info(\"called\")\n    let key = Key.title")
        }
        let outcome = try migrate([Self.block] + files, options: ["--stub", "logger"])
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    @Test(arguments: [
        ("private extension String { var marked: String { self } }", "Another file gives ‘String’ a ‘marked’, too"),
        ("private func ~~ (a: String, b: String) -> String { a }", "Another file declares ‘~~’, too"),
        ("private let size = 1\nstruct Box NAME { var size = 2 }", "Another file declares ‘size’, too"),
        ("private let size = 1\nfunc sized NAME(size: Int) -> Int { size }", "Another file declares ‘size’, too"),
    ])
    func `are refused where they are told by their files alone`(declaration: String, message: String) throws {
        let besides = ["A", "B"].map { declaration.replacing(" NAME", with: $0) }
        let outcome = try migrate([
            Self.block, Self.file("A", key: "s", type: "String", besides: besides[0]),
            Self.file("B", key: "i", type: "Int", besides: besides[1]),
        ])
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    private static let caller = """
        import RealmSwift
        let config = Realm.Configuration(schemaVersion: 2, migrationBlock: { migration, _ in
            migration.enumerateObjects(ofType: "Item") { old, new in print(fromA(), fromB()) }
        })
        """

    @Test(arguments: [
        (
            "private enum Keys { static let a = \"A\"; enum More { static let k = \"ak\" } }\nfunc fromA() -> String { Keys.a + Keys.More.k }",
            "private enum Keys { static let b = \"B\"; enum More { static let k = \"bk\" } }\nfunc fromB() -> String { Keys.b + Keys.More.k }",
            "Aak Bbk\n"
        ),
        (
            "private func max(_ a: Int, _ b: Int) -> Int { 42 }\nfunc fromA() -> Int { max(1, 2) }",
            "func fromB() -> Int { max(1, 2) }", "42 2\n"
        ),
        (
            "private struct Data { var n = 1 }\nfunc fromA() -> Int { Data().n }",
            "import Foundation\nfunc fromB() -> Int { Data([1, 2]).count }", "1 2\n"
        ),
        (
            "private let formatter = 5\nextension Int { var shown: Int { self + formatter } }\nfunc fromA() -> Int { 1.shown }",
            "class Report { let formatter = 7; func run() -> Int { formatter } }\nfunc fromB() -> Int { Report().run() }",
            "6 7\n"
        ),
        (
            "private let key = \"a\"\nclass Cell: UITableViewCell { func text() -> String { key } }\nextension UIView { func other() -> String { key } }\nfunc fromA() -> String { key }",
            "private let key = \"b\"\nstruct Note: ObservableObject { func text() -> String { key } }\nfunc fromB() -> String { Note().text() }",
            "a b\n"
        ),
        (
            "final class Cache { static let shared = Cache(); private init() {}; private var key = 1; func a() -> Int { key } }\nfunc fromA() -> Int { Cache.shared.a() }",
            "struct Other { private var key = 2; func b() -> Int { key } }\nfunc fromB() -> Int { Other().b() }",
            "1 2\n"
        ),
    ])
    func `are seen in their file alone`(first: String, second: String, printed: String) throws {
        let outcome = try migrate([Self.caller, first, second])
        #expect(outcome.code == 0 && outcome.errors == printed, "\(outcome.errors)")
    }

    /// Files of which the compiler finds what is meant, by the types or by the file.
    private static let doubts = [
        (
            "private extension String { func contains(_ other: String) -> Bool { true } }\nfunc fromA() -> Bool { \"A\".contains(\"b\") }",
            "func fromB() -> Bool { \"A\".contains(\"b\") }", "Another file may mean another ‘contains’"
        ),
        (
            "private func ~= (a: String, b: String) -> Bool { true }\nfunc fromA() -> Int { 1 }",
            "func fromB() -> Int { switch \"a\" { case \"b\": return 1; default: return 2 } }",
            "There is another ‘~=’, too"
        ),
        (
            "struct Box {}\nextension Box { private var tag: Int { 1 }; func a() -> Int { tag } }\nfunc fromA() -> Int { Box().a() }",
            "let tag = 2\nextension Box { func b() -> Int { tag } }\nfunc fromB() -> Int { Box().b() }",
            "Another file may mean another ‘tag’"
        ),
        (
            "protocol Named {}\nstruct Box: Named {}\nextension Named { private var tag: Int { 1 }; func a() -> Int { tag } }\nfunc fromA() -> Int { Box().a() }",
            "extension Box { private var tag: Int { 2 }; func b() -> Int { tag } }\nfunc fromB() -> Int { Box().b() }",
            "Another file gives ‘Named’ a ‘tag’, too"
        ),
        (
            "struct Box { var x = 0 }\nextension Box { private init(_ n: Int) { x = 1 } }\nfunc fromA() -> Int { Box(1).x }",
            "extension Box { init(_ n: Any) { x = 2 } }\nfunc fromB() -> Int { Box(1).x }",
            "Another file gives ‘Box’ such an initializer, too"
        ),
        (
            "private extension Array { subscript(safe n: Int) -> Int { 1 } }\nfunc fromA() -> Int { [1][safe: 0] }",
            "extension Collection { subscript(safe n: Int) -> Int { 2 } }\nfunc fromB() -> Int { [1][safe: 0] }",
            "Another file gives ‘Array’ such a subscript, too"
        ),
        (
            "private var count = 100\nfunc fromA() -> Int { count }",
            "private let count = 5\nextension String { var isLong: Bool { count > 2 } }\nfunc fromB() -> Bool { \"a\".isLong && count > 2 }",
            "Another file declares ‘count’, too"
        ),
        (
            "private func label(_ x: Any) -> Int { 1 }\nfunc fromA() -> Int { label(\"s\") }",
            "func label(_ x: String) -> Int { 2 }\nfunc fromB() -> Int { label(\"s\") }",
            "Another file declares ‘label’, too"
        ),
    ]

    @Test(arguments: doubts) func `are refused where a mention may mean either`(
        first: String, second: String, message: String
    ) throws {
        let outcome = try migrate([Self.caller, first, second])
        #expect(outcome.code == 1 && outcome.errors.contains(message), "\(outcome.errors)")
    }
}
