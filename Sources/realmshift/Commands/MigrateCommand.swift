import Columns
import FileStore
import RealmFile
import RealmFormats
import RealmMigration
import RealmModel

extension Command {
    /// `realmshift migrate`: the engine on one file, without server and database.
    static let migrate = Command(
        name: "migrate", summary: "migrate a realm file to a target schema",
        discussion: """
            Migrates IN (.realm, .json or .ndjson) to a target schema, by a JavaScript function where one is given,
            and writes the migrated realm to OUT. IN is not changed. TARGET.json holds {"schemaVersion": N, "schema":
            [...]} in the form of Realm's JavaScript SDK. The script runs where the schema version rises. - stands for
            a standard stream, with --from or --to for its format. OUT appears when it is whole; until then, and where
            something fails, what was there stays.
            """,
        operands: ["IN"],
        options: [
            Option(
                "--output", "OUT", "where the migrated realm goes; - for standard output (required)", isRequired: true)
        ] + FileMigration.options + Option.inputOutput,
        examples: [
            "migrate notes.realm --schema notes-v3.json --script split-names.js --output notes-v3.realm",
            "migrate - --from ndjson --schema v2.json --output - --to json < notes.ndjson > notes.json",
        ],
        run: { try MigrateCommand($0).run() })
}

/// One run of `realmshift migrate`.
struct MigrateCommand {
    private let input: String
    private let inputFormat: RealmFormat
    private let inputKey: EncryptionKey?
    private let output: OutputFile
    private let outputFormat: RealmFormat
    private let outputKey: EncryptionKey?
    private let migration: FileMigration
    private let isQuiet: Bool
    private let asJSON: Bool

    init(_ arguments: Arguments) throws {
        input = arguments.operands[0]
        inputFormat = try RealmFormat(input, option: "--from", among: RealmFormat.readable, arguments, of: .migrate)
        migration = try FileMigration(arguments, of: .migrate)
        guard let path = arguments["--output"] else { throw UsageError("--output OUT is missing.", command: .migrate) }
        outputFormat = try RealmFormat(path, option: "--to", among: RealmFormat.writable, arguments, of: .migrate)
        output = try arguments.outputFile(path, inputs: [input] + migration.files, of: .migrate)
        inputKey = try arguments.encryptionKey(of: .migrate)
        outputKey = try arguments.outputKey(for: outputFormat, of: .migrate)
        (isQuiet, asJSON) = (arguments.has("--quiet"), arguments.has("--json"))
    }

    func run() throws -> ExitStatus {
        let summary = Summary("migrated", input, to: output.name, format: outputFormat)
        let target = try migration.target()
        let progress = TerminalProgress(isQuiet: isQuiet, asJSON: asJSON)
        defer { progress.clear() }
        let done = try copied(to: target, progress) ?? migrated(to: target, progress)
        progress.clear()
        for warning in migration.warnings(done.result) {
            Console.error(TerminalText.plain("warning: \(warning)") + "\n")
        }
        if !isQuiet {
            Console.error(
                summary.text(source: done.source, result: done.result.snapshot, bytes: done.bytes, asJSON: asJSON))
        }
        return .done
    }

    /// A migration that was done.
    private typealias Done = (source: Snapshot, result: MigrationResult, bytes: Int)

    /// Migrates from file to file without decoding what does not change, where there is no function.
    ///
    /// - Returns: nil where values are needed or anything is wrong: what decodes the file then says what.
    private func copied(to target: FileMigration.Target, _ progress: TerminalProgress) throws -> Done? {
        guard target.script == nil, inputFormat == .realm, outputFormat == .realm, output.isFile, input != "-" else {
            return nil
        }
        progress.show("copying \(FileName.of(input, isInput: true))")
        var done: (source: Snapshot, result: MigrationResult)?
        let copy = try RealmInput.copy(
            input, format: inputFormat, key: inputKey,
            changedBy: { outline in
                done = migration.outlined(outline, of: input, to: target, progress: progress).map { (outline, $0) }
                return done?.result.snapshot
            }, encryption: RealmOutput.encryption(by: outputKey), to: output)
        guard let done, let copy else { return nil }
        return (done.source, done.result, copy.bytes)
    }

    private func migrated(to target: FileMigration.Target, _ progress: TerminalProgress) throws -> Done {
        let store = try FileSegmentStore(isPlain: inputKey == nil && outputKey == nil)
        progress.show("reading \(FileName.of(input, isInput: true))")
        let (source, origin) = try read(for: target, into: store)
        let result = try migration.run(
            source, origin: origin, of: input, to: target, store: store, progress: progress)
        progress.show("writing \(output.name)")
        let bytes = try RealmOutput.write(
            result.snapshot, from: store, to: output, format: outputFormat, key: outputKey)
        return (source, result, bytes)
    }

    /// Reads the input, and where a function's time and chance come from.
    private func read(
        for target: FileMigration.Target, into store: any SegmentStore
    ) throws -> (Snapshot, ScriptOrigin?) {
        guard target.script != nil else {
            let realm = try RealmInput.read(
                input, format: inputFormat, key: inputKey, into: store, rowGroups: migration.rowGroups)
            return (realm.snapshot, nil)
        }
        return try RealmInput.readWithOrigin(
            input, format: inputFormat, key: inputKey, into: store, rowGroups: migration.rowGroups)
    }
}

/// Shows a migration's progress and its log on standard error.
final class ConsoleObserver: MigrationObserver {
    private let progress: TerminalProgress

    init(_ progress: TerminalProgress) { self.progress = progress }

    func progressed(to progress: MigrationProgress) { self.progress.show(progress) }

    func logged(_ line: String, level: LogLevel) {
        progress.clear()
        Console.error(TerminalText.plain(line) + "\n")
    }

    var isCancelled: Bool { false }
}
