import RealmJSON
import SnapshotStore

extension Realm {
    /// The realm as clients see it.
    var json: JSONValue {
        [
            "app": .string(app), "name": .string(name), "kind": .string(kind.rawValue),
            "currentSnapshot": currentSnapshot?.json ?? .null, "createdAt": createdAt.json,
        ]
    }
}

extension SnapshotInfo {
    /// The snapshot as clients see it.
    var json: JSONValue {
        [
            "id": id.json, "app": .string(app), "realm": .string(realm),
            "schemaVersion": schemaVersion.map { JSONValue($0) } ?? .null, "parent": parent?.json ?? .null,
            "createdBy": createdBy.json,
            "objectCounts": .object(objectCounts.map { JSONMember($0.className, .int(Int64($0.count))) }),
            "storedBytes": .int(Int64(storedBytes)), "createdAt": createdAt.json,
        ]
    }
}

extension SnapshotOrigin {
    /// What made a snapshot: `{"kind": "upload" | "changes" | "migration", "job"?}`.
    var json: JSONValue {
        switch self {
        case .upload: ["kind": "upload"]
        case .changes: ["kind": "changes"]
        case .migration(let job): ["kind": "migration", "job": job.json]
        }
    }
}
