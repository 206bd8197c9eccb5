import Columns
import FileStore
import RealmExport
import RealmFormats
import RealmJSON

extension Command {
    /// `realmshift verify`: whether an export holds what its realm has.
    static let verify = Command(
        name: "verify", summary: "check an export against the realm that it was made of",
        discussion: """
            Compares EXPORT with the realm that --against names. Of a SQLite database, and of a PostgreSQL that convert has
            copied the realm into (postgresql://…, the schema named as the realm's file), it compares tables, columns, rows,
            and every value by its type, not indexes; of the other formats, such as .parquet.zip, all bytes. Losses that its
            manifest lists are no difference. EXPORT and the realm are only read. Ends with 0 where nothing differs, and 1
            where something does. Realms in .realm, .json and .ndjson are compared by diff.
            """,
        operands: ["EXPORT"],
        options: [
            Option("--against", "FILE", "the realm (required)", isRequired: true),
            Option(
                "--from", "FORMAT",
                "the format of the realm: \(RealmFormat.readable.alternatives) (default: what its name ends in)",
                choices: RealmFormat.readable.map(\.name)),
            Option(
                "--to", "FORMAT", "the format of EXPORT: \(verifiable.alternatives) (default: what its name ends in)",
                choices: verifiable.map(\.name)),
            Option("--key", "HEX", "the 64-byte key of an encrypted realm, 128 hexadecimal digits"),
            Option("--key-file", "F", "a file that holds the key, raw or in hexadecimal"),
            Option("--json", nil, "print JSON; errors as one line of problem JSON (RFC 9457) (default: text)"),
        ],
        examples: [
            "verify notes.sqlite --against notes.realm", "verify notes.parquet.zip --against notes.realm",
            "verify postgresql://localhost/warehouse --against notes.realm",
        ],
        run: { try verify($0) })

    /// The formats of other databases: those that no realm is read from.
    private static let verifiable = RealmFormat.writable.filter { $0.read == nil }

    private static func verify(_ arguments: Arguments) throws -> ExitStatus {
        let path = arguments.operands[0]
        guard let source = arguments["--against"] else {
            throw UsageError("--against FILE is missing.", command: .verify)
        }
        let from = try RealmFormat(source, option: "--from", among: RealmFormat.readable, arguments, of: .verify)
        let isDatabase = PostgresOutput.isDatabase(path)
        let format =
            isDatabase ? nil : try RealmFormat(path, option: "--to", among: verifiable, arguments, of: .verify)
        let key = try arguments.encryptionKey(of: .verify)
        let store = try FileSegmentStore()
        let snapshot = try RealmInput.read(source, format: from, key: key, into: store).snapshot
        let differences =
            if let format {
                try ErrorInFile.naming(path) { try self.differences(of: path, as: format, from: snapshot, store) }
            } else {
                try PostgresVerification(path, schema: PostgresOutput(path, input: source, replaces: false).schema)
                    .differences(from: snapshot, store)
            }
        try Console.output(arguments.has("--json") ? json(differences) : text(differences))
        return differences.isEmpty ? .done : .failed
    }

    private static func differences(
        of path: String, as format: RealmFormat, from snapshot: Snapshot, _ store: any SegmentStore
    ) throws -> [ExportDifference] {
        guard format == .sqlite else {
            return [try FileVerification(path, as: format).difference(from: snapshot, store)].compactMap(\.self)
        }
        return try SQLiteVerification(
            of: path, against: snapshot, from: store, makeFile: { try TemporaryFile.named() }
        ).differences()
    }

    private static func text(_ differences: [ExportDifference]) -> String {
        differences.isEmpty ? "no difference\n" : differences.map { $0.description + "\n" }.joined()
    }

    private static func json(_ differences: [ExportDifference]) -> String {
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
