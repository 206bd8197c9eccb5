import Foundation
import RealmJSON
import Testing

/// Point 13: errors name the file; each way in which one file can be bad has a message of its own.
@Suite struct `Messages about bad files` {
    struct BadFile: CustomTestStringConvertible, Sendable {
        let name: String
        let message: String
        var options: [String] = []
        let make: @Sendable (TemporaryFolder, String) throws -> Void

        var testDescription: String { name }
    }

    private static let key = (0..<64).map { String(format: "%02x", $0) }.joined()
    private static let header =
        #"{"schemaVersion": 0, "schema": [{"name": "A", "properties": {"s": "string"}}]}"# + "\n"

    private static func text(_ text: String) -> @Sendable (TemporaryFolder, String) throws -> Void {
        { _ = try $0.file($1, text) }
    }

    /// The first bytes of a file that `convert` made of an example.
    private static func part(_ bytes: Int, of options: [String]) -> @Sendable (TemporaryFolder, String) throws -> Void {
        { folder, name in
            let example = BuiltProgram.root.appendingPathComponent("examples/people.realm").path
            let whole = folder.path("whole.realm")
            #expect(try BuiltProgram.run(["convert", example, whole, "--quiet"] + options).status == 0)
            try Data(contentsOf: URL(fileURLWithPath: whole)).prefix(bytes).write(
                to: URL(fileURLWithPath: folder.path(name)))
        }
    }

    /// An encrypted file of which the first byte, which is random, is the one that JSON begins with.
    private static func encryptedWithBrace(_ folder: TemporaryFolder, _ name: String) throws {
        try part(.max, of: ["--output-key", key])(folder, name)
        let file = URL(fileURLWithPath: folder.path(name))
        try (Data("{".utf8) + Data(contentsOf: file).dropFirst()).write(to: file)
    }

    private static let files = [
        BadFile(name: "nowhere.realm", message: "No such file or directory") { _, _ in },
        BadFile(name: "folder.json", message: "Is a directory") {
            try FileManager.default.createDirectory(atPath: $0.path($1), withIntermediateDirectories: false)
        },
        BadFile(name: "empty.realm", message: "The file is empty.", make: text("")),
        BadFile(name: "empty.json", message: "The file is empty.", make: text("")),
        BadFile(name: "empty.ndjson", message: "The file is empty.", make: text("")),
        BadFile(
            name: "text.realm", message: "The file is no Realm file: its header has no mark 'T-DB'.",
            make: text("a text that is longer than the header of a file")),
        BadFile(
            name: "cut.json", message: "Malformed JSON: the end is missing, at line 1, column 34 (byte 33).",
            make: text(#"{"schemaVersion": 0, "schema": [{}"#.dropLast() + "")),
        BadFile(
            name: "cut.ndjson", message: "Malformed JSON: the end is missing, at line 3, column 23 (byte ",
            make: text(
                header + #"{"class": "A", "object": {"_key": 0, "s": "x"}}"# + "\n" + #"{"class": "A", "object"#)),
        BadFile(
            name: "type.ndjson", message: "A.s has to be a string, at line 2, column 43 (byte ",
            make: text(header + #"{"class": "A", "object": {"_key": 0, "s": 5}}"# + "\n")),
        BadFile(name: "cut.realm", message: "The file is truncated: ", make: part(60, of: [])),
        BadFile(
            name: "keyless.realm", message: "The file is no Realm file, or it is encrypted and needs its key.",
            make: part(.max, of: ["--output-key", key])),
        BadFile(
            name: "brace.realm", message: "The file is no Realm file, or it is encrypted and needs its key.",
            make: encryptedWithBrace),
        BadFile(
            name: "wrong-key.realm",
            message: "The encryption key does not fit the first page of the file, or the file is no Realm file.",
            options: ["--key", String(key.reversed())], make: part(.max, of: ["--output-key", key])),
        BadFile(
            name: "cut-encrypted.realm",
            message: "The file is neither a Realm file nor a whole encrypted one, of pages of 4,096 bytes.",
            options: ["--key", key], make: part(4096, of: ["--output-key", key])),
    ]

    /// A name that says another format than the file has.
    @Test(arguments: [
        ("a.json", "realm"), ("a.ndjson", "realm"), ("a.ndjson", "json"), ("a.realm", "json"), ("a.json", "ndjson"),
    ])
    func `says what a file looks like that is named as another`(name: String, format: String) throws {
        let folder = try TemporaryFolder()
        let example = BuiltProgram.root.appendingPathComponent("examples/people.realm").path
        #expect(try BuiltProgram.run(["convert", example, folder.path("x"), "--to", format, "--quiet"]).status == 0)
        try FileManager.default.moveItem(atPath: folder.path("x"), toPath: folder.path(name))
        let outcome = try BuiltProgram.run(["inspect", folder.path(name)])
        #expect(outcome.status == 1)
        #expect(
            outcome.error.contains("  The file looks like \(format): name its format by `--from \(format)`"),
            "\(outcome.error)")
    }

    @Test(arguments: files, ["inspect", "convert"])
    func `name the file and say what is wrong`(file: BadFile, command: String) throws {
        let folder = try TemporaryFolder()
        try file.make(folder, file.name)
        let arguments = [command, file.name] + (command == "convert" ? ["out.ndjson"] : []) + file.options
        let outcome = try BuiltProgram.run(arguments, in: folder.url)
        #expect(outcome.status == 1)
        #expect(outcome.error.hasPrefix("realmshift: \(file.name): \(file.message)"))
        // The second one says what to do.
        let lines = outcome.error.split(separator: "\n")
        #expect(lines.count == 1 || lines.count == 2 && lines[1].hasPrefix("  "))
        #expect(outcome.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path("out.ndjson")))
        let json = try JSONValue.parse(Array(try BuiltProgram.run(arguments + ["--json"], in: folder.url).error.utf8))
        #expect(json["file"]?.string == file.name)
        #expect(json["detail"]?.string?.hasPrefix(file.message) == true)
    }

    @Test func `name a file that may not be read`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("secret.json", "{}")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // For root there is no such file: it takes another user's place.
        let prefix = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
        process.arguments = ["-c", "\(prefix)\"$0\" inspect secret.json 2>error", try BuiltProgram.path()]
        process.currentDirectoryURL = folder.url
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
        #expect(
            try String(contentsOfFile: folder.path("error"), encoding: .utf8)
                == "realmshift: secret.json: Permission denied\n")
    }

    @Test func `name a file whose values are too large, and speak of the file`() throws {
        let folder = try TemporaryFolder()
        let value = String(repeating: "x", count: 24 << 20)
        let line = #"{"class": "A", "object": {"_key": 0, "s": "\#(value)"}}"#
        _ = try folder.file("large.ndjson", Self.header + line + "\n")
        let outcome = try BuiltProgram.run(["inspect", "large.ndjson"], in: folder.url)
        #expect(outcome.status == 1)
        #expect(outcome.error.hasPrefix("realmshift: large.ndjson: "))
        #expect(outcome.error.contains("large") && !outcome.error.contains("script"))
        #expect(outcome.error.utf8.count < 500)
    }

    @Test(arguments: [
        ("--schema", "nowhere.json", "nowhere.json: No such file or directory"),
        (
            "--schema", "none.json",
            "none.json: Malformed JSON: a value has to stand here, at line 1, column 1 (byte 0)."
        ),
        ("--script", "folder", "folder: The folder has no Swift file."),
        ("--script", "bytes.js", "bytes.js: The script is not text in UTF-8."),
        ("--script", "syntax.js", "syntax.js:2: Unexpected end of script"),
        ("--script", "throws.js", "throws.js:2:18: no such dog"),
        ("--key-file", "nowhere.key", "nowhere.key: No such file or directory"),
    ])
    func `name the file of an option`(option: String, name: String, message: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("in.json", Self.header)
        _ = try folder.file("target.json", Self.header.replacing(#""schemaVersion": 0"#, with: #""schemaVersion": 1"#))
        _ = try folder.file("none.json", "?")
        _ = try folder.file("syntax.js", "function migrate( {\n")
        _ = try folder.file("throws.js", "function migrate() {\n  throw new Error('no such dog');\n}\n")
        try Data([0xff]).write(to: URL(fileURLWithPath: folder.path("bytes.js")))
        try FileManager.default.createDirectory(atPath: folder.path("folder"), withIntermediateDirectories: false)
        let schema = option == "--schema" ? [] : ["--schema", "target.json"]
        let outcome = try BuiltProgram.run(
            ["migrate", "in.json", option, name, "--output", "out.json"] + schema, in: folder.url)
        #expect(outcome.status == 1)
        #expect(outcome.error.hasPrefix("realmshift: \(message)\n"))
    }

    @Test func `ask whether the nearest type was meant`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("in.json", Self.header)
        _ = try folder.file("target.json", Self.header.replacing("string", with: "strng"))
        let outcome = try BuiltProgram.run(
            ["migrate", "in.json", "--schema", "target.json", "--output", "out.json"], in: folder.url)
        #expect(outcome.status == 1)
        #expect(
            outcome.error == """
                realmshift: target.json: Schema validation failed due to the following errors:
                - Property 'A.s' of type 'object' has unknown object type 'strng'
                  A.s: Did you mean 'string'?

                """)
    }

    @Test func `say how a migration is asked for`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("in.json", Self.header)
        _ = try folder.file("target.json", Self.header.replacing("string", with: "int"))
        let outcome = try BuiltProgram.run(
            ["migrate", "in.json", "--schema", "target.json", "--output", "out.json"], in: folder.url)
        #expect(outcome.status == 1)
        #expect(
            outcome.error == """
                realmshift: in.json: Migration is required due to the following errors:
                - Property 'A.s' has been changed from 'string' to 'int'.
                  in.json has schema version 0 already: a higher one in target.json, or --to-version, makes it a migration.

                """)
    }
}
