import Columns
import FoundationEssentials
import Glibc
import Problems
import RealmJSON
import RealmMigration
import RealmModel
import Sandbox
import ScriptParent
import SwiftParent
import SwiftWire

/// The migration that the command line asks for, whatever becomes of its result.
struct FileMigration {
    /// The options that say where it leads, and by what.
    static let declaration =
        [
            Command.Option(
                "--schema", "TARGET", "the schema and the version to reach: JSON, or a Swift file or folder (required)",
                isRequired: true),
            Command.Option(
                "--script", "FILE",
                "the migration: migrate(migration, oldSchemaVersion) in JavaScript, or a Swift file or folder (default: none)"
            ),
            Command.Option("--to-version", "N", "the version to reach (default: TARGET.json's schemaVersion)"),
            Command.Option(
                "--independent", "CLASS",
                "a class whose callbacks look at their two objects and the old realm alone, so that its row groups may run "
                    + "side by side; any number of times (default: none)", isRepeatable: true),
        ] + DeclaredMigration.choices.map { Command.Option($0.option, "WHAT", $0.help, choices: $0.words) }
        + SwiftFiles.options
    /// Realm's schema mode.
    static let mode = Command.Option(
        "--mode", "MODE",
        "automatic (default), immutable, readOnly, softResetFile, hardResetFile, "
            + "additiveDiscovered, additiveExplicit or manual",
        choices: SchemaMode.allCases.map(\.rawValue))
    /// Whether objects are deleted and copied for a class that becomes embedded.
    static let resolveEmbedded = Command.Option(
        "--resolve-embedded", nil,
        "when a class becomes embedded: delete orphans, copy shared objects (default: fail)")
    /// The options that say it.
    static let options =
        declaration + [
            mode, resolveEmbedded,
            Command.Option("--timeout", "SECONDS", "stop the script after this time (default 3600)"),
            Command.Option("--memory", "MB", "memory that the script may use, in each process (default 384)"),
            Command.Option(
                "--hosts", "N",
                "processes that run independent classes side by side (default: one a processor, 8 at most)"),
            Command.Option("--row-groups", "N", "objects stored together at most (default 16384); changes no outcome"),
        ]

    /// How many objects are stored together.
    private(set) var rowGroups: RowGroupLimits
    private let schemaPath: String
    /// The script's file, as the command line names it.
    let scriptPath: String?
    private let version: UInt64?
    private let mode: SchemaMode
    /// The choices; the script is read with the target.
    private let choices: DeclaredMigration
    private let resolveEmbeddedConstraints: Bool
    private let limits: ScriptLimits
    private let hostCount: Int
    private let command: Command
    private let arguments: Arguments

    /// Where a migration leads, and by what.
    struct Target {
        let schema: Schema
        let version: UInt64
        let script: ScriptSource?
        /// The version that the schema's file itself names; nil where it names none.
        let versionInSchema: UInt64?
    }

    /// - Throws: `UsageError`.
    init(_ arguments: Arguments, of command: Command) throws(UsageError) {
        self.command = command
        self.arguments = arguments
        guard let schemaPath = arguments["--schema"] else {
            throw UsageError("--schema TARGET is missing.", command: command)
        }
        self.schemaPath = schemaPath
        scriptPath = arguments["--script"]
        if [".js", ".mjs"].contains(where: schemaPath.hasSuffix) {
            throw UsageError("--schema takes JSON or Swift; \(schemaPath) goes to --script.", command: command)
        }
        if schemaPath.hasSuffix(".realm") {
            throw UsageError("--schema takes JSON or Swift, and \(schemaPath) is a realm.", command: command)
        }
        if let scriptPath, scriptPath.hasSuffix(".json") {
            throw UsageError("--script takes JavaScript or Swift; is \(scriptPath) a schema?", command: command)
        }
        version = try arguments["--to-version"].map { text throws(UsageError) in
            guard let version = UInt64(text) else {
                throw UsageError("--to-version takes a whole number, 0 or more.", command: command)
            }
            return version
        }
        mode = try arguments.choice("--mode", of: SchemaMode.allCases, command) ?? .automatic
        var choices = DeclaredMigration()
        for choice in DeclaredMigration.choices {
            choices[choice] = try arguments.choice(choice.option, of: choice.words, command)
        }
        choices.independent = arguments.all("--independent")
        self.choices = choices
        resolveEmbeddedConstraints = arguments.has("--resolve-embedded")
        let seconds = try arguments.integer("--timeout", in: 1...86_400, of: command)
        let megabytes = try arguments.integer("--memory", in: 16...65_536, of: command)
        let processors = max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)
        hostCount = try arguments.integer("--hosts", in: 1...64, of: command) ?? min(processors, 8)
        let standard = RowGroupLimits.standard
        let rows = try arguments.integer("--row-groups", in: 1...standard.rows, of: command)
        rowGroups = RowGroupLimits(rows: rows ?? standard.rows, bytes: standard.bytes)
        limits = ScriptLimits(
            timeoutSeconds: Double(seconds ?? 3600), memoryBytes: (megabytes ?? 384) << 20, output: .none)
    }

    /// The same for the rehearsal of a file: one of few objects has row groups enough to be divided, where a class is independent.
    func rehearsing(_ path: String) -> FileMigration {
        guard !choices.independent.isEmpty, arguments["--row-groups"] == nil,
            let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
        else { return self }
        var migration = self
        if size < 16 << 20 { migration.rowGroups.rows = size < 1 << 18 ? 4 : 512 }
        return migration
    }

    /// The files that it reads beside the realm.
    var files: [String] { [schemaPath] + [scriptPath].compactMap(\.self) }

    /// The file that a service's refusal of the declaration is about.
    func file(of problem: ProblemDocument) -> String {
        let isOfScript = problem.errors.contains { $0.line != nil || $0.pointer?.hasPrefix("/migration") == true }
        return isOfScript ? scriptPath ?? schemaPath : schemaPath
    }

    /// Reads the target schema and the script.
    func target() throws -> Target {
        let target = try SchemaFile.target(schemaPath, arguments, of: command)
        if scriptPath == nil { try refuseUnusedBlock() }
        let (script, scriptVersion) = try script()
        guard let version = version ?? target.schemaVersion ?? scriptVersion else {
            throw UsageError("\(schemaPath) has no schemaVersion: give --to-version.", command: command)
        }
        return Target(
            schema: target.schema, version: version, script: script, versionInSchema: target.schemaVersion)
    }

    /// The script, and the version that the configuration of a Swift one names.
    private func script() throws -> (ScriptSource?, UInt64?) {
        guard let scriptPath else { return (nil, nil) }
        guard SwiftFiles.isSwift(scriptPath) else { return (try ScriptFile.source(scriptPath), nil) }
        let models = SwiftFiles.isSwift(schemaPath) ? [schemaPath] : []
        let program = try SwiftFiles.program([scriptPath] + models, arguments, of: command)
        do {
            return (SwiftFiles.script(program), try SwiftFrontEnd().lower(program).schemaVersion)
        } catch let refusal as SwiftRefusal {
            throw ErrorInFile(
                file: refusal.diagnostics.first?.file ?? scriptPath,
                cause: MigrationError(refusal, fileCount: Set(refusal.diagnostics.map(\.file)).count))
        }
    }

    /// Its declaration for a service: the version, and the document.
    func declared(_ target: Target) -> (version: UInt64, document: JSONValue) {
        var migration = choices
        migration.script = target.script
        let schema = TargetJSON(schemaVersion: nil, schema: target.schema).json["schema"] ?? .null
        let members = migration.json.members?.isEmpty == false ? [JSONMember("migration", migration.json)] : []
        return (target.version, .object([JSONMember("schema", schema)] + members))
    }

    /// Runs assertions about a realm before and after a migration.
    func check(
        _ checks: RealmChecks, store: any SegmentStore, progress: TerminalProgress
    ) throws -> [RealmCheckResult] {
        try SandboxedScriptRunner(rowGroups: rowGroups).check(
            checks, of: nil, limits: limits, store: store, observer: ConsoleObserver(progress))
    }

    /// The versions below the target for which the script has no branch.
    func missingBranches(_ source: Snapshot, to target: Target, store: any SegmentStore) throws -> [UInt64] {
        guard target.script != nil, let version = source.schemaVersion, version < target.version else {
            return []
        }
        let first = target.version - min(target.version, UInt64(BranchSurvey.versionLimit - 1))
        return try BranchSurvey(
            of: request(source, to: target), at: Array(first..<target.version) + [version],
            by: runner(), limits: limits, store: store
        ).missingBranches
    }

    /// - Parameter isRehearsal: whether independent classes run both ways.
    private func runner(isRehearsal: Bool = false) -> MigrationRunner {
        guard !choices.independent.isEmpty else {
            return MigrationRunner(by: SandboxedScriptRunner(rowGroups: rowGroups), of: nil, rowGroups: rowGroups)
        }
        // The shares of one migration follow each other in the same hosts: to these they are an app's.
        let hosts = HostPool(runningScripts: HostPool.Policy(kept: hostCount))
        return MigrationRunner(
            by: SandboxedScriptRunner(hosts: hosts, slots: HostSlots(hostCount), rowGroups: rowGroups), of: .zero,
            rowGroups: rowGroups, isRehearsal: isRehearsal)
    }

    private func request(_ source: Snapshot, to target: Target, origin: ScriptOrigin? = nil) -> MigrationRequest {
        var migration = choices
        migration.script = target.script
        return MigrationRequest(
            source: source, target: target.schema, targetVersion: target.version, mode: mode, migration: migration,
            resolveEmbeddedConstraints: resolveEmbeddedConstraints, origin: origin)
    }

    /// Migrates a realm.
    ///
    /// - Parameters:
    ///   - origin: where the script's time and chance come from; nil for the machine's.
    ///   - input: the realm's file, as the command line names it.
    ///   - isRehearsal: whether independent classes run both ways.
    /// - Throws: `ErrorInFile` that names the file at fault.
    func run(
        _ source: Snapshot, origin: ScriptOrigin?, of input: String, to target: Target, store: any SegmentStore,
        progress: TerminalProgress, isRehearsal: Bool = false
    ) throws -> MigrationResult {
        let request = request(source, to: target, origin: origin)
        do {
            // Known faults of the schema need no host.
            if target.script != nil { try Migration(request, store: store, limits: rowGroups).check() }
            return try runner(isRehearsal: isRehearsal).run(
                request, limits: limits, store: store, observer: ConsoleObserver(progress))
        } catch let error as MigrationError {
            throw ErrorInFile(file: file(of: error, input), cause: error, hint: hint(for: error, of: request, input))
        }
    }

    /// Migrates the description of a file whose values nobody has read.
    ///
    /// - Returns: nil where the migration needs values, or fails.
    func outlined(
        _ outline: Snapshot, of input: String, to target: Target, progress: TerminalProgress
    ) -> MigrationResult? {
        // A failure here comes again where the values are read, and is told there.
        try? run(outline, origin: nil, of: input, to: target, store: UnreadStore(), progress: progress)
    }

    /// Refuses a Swift file with a migration block that is given as the schema alone: nobody would run the block.
    private func refuseUnusedBlock() throws {
        guard SwiftFiles.isSwift(schemaPath) else { return }
        for source in try SwiftFiles.sources(schemaPath) {
            let code = source.text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            guard code.contains(where: { $0.contains("migrationBlock:") }) else { continue }
            throw UsageError(
                "\(source.name) has a migration block, which --schema does not run: name the file by --script, too, or move the "
                    + "block elsewhere.", command: command)
        }
    }

    /// The warnings to a person about a migration that succeeded.
    func warnings(_ result: MigrationResult) -> [String] {
        guard let scriptPath, !result.scriptRan, result.warnings.isEmpty else { return result.warnings }
        return result.warnings + ["\(scriptPath) was not run: a script runs where the schema version rises"]
    }

    /// Realm's message says that a migration is needed, but not how this program is told to do one.
    private func hint(for error: MigrationError, of request: MigrationRequest, _ input: String) -> String? {
        guard error.code == .schemaMismatch, mode == .automatic || mode == .manual,
            let version = request.source.schemaVersion, version == request.targetVersion
        else { return nil }
        let name = FileName.of(input, isInput: true)
        return "\(name) has schema version \(version) already: a higher one in \(schemaPath), or --to-version, "
            + "makes it a migration."
    }

    /// The one of the files that is at fault.
    private func file(of error: MigrationError, _ input: String) -> String {
        if error.script != nil, let scriptPath { return scriptPath }
        return error.code == .schemaValidationFailed ? schemaPath : FileName.of(input, isInput: true)
    }
}

extension MigrationChoice {
    /// The name of its option: `--apply-defaults`.
    var option: String {
        name.reduce("--") { $0 + ($1.isUppercase ? "-" : "") + $1.lowercased() }
    }
}
