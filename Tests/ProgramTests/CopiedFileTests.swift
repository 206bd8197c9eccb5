import Foundation
import Testing

/// From file to file without a function leaves are copied; to a stream they are decoded, and nobody sees the difference.
struct CopiedFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let objects = (0..<700).map {
            "{\"_key\": \($0), \"name\": \"Anne \($0)\", \"age\": \($0 % 90), \"best\": \($0 / 2), \"friends\": [0, \($0)]}"
        }
        _ = try folder.file(
            "in.json",
            """
            {"schemaVersion": 0, "schema": [{"name": "Person", "properties": {"name": "string", "age": "int",
            "best": "Person", "friends": "Person[]"}}], "objects": {"Person": [\(objects.joined(separator: ","))]}}
            """)
        _ = try folder.file(
            "target.json",
            """
            {"schemaVersion": 1, "schema": [{"name": "Person", "properties": {"age": "int?", "x": "string",
            "best": "Person", "friends": "Person[]"}}]}
            """)
        _ = try folder.file("key", String(repeating: "0a", count: 64))
        #expect(try run(["convert", "in.json", "in.realm"]).status == 0)
        #expect(try run(["convert", "in.json", "secret.realm", "--output-key-file", "key"]).status == 0)
    }

    private func run(_ arguments: [String]) throws -> BuiltProgram.Outcome {
        try BuiltProgram.run(arguments, in: folder.url)
    }

    private func document(_ realm: String) throws -> String {
        try run(["convert", realm, "-", "--to", "json", "--key-file", "key", "--quiet"]).output
    }

    @Test(arguments: ["in.realm", "secret.realm"], [[], ["--output-key-file", "key"]])
    func `writes the same values to a file and to a stream`(input: String, options: [String]) throws {
        let arguments = ["migrate", input, "--schema", "target.json", "--key-file", "key"] + options
        #expect(try run(arguments + ["--output", "copied.realm"]).status == 0)
        let pipe = ["/bin/sh", "-c", "\"$0\" \"$@\" --output - --to realm > decoded.realm"]
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: pipe[0])
        shell.arguments = [pipe[1], pipe[2], try BuiltProgram.path()] + arguments
        shell.currentDirectoryURL = folder.url
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        let copied = try document("copied.realm")
        #expect(copied.contains("\"x\""))
        #expect(try copied == document("decoded.realm"))
    }

    @Test func `says of a damaged file what it said when it was decoded, and leaves no output`() throws {
        let realm = folder.path("in.realm")
        let bytes = try #require(FileManager.default.contents(atPath: realm))
        try bytes.dropLast(16).write(to: URL(fileURLWithPath: realm))
        let arguments = ["migrate", "in.realm", "--schema", "target.json", "--output"]
        let outcome = try run(arguments + ["out.realm"])
        #expect(outcome.status == 1)
        #expect(try outcome.error == run(arguments + ["-", "--to", "realm"]).error)
        #expect(!FileManager.default.fileExists(atPath: folder.path("out.realm")))
    }
}
