import Foundation
import Testing

/// Point 8: progress on the terminal.
@Suite struct `Progress on standard error` {
    private let clear = "\r\u{1b}[K"

    /// A migration of a realm of many objects, whose script takes its time for each.
    private func makeFolder(objects: Int, script: String = "n.name = o.name.toUpperCase();") throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let schema = #"[{"name": "Person", "properties": {"name": "string"}}]"#
        var lines = #"{"schemaVersion": 0, "schema": \#(schema)}"# + "\n"
        for key in 0..<objects { lines += #"{"class":"Person","object":{"_key":\#(key),"name":"p\#(key)"}}"# + "\n" }
        _ = try folder.file("in.ndjson", lines)
        _ = try folder.file("target.json", #"{"schemaVersion": 1, "schema": \#(schema)}"#)
        _ = try folder.file(
            "script.js", "function migrate(m) { m.enumerateObjects('Person', (o, n) => { \(script) }); }")
        return folder
    }

    private let migration = [
        "migrate", "in.ndjson", "--schema", "target.json", "--script", "script.js", "--output", "out.ndjson",
    ]

    /// Runs the program with a terminal as its standard error.
    private func run(
        _ arguments: [String], in folder: TemporaryFolder, columns: UInt16 = 100, environment: [String: String] = [:]
    ) throws -> (status: Int32, shown: String) {
        let terminal = try PseudoTerminal(columns: columns)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try BuiltProgram.path())
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.environment = ProcessInfo.processInfo.environment
            .merging(["TERM": "xterm", "LC_ALL": "C.UTF-8"]) { $1 }.merging(environment) { $1 }
        process.standardError = terminal.device
        process.standardOutput = FileHandle(forWritingAtPath: try folder.file("output", ""))
        try process.run()
        let shown = try terminal.readToEnd()
        process.waitUntilExit()
        return (process.terminationStatus, shown)
    }

    @Test(arguments: [100, 40, 12] as [UInt16])
    func `is written over on a terminal, within its width, and gone at the end`(columns: UInt16) throws {
        let folder = try makeFolder(objects: 50_000)
        let (status, shown) = try run(migration, in: folder, columns: columns)
        #expect(status == 0)
        var parts = shown.components(separatedBy: clear)
        // The text that stays is on a line of its own, after the last that was written over.
        let last = parts.removeLast()
        #expect(last.hasPrefix("realmshift: migrated in.ndjson to out.ndjson: schema version 0 → 1, 50,000 objects"))
        #expect(last.hasSuffix(" s\r\n"))
        #expect(parts.first == "")
        #expect(parts.dropFirst().first?.hasPrefix(String("reading in.ndjson …".prefix(Int(columns) - 1))) == true)
        #expect(parts.allSatisfy { $0.count < columns && !$0.contains(where: \.isNewline) })
    }

    @Test func `leaves lines that a script logs whole`() throws {
        let folder = try makeFolder(objects: 3, script: "console.log('at ' + o.name);")
        let (status, shown) = try run(migration, in: folder)
        #expect(status == 0)
        for line in ["at p0\r\n", "at p1\r\n", "at p2\r\n"] {
            let place = try #require(shown.range(of: line))
            let before = shown[..<place.lowerBound]
            #expect(before.hasSuffix(clear) || before.hasSuffix("\r\n"))
        }
    }

    @Test(arguments: [["TERM": "dumb"], [:]])
    func `is not written over where that can't be done, or is not wanted`(environment: [String: String]) throws {
        let folder = try makeFolder(objects: 3)
        let isDumb = environment["TERM"] == "dumb"
        let (status, shown) = try run(migration + (isDumb ? [] : ["--quiet"]), in: folder, environment: environment)
        #expect(status == 0)
        #expect(!shown.contains("\u{1b}"))
        #expect(shown.hasPrefix(isDumb ? "realmshift: migrated " : ""))
        #expect(shown.isEmpty == !isDumb)
    }

    @Test(arguments: [[], ["--quiet"], ["--json"]])
    func `is a line now and then in a log`(options: [String]) throws {
        let folder = try makeFolder(
            objects: 2, script: try BusyLoop.statements(milliseconds: 1500) + " n.name = 'x';")
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = try BuiltProgram.run(migration + options, in: folder.url)
        let seconds = (clock.now - start) / .seconds(1)
        #expect(outcome.status == 0)
        let lines = outcome.error.split(separator: "\n")
        // One every five seconds, and the last.
        let most = options.isEmpty ? Int(seconds / 5) + 1 : options == ["--json"] ? 1 : 0
        #expect(lines.count <= most && lines.count >= min(most, 2))
        if options.isEmpty { #expect(lines.first?.hasPrefix("realmshift: ") == true) }
        #expect(!outcome.error.contains("\u{1b}"))
    }

    @Test func `moves no cursor for a name that a file gives`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file(
            "in.json", #"{"schemaVersion": 0, "schema": [{"name": "A", "properties": {"\u001b[2J": "what"}}]}"#)
        let (status, shown) = try run(["convert", "in.json", "out.realm"], in: folder)
        #expect(status == 1)
        #expect(!shown.contains("\u{1b}[2J"))
    }
}
