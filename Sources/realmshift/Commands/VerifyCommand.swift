import Columns
import FileStore
import RealmExport
import RealmFormats
import RealmJSON

extension Command {
    /// `realmshift verify`: whether an export holds what its realm has.
    static let verify = Command(
        name: "verify", summary: "check a SQLite export against the realm that it was made of, value by value",
        discussion: """
            Compares the SQLite database EXPORT with the realm that --against names: tables, columns, rows, and every value by
            its type. What an export can't hold, and its manifest lists, is no difference. EXPORT and the realm are only read.
            Ends with 0 where nothing differs, and 1 where something does.
            """,
        operands: ["EXPORT"],
        options: [
            Option("--against", "FILE", "the realm (required)", isRequired: true),
            Option(
                "--from", "FORMAT",
                "the format of the realm: \(RealmFormat.readable.alternatives) (default: what its name ends in)",
                choices: RealmFormat.readable.map(\.name)),
            Option("--key", "HEX", "the 64-byte key of an encrypted realm, 128 hexadecimal digits"),
            Option("--key-file", "F", "a file that holds the key, raw or in hexadecimal"),
            Option("--json", nil, "print JSON; errors as one line of problem JSON (RFC 9457) (default: text)"),
        ],
        examples: ["verify notes.sqlite --against notes.realm"],
        run: { try verify($0) })

    private static func verify(_ arguments: Arguments) throws -> ExitStatus {
        let path = arguments.operands[0]
        guard let source = arguments["--against"] else {
            throw UsageError("--against FILE is missing.", command: .verify)
        }
        let from = try RealmFormat(source, option: "--from", among: RealmFormat.readable, arguments, of: .verify)
        let key = try arguments.encryptionKey(of: .verify)
        let store = try FileSegmentStore()
        let snapshot = try RealmInput.read(source, format: from, key: key, into: store).snapshot
        let differences = try ErrorInFile.naming(path) {
            try SQLiteVerification(of: path, against: snapshot, from: store, makeFile: { try TemporaryFile.named() })
                .differences()
        }
        try Console.output(arguments.has("--json") ? json(differences) : text(differences))
        return differences.isEmpty ? .done : .failed
    }

    private static func text(_ differences: [SQLiteVerification.Difference]) -> String {
        differences.isEmpty ? "no difference\n" : differences.map { $0.description + "\n" }.joined()
    }

    private static func json(_ differences: [SQLiteVerification.Difference]) -> String {
        let document: JSONValue = [
            "differences": .array(
                differences.map { difference in
                    [
                        "kind": .string(difference.kind.rawValue), "table": .string(difference.table),
                        "column": difference.column.map { .string($0) } ?? .null,
                        "count": difference.count.map { .int(Int64($0)) } ?? .null,
                    ]
                })
        ]
        return String(decoding: document.encoded(), as: UTF8.self) + "\n"
    }
}
