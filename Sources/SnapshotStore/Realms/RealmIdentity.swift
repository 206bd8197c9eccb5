import Postgres
import RealmModel

/// Which realm it is, whatever is called by its name later.
public struct RealmIdentity: Hashable, Sendable {
    package let appID: RealmModel.UUID
    package let realmID: RealmModel.UUID
}

extension SnapshotInfo {
    /// Which realm it is of.
    package var realmIdentity: RealmIdentity { RealmIdentity(appID: appID, realmID: realmID) }
}

extension Realm {
    /// Which realm it is.
    public var identity: RealmIdentity { RealmIdentity(appID: appID, realmID: id) }
}

extension SnapshotStore.Realms {
    /// The current snapshots of some realms, by one question; those that are gone, or have none yet, are left out.
    public func currentSnapshots(of realms: [RealmIdentity]) throws -> [RealmIdentity: RealmModel.UUID] {
        let apps = PostgresArray(realms.map(\.appID))
        let ids = PostgresArray(realms.map(\.realmID))
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT r.app_id, r.realm_id, r.current_id FROM unnest(\(apps), \(ids)) AS wanted (app, id)
                JOIN realm r ON r.app_id = wanted.app AND r.realm_id = wanted.id WHERE r.current_id IS NOT NULL
                """)
            return Dictionary(
                try rows.map { row in
                    (
                        RealmIdentity(appID: try row.value("app_id"), realmID: try row.value("realm_id")),
                        try row.value("current_id", as: RealmModel.UUID.self)
                    )
                }
            ) { $1 }
        }
    }
}
