import Foundation
import RealmJSON
import Testing

/// Point 13: the command line never destroys.
@Suite struct `Files that commands write` {
    private let dogs = """
        {"schemaVersion": 0, "schema": [{"name": "Dog", "properties": {"name": "string"}}],
         "objects": {"Dog": [{"_key": 0, "name": "Rex"}, {"_key": 1, "name": "Fido"}]}}
        """
    private let target = """
        {"schemaVersion": 1, "schema": [{"name": "Dog", "properties": {"name": "string", "age": "int"}}]}
        """

    enum Writer: String, CaseIterable, CustomTestStringConvertible {
        case migrate, convert
        var testDescription: String { rawValue }

        func arguments(_ input: String, _ output: String, in folder: TemporaryFolder) -> [String] {
            switch self {
            case .migrate: ["migrate", input, "--schema", folder.path("target.json"), "--output", output]
            case .convert: ["convert", input, output]
            }
        }
    }

    /// A folder with a realm and a target.
    private func makeFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        _ = try folder.file("in.json", dogs)
        _ = try folder.file("target.json", target)
        return folder
    }

    private func text(_ folder: TemporaryFolder, _ name: String) throws -> String {
        try String(contentsOfFile: folder.path(name), encoding: .utf8)
    }

    private func names(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test(arguments: Writer.allCases)
    func `are told to be too large where the system permits no more`(by writer: Writer) throws {
        let folder = try makeFolder()
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        // The limit holds for files, and for no pipe.
        shell.arguments =
            ["-c", "(ulimit -f 0; \"$0\" \"$@\"; echo \"status $?\") 2>&1 | cat > said", try BuiltProgram.path()]
            + writer.arguments(folder.path("in.json"), "out.realm", in: folder) + ["--json"]
        shell.currentDirectoryURL = folder.url
        try shell.run()
        shell.waitUntilExit()
        let said = try text(folder, "said")
        #expect(said.contains("File too large") && said.hasSuffix("status 1\n"), "\(said)")
        #expect(said.contains("insufficient_storage") && said.contains("a temporary file in "), "\(said)")
        #expect(try names(folder) == ["in.json", "said", "target.json"])
    }

    @Test(arguments: Writer.allCases)
    func `are not replaced without --force`(by writer: Writer) throws {
        let folder = try makeFolder()
        let output = try folder.file("out.ndjson", "precious")
        let arguments = writer.arguments(folder.path("in.json"), output, in: folder)
        let refused = try BuiltProgram.run(arguments)
        #expect(refused.status == 2)
        #expect(
            refused.error
                == "realmshift: \(output) exists already: --force replaces it.\nTry: realmshift \(writer.rawValue) --help\n"
        )
        #expect(try text(folder, "out.ndjson") == "precious")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: output)
        #expect(try BuiltProgram.run(arguments + ["--force"]).status == 0)
        #expect(try text(folder, "out.ndjson").contains("Fido"))
        // The owner's permissions stay as they were.
        let attributes = try FileManager.default.attributesOfItem(atPath: output)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(try names(folder) == ["in.json", "out.ndjson", "target.json"])
    }

    @Test(arguments: Writer.allCases, ["the name", "another way", "a symbolic link", "a hard link"])
    func `are never one that is read, also with --force`(by writer: Writer, named way: String) throws {
        let folder = try makeFolder()
        let input = folder.path("in.json")
        let output =
            switch way {
            case "the name": input
            case "another way": folder.url.path + "/./in.json"
            default: folder.path("link.json")
            }
        if way == "a symbolic link" { try #require(symlink("in.json", output) == 0) }
        if way == "a hard link" { try #require(link(input, output) == 0) }
        for option in [[], ["--force"]] {
            let outcome = try BuiltProgram.run(writer.arguments(input, output, in: folder) + option)
            #expect(outcome.status == 2)
            #expect(outcome.error.contains("the output needs a name of its own"))
            #expect(outcome.error.contains(input))
        }
        #expect(try text(folder, "in.json") == dogs)
    }

    @Test(arguments: [["--dates", "unix"], ["--flatten"]], ["out.csv.zip", "out.realm"])
    func `are not asked for what only SQLite has`(option: [String], name: String) throws {
        let folder = try makeFolder()
        let outcome = try BuiltProgram.run(["convert", "in.json", name] + option, in: folder.url)
        #expect(outcome.status == 2)
        #expect(outcome.error.hasPrefix("realmshift: \(option[0]) is for .sqlite files"))
    }

    @Test(arguments: ["target.json", "script.js", "the.key", "output.key"])
    func `are none of the other files that are read`(name: String) throws {
        let folder = try makeFolder()
        let key = (0..<64).map { String(format: "%02x", $0) }.joined()
        _ = try folder.file("script.js", "function migrate(migration) {}")
        for file in ["the.key", "output.key"] { _ = try folder.file(file, key) }
        let before = try text(folder, name)
        let outcome = try BuiltProgram.run(
            [
                "migrate", "in.json", "--schema", "target.json", "--script", "script.js", "--key-file", "the.key",
                "--output-key-file", "output.key", "--to", "realm", "--output", name, "--force",
            ], in: folder.url)
        #expect(outcome.status == 2)
        #expect(outcome.error.hasPrefix("realmshift: \(name) is read: the output needs a name of its own.\n"))
        #expect(try text(folder, name) == before)
    }

    @Test func `are no standard streams that are the same file`() throws {
        let folder = try makeFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", "\"$0\" convert - - --from json --to json <in.json >>in.json 2>error", try BuiltProgram.path(),
        ]
        process.currentDirectoryURL = folder.url
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 2)
        #expect(try text(folder, "in.json") == dogs)
        #expect(try text(folder, "error").hasPrefix("realmshift: standard output is the same file as standard input"))
    }

    @Test(arguments: [
        ("a script that throws", "migrate"), ("an input that is cut off", "convert"),
        ("an input that is none", "convert"),
    ])
    func `stay as they were where a command fails`(reason: String, command: String) throws {
        let folder = try makeFolder()
        let output = try folder.file("out.ndjson", "precious")
        let arguments =
            switch reason {
            case "a script that throws":
                [
                    "migrate", folder.path("in.json"), "--schema", folder.path("target.json"), "--script",
                    try folder.file("script.js", "function migrate(m) { throw new Error('no'); }"), "--output", output,
                ]
            case "an input that is cut off": ["convert", try folder.file("cut.json", String(dogs.dropLast(7))), output]
            default: ["convert", try folder.file("none.realm", "nothing of this kind"), output]
            }
        let before = try names(folder)
        let outcome = try BuiltProgram.run(arguments + ["--force"])
        #expect(outcome.status == 1)
        #expect(try text(folder, "out.ndjson") == "precious")
        #expect(try names(folder) == before)
    }

    @Test func `stay as they were where the disk is full, and leave nothing behind`() throws {
        let folder = try makeFolder()
        let output = try folder.file("out.ndjson", "precious")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // A limit on the size of files stands for the disk; the signal that comes with it is ignored, so that writing
        // fails as on a full one. Temporary files are within it.
        let long = dogs.replacing("Rex", with: String(repeating: "Rex ", count: 300_000))
        process.arguments = [
            "-c", "trap '' XFSZ; ulimit -f 1024; exec \"$0\" convert in.json out.ndjson --force 2>error",
            try BuiltProgram.path(),
        ]
        _ = try folder.file("in.json", long)
        process.currentDirectoryURL = folder.url
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
        #expect(try text(folder, "error") == "realmshift: out.ndjson: File too large\n")
        #expect(try text(folder, output.split(separator: "/").last.map(String.init) ?? "") == "precious")
        #expect(try names(folder) == ["error", "in.json", "out.ndjson", "target.json"])
    }

    @Test(arguments: Writer.allCases)
    func `are looked at before anything else is done`(by writer: Writer) throws {
        let folder = try makeFolder()
        try FileManager.default.createDirectory(atPath: folder.path("folder.json"), withIntermediateDirectories: true)
        for (output, reason) in [("folder.json", "Is a directory"), ("nowhere/out.json", "No such file or directory")] {
            // The input is none: it would be said if it were read first.
            let outcome = try BuiltProgram.run(
                writer.arguments("none.json", output, in: folder) + ["--force"], in: folder.url)
            #expect(outcome.status == 1)
            #expect(outcome.error == "realmshift: \(output): \(reason)\n")
        }
    }

    @Test func `neither follow nor replace a link, where no device or pipe is at its end`() throws {
        let folder = try makeFolder()
        _ = try folder.file("real.ndjson", "precious")
        try #require(symlink("real.ndjson", folder.path("link.ndjson")) == 0)
        let arguments = ["convert", folder.path("in.json"), folder.path("link.ndjson")]
        for options in [[], ["--force"]] {
            let outcome = try BuiltProgram.run(arguments + options)
            #expect(outcome.status == 2 && outcome.error.contains("link.ndjson is a symbolic link"), "\(outcome.error)")
        }
        #expect(try text(folder, "real.ndjson") == "precious")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link.ndjson")) == "real.ndjson")
        try #require(symlink("nowhere", folder.path("loose.ndjson")) == 0)
        let loose = ["convert", folder.path("in.json"), folder.path("loose.ndjson"), "--force"]
        #expect(try BuiltProgram.run(loose).status == 2)
        #expect(!FileManager.default.fileExists(atPath: folder.path("nowhere")))
    }

    @Test func `are counted in the line that says what was done`() throws {
        let folder = try makeFolder()
        let arguments = ["migrate", "in.json", "--schema", "target.json", "--output"]
        let spoken = try BuiltProgram.run(arguments + ["a.json"], in: folder.url)
        let bytes = try text(folder, "a.json").utf8.count
        #expect(spoken.output.isEmpty)
        let line =
            "realmshift: migrated in.json to a.json: schema version 0 → 1, 2 objects in 1 class, \(bytes) bytes of json, "
        #expect(spoken.error.hasPrefix(line))
        #expect(spoken.error.hasSuffix(" s\n"))
        let json = try JSONValue.parse(
            Array(try BuiltProgram.run(arguments + ["b.json", "--json"], in: folder.url).error.utf8))
        #expect(json["input"] == "in.json")
        #expect(json["output"] == "b.json")
        #expect(json["format"] == "json")
        #expect([json["fromVersion"], json["toVersion"]] == [0, 1])
        #expect(json["objectCounts"] == ["Dog": 2])
        #expect(json["bytes"]?.int == Int64(bytes))
        let silent = try BuiltProgram.run(arguments + ["c.json", "--quiet"], in: folder.url)
        #expect(silent.output + silent.error == "")
        let piped = try BuiltProgram.run(["convert", "-", "-", "--from", "json", "--to", "ndjson"], input: dogs)
        #expect(
            piped.error.hasPrefix(
                "realmshift: converted standard input to standard output: schema version 0, 2 objects in 1 class, "
                    + "\(piped.output.utf8.count) bytes of ndjson, "))
    }

    @Test(arguments: [("/dev/full", "No space left on device"), ("&-", "Bad file descriptor")])
    func `fail aloud where standard output can't be written`(to target: String, _ reason: String) throws {
        let folder = try makeFolder()
        for command in ["inspect in.json", "diff in.json in.json --objects", "convert in.json - --to json", "--help"] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "exec \"$0\" \(command) >\(target) 2>error", try BuiltProgram.path()]
            process.currentDirectoryURL = folder.url
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 1)
            #expect(try text(folder, "error") == "realmshift: standard output: \(reason)\n")
        }
    }

    @Test func `come with a warning where the script did not run`() throws {
        let folder = try makeFolder()
        _ = try folder.file("script.js", "function migrate(m) { console.log('ran'); }")
        let outcome = try BuiltProgram.run(
            [
                "migrate", "in.json", "--schema", "target.json", "--script", "script.js", "--to-version", "0",
                "--mode", "additiveDiscovered", "--output", "out.json",
            ], in: folder.url)
        #expect(outcome.status == 0)
        #expect(
            outcome.error.hasPrefix("warning: script.js was not run: a script runs where the schema version rises\n"))
    }
}
