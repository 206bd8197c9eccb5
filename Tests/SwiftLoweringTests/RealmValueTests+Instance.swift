import Foundation
import Testing

/// Blocks that belong to an instance of a class, whose constants and methods they use without it.
extension RealmValueTests {
    @Test func `a constant of the instance that a block belongs to is the same in all`() throws {
        let script = """
            import RealmSwift
            final class Store {
                private let version = UInt64(7)
                private var changing = 1
                private lazy var log = Logger(subsystem: "a", category: "b")
                func configure() {
                    Realm.Configuration.defaultConfiguration = Realm.Configuration(schemaVersion: 2, migrationBlock: { [weak self] migration, old in
                        guard let self = self else { return }
                        print(self.version + old, self.doubled)
                    })
                }
                var doubled: UInt64 { version * 2 }
            }
            """
        let file = try TemporaryFolder.shared.file(script, "Store.swift")
        let outcome = try BuiltProgram.run([
            "migrate", try TemporaryFolder.shared.file(Self.realm, "in.json"), "--schema",
            try TemporaryFolder.shared.file(Self.models, "Models.swift"), "--script", file, "--output",
            try TemporaryFolder.shared.path("out.json"), "--quiet",
        ])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors == "8 14\n")
        let changing = try TemporaryFolder.shared.file(
            script.replacingOccurrences(of: "self.version + old", with: "self.changing"), "Store.swift")
        let refused = try BuiltProgram.run(["script", "check", changing])
        #expect(refused.code == 1)
        #expect(refused.output.contains("changing"), "\(refused.output)")
    }

    /// Names of `#if` hold for the classes as for the block; a file without a class would take all objects away.
    @Test(arguments: [
        "func migration(_ m: Migration, from old: UInt64) { if old < 4 { step(m) } }",
        "private func migration(_ m: Migration, from old: UInt64) { if old < 4 { self.step(m) } }",
        "func configure() -> Realm.Configuration { Realm.Configuration(schemaVersion: 2, migrationBlock: { [weak self] m, old in self?.step(m) }) }",
    ])
    func `methods of the block's class call others of it`(block: String) throws {
        let script = """
            import RealmSwift
            final class Manager {
                private let mark = "!"
                private var all: String { "all" }
                \(block)
                private func step(_ m: Migration) { m.enumerateObjects(ofType: "Owner") { old, new in self.rename(old!, new!) } }
                private func rename(_ old: MigrationObject, _ new: MigrationObject) { new["note"] = named(old) + self.mark + all }
                private func named(_ old: MigrationObject) -> String { "\\(old["name"]!)" }
            }
            """
        let output = try TemporaryFolder.shared.path("methods.json")
        let outcome = try BuiltProgram.run([
            "migrate", try TemporaryFolder.shared.file(Self.realm, "methods-in.json"), "--to-version", "2", "--schema",
            try TemporaryFolder.shared.file(Self.models, "MethodModels.swift"), "--script",
            try TemporaryFolder.shared.file(script, "Methods.swift"), "--output", output, "--quiet", "--force",
        ])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try String(contentsOfFile: output, encoding: .utf8).contains("Ada!all"))
    }
}
