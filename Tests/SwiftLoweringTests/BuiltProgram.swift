import Foundation

/// The programs that the tests were built beside.
enum BuiltProgram {
    /// `realmshift`.
    static let path: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("realmshift").path
    }()

    /// The output of a program, and how it ended.
    struct Outcome {
        var output: String
        var errors: String
        var code: Int32
    }

    /// Runs a program to its end.
    static func run(program: String = path, _ arguments: [String]) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["TZ": "UTC", "SWIFT_BACKTRACE": "enable=no"])
        { $1 }
        let files = try (0..<2).map { _ in try TemporaryFolder.shared.file("") }
        let handles = try files.map { try FileHandle(forWritingTo: URL(fileURLWithPath: $0)) }
        (process.standardOutput, process.standardError) = (handles[0], handles[1])
        try process.run()
        process.waitUntilExit()
        let texts = try files.map { String(decoding: try Data(contentsOf: URL(fileURLWithPath: $0)), as: UTF8.self) }
        return Outcome(output: texts[0], errors: texts[1], code: process.terminationStatus)
    }

    /// Runs the command line of the compiler, wherever it is.
    static func compile(_ files: [String], to program: String) throws -> Outcome {
        try run(program: "/usr/bin/env", ["swiftc", "-swift-version", "5", "-Onone"] + files + ["-o", program])
    }
}

/// A folder for the files of the tests, which is gone with the process.
final class TemporaryFolder: Sendable {
    static let shared = TemporaryFolder()

    private let path: String

    private init() {
        path = NSTemporaryDirectory() + "/swift-lowering-" + UUID().uuidString
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: TemporaryFolder.shared.path) }
    }

    /// A new path, below it a name of its own where one is given.
    func path(_ name: String = "file") throws -> String {
        let folder = path + "/" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder + "/" + name
    }

    /// A new file.
    func file(_ text: String, _ name: String = "file") throws -> String {
        let file = try path(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }
}
