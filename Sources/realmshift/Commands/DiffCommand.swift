import Columns
import FileStore
import RealmFormats
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
            object they are in. Shown are keys and the names of properties; values only with --values. One of A and B
            may be -, standard input.
            """,
        operands: ["A", "B"],
        options: [
            Option("--objects", nil, "list the objects that differ (default: schema and counts alone)"),
            Option("--values", nil, "list them with the values that differ, as Realm JSON"),
            Option(
                "--exit-code", nil,
                "compare objects, too, and end with 0 where nothing differs, 1 where something does, 2 where that is "
                    + "not known (default: 0 also where something differs, 1 where that is not known)"),
            Option(
                "--from", "FORMAT",
                "the format of A: \(RealmFormat.readable.alternatives) (default: what its name ends in)",
                choices: RealmFormat.readable.map(\.name)),
            Option(
                "--to", "FORMAT",
                "the format of B: \(RealmFormat.readable.alternatives) (default: what its name ends in)",
                choices: RealmFormat.readable.map(\.name)),
            Option("--key", "HEX", "the 64-byte key of both, where they are encrypted"),
            Option("--key-file", "F", "a file that holds the key, raw or in hexadecimal"),
            Option("--to-key", "HEX", "the key of B, where it has another"),
            Option("--to-key-file", "F", "a file that holds the key of B"),
            Option("--json", nil, "print JSON; errors as one line of problem JSON (RFC 9457) (default: text)"),
        ],
        examples: ["diff before.realm after.realm --objects", "diff a.realm b.json --exit-code > differences.txt"],
        run: { try diff($0) })

    private static func diff(_ arguments: Arguments) throws -> ExitStatus {
        guard arguments.operands != ["-", "-"] else {
            throw UsageError("A and B can't both be standard input.", command: .diff)
        }
        let formats = (
            try RealmFormat(arguments.operands[0], option: "--from", among: RealmFormat.readable, arguments, of: .diff),
            try RealmFormat(arguments.operands[1], option: "--to", among: RealmFormat.readable, arguments, of: .diff)
        )
        let key = try arguments.encryptionKey(of: .diff)
        let otherKey = try arguments.encryptionKey("--to-key", of: .diff) ?? key
        let store = try FileSegmentStore()
        let from = try RealmInput.read(arguments.operands[0], format: formats.0, key: key, into: store).snapshot
        let to = try RealmInput.read(arguments.operands[1], format: formats.1, key: otherKey, into: store).snapshot
        let isSame = try write(from, to, store: store, arguments)
        return arguments.has("--exit-code") && !isSame ? .different : .done
    }

    /// - Returns: whether nothing differs in what was compared.
    private static func write(
        _ from: Snapshot, _ to: Snapshot, store: any SegmentStore, _ arguments: Arguments
    ) throws -> Bool {
        let difference = RealmDifference(from: from, to: to)
        let lists = arguments.has("--objects") || arguments.has("--values")
        // Who asks whether two realms differ means their objects as well.
        guard lists || arguments.has("--exit-code") else {
            try Console.output(arguments.has("--json") ? difference.json : TerminalText.plain(difference.text))
            return difference.lines.isEmpty
        }
        let objects = ObjectDifference(
            ObjectComparison(from, to, store: store),
            shows: arguments.has("--values") ? .values : lists ? .names : .counts)
        return try arguments.has("--json")
            ? objects.writeJSON(after: difference) : objects.writeText(after: difference)
    }
}

/// The difference between two realms.
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
        let names = Set((from.declared.classes + to.declared.classes).map { NameKey($0.name) })
        return names.map(\.name).sorted(byBytesOf: { $0 })
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
        String(decoding: JSONValue.object(members).encoded(pretty: true), as: UTF8.self) + "\n"
    }

    /// The members of the JSON document.
    var members: [JSONMember] {
        let counts = classNames.map { name in
            JSONMember(
                name,
                [
                    "from": .int(Int64(from[name]?.objectCount ?? 0)), "to": .int(Int64(to[name]?.objectCount ?? 0)),
                ])
        }
        return [
            JSONMember(
                "schemaVersion", ["from": Self.json(from.schemaVersion), "to": Self.json(to.schemaVersion)]),
            JSONMember("changes", .array(changes.compactMap(\.message).map { .string($0) })),
            JSONMember("objectCounts", .object(counts)),
        ]
    }

    private static func version(_ snapshot: Snapshot) -> String {
        snapshot.schemaVersion.map(String.init) ?? "none"
    }

    private static func json(_ version: UInt64?) -> JSONValue {
        version.map { JSONValue($0) } ?? .null
    }
}
