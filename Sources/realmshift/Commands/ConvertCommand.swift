import Columns
import FileStore
import RealmAnonymizing
import RealmExport
import RealmFormats

extension Command {
    /// `realmshift convert`: one format to another.
    static let convert = Command(
        name: "convert", summary: "convert a realm between formats, or export it to SQLite",
        discussion: """
            Reads the realm IN and writes it as OUT; the endings of the names say the formats. - stands for a standard
            stream, with --from or --to for its format. OUT appears when it is whole; until then, and where something
            fails, what was there stays. An OUT that is a postgresql:// URL is a database, into which the realm is copied
            under a schema named as IN; a password is better left to PGPASSWORD or ~/.pgpass.
            """,
        operands: ["IN", "OUT"],
        options: Option.inputOutput + [
            .fileFormat, .anonymize,
            Option(
                "--dates", "FORM", "what dates become in SQLite: iso, unix or unixMillis (default: iso)",
                choices: ExportOptions.Dates.allCases.map(\.rawValue)),
            Option("--flatten", nil, "in SQLite, embedded objects are columns of their owners (default: tables)"),
        ],
        examples: [
            "convert notes.realm notes.json", "convert notes.realm notes.sqlite",
            "convert notes.realm old.realm --file-format 23", "convert - notes.realm --from ndjson < notes.ndjson",
            "convert notes.realm postgresql://localhost/warehouse",
        ],
        run: { try convert($0) })

    private static func convert(_ arguments: Arguments) throws -> ExitStatus {
        let (input, path) = (arguments.operands[0], arguments.operands[1])
        let from = try RealmFormat(input, option: "--from", among: RealmFormat.readable, arguments, of: .convert)
        if PostgresOutput.isDatabase(path) { return try copy(input, as: from, into: path, arguments) }
        let to = try RealmFormat(path, option: "--to", among: RealmFormat.writable, arguments, of: .convert)
        let output = try arguments.outputFile(path, inputs: [input], of: .convert)
        let (key, outputKey) = (
            try arguments.encryptionKey(of: .convert), try arguments.outputKey(for: to, of: .convert)
        )
        let fileFormat = try arguments.fileFormat(for: to, of: .convert)
        let export = try arguments.exportOptions(
            isFor: to == .sqlite, ".sqlite files; other formats", of: .convert)
        let summary = Summary("converted", input, to: output.name, format: to)
        let store = try FileSegmentStore(isPlain: key == nil && outputKey == nil)
        let progress = TerminalProgress(isQuiet: arguments.has("--quiet"), asJSON: arguments.has("--json"))
        defer { progress.clear() }
        progress.show("reading \(FileName.of(input, isInput: true))")
        let realm = try RealmInput.read(input, format: from, key: key, into: store)
        let snapshot = realm.snapshot
        let written =
            arguments.has("--anonymize") ? try Anonymizer().copy(snapshot, from: store, to: store) : snapshot
        progress.show("writing \(output.name)")
        let bytes = try RealmOutput.write(
            written, from: store, to: output, format: to, key: outputKey, fileFormat: fileFormat,
            export: export)
        progress.clear()
        summary.tellLeftOut(of: snapshot)
        summary.tellIndexesLeftOut(of: snapshot, in: fileFormat)
        guard !arguments.has("--quiet") else { return .done }
        Console.error(
            summary.text(
                source: snapshot, result: snapshot, bytes: bytes, report: realm.report, asJSON: arguments.has("--json"))
        )
        return .done
    }

    /// Copies a realm into a PostgreSQL database.
    private static func copy(
        _ input: String, as from: RealmFormat, into url: String, _ arguments: Arguments
    ) throws -> ExitStatus {
        for option in ["--to", "--dates", "--flatten", "--file-format", "--output-key", "--output-key-file"]
        where arguments.has(option) || arguments[option] != nil {
            throw UsageError("\(option) is for files; OUT is a database.", command: .convert)
        }
        let output = PostgresOutput(url, input: input, replaces: arguments.has("--force"))
        let key = try arguments.encryptionKey(of: .convert)
        let summary = Summary("converted", input, to: "the schema \(output.schema)", format: .sql)
        let store = try FileSegmentStore()
        let progress = TerminalProgress(isQuiet: arguments.has("--quiet"), asJSON: arguments.has("--json"))
        defer { progress.clear() }
        progress.show("reading \(FileName.of(input, isInput: true))")
        let realm = try RealmInput.read(input, format: from, key: key, into: store)
        let snapshot = realm.snapshot
        let written =
            arguments.has("--anonymize") ? try Anonymizer().copy(snapshot, from: store, to: store) : snapshot
        progress.show("copying into the schema \(output.schema)")
        let bytes = try output.write(written, from: store)
        progress.clear()
        guard !arguments.has("--quiet") else { return .done }
        Console.error(
            summary.text(
                source: snapshot, result: snapshot, bytes: bytes, report: realm.report, asJSON: arguments.has("--json"))
        )
        return .done
    }
}
