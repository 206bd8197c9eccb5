import RealmJSON
import RealmModel
import SnapshotStore

extension App {
    /// The app as clients see it.
    var json: JSONValue { ["name": .string(name), "createdAt": createdAt.json] }
}

extension Retention {
    /// The retention as clients see it.
    var json: JSONValue {
        [
            "keepSnapshots": keepSnapshots.map { .int(Int64($0)) } ?? .null,
            "keepDays": keepDays.map { .double($0) } ?? .null,
            "keepJobs": keepJobs.map { .int(Int64($0)) } ?? .null,
            "keepJobDays": keepJobDays.map { .double($0) } ?? .null,
        ]
    }
}

extension DeclaredVersion {
    /// The schema version as clients see it.
    ///
    /// - Parameter changes: what leads here from the version before; nil where that is left out.
    func json(changes: [SchemaChangeReport]? = nil) -> JSONValue {
        var members = [
            JSONMember("version", JSONValue(version)), JSONMember("revision", .int(Int64(revision))),
            JSONMember("schema", SchemaJSON.encode(schema)),
            JSONMember("migration", migration?.json ?? .null),
            JSONMember("createdAt", createdAt.json),
        ]
        if let changes { members.append(JSONMember("changes", .array(changes.map(\.json)))) }
        return .object(members)
    }
}

extension Timestamp {
    /// RFC 3339 in UTC with at least milliseconds.
    var json: JSONValue {
        let text = description
        guard let dot = text.firstIndex(of: ".") else { return .string(text.dropLast() + ".000Z") }
        let digits = text[text.index(after: dot)...].dropLast()
        return .string(text[...dot] + digits + String(repeating: "0", count: max(0, 3 - digits.count)) + "Z")
    }
}

extension RealmModel.UUID {
    /// The id as clients see it.
    var json: JSONValue { .string(description) }
}
