import Columns
import FileStore
import RealmComparison
import RealmFile
import RealmFormats
import RealmJSON
import RealmModel

extension Command {
    /// `realmshift rehearse`: what a migration would do to the data of files, which stay as they are.
    static let rehearse = Command(
        name: "rehearse", summary: "say what a migration would do to the data of realm files",
        discussion: """
            Migrates each FILE (.realm, .json or .ndjson) to a target schema, as migrate does, and says what that would do
            to the data instead of writing it: objects that change, are made or deleted, what changes by class and
            property, and what is lost. Lost are values and links that become null, and values of which a conversion to
            the property's new type leaves nothing or a part; what the target schema drops with its values is listed
            beside it. Ends with 0 where every file can be migrated and nothing is lost, with 1 where a migration fails
            or something is lost.
            """,
        operands: ["FILE…"],
        options: FileMigration.options + [
            Option(
                "--from", "FORMAT",
                "the format of the files: \(RealmFormat.readable.alternatives) (default: what their names end in)"),
            Option("--key", "HEX", "the 64-byte key, where the files are encrypted"),
            Option("--key-file", "F", "a file that holds the key, raw or in hexadecimal"),
            Option("--quiet", nil, "no progress"),
            Option(
                "--json", nil,
                "print JSON, a line for each file; errors as one line of problem JSON (RFC 9457) (default: text)"),
        ],
        examples: [
            "rehearse ada.realm grace.realm --schema notes-v3.json --script split-names.js",
            "rehearse ada.realm --schema notes-v3.json --json | jq .losses",
        ],
        run: { try RehearseCommand($0).run() })
}

/// One run of `realmshift rehearse`.
struct RehearseCommand {
    private let inputs: [(path: String, format: RealmFormat)]
    private let key: EncryptionKey?
    private let migration: FileMigration
    private let isQuiet: Bool
    private let asJSON: Bool

    init(_ arguments: Arguments) throws {
        inputs = try arguments.operands.map {
            ($0, try RealmFormat($0, option: "--from", among: RealmFormat.readable, arguments, of: .rehearse))
        }
        key = try arguments.encryptionKey(of: .rehearse)
        migration = try FileMigration(arguments, of: .rehearse)
        (isQuiet, asJSON) = (arguments.has("--quiet"), arguments.has("--json"))
    }

    func run() throws -> ExitStatus {
        let target = try migration.target()
        var status = ExitStatus.done
        for input in inputs {
            do {
                if try rehearse(input, to: target) { status = .different }
            } catch  where inputs.count > 1 && !(error is UsageError) {
                // What is wrong with one says nothing of the others.
                Console.error(Failure(error).text(asJSON: asJSON))
                status = .failed
            }
        }
        return status
    }

    /// - Returns: whether something is lost.
    private func rehearse(_ input: (path: String, format: RealmFormat), to target: FileMigration.Target) throws -> Bool
    {
        let store = try FileSegmentStore()
        let progress = TerminalProgress(isQuiet: isQuiet, asJSON: asJSON)
        defer { progress.clear() }
        let name = FileName.of(input.path, isInput: true)
        progress.show("reading \(name)")
        let (source, origin) = try RealmInput.readWithOrigin(
            input.path, format: input.format, key: key, into: store, rowGroups: migration.rowGroups)
        let result = try migration.run(
            source, origin: origin, of: input.path, to: target, store: store, progress: progress)
        progress.show("comparing")
        let rehearsal = try Rehearsal(from: source, to: result.snapshot, store: store)
        let warnings = migration.warnings(result)
        progress.clear()
        if asJSON {
            let members =
                [JSONMember("file", .string(name))]
                + rehearsal.json(from: source.declared, to: result.snapshot.declared)
                + [JSONMember("warnings", .array(warnings.map { .string($0) }))]
            try Console.output(JSONValue.object(members).encoded() + [UInt8(ascii: "\n")])
        } else {
            try Console.output(RehearsalText(rehearsal, of: name, source: source.declared, warnings).text)
        }
        return rehearsal.losses.contains { !$0.isDeclared }
    }
}
