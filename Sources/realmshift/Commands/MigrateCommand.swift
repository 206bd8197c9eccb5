import Columns
import FileStore
import Foundation
import MigrationScript
import RealmFile
import RealmFormats
import RealmJSON
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
            Option("--schema", "TARGET.json", "the schema and the version to reach (required)", isRequired: true),
            Option(
                "--output", "OUT", "where the migrated realm goes; - for standard output (required)", isRequired: true),
            Option(
                "--script", "FILE.js", "the migration function: migrate(migration, oldSchemaVersion) (default: none)"),
            Option("--to-version", "N", "the version to reach (default: TARGET.json's schemaVersion)"),
            Option(
                "--mode", "MODE",
                "automatic (default), immutable, readOnly, softResetFile, hardResetFile, "
                    + "additiveDiscovered, additiveExplicit or manual"),
            Option(
                "--resolve-embedded", nil,
                "when a class becomes embedded: delete orphans, copy shared objects (default: fail)"),
            Option(
                "--nullability", "WHAT",
                "of a property that becomes required: reset its values to zero (default), or keep them, and fail "
                    + "where one is null"),
            Option(
                "--apply-defaults", "WHAT",
                "give defaults of added properties to new objects alone (default), or to existing ones too"),
            Option("--timeout", "SECONDS", "stop the script after this time (default 3600)"),
            Option("--memory", "MB", "memory that the script may use (default 384)"),
            Option("--row-groups", "N", "objects stored together at most (default 16384); changes no outcome"),
        ] + Option.inputOutput,
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
    private let schemaPath: String
    private let scriptPath: String?
    private let version: UInt64?
    private let mode: SchemaMode
    private let options: MigrationOptions
    private let limits: ScriptLimits
    private let rowGroups: RowGroupLimits
    private let isQuiet: Bool
    private let asJSON: Bool

    init(_ arguments: Arguments) throws {
        input = arguments.operands[0]
        inputFormat = try RealmFormat(input, option: "--from", among: RealmFormat.readable, arguments, of: .migrate)
        guard let schemaPath = arguments["--schema"] else {
            throw UsageError("--schema TARGET.json is missing.", command: .migrate)
        }
        guard let path = arguments["--output"] else { throw UsageError("--output OUT is missing.", command: .migrate) }
        self.schemaPath = schemaPath
        scriptPath = arguments["--script"]
        outputFormat = try RealmFormat(path, option: "--to", among: RealmFormat.writable, arguments, of: .migrate)
        output = try arguments.outputFile(
            path, inputs: [input, schemaPath] + [scriptPath].compactMap(\.self), of: .migrate)
        inputKey = try arguments.encryptionKey(of: .migrate)
        outputKey = try arguments.outputKey(for: outputFormat, of: .migrate)
        version = try arguments["--to-version"].map { text in
            guard let version = UInt64(text) else {
                throw UsageError("--to-version takes a whole number, 0 or more.", command: .migrate)
            }
            return version
        }
        mode = try arguments.choice("--mode", of: SchemaMode.allCases, .migrate) ?? .automatic
        options = MigrationOptions(
            nullability: try arguments.choice("--nullability", of: [.reset, .keep], .migrate) ?? .reset,
            applyDefaults: try arguments.choice("--apply-defaults", of: [.new, .existing], .migrate) ?? .new,
            resolveEmbeddedConstraints: arguments.has("--resolve-embedded"))
        let seconds = try arguments.integer("--timeout", in: 1...86_400, of: .migrate)
        let megabytes = try arguments.integer("--memory", in: 16...65_536, of: .migrate)
        let standard = RowGroupLimits.standard
        let rows = try arguments.integer("--row-groups", in: 1...standard.rows, of: .migrate)
        rowGroups = RowGroupLimits(rows: rows ?? standard.rows, bytes: standard.bytes)
        limits = ScriptLimits(timeoutSeconds: Double(seconds ?? 3600), memoryBytes: (megabytes ?? 384) << 20)
        (isQuiet, asJSON) = (arguments.has("--quiet"), arguments.has("--json"))
    }

    func run() throws -> ExitStatus {
        let summary = Summary("migrated", input, to: output, format: outputFormat)
        let target = try ErrorInFile.naming(schemaPath) { try TargetJSON(try TextFile.bytes(schemaPath)) }
        guard let version = version ?? target.schemaVersion else {
            throw UsageError("\(schemaPath) has no schemaVersion: give --to-version.", command: .migrate)
        }
        let script = try scriptPath.map { try ScriptFile.source($0) }
        let store = try FileSegmentStore()
        let progress = TerminalProgress(isQuiet: isQuiet, asJSON: asJSON)
        defer { progress.clear() }
        progress.show("reading \(FileName.of(input, isInput: true))")
        let source = try RealmInput.read(
            input, format: inputFormat, key: inputKey, into: store, rowGroups: rowGroups)
        let request = MigrationRequest(
            source: source, target: target.schema, targetVersion: version, mode: mode, options: options)
        let result = try migrate(request, script: script, store: store, progress: progress)
        progress.show("writing \(output.name)")
        let bytes = try RealmOutput.write(
            result.snapshot, from: store, to: output, format: outputFormat, key: outputKey)
        progress.clear()
        report(summary.text(source: source, result: result.snapshot, bytes: bytes, asJSON: asJSON), result)
        return .done
    }

    /// Says what a person has to know of a migration that succeeded, and what was done.
    private func report(_ text: String, _ result: MigrationResult) {
        for warning in result.warnings { Console.error("warning: \(warning)\n") }
        if let scriptPath, !result.scriptRan {
            Console.error("warning: \(scriptPath) was not run: a script runs where the schema version rises\n")
        }
        if !isQuiet { Console.error(text) }
    }

    private func migrate(
        _ request: MigrationRequest, script: ScriptSource?, store: any SegmentStore, progress: TerminalProgress
    ) throws -> MigrationResult {
        do {
            let migration = Migration(request, store: store, limits: rowGroups)
            guard let script else { return try migration.run(script: nil) { progress.show($0) } }
            // Known faults of the schema need no host.
            try migration.check()
            return try SandboxedScriptHost(rowGroups: rowGroups).run(
                request, of: nil, script: script, limits: limits, store: store, observer: ConsoleObserver(progress))
        } catch let error as MigrationError {
            throw ErrorInFile(file: file(of: error), cause: error, hint: hint(for: error, of: request))
        }
    }

    /// Realm's message says that a migration is needed, but not how this program is told to do one.
    private func hint(for error: MigrationError, of request: MigrationRequest) -> String? {
        guard error.code == .schemaMismatch, mode == .automatic || mode == .manual,
            let version = request.source.schemaVersion, version == request.targetVersion
        else { return nil }
        let name = FileName.of(input, isInput: true)
        return "\(name) has schema version \(version) already: a higher one in \(schemaPath), or --to-version, "
            + "makes it a migration."
    }

    /// The one of the files that is at fault.
    private func file(of error: MigrationError) -> String {
        if error.script != nil, let scriptPath { return scriptPath }
        return error.code == .schemaValidationFailed ? schemaPath : FileName.of(input, isInput: true)
    }
}

/// Shows a migration's progress and its log on standard error.
final class ConsoleObserver: MigrationObserver {
    private let progress: TerminalProgress

    init(_ progress: TerminalProgress) { self.progress = progress }

    func progressed(to progress: MigrationProgress) { self.progress.show(progress) }

    func logged(_ line: String, level: LogLevel) {
        progress.clear()
        Console.error(line + "\n")
    }

    var isCancelled: Bool { false }
}
