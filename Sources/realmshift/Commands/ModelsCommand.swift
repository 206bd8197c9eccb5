import FileStore
import RealmExport
import RealmFormats

extension Command {
    /// `realmshift models`: the classes of a realm as source.
    static let models = Command(
        name: "models", summary: "write the classes of a realm as source for an SDK of Realm, GRDB or Room",
        discussion: """
            Writes the classes of the realm FILE as source for a target:
            \(ModelTarget.allCases.map(\.rawValue).alternatives).
            grdb and room have records that fit the tables of a SQLite export of the realm. The source is one file in DIR.
            """,
        operands: ["FILE"],
        options: [
            Option(
                "--target", "NAME", "what the source is for (required)", isRequired: true,
                choices: ModelTarget.allCases.map(\.rawValue)),
            Option("--output", "DIR", "the folder of the source, which has to be there (required)", isRequired: true),
            Option(
                "--dates", "FORM", "grdb and room: fit an export made with --dates FORM (default: iso)",
                choices: ExportOptions.Dates.allCases.map(\.rawValue)),
            Option("--flatten", nil, "grdb and room: fit an export made with --flatten (default: without)"),
            Option("--force", nil, "replace the file where it exists (default: refuse)"),
            Option(
                "--from", "FORMAT",
                "the format of FILE: \(RealmFormat.readable.alternatives) (default: what its name ends in)",
                choices: RealmFormat.readable.map(\.name)),
            Option("--key", "HEX", "the 64-byte key of an encrypted FILE, 128 hexadecimal digits"),
            Option("--key-file", "F", "a file that holds the key, raw or in hexadecimal"),
            Option("--json", nil, "errors as one line of problem JSON (RFC 9457) on standard error"),
        ],
        examples: ["models notes.realm --target grdb --output Sources/Notes"],
        run: { try models($0) })

    private static func models(_ arguments: Arguments) throws -> ExitStatus {
        let input = arguments.operands[0]
        let target: ModelTarget? = try arguments.choice("--target", of: ModelTarget.allCases, .models)
        guard let target else { throw UsageError("--target NAME is missing.", command: .models) }
        let options = try arguments.exportOptions(
            isFor: target.fitsTables, "the targets grdb and room; others", of: .models)
        guard let folder = arguments["--output"] else { throw UsageError("--output DIR is missing.", command: .models) }
        let from = try RealmFormat(input, option: "--from", among: RealmFormat.readable, arguments, of: .models)
        let output = try arguments.outputFile("\(folder)/\(target.fileName)", inputs: [input], of: .models)
        let key = try arguments.encryptionKey(of: .models)
        let store = try FileSegmentStore()
        let snapshot = try RealmInput.read(input, format: from, key: key, into: store).snapshot
        let source = try target.source(of: snapshot, in: store, options: options)
        _ = try output.write { append in try append(Array(source.utf8)) }
        return .done
    }
}

extension [String] {
    /// The words, as a sentence has them: `a, b or c`.
    fileprivate var alternatives: String {
        guard count > 1, let last else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}
