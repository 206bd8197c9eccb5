import Foundation
import RealmJSON
import Testing

@Suite struct `The command line` {
    private let target = """
        {"schemaVersion": 1, "schema": [{"name": "Dog", "properties": {"name": "string", "age": "int"}}]}
        """
    private let dogs = """
        {"schemaVersion": 0, "schema": [{"name": "Dog", "properties": {"name": "string"}}],
         "objects": {"Dog": [{"_key": 0, "name": "Rex"}, {"_key": 1, "name": "Fido"}]}}
        """

    private func migrate(_ script: String, _ options: [String] = []) throws -> (BuiltProgram.Outcome, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let arguments = [
            "migrate", try folder.file("in.json", dogs), "--schema", try folder.file("target.json", target),
            "--script", try folder.file("script.js", script), "--output", folder.path("out.json"), "--json",
        ]
        return (try BuiltProgram.run(arguments + options), folder)
    }

    @Test func `migrates a realm file as the service does`() throws {
        let folder = try TemporaryFolder()
        let examples = BuiltProgram.root.appendingPathComponent("examples")
        let outcome = try BuiltProgram.run(
            [
                "migrate", "people.realm", "--schema", "people-v3.json", "--script", "split-names.js", "--output",
                folder.path("out.ndjson"),
            ], in: examples)
        #expect(outcome.status == 0)
        #expect(
            outcome.error.hasPrefix(
                "realmshift: migrated people.realm to \(folder.path("out.ndjson")): "
                    + "schema version 2 → 3, 2 objects in 1 class, 412 bytes of ndjson, "))
        let lines = try String(contentsOfFile: folder.path("out.ndjson"), encoding: .utf8).split(separator: "\n")
        #expect(
            lines.dropFirst() == [
                #"{"class":"User","object":{"_key":0,"firstName":"Ada","lastName":"Lovelace","age":36}}"#,
                #"{"class":"User","object":{"_key":1,"firstName":"Alan","lastName":"Turing","age":41}}"#,
            ])
    }

    @Test func `reads standard input and writes standard output`() throws {
        let there = try BuiltProgram.run(["convert", "-", "-", "--from", "json", "--to", "ndjson"], input: dogs)
        let back = try BuiltProgram.run(
            ["convert", "-", "-", "--from", "ndjson", "--to", "json"], input: there.output)
        #expect([there.status, back.status] == [0, 0])
        let document = try JSONValue.parse(Array(back.output.utf8))
        #expect(document["objects"] == (try JSONValue.parse(Array(dogs.utf8)))["objects"])
    }

    @Test(arguments: ["hexadecimal", "file of digits", "file of bytes"])
    func `encrypts what it writes with a key`(form: String) throws {
        let folder = try TemporaryFolder()
        let digits = (0..<64).map { String(format: "%02x", $0 + 100) }.joined()
        let (plain, encrypted) = (folder.path("plain.realm"), folder.path("encrypted.realm"))
        let key = folder.path("key")
        let options =
            switch form {
            case "hexadecimal": ["", digits]
            case "file of digits": ["-file", try folder.file("key", digits + "\n")]
            default: ["-file", key]
            }
        if form == "file of bytes" { try Data((0..<64).map { $0 + 100 }).write(to: URL(fileURLWithPath: key)) }
        let input = try folder.file("in.json", dogs)
        let runs = try [
            ["convert", input, plain],
            ["convert", input, encrypted, "--output-key" + options[0], options[1]],
            [
                "migrate", encrypted, "--schema", try folder.file("target.json", target), "--key" + options[0],
                options[1], "--output", folder.path("migrated.realm"), "--output-key", String(digits.reversed()),
            ],
            ["convert", folder.path("migrated.realm"), folder.path("back.json"), "--key", String(digits.reversed())],
        ].map { try BuiltProgram.run($0 + ["--quiet"]) }
        #expect(runs.map(\.status) == [0, 0, 0, 0])
        #expect(runs.map { $0.output + $0.error } == ["", "", "", ""])
        let back = try JSONValue.parse(Array(try Data(contentsOf: URL(fileURLWithPath: folder.path("back.json")))))
        #expect(back["objects"]?["Dog"]?.elements?.compactMap { $0["name"]?.string } == ["Rex", "Fido"])
        let wrong = try BuiltProgram.run(["inspect", folder.path("migrated.realm"), "--key", digits])
        #expect(wrong.status == 1)
        #expect(wrong.error.contains("The encryption key does not fit the first page of the file"))
        #expect(!wrong.error.contains(digits.prefix(8)))
        // Nowhere is there a place for plain bytes but the memory of the child that reads them.
        let shown = try BuiltProgram.run(
            ["inspect", encrypted, "--key", digits], environment: ["TMPDIR": folder.path("nowhere")])
        #expect(shown.output.contains("\nencrypted\n"))
    }

    @Test func `writes to a pipe and leaves it one`() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path("pipe.ndjson")
        try #require(mkfifo(pipe, 0o600) == 0)
        // Opened for both directions, so that nobody waits for the other side; the realm is smaller than its buffer.
        let reader = try #require(FileHandle(forUpdatingAtPath: pipe))
        let outcome = try BuiltProgram.run(["convert", try folder.file("in.json", dogs), pipe])
        #expect(outcome.status == 0)
        #expect(String(decoding: reader.availableData, as: UTF8.self).contains(#""name":"Fido""#))
        let attributes = try FileManager.default.attributesOfItem(atPath: pipe)
        #expect(attributes[.type] as? FileAttributeType != .typeRegular)
    }

    @Test(arguments: [
        ("function migrate(m { }", "script_syntax_error", 1),
        ("function migrate(m) {\n  throw new Error('no');\n}", "script_failed", 2),
        ("function migrate(m) {\n\n  m.create('Cat', {});\n}", "script_failed", 3),
    ])
    func `says where a script is wrong`(script: String, code: String, line: Int) throws {
        let (outcome, folder) = try migrate(script)
        #expect(outcome.status == 1)
        let problem = try JSONValue.parse(Array(outcome.error.utf8))
        #expect(problem["code"]?.string == code)
        #expect(problem["errors"]?.elements?.first?["line"]?.int == Int64(line))
        #expect(!FileManager.default.fileExists(atPath: folder.path("out.json")))
    }

    @Test(arguments: [
        ("function migrate(m) { for (;;) {} }", "script_timeout"),
        (
            "function migrate(m) { const a = []; for (;;) a.push(new Array(1000).fill(a.length)); }",
            "script_memory_exceeded"
        ),
    ])
    func `stops a script at its limits`(script: String, code: String) throws {
        let (outcome, _) = try migrate(script, ["--timeout", "3", "--memory", "64"])
        #expect(outcome.status == 1)
        #expect(try JSONValue.parse(Array(outcome.error.utf8))["code"]?.string == code)
    }

    @Test func `shows what a file is and what differs`() throws {
        let folder = try TemporaryFolder()
        let (before, after) = (try folder.file("a.json", dogs), folder.path("out.json"))
        let migrated = try BuiltProgram.run([
            "migrate", before, "--schema", try folder.file("target.json", target), "--output", after,
        ])
        #expect(migrated.status == 0)
        #expect(
            try BuiltProgram.run(["diff", before, after]).output
                == "schema version: 0 → 1\nProperty 'Dog.age' has been added.\n")
        let inspected = try BuiltProgram.run(
            ["inspect", BuiltProgram.root.appendingPathComponent("examples/people.realm").path])
        #expect(inspected.output.contains("file format 24"))
        #expect(inspected.output.contains("User: 2 objects\n    age: int\n    full: string\n"))
    }
}
