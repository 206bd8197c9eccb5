import FileStore
import RealmComparison
import RealmFile
import RealmJSON
import RealmMigration
import RealmModel

extension Command {
    /// `realmshift ci`: a folder of versions, scripts and sample realms, checked as a whole.
    static let ci = Command(
        name: "ci", summary: "check a folder of schema versions, scripts and sample realms, for CI",
        discussion: """
            Checks FOLDER, which \(VersionFolder.fileName) describes: every declaration against those before it, by a realm
            without objects; then every sample realm, from its own version and from each one between, to the newest. Says
            what each migration would do, as rehearse does, and writes nothing but the reports. Ends with 0 where nothing
            is found that --fail-on names, else with 1. The same FOLDER is what declare sends to a service.
            """,
        operands: ["FOLDER"],
        options: [
            Option(
                "--fail-on", "NAMES",
                "levels, rules and groups of findings, with commas between, that end the command with 1: error, warning, note, "
                    + "loss, \(RehearsalRule.valueToEmpty.rawValue) …, or never (default: the folder's failOn, or error)"
            ),
            Option("--junit", "F", "write the reports as JUnit's XML, too (default: nowhere)"),
            Option("--sarif", "F", "write the reports as SARIF 2.1.0, too (default: nowhere)"),
            Option("--timeout", "SECONDS", "stop a script after this time (default 3600)"),
            Option("--memory", "MB", "memory that a script may use (default 384)"),
            Option("--key", "HEX", "the 64-byte key, where the samples are encrypted"),
            Option("--key-file", "F", "a file that holds the key, raw or in hexadecimal"),
            Option("--force", nil, "replace F where it exists"),
            Option("--quiet", nil, "no progress, and no report but of what fails"),
            Option(
                "--json", nil,
                "print JSON, a line for each report; errors as one line of problem JSON (RFC 9457) (default: text)"),
        ],
        examples: [
            "ci migrations --junit migrations.xml --sarif migrations.sarif",
            "ci migrations --fail-on loss,warning",
        ],
        run: { try CICommand($0).run() })
}

/// One run of `realmshift ci`.
struct CICommand {
    private let folder: VersionFolder
    private let key: EncryptionKey?
    private let policy: FailurePolicy
    private let junit: OutputFile?
    private let sarif: OutputFile?
    private let isQuiet: Bool
    private let asJSON: Bool

    init(_ arguments: Arguments) throws {
        let limits = ["--timeout", "--memory"].flatMap { option in arguments[option].map { [option, $0] } ?? [] }
        // Here, so that a wrong value is the command line's fault and not the folder's.
        _ = try arguments.integer("--timeout", in: 1...86_400, of: .ci)
        _ = try arguments.integer("--memory", in: 16...65_536, of: .ci)
        let asked = try FailurePolicy(arguments, of: .ci)
        let folder = try VersionFolder(arguments.operands[0], options: limits)
        policy = asked ?? folder.failOn ?? .errors
        self.folder = folder
        key = try arguments.encryptionKey(of: .ci)
        let read = [folder.path] + folder.files
        if let path = arguments["--junit"], path == arguments["--sarif"] {
            throw UsageError("--junit and --sarif are both \(path).", command: .ci)
        }
        junit = try arguments["--junit"].map { try arguments.outputFile($0, inputs: read, of: .ci) }
        sarif = try arguments["--sarif"].map {
            try arguments.outputFile($0, inputs: read + [arguments["--junit"]].compactMap(\.self), of: .ci)
        }
        (isQuiet, asJSON) = (arguments.has("--quiet"), arguments.has("--json"))
    }

    func run() throws -> ExitStatus {
        let progress = TerminalProgress(isQuiet: isQuiet, asJSON: asJSON)
        defer { progress.clear() }
        let rehearsal = FolderRehearsal(folder, key: key, policy: policy, progress: progress) { entry in
            progress.clear()
            if asJSON {
                let members = entry.report.withoutValues.json.members ?? []
                let line = JSONValue.object(
                    [JSONMember("name", .string(entry.name)), JSONMember("file", .string(entry.file))] + members)
                try Console.output(line.encoded() + [UInt8(ascii: "\n")])
            } else if !isQuiet || !entry.report.hasPassed {
                try Console.output(TerminalText.plain(entry.report.text(named: entry.name)))
            }
        }
        let entries = try rehearsal.run()
        _ = try junit?.write { append in
            try append(Array(RehearsalReport.junit(entries.map { ($0.name, $0.report) }).utf8))
        }
        _ = try sarif?.write { append in
            let log = RehearsalReport.sarif(
                entries.map { ($0.file, $0.report) }, script: folder.versions.last?.migration.scriptPath,
                version: Program.version)
            try append(log.encoded(pretty: true) + [UInt8(ascii: "\n")])
        }
        let failed = entries.filter { !$0.report.hasPassed }.count
        if !asJSON {
            let counts = [
                Quantity.count(folder.versions.count, "version", "versions"),
                Quantity.count(folder.samples.count, "sample", "samples"),
                Quantity.count(entries.count, "check", "checks"),
            ].joined(separator: ", ")
            try Console.output("\(counts): \(failed == 0 ? "all pass" : "\(failed) fail")\n")
        }
        return failed == 0 ? .done : .failed
    }
}

extension FailurePolicy {
    /// What `--fail-on` says; nil where it is not given.
    ///
    /// - Throws: `UsageError` for a name that there is not.
    init?(_ arguments: Arguments, of command: Command) throws(UsageError) {
        guard let names = arguments["--fail-on"] else { return nil }
        do throws(UnknownName) {
            try self.init(names.split(separator: ",", omittingEmptySubsequences: names.isEmpty).map { String($0) })
        } catch {
            throw UsageError("--fail-on: \(error.message)", command: command)
        }
    }
}
