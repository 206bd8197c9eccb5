import Foundation
import Testing

/// Messages about files that are not what a command takes, and output that nobody reads to its end.
@Suite struct `Files that are not what a command takes` {
    private static let target = #"{"schemaVersion": 1, "schema": [{"name": "Dog", "properties": {"name": "string"}}]}"#

    @Test(
        arguments: [
            (["inspect", "nofile"], 2, "nofile: No such file or directory"),
            (["inspect", "notes.txt"], 2, "notes.txt: unknown ending; give --from realm, json or ndjson."),
            (
                ["convert", "realm.json", "o.parquet"], 2,
                "o.parquet would be a ZIP archive with a file per class: name it o.parquet.zip."
            ),
            (["serve", "--data", "notes.txt"], 2, "notes.txt is no folder: --data takes one."),
            (["serve", "--data", "~/data"], 1, "./~/data: Not a directory"),
            (["serve", "--data", "notes.txt/data"], 1, "notes.txt/data: Not a directory"),
            (["serve", "--data", "/proc/realmshift/data"], 1, "/proc/realmshift: No such file or directory"),
            (["schema", "target.json"], 2, "target.json is neither a Swift file nor a folder"),
            (["schema", "nofile.json"], 1, "nofile.json: No such file or directory"),
            (["objects", "realm.json", "Dog", "--where", "age NOT IN {1}"], 2, "NOT stands before a whole comparison"),
            (["objects", "realm.json", "Home"], 2, "Home is embedded: its objects are shown in those that own them."),
        ] as [([String], Int32, String)])
    func `are named with what is wrong`(words: [String], status: Int32, said: String) throws {
        let folder = try TemporaryFolder()
        for name in ["notes.txt", "~"] { _ = try folder.file(name, "notes") }
        _ = try folder.file("target.json", Self.target)
        _ = try folder.file(
            "realm.json",
            """
            {"schema": [{"name": "Dog", "properties": {"age": "int", "home": "Home"}},
              {"name": "Home", "embedded": true, "properties": {"street": "string"}}], "objects": {"Dog": []}}
            """)
        let outcome = try BuiltProgram.run(words, in: folder.url)
        #expect(outcome.status == status && outcome.error.contains(said), "\(outcome.error)")
    }

    @Test func `are refused by push where they are a schema alone, and taken where they say that they are a realm`()
        throws
    {
        let folder = try TemporaryFolder()
        let service = try RunningService()
        let environment = [
            "HOME": folder.path("home"), "REALMSHIFT_SERVER": "http://127.0.0.1:\(service.port)",
            "REALMSHIFT_KEY": service.key,
        ]
        func run(_ words: String...) throws -> BuiltProgram.Outcome {
            try BuiltProgram.run(words, in: folder.url, environment: environment)
        }
        _ = try folder.file("dogs.json", Self.target)
        let refused = try run("push", "pets", "dogs.json", "--create")
        #expect(
            refused.status == 1 && refused.error.contains("realmshift declare pets --schema dogs.json"),
            "\(refused.error)")
        #expect(try service.call("GET", "/v1/apps/pets/realms").json["items"]?.elements == [])
        _ = try folder.file("empty.json", Self.target.dropLast() + #", "objects": {}}"#)
        #expect(try run("push", "pets", "empty.json").status == 0)
        for name in ["", ".."] {
            let named = try run("push", "pets", "empty.json", "--realm", name)
            #expect(
                named.status == 2 && named.error.contains("a realm's name has 1 to 128 ASCII letters"), "\(named.error)"
            )
        }
        _ = try folder.file("broken.js", "function migrate(m) {\n  let x = ;\n}")
        let declared = try run("declare", "pets", "--schema", "dogs.json", "--script", "broken.js")
        #expect(declared.status == 1 && declared.error.contains("broken.js"), "\(declared.error)")
    }

    @Test func `end in silence where their output is read no further`() throws {
        let folder = try TemporaryFolder()
        let objects = (0..<20_000).map { #"{"_key": \#($0), "name": "dog \#($0)"}"# }.joined(separator: ",")
        _ = try folder.file("dogs.json", Self.target.dropLast() + #", "objects": {"Dog": [\#(objects)]}}"#)
        for command in ["objects dogs.json Dog --limit 20000", "convert dogs.json - --to ndjson --quiet"] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "\"$0\" \(command) 2>error | head -n 1 >first", try BuiltProgram.path()]
            process.currentDirectoryURL = folder.url
            try process.run()
            process.waitUntilExit()
            #expect(try String(contentsOfFile: folder.path("error"), encoding: .utf8) == "", "\(command)")
            #expect(try !String(contentsOfFile: folder.path("first"), encoding: .utf8).isEmpty)
        }
    }

    @Test func `do not control the terminal by what differs in them`() throws {
        let folder = try TemporaryFolder()
        func realm(_ name: String) -> String {
            Self.target.dropLast() + #", "objects": {"Dog": [{"_key": 0, "name": "\#(name)"}]}}"#
        }
        _ = try folder.file("a.json", realm("a\u{9b}31m"))
        _ = try folder.file("b.json", realm("b\u{202e}"))
        let outcome = try BuiltProgram.run(["diff", "a.json", "b.json", "--values"], in: folder.url)
        #expect(outcome.output.contains("a?31m") && outcome.output.contains("b?"), "\(outcome.output)\(outcome.error)")
    }
}
