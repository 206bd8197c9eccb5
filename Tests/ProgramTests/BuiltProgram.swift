import Foundation

/// The `realmshift` that was built beside the tests.
enum BuiltProgram {
    struct Missing: Error {}

    /// The output of a run, and how it ended.
    struct Outcome {
        var status: Int32
        var output: String
        var error: String
    }

    static func path() throws -> String {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let path = tests.deletingLastPathComponent().appendingPathComponent("realmshift").path
        guard FileManager.default.isExecutableFile(atPath: path) else { throw Missing() }
        return path
    }

    /// The project's own folder.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs the program to its end.
    ///
    /// Through files: another process that a test starts meanwhile would inherit the ends of pipes and keep them open.
    static func run(
        _ arguments: [String], input: String = "", in folder: URL? = nil, environment: [String: String]? = nil
    ) throws -> Outcome {
        let files = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try path())
        process.arguments = arguments
        process.currentDirectoryURL = folder
        if let environment { process.environment = environment }
        process.standardInput = FileHandle(forReadingAtPath: try files.file("input", input))
        process.standardOutput = FileHandle(forWritingAtPath: try files.file("output", ""))
        process.standardError = FileHandle(forWritingAtPath: try files.file("error", ""))
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            output: try String(contentsOfFile: files.path("output"), encoding: .utf8),
            error: try String(contentsOfFile: files.path("error"), encoding: .utf8))
    }
}

/// A folder that is gone with the test.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("realmshift-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file and answers its path.
    func file(_ name: String, _ text: String) throws -> String {
        let path = url.appendingPathComponent(name).path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
