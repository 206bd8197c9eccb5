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
            fails, what was there stays.
            """,
        operands: ["IN", "OUT"],
        options: Option.inputOutput + [
            .fileFormat, .anonymize,
            Option("--dates", "FORM", "what dates become in SQLite: iso, unix or unixMillis (default: iso)"),
        ],
        examples: [
            "convert notes.realm notes.json", "convert notes.realm notes.sqlite",
            "convert notes.realm old.realm --file-format 23", "convert - notes.realm --from ndjson < notes.ndjson",
        ],
        run: { try convert($0) })

    private static func convert(_ arguments: Arguments) throws -> ExitStatus {
        let (input, path) = (arguments.operands[0], arguments.operands[1])
        let from = try RealmFormat(input, option: "--from", among: RealmFormat.readable, arguments, of: .convert)
        let to = try RealmFormat(path, option: "--to", among: RealmFormat.writable, arguments, of: .convert)
        let output = try arguments.outputFile(path, inputs: [input], of: .convert)
        let (key, outputKey) = (
            try arguments.encryptionKey(of: .convert), try arguments.outputKey(for: to, of: .convert)
        )
        let fileFormat = try arguments.fileFormat(for: to, of: .convert)
        let dates: ExportOptions.Dates? = try arguments.choice("--dates", of: ExportOptions.Dates.allCases, .convert)
        let summary = Summary("converted", input, to: output, format: to)
        let store = try FileSegmentStore()
        let progress = TerminalProgress(isQuiet: arguments.has("--quiet"), asJSON: arguments.has("--json"))
        defer { progress.clear() }
        progress.show("reading \(FileName.of(input, isInput: true))")
        let snapshot = try RealmInput.read(input, format: from, key: key, into: store).snapshot
        let written =
            arguments.has("--anonymize") ? try Anonymizer().copy(snapshot, from: store, to: store) : snapshot
        progress.show("writing \(output.name)")
        let bytes = try RealmOutput.write(
            written, from: store, to: output, format: to, key: outputKey, fileFormat: fileFormat,
            export: ExportOptions(dates: dates ?? .iso))
        progress.clear()
        summary.tellLeftOut(of: snapshot)
        guard !arguments.has("--quiet") else { return .done }
        Console.error(
            summary.text(source: snapshot, result: snapshot, bytes: bytes, asJSON: arguments.has("--json")))
        return .done
    }
}
