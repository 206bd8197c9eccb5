import Columns
import FileStore
import RealmFile
import RealmFormats
import RealmJSON
import RealmModel

extension Command {
    /// `realmshift inspect`: what a realm file is.
    static let inspect = Command(
        name: "inspect", summary: "show a realm's format, version, classes and counts",
        discussion: """
            Shows what FILE holds: its format, size, encryption, schema version and free space, and its classes with
            their properties and the number of their objects. Objects are not shown. - is standard input.
            """,
        operands: ["FILE"],
        options: [
            Option(
                "--from", "FORMAT",
                "\(RealmFormat.readable.alternatives) (default: what the name ends in; needed for -)",
                choices: RealmFormat.readable.map(\.name)),
            Option(
                "--space", nil,
                "say where the bytes of a .realm file are, by class and property, and what rewriting it would save"),
            Option("--key", "HEX", "the 64-byte key of an encrypted file, 128 hexadecimal digits"),
            Option("--key-file", "F", "a file that holds the key, raw or in hexadecimal"),
            Option("--json", nil, "print JSON; errors as one line of problem JSON (RFC 9457) (default: text)"),
        ],
        examples: ["inspect notes.realm", "inspect notes.realm --key-file notes.key --json"],
        run: { try inspect($0) })

    private static func inspect(_ arguments: Arguments) throws -> ExitStatus {
        let path = arguments.operands[0]
        let format = try RealmFormat(path, option: "--from", among: RealmFormat.readable, arguments, of: .inspect)
        let key = try arguments.encryptionKey(of: .inspect)
        let measuresSpace = arguments.has("--space")
        guard !measuresSpace || format == .realm else {
            throw UsageError("--space is for .realm files.", command: .inspect)
        }
        let inspection = try Inspection(path, format: format, key: key, measuresSpace: measuresSpace)
        try Console.output(arguments.has("--json") ? inspection.json : TerminalText.plain(inspection.text))
        return .done
    }
}

/// Facts about a realm without its objects.
struct Inspection {
    private let format: RealmFormat
    private let facts: [(name: String, text: String, json: JSONValue)]
    private let classes: [RealmFileSummary.Class]
    private let space: FileSpace?

    /// - Parameter measuresSpace: whether to say where the bytes are.
    init(_ path: String, format: RealmFormat, key: EncryptionKey?, measuresSpace: Bool = false) throws {
        self.format = format
        if format.summarize != nil {
            let summary = try RealmInput.summary(path, format: format, key: key, measuresSpace: measuresSpace)
            space = summary.space
            classes = summary.classes
            facts = Self.facts(of: summary)
        } else {
            let snapshot = try RealmInput.read(path, format: format, key: key, into: try FileSegmentStore()).snapshot
            classes = snapshot.classes.map { .init(schema: $0.schema, objectCount: $0.objectCount) }
            facts = [Self.schemaVersion(snapshot.schemaVersion)]
            space = nil
        }
    }

    private static func facts(
        of summary: RealmFileSummary
    ) -> [(name: String, text: String, json: JSONValue)] {
        func number(_ name: String, _ label: String, _ value: Int) -> (String, String, JSONValue) {
            (name, "\(label) \(value)", .int(Int64(value)))
        }
        let unsent = summary.unsentChangesets.map { number("unsentChangesets", "changesets never uploaded", $0) }
        return [
            number("formatVersion", "file format", summary.formatVersion),
            ("streaming", summary.isStreaming ? "compact form" : "normal form", .bool(summary.isStreaming)),
            ("encrypted", summary.isEncrypted ? "encrypted" : "not encrypted", .bool(summary.isEncrypted)),
            number("fileBytes", "bytes", summary.fileBytes),
            number("freeBytes", "free bytes", summary.freeBytes),
            ("history", "history \(summary.history.rawValue)", .string(summary.history.rawValue)),
        ] + [unsent].compactMap { $0 } + [schemaVersion(summary.schemaVersion)]
    }

    private static func schemaVersion(_ version: UInt64?) -> (name: String, text: String, json: JSONValue) {
        let json: JSONValue = version.map { JSONValue($0) } ?? .null
        return ("schemaVersion", "schema version " + (version.map(String.init) ?? "none"), json)
    }

    /// The facts in one paragraph, then a paragraph a class.
    var text: String {
        let head = facts.map(\.text).joined(separator: "\n")
        let paragraphs = classes.map { stored in
            let kind = stored.schema.kind == .topLevel ? "" : ", \(stored.schema.kind.rawValue)"
            let title = "\(stored.schema.name)\(kind): \(stored.objectCount) objects"
            return ([title] + stored.schema.properties.map { "    " + line($0, of: stored.schema) })
                .joined(separator: "\n")
        }
        return ([head] + [space?.text].compactMap { $0 } + paragraphs).joined(separator: "\n\n") + "\n"
    }

    private func line(_ property: Property, of schema: ObjectSchema) -> String {
        let optional = property.isOptional && !property.isLink && property.type != .mixed ? "?" : ""
        let marks = [
            schema.primaryKey.hasSameBytes(as: property.name) ? "primary key" : nil,
            property.index == .general ? "indexed" : property.index == .fullText ? "full-text" : nil,
        ].compactMap { $0 }
        return "\(property.name): \(property.typeName)\(optional)"
            + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))")
    }

    /// The same as a JSON document.
    var json: String {
        let schema = Schema(classes.map(\.schema))
        let classMembers = classes.map { stored in
            JSONValue.object([
                JSONMember("schema", SchemaJSON.encode(stored.schema, in: schema)),
                JSONMember("objectCount", .int(Int64(stored.objectCount))),
            ])
        }
        let document = JSONValue.object(
            [JSONMember("format", .string(format.name))] + facts.map { JSONMember($0.name, $0.json) }
                + [JSONMember("classes", .array(classMembers))]
                + [space.map { JSONMember("space", $0.json) }].compactMap { $0 })
        return String(decoding: document.encoded(pretty: true), as: UTF8.self) + "\n"
    }
}
