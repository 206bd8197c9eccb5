import FileStore
import FoundationEssentials
import Glibc
import RealmFile
import RealmFormats
import RealmJSON
import RealmModel
import ServiceClient

extension Command {
    /// `realmshift pull`: realms of a service to files.
    static let pull = Command(
        name: "pull", summary: "fetch realms of a service as files",
        discussion: """
            Writes the current snapshot of each realm to OUT, or with a folder as OUT to files of the realms' names. A realm is
            APP/REALM, where REALM may have * and ?. A file appears when it is whole.
            """,
        operands: ["APP/REALM…"],
        options: [
            Option(
                "--output", "OUT", "the file, a folder that is there, or - for standard output (default: the folder .)"),
            Option(
                "--to", "FORMAT",
                "the format: \(RealmFormat.writable.alternatives) (default: what OUT ends in, or realm)",
                choices: RealmFormat.writable.map(\.name)),
            Option("--snapshot", "ID", "another snapshot of the one realm (default: the current one)"),
            Option("--output-key", "HEX", "encrypt OUT, a .realm file, with this 64-byte key"),
            Option("--output-key-file", "F", "a file that holds the key of OUT, raw or in hexadecimal"),
            Option("--force", nil, "replace files that are there (default: refuse)"),
            Option("--quiet", nil, "no progress"),
        ] + Option.server,
        examples: ["pull notes/ada --output ada.realm", "pull 'notes/*' --output backup --to json"],
        run: { try PullCommand($0).run() })
}

/// One run of `realmshift pull`.
struct PullCommand {
    private let service: ServiceClient
    private let realms: [RealmName]
    private let output: String
    private let isFolder: Bool
    private let format: RealmFormat
    private let fields: [(String, String)]
    private let arguments: Arguments

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        output = arguments["--output"] ?? "."
        var isFolder = false
        self.isFolder = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder) && isFolder
        let isNamed = arguments["--to"] != nil || !self.isFolder
        format =
            isNamed
            ? try RealmFormat(output, option: "--to", among: RealmFormat.writable, arguments, of: .pull) : .realm
        let key = try arguments.outputKey(for: format, of: .pull)
        fields = key.map { [("Realm-Encryption-Key", Hexadecimal.encode($0.bytes))] } ?? []
        service = try ServerConnection.open(arguments, of: .pull)
        realms = try RealmName.all(arguments.operands, at: service, of: .pull)
        guard realms.count == 1 || self.isFolder && arguments["--snapshot"] == nil else {
            throw UsageError(
                "\(realms.count) realms need a folder that is there, and their current snapshots.", command: .pull)
        }
    }

    func run() throws -> ExitStatus {
        for realm in realms { try pull(realm) }
        return .done
    }

    private func pull(_ realm: RealmName) throws {
        let path = isFolder ? "\(output)/\(realm.realm).\(format.fileEnding)" : output
        let file = try arguments.outputFile(path, inputs: [], of: .pull)
        let snapshot =
            try arguments["--snapshot"] ?? ErrorInFile.naming(realm.text) { try realm.currentSnapshot(at: service) }
        let bar = TransferBar(path, bytes: 0, isQuiet: arguments.has("--quiet") || arguments.has("--json"))
        defer { bar.clear() }
        let content = "/v1/snapshots/\(ServiceClient.escaped(snapshot))/content?format=\(format.name)"
        let bytes = try file.write { append in
            try withoutActuallyEscaping(append) { append in
                var done = 0
                _ = try service.once(
                    "GET", content, fields: fields,
                    receive: { bytes in
                        try append(Array(bytes))
                        done += bytes.count
                        bar.show(done)
                    })
            }
        }
        bar.end("\(realm.text), \(Quantity.count(bytes, "byte", "bytes"))")
        if arguments.has("--json"), path != "-" {
            try ServerOutput.json([
                "app": .string(realm.app), "realm": .string(realm.realm), "snapshot": .string(snapshot),
                "file": .string(path), "bytes": .int(Int64(bytes)),
            ])
        }
    }
}
