import Columns
import Foundation
import MigrationScript
import RealmFile
import RealmJSON
import RealmMigration
import RealmModel

extension Command {
    /// `realmshift migrate`: the engine on one file, without server and database.
    static let migrate = Command(
        name: "migrate", summary: "migrate a realm file to a target schema",
        discussion: """
            Migrates IN (.realm, .json or .ndjson) to a target schema, by a JavaScript function where one is given,
            and writes the migrated realm. IN is not changed. TARGET.json holds {"schemaVersion": N, "schema": [...]}
            in the form of Realm's JavaScript SDK.
            """,
        operands: ["IN"],
        options: [
            Option("--schema", "TARGET.json", "the schema and the version to reach (required)"),
            Option("--script", "FILE.js", "the migration function: migrate(migration, oldSchemaVersion)"),
            Option("--to-version", "N", "the version to reach, in place of TARGET.json's"),
            Option("--output", "OUT", "where the migrated realm goes; - for standard output (required)"),
            Option(
                "--mode", "MODE",
                "automatic (default), immutable, readOnly, softResetFile, hardResetFile, "
                    + "additiveDiscovered, additiveExplicit or manual"),
            Option("--resolve-embedded", nil, "when a class becomes embedded: delete orphans, copy shared objects"),
            Option("--nullability", "keep", "optional to required: keep values, and fail where there are nulls"),
            Option("--apply-defaults", "existing", "give existing objects the defaults of added properties"),
            Option("--timeout", "SECONDS", "stop the script after this time (default 3600)"),
            Option("--memory", "MB", "memory that the script may use (default 384)"),
            Option("--row-groups", "N", "objects stored together at most (default 16384); changes no outcome"),
        ] + Option.inputOutput + [
            Option("--json", nil, "say errors as one line of problem JSON (RFC 9457)")
        ],
        run: { try MigrateCommand($0).run() })
}

/// One run of `realmshift migrate`.
struct MigrateCommand {
    private let input: String
    private let inputFormat: RealmFormat
    private let inputKey: [UInt8]?
    private let output: String
    private let outputFormat: RealmFormat
    private let outputKey: EncryptionKey?
    private let schemaPath: String
    private let scriptPath: String?
    private let version: UInt64?
    private let mode: SchemaMode
    private let options: MigrationOptions
    private let limits: ScriptLimits
    private let rowGroups: RowGroupLimits

    init(_ arguments: Arguments) throws {
        input = arguments.operands[0]
        inputFormat = try RealmFormat(
            path: input, option: "--from", value: try arguments.choice("--from", of: RealmFormat.allCases, .migrate))
        inputKey = try arguments.encryptionKey(of: .migrate)
        guard let output = arguments["--output"] else { throw UsageError("--output is missing.", command: .migrate) }
        self.output = output
        outputFormat = try RealmFormat(
            path: output, option: "--to", value: try arguments.choice("--to", of: RealmFormat.allCases, .migrate))
        outputKey = try arguments.outputKey(for: outputFormat, of: .migrate)
        guard let schemaPath = arguments["--schema"] else {
            throw UsageError("--schema is missing.", command: .migrate)
        }
        self.schemaPath = schemaPath
        scriptPath = arguments["--script"]
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
    }

    func run() throws {
        let target = try TargetJSON(try TextFile.bytes(schemaPath))
        guard let version = version ?? target.schemaVersion else {
            throw UsageError("\(schemaPath) has no schemaVersion: give --to-version.", command: .migrate)
        }
        let script = try scriptPath.map {
            ScriptSource(language: "javascript", source: String(decoding: try TextFile.bytes($0), as: UTF8.self))
        }
        let store = try FileSegmentStore()
        let progress = TerminalProgress()
        defer { progress.clear() }
        progress.show("reading \(input)")
        let source = try RealmInput.read(
            input, format: inputFormat, key: inputKey, into: store, rowGroups: rowGroups)
        let request = MigrationRequest(
            source: source, target: target.schema, targetVersion: version, mode: mode, options: options)
        let result = try migrate(request, script: script, store: store, progress: progress)
        for warning in result.warnings { Console.error("warning: \(warning)\n") }
        progress.show("writing \(output)")
        try RealmOutput.write(result.snapshot, from: store, to: output, format: outputFormat, key: outputKey)
    }

    private func migrate(
        _ request: MigrationRequest, script: ScriptSource?, store: any SegmentStore, progress: TerminalProgress
    ) throws -> MigrationResult {
        let migration = Migration(request, store: store, limits: rowGroups)
        guard let script else { return try migration.run(script: nil) { progress.show($0) } }
        // Known faults of the schema need no host.
        try migration.check()
        return try SandboxedScriptHost(rowGroups: rowGroups).run(
            request, of: nil, script: script, limits: limits, store: store, observer: ConsoleObserver(progress))
    }
}

/// Shows a migration's progress and its log on standard error.
final class ConsoleObserver: MigrationObserver {
    private let progress: TerminalProgress

    init(_ progress: TerminalProgress) { self.progress = progress }

    func progressed(to progress: MigrationProgress) { self.progress.show(progress) }

    func logged(_ line: String) {
        progress.clear()
        Console.error(line + "\n")
    }

    var isCancelled: Bool { false }
}
