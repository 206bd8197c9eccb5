import Foundation
import Testing

/// Point 16: what the pages for users show is run as it stands there.
struct DocumentationTests {
    /// The blocks of a page that are for a shell.
    private static func commands(of page: String) throws -> String {
        let text = try String(contentsOf: BuiltProgram.root.appendingPathComponent("docs/\(page)"), encoding: .utf8)
        return text.components(separatedBy: "```sh\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
            .joined(separator: "\n")
    }

    /// Runs the commands of pages in one shell, beside a service; answers what it printed.
    private static func run(_ pages: [String]) throws -> String {
        let service = try RunningService()
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("examples"),
            withDestinationPath: BuiltProgram.root.appendingPathComponent("examples").path)
        let script = try pages.map { try commands(of: $0) }.joined(separator: "\n")
        let log = try folder.file("log", "")
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = ["-euo", "pipefail", "-x", try folder.file("commands.sh", script)]
        shell.currentDirectoryURL = folder.url
        let programs = URL(fileURLWithPath: try BuiltProgram.path()).deletingLastPathComponent().path
        let environment = ProcessInfo.processInfo.environment
        shell.environment = environment.merging([
            "URL": "http://127.0.0.1:\(service.port)", "KEY": service.key, "HOME": folder.path("home"),
            "PATH": "\(programs):\(environment["PATH"] ?? "")",
        ]) { $1 }
        let printed = FileHandle(forWritingAtPath: log)
        shell.standardOutput = printed
        shell.standardError = printed
        try shell.run()
        shell.waitUntilExit()
        let output = try String(contentsOfFile: log, encoding: .utf8)
        #expect(shell.terminationStatus == 0, "\(output.suffix(3000))")
        return output
    }

    @Test func `every command of the pages about the API, Realm JSON and partners does what they say`() throws {
        let output = try Self.run(["api.md", "realm-json.md", "partner-classes.md"])
        #expect(output.contains("api -X PUT"))
        // A pipeline that begins with `!` ends no script: what is to be refused has to be seen.
        for code in [
            "unknown_parameter", "unknown_member", "broken_link", "synced_breaking_change", "script_failed",
            "partner_state", "client_reset_required",
        ] { #expect(output.contains("\"\(code)\"")) }
    }

    @Test func `every command of the page about a service in a shell does what it says`() throws {
        let output = try Self.run(["shell.md"])
        #expect(output.contains("fleet of people to version 3: undone, 2 of 2 realms"))
    }
}
