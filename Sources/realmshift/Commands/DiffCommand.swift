import Columns
import RealmJSON
import RealmModel

extension Command {
    /// `realmshift diff`: what differs between two realms.
    static let diff: Command = Command(
        name: "diff", summary: "compare two realms: their schemas, object counts, and objects",
        discussion: """
            Compares the realms A and B: the changes of schema that lead from A to B, in Realm's words, and the number
            of objects of each class. With --objects also each object that is in A alone, in B alone, or in both with
            properties that differ. An object is the same one in both by its primary key, or by its object key in
            classes without one. Links count as the primary keys they lead to, embedded objects as a part of the
            object they are in. Shown are keys and the names of properties; values only with --values.
            """,
        operands: ["A", "B"],
        options: [
            Option("--from", "FORMAT", "the format of A where its name does not say it: realm, json, ndjson"),
            Option("--to", "FORMAT", "the format of B where its name does not say it"),
            Option("--objects", nil, "list the objects that differ"),
            Option("--values", nil, "list them with the values that differ, as Realm JSON"),
            Option("--key", "HEX", "the 64-byte key of both, where they are encrypted"),
            Option("--key-file", "F", "a file that holds the key"),
            Option("--to-key", "HEX", "the key of B, where it has another"),
            Option("--to-key-file", "F", "a file that holds the key of B"),
            Option("--json", nil, "print JSON; errors as one line of problem JSON (RFC 9457)"),
        ],
        run: { try diff($0) })

    private static func diff(_ arguments: Arguments) throws {
        let store = try FileSegmentStore()
        func read(_ side: Int, _ option: String, _ key: [UInt8]?) throws -> Snapshot {
            let choice = try arguments.choice(option, of: RealmFormat.allCases, .diff)
            let format = try RealmFormat(path: arguments.operands[side], option: option, value: choice)
            return try RealmInput.read(arguments.operands[side], format: format, key: key, into: store)
        }
        let key = try arguments.encryptionKey(of: .diff)
        let otherKey = try arguments.encryptionKey("--to-key", of: .diff) ?? key
        let (from, to) = (try read(0, "--from", key), try read(1, "--to", otherKey))
        let difference = RealmDifference(from: from, to: to)
        guard arguments.has("--objects") || arguments.has("--values") else {
            return Console.output(arguments.has("--json") ? difference.json : difference.text)
        }
        let objects = ObjectDifference(
            ObjectComparison(from, to, store: store), showsValues: arguments.has("--values"))
        try arguments.has("--json") ? objects.writeJSON(after: difference) : objects.writeText(after: difference)
    }
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
    var text: String { lines.isEmpty ? "no difference in schema and counts\n" : lines.map { $0 + "\n" }.joined() }

    /// The lines of the text; none where nothing differs.
    var lines: [String] {
        var lines: [String] = []
        if from.schemaVersion != to.schemaVersion {
            lines.append("schema version: \(Self.version(from)) → \(Self.version(to))")
        }
        lines += changes.compactMap(\.message)
        for name in classNames {
            let counts = [from, to].map { $0[name]?.objectCount ?? 0 }
            if counts[0] != counts[1] { lines.append("\(name): \(counts[0]) → \(counts[1]) objects") }
        }
        return lines
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
