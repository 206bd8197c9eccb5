import Columns
import FileStore
import RealmFormats

extension Command {
    /// `realmshift rescue`: what can be read of a damaged file.
    static let rescue = Command(
        name: "rescue", summary: "read what can be read of a damaged .realm file",
        discussion: """
            Reads of the damaged Realm file FILE what can be read, past the damage, and writes it as OUT, in any format;
            standard error gets a report of what was lost, by class and property. Data that can't be read is left out:
            nothing that FILE does not say is in OUT. A file that is not damaged comes out as convert writes it.
            """,
        operands: ["FILE", "OUT"], options: Option.inputOutput + [.fileFormat],
        examples: ["rescue broken.realm notes.realm", "rescue broken.realm notes.json --json"],
        run: { try rescue($0) })

    private static func rescue(_ arguments: Arguments) throws -> ExitStatus {
        let (input, path) = (arguments.operands[0], arguments.operands[1])
        let from = try RealmFormat(input, option: "--from", among: RealmFormat.rescuable, arguments, of: .rescue)
        let to = try RealmFormat(path, option: "--to", among: RealmFormat.writable, arguments, of: .rescue)
        let output = try arguments.outputFile(path, inputs: [input], of: .rescue)
        let (key, outputKey) = (
            try arguments.encryptionKey(of: .rescue), try arguments.outputKey(for: to, of: .rescue)
        )
        let fileFormat = try arguments.fileFormat(for: to, of: .rescue)
        let summary = Summary("rescued", input, to: output.name, format: to)
        let store = try FileSegmentStore()
        let isJSON = arguments.has("--json")
        let progress = TerminalProgress(isQuiet: arguments.has("--quiet"), asJSON: isJSON)
        defer { progress.clear() }
        progress.show("reading \(FileName.of(input, isInput: true))")
        let realm = try RealmInput.read(input, format: from, rescuing: true, key: key, into: store)
        progress.show("writing \(output.name)")
        let bytes = try RealmOutput.write(
            realm.snapshot, from: store, to: output, format: to, key: outputKey, fileFormat: fileFormat)
        progress.clear()
        summary.tellLeftOut(of: realm.snapshot)
        let report = realm.report.rescue
        // That something is lost is told whatever is kept quiet.
        guard !arguments.has("--quiet") || report?.isWhole == false else { return .done }
        Console.error(
            summary.text(
                source: realm.snapshot, result: realm.snapshot, bytes: bytes, report: realm.report, asJSON: isJSON))
        if let report, !isJSON {
            Console.error(RescueText.text(of: report, unsentChangesets: realm.report.unsentChangesets))
        }
        return .done
    }
}
