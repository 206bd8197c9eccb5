import FileStore
import Glibc
import RealmJSON
import RealmModel
import SwiftParent
import SwiftWire

extension Command {
    /// `realmshift schema`: the schema of Swift model classes.
    static let schema = Command(
        name: "schema", summary: "print the schema that Swift model classes declare",
        discussion: """
            Prints the schema that the model classes in Swift files declare, as --schema takes it, with the literal
            schemaVersion of their Realm.Configuration. A FILE may be a folder. Code that is not understood is listed with its place.
            """,
        operands: ["FILE.swift…"],
        options: [
            Option("--json", nil, "errors as one line of problem JSON (RFC 9457) on standard error"),
            SwiftFiles.condition,
        ],
        examples: ["schema Models/Person.swift Models/Dog.swift"],
        run: { try printSchema($0) })

    private static func printSchema(_ arguments: Arguments) throws -> ExitStatus {
        if let path = arguments.operands.first(where: { !SwiftFiles.isSwift($0) }) {
            guard access(path, F_OK) == 0 else { throw FileError.last(path) }
            throw UsageError(
                "\(path) is neither a Swift file nor a folder: this command reads model classes. A schema in JSON goes to --schema "
                    + "as it is.", command: .schema)
        }
        let program = try SwiftFiles.program(arguments.operands, arguments, of: .schema)
        do {
            let (schema, version) = try SwiftFrontEnd().schema(of: program)
            let target = TargetJSON(schemaVersion: version, schema: schema)
            try Console.output(target.json.encoded(pretty: true) + [UInt8(ascii: "\n")])
            return .done
        } catch let refusal as SwiftRefusal {
            guard !arguments.has("--json") else { throw SchemaFile.error(refusal) }
            for diagnostic in refusal.diagnostics { Console.error(diagnostic.text + "\n") }
            return .failed
        }
    }
}

/// The target schema of a command line.
enum SchemaFile {
    /// Reads a schema: JSON, or Swift model classes.
    ///
    /// - Parameter arguments: what they set for `#if` counts for the classes, too.
    static func target(_ path: String, _ arguments: Arguments? = nil, of command: Command = .schema) throws
        -> TargetJSON
    {
        guard SwiftFiles.isSwift(path) else {
            return try ErrorInFile.naming(path) { try TargetJSON(try TextFile.bytes(path)) }
        }
        do {
            var program = SwiftProgram(sources: try SwiftFiles.sources(path))
            if let arguments { program.parameters = try SwiftFiles.parameters(arguments, of: command) }
            let (schema, version) = try SwiftFrontEnd().schema(of: program)
            return TargetJSON(schemaVersion: version, schema: schema)
        } catch let refusal as SwiftRefusal {
            throw error(refusal)
        }
    }

    /// The errors in Swift files, told for the file of the first one.
    static func error(_ refusal: SwiftRefusal) -> ErrorInFile {
        let items = refusal.diagnostics.map { ProblemItem($0.message, line: $0.line, column: $0.column) }
        let message = items.first?.message ?? "The Swift files are not understood."
        return ErrorInFile(
            file: refusal.diagnostics.first?.file ?? "", cause: InputError(.schemaInvalid, message, details: items))
    }
}
