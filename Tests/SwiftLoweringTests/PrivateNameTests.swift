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
}
