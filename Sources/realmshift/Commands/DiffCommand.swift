import Columns
import RealmJSON
import RealmModel

extension Command {
    /// `realmshift diff`: what differs between two realms.
    static let diff: Command = Command(
        name: "diff", summary: "compare the schemas and object counts of two realms",
        discussion: """
            Compares the realms A and B: the changes of schema that lead from A to B, in Realm's words, and the number
            of objects of each class.
            """,
        operands: ["A", "B"],
        options: [
            Option("--from", "FORMAT", "the format of A where its name does not say it: realm, json, ndjson"),
            Option("--to", "FORMAT", "the format of B where its name does not say it"),
            Option("--key", "HEX", "the 64-byte key of both, where they are encrypted"),
            Option("--key-file", "F", "a file that holds the key"),
            Option("--json", nil, "print JSON; errors as one line of problem JSON (RFC 9457)"),
        ],
        run: { arguments in
            let key = try arguments.encryptionKey(of: .diff)
            let store = try FileSegmentStore()
            let sides = try zip(arguments.operands, ["--from", "--to"]).map { path, option in
                let choice = try arguments.choice(option, of: RealmFormat.allCases, .diff)
                let format = try RealmFormat(path: path, option: option, value: choice)
                return try RealmInput.read(path, format: format, key: key, into: store)
            }
            let difference = RealmDifference(from: sides[0], to: sides[1])
            Console.output(arguments.has("--json") ? difference.json : difference.text)
        })
}

/// What differs between two realms.
struct RealmDifference {
    private let from: Snapshot
    private let to: Snapshot
    private let changes: [SchemaChange]

    init(from: Snapshot, to: Snapshot) {
        self.from = from
        self.to = to
        changes = SchemaDifference.compare(existing: from.declared, target: to.declared, includesTableRemovals: true)
    }

    private var classNames: [String] {
        Set((from.declared.classes + to.declared.classes).map(\.name)).sorted()
    }

    /// A line each for the version, every change, and every class whose number of objects differs.
    var text: String {
        var lines: [String] = []
        if from.schemaVersion != to.schemaVersion {
            lines.append("schema version: \(Self.version(from)) → \(Self.version(to))")
        }
        lines += changes.compactMap(\.message)
        for name in classNames {
            let counts = [from, to].map { $0[name]?.objectCount ?? 0 }
            if counts[0] != counts[1] { lines.append("\(name): \(counts[0]) → \(counts[1]) objects") }
        }
        return lines.isEmpty ? "no difference in schema and counts\n" : lines.joined(separator: "\n") + "\n"
    }

    /// The same as a JSON document.
    var json: String {
        let counts = classNames.map { name in
            JSONMember(
                name,
                [
                    "from": .int(Int64(from[name]?.objectCount ?? 0)), "to": .int(Int64(to[name]?.objectCount ?? 0)),
                ])
        }
        let document: JSONValue = [
            "schemaVersion": ["from": Self.json(from.schemaVersion), "to": Self.json(to.schemaVersion)],
            "changes": .array(changes.compactMap(\.message).map { .string($0) }),
            "objectCounts": .object(counts),
        ]
        return String(decoding: document.encoded(pretty: true), as: UTF8.self) + "\n"
    }

    private static func version(_ snapshot: Snapshot) -> String {
        snapshot.schemaVersion.map(String.init) ?? "none"
    }

    private static func json(_ version: UInt64?) -> JSONValue {
        version.map { .int(Int64(clamping: $0)) } ?? .null
    }
}
