import Columns
import FileStore
import Problems
import RealmComparison
import RealmFile
import RealmFormats
import RealmJSON
import RealmMigration
import RealmModel

extension Command {
    /// `realmshift rehearse`: what a migration would do to the data of files, which stay as they are.
    static let rehearse = Command(
        name: "rehearse", summary: "say what a migration would do to the data of realm files",
        discussion: """
            Migrates each FILE (.realm, .json or .ndjson) to a target schema, as migrate does, and says what that would do
            to the data instead of writing it: objects that change, are made or deleted, what changes by class and
            property, and what is lost. Lost are values that become null, empty, zero, false or the epoch, values that become
            one for all, numbers that are rounded, and texts and lists of which a part is left, unless another property
            that the migration adds or changes has them. Values that the target schema drops and nothing takes over, and
            added properties without values, are warnings. Where the migration fails, it says why: objects of one primary key with
            both their keys, objects that can't be embedded. Assertions are functions of CHECK.js whose names begin with
            “check”: each is called with the old and the new realm, and fails where it throws, or answers false or a text.
            Ends with 0 where every file can be migrated and nothing is found that --fail-on names, else with 1.
            """,
        operands: ["FILE…"],
        options: FileMigration.options + [
            Option(
                "--from", "FORMAT",
                "the format of the files: \(RealmFormat.readable.alternatives) (default: what their names end in)",
                choices: RealmFormat.readable.map(\.name)),
            Option("--key", "HEX", "the 64-byte key, where the files are encrypted"),
            Option("--key-file", "F", "a file that holds the key, raw or in hexadecimal"),
            Option(
                "--fail-on", "NAMES",
                "levels and rules of findings, with commas between, that end the command with 1 and fail tests of JUnit: "
                    + "error, warning, note, loss, \(RehearsalRule.valueToEmpty.rawValue) …, or never (default: error)"),
            Option("--values", nil, "show the values of examples with --json (default: their keys alone)"),
            Option("--check", "CHECK.js", "assertions about the realm before and after (default: none)"),
            Option("--junit", "F", "write the reports as JUnit's XML, too (default: nowhere)"),
            Option("--sarif", "F", "write the reports as SARIF, too (default: nowhere)"),
            Option("--force", nil, "replace F where it exists"),
            Option("--quiet", nil, "no progress"),
            Option(
                "--json", nil,
                "print JSON, a line for each file; errors as one line of problem JSON (RFC 9457) (default: text)"),
        ],
        examples: [
            "rehearse ada.realm grace.realm --schema notes-v3.json --script split-names.js",
            "rehearse *.realm --schema notes-v3.json --script split-names.js --check keeps.js --junit rehearsal.xml",
            "rehearse ada.realm --schema notes-v3.json --fail-on warning",
            "rehearse ada.realm --schema notes-v3.json --json --values | jq .losses",
        ],
        run: { try RehearseCommand($0).run() })
}

/// One run of `realmshift rehearse`.
struct RehearseCommand {
    private let inputs: [(path: String, format: RealmFormat)]
    private let key: EncryptionKey?
    private let migration: FileMigration
    private let checkPath: String?
    private let junit: OutputFile?
    private let sarif: OutputFile?
    private let policy: FailurePolicy
    private let isQuiet: Bool
    private let asJSON: Bool
    private let showsValues: Bool

    init(_ arguments: Arguments) throws {
        inputs = try arguments.operands.map {
            ($0, try RealmFormat($0, option: "--from", among: RealmFormat.readable, arguments, of: .rehearse))
        }
        key = try arguments.encryptionKey(of: .rehearse)
        migration = try FileMigration(arguments, of: .rehearse)
        checkPath = arguments["--check"]
        let read = arguments.operands + migration.files + [checkPath].compactMap(\.self)
        func output(_ option: String, besides others: [String]) throws -> OutputFile? {
            try arguments[option].map { try arguments.outputFile($0, inputs: read + others, of: .rehearse) }
        }
        junit = try output("--junit", besides: [])
        sarif = try output("--sarif", besides: [arguments["--junit"]].compactMap(\.self))
        (isQuiet, asJSON) = (arguments.has("--quiet"), arguments.has("--json"))
        showsValues = arguments.has("--values")
        guard asJSON || !showsValues else { throw UsageError("--values goes with --json.", command: .rehearse) }
        policy = try FailurePolicy(arguments, of: .rehearse) ?? .errors
    }

    func run() throws -> ExitStatus {
        let target = try migration.target()
        let checks = try checkPath.map { [try ScriptFile.source($0)] } ?? []
        var status = ExitStatus.done
        var reports: [(name: String, report: RehearsalReport)] = []
        for input in inputs {
            do {
                let (name, report) = try rehearse(input, to: target, checks)
                reports.append((name, report))
                if !report.hasPassed { status = .different }
            } catch  where inputs.count > 1 && !(error is UsageError) {
                // An error of one says nothing of the others.
                Console.error(Failure(error).text(asJSON: asJSON))
                status = .failed
            }
        }
        _ = try junit?.write { try $0(Array(RehearsalReport.junit(reports).utf8)) }
        _ = try sarif?.write { append in
            let log = RehearsalReport.sarif(reports, script: migration.scriptPath, version: Program.version)
            try append(log.encoded(pretty: true) + [UInt8(ascii: "\n")])
        }
        return status
    }

    /// Says what a migration would do to a file.
    private func rehearse(
        _ input: (path: String, format: RealmFormat), to target: FileMigration.Target, _ checks: [ScriptSource]
    ) throws -> (name: String, report: RehearsalReport) {
        let store = try FileSegmentStore()
        let migration = migration.rehearsing(input.path)
        let progress = TerminalProgress(isQuiet: isQuiet, asJSON: asJSON)
        defer { progress.clear() }
        let name = FileName.of(input.path, isInput: true)
        progress.show("reading \(name)")
        let (source, origin) = try RealmInput.readWithOrigin(
            input.path, format: input.format, key: key, into: store, rowGroups: migration.rowGroups)
        let rehearsal = FileRehearsal(
            migration, source: source, origin: origin, input: input.path, store: store, progress: progress)
        var report = try rehearsal.run(to: target, checks, in: checkPath).report
        report.policy = policy
        progress.clear()
        if asJSON {
            let json = showsValues ? report.json : report.withoutValues.json
            let line = JSONValue.object([JSONMember("file", .string(name))] + (json.members ?? []))
            try Console.output(line.encoded() + [UInt8(ascii: "\n")])
        } else {
            try Console.output(TerminalText.plain(report.text(named: name)))
        }
        return (name, report)
    }
}
