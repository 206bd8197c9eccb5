import JobStore
import RealmFile
import RealmFormats
import RealmJSON
import SnapshotStore

extension Realm {
    /// The realm as clients see it.
    ///
    /// - Parameter limit: how many objects of a synced realm may be unsynced.
    func json(unsyncedLimit limit: Int) -> JSONValue {
        var members = [
            JSONMember("app", .string(app)), JSONMember("name", .string(name)),
            JSONMember("kind", .string(kind.rawValue)),
            JSONMember("labels", labelsJSON), JSONMember("currentSnapshot", currentSnapshot?.json ?? .null),
            JSONMember("createdAt", createdAt.json),
        ]
        if let sync { members.append(JSONMember("sync", sync.json(unsyncedLimit: limit))) }
        return .object(members)
    }
}

extension ListedRealm {
    /// The realm as lists show it.
    ///
    /// - Parameter limit: how many objects of a synced realm may be unsynced.
    func json(unsyncedLimit limit: Int) -> JSONValue {
        realm.json(unsyncedLimit: limit).adding(figures)
    }

    /// A tag of the realm's state and, behind a dot, of what is shown beside it: a change is made on the state alone.
    func entityTag(unsyncedLimit limit: Int) -> String {
        let figures = JSONValue.object(figures).entityTag.dropFirst()
        return "\(realm.json(unsyncedLimit: limit).entityTag.dropLast()).\(figures)"
    }

    private var figures: [JSONMember] {
        [
            JSONMember("schemaVersion", current?.schemaVersion.map { JSONValue($0) } ?? .null),
            JSONMember("objectCount", .int(Int64(current?.objectCount ?? 0))),
            JSONMember("storedBytes", .int(Int64(current?.storedBytes ?? 0))),
            JSONMember(
                "lastJob", lastJob.map { ["id": $0.id.json, "state": .string($0.state.rawValue)] } ?? .null),
        ]
    }
}

extension Realm.Sync {
    /// The state of a synced realm beside its snapshots.
    func json(unsyncedLimit limit: Int) -> JSONValue {
        [
            "state": .string(state(unsyncedLimit: limit).rawValue), "unsyncedCount": .int(Int64(unsyncedCount)),
            "unsyncedLimit": .int(Int64(limit)), "developmentMode": .bool(isInDevelopment),
        ]
    }
}

extension SnapshotInfo {
    /// The snapshot as clients see it.
    var json: JSONValue { json(showingJob: true) }

    /// The snapshot as clients see it who may or may not see the job that made it.
    func json(showingJob: Bool) -> JSONValue {
        guard !showingJob, case .migration = createdBy else { return .object(members) }
        return .object(members.map { $0.name == "createdBy" ? JSONMember("createdBy", ["kind": "migration"]) : $0 })
    }

    /// The snapshot as whoever uploaded it sees it, with what was found in the file.
    func json(_ report: ReadingReport) -> JSONValue {
        .object(members + report.members)
    }

    private var members: [JSONMember] {
        let values: KeyValuePairs<String, JSONValue> = [
            "id": id.json, "app": .string(app), "realm": .string(realm),
            "schemaVersion": schemaVersion.map { JSONValue($0) } ?? .null, "parent": parent?.json ?? .null,
            "createdBy": createdBy.json,
            "objectCounts": .object(objectCounts.map { JSONMember($0.className, .int(Int64($0.count))) }),
            "storedBytes": .int(Int64(storedBytes)), "createdAt": createdAt.json,
        ]
        return values.map { JSONMember($0.key, $0.value) }
    }
}

extension SnapshotInfo {
    /// A strong validator: a snapshot never changes.
    var entityTag: String { "\"\(id)\"" }
}

extension SnapshotOrigin {
    /// A snapshot's origin: `{"kind": "upload" | "changes" | "migration", "job"?}`.
    var json: JSONValue {
        switch self {
        case .upload: ["kind": "upload"]
        case .changes: ["kind": "changes"]
        case .migration(let job): ["kind": "migration", "job": job.json]
        }
    }
}
