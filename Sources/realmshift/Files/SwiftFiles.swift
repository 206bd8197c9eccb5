import FileStore
import FoundationEssentials
import Glibc
import RealmMigration
import RealmModel
import SwiftWire

/// Swift files of a command line.
enum SwiftFiles {
    /// Whether a path names a Swift file, or a folder of some.
    static func isSwift(_ path: String) -> Bool {
        var isFolder = false
        return path.hasSuffix(".swift")
            || FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    /// The Swift files that a path names: one, or those of a folder in the order of their names.
    ///
    /// - Throws: `FileError`, also where a file is not text in UTF-8.
    static func sources(_ path: String) throws(FileError) -> [SwiftSource] {
        guard !path.hasSuffix(".swift") else { return [try source(path)] }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw FileError(path: path, reason: "The folder can't be read.")
        }
        var sources: [SwiftSource] = []
        for name in names.sorted() where name.hasSuffix(".swift") { sources.append(try source("\(path)/\(name)")) }
        guard !sources.isEmpty else { throw FileError(path: path, reason: "The folder has no Swift file.") }
        return sources
    }

    private static func source(_ path: String) throws(FileError) -> SwiftSource {
        guard let text = String(validating: try TextFile.bytes(path), as: UTF8.self) else {
            throw FileError(path: path, reason: "The file is not text in UTF-8.")
        }
        return SwiftSource(name: path, text: text)
    }

    /// A program of files, with what the options say.
    ///
    /// - Throws: `FileError`, `UsageError`.
    static func program(_ paths: [String], _ arguments: Arguments, of command: Command) throws -> SwiftProgram {
        var program = SwiftProgram(
            sources: [], stubs: arguments.all("--stub"), block: arguments["--block"])
        for path in paths {
            for source in try sources(path) { program.add(source) }
        }
        program.parameters = try parameters(arguments, of: command)
        return program
    }

    /// The values that the options give names.
    static func parameters(
        _ arguments: Arguments, of command: Command
    ) throws(UsageError) -> [String: SwiftParameter] {
        var parameters: [String: SwiftParameter] = [:]
        for text in arguments.all("--parameter") {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw UsageError("--parameter takes NAME=VALUE.", command: command)
            }
            parameters[parts[0]] = parameter(parts[1])
        }
        return parameters
    }

    /// The value of a text on the command line: a number, true, false, else the text.
    private static func parameter(_ text: String) -> SwiftParameter {
        if let number = Int64(text) { return .int(number) }
        if let number = Double(text) { return .double(number) }
        return text == "true" || text == "false" ? .bool(text == "true") : .string(text)
    }

    /// A program as a migration's script.
    static func script(_ program: SwiftProgram) -> ScriptSource {
        ScriptSource(.swift, String(decoding: program.json.encoded(), as: UTF8.self))
    }

    /// The option that a schema of classes may take.
    static let condition = Command.Option(
        "--parameter", "NAME=true", "a name that holds in #if; any number of times (default: none)",
        isRepeatable: true)

    /// The options that settle what the files of a program leave open.
    static let options = [
        Command.Option(
            "--stub", "NAME", "a name whose calls do nothing in Swift files; any number of times (default: none)",
            isRepeatable: true),
        Command.Option(
            "--parameter", "NAME=VALUE",
            "the value of a name that no Swift file declares; any number of times (default: none)",
            isRepeatable: true),
        Command.Option(
            "--block", "NAME",
            "the migration block that is meant, where Swift files have several (default: the only one)"),
    ]
}
