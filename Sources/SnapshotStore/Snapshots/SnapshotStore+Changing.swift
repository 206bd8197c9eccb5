import Postgres
import RealmModel
import StoreCore

extension SnapshotStore.Snapshots {
    /// Begins to change a realm's current snapshot, by a single question to the database.
    ///
    /// - Throws: `StoreError.notFound` (app, realm), `migrationActive`.
    public func beginChanges(of realm: String, in app: String) throws -> ChangeDraft {
        let row = try pool.withConnection { try Self.row(of: realm, in: app, $0) }
        return try ChangeDraft(self, realm: try Realm(row: row, app: app), row: row)
    }

    /// Changes a realm's current snapshot while nobody else does: others wait, each until its turn has come.
    ///
    /// For who lost against others before, and has done what takes time.
    ///
    /// - Parameter body: commits the draft, or throws; what it commits is there when this has returned, and it may run several
    ///   times, with drafts of their own. It has to be through within a minute.
    /// - Throws: as `beginChanges`; what the body throws.
    public func holding<Result>(
        _ realm: String, in app: String, _ body: (ChangeDraft) throws -> Result
    ) throws -> Result {
        try store.heldRealms.run {
            var draft: ChangeDraft?
            do {
                let result = try pool.transaction { connection in
                    draft?.cancel()
                    _ = try SnapshotStore.Realms.lock(realm, in: app, connection)
                    let row = try Self.row(of: realm, in: app, connection)
                    let held = try ChangeDraft(
                        self, realm: try Realm(row: row, app: app), row: row, heldBy: connection)
                    draft = held
                    return try body(held)
                }
                draft?.didCommit()
                return result
            } catch {
                draft?.cancel()
                throw error
            }
        }
    }

    /// Changes a realm's current snapshot; where others are faster, again on what they made, and where they are so several
    /// times, with the realm held.
    ///
    /// - Parameters:
    ///   - attempts: how often without holding the realm.
    ///   - body: commits the draft, or throws, and has no other effect.
    /// - Throws: as `beginChanges`; what the body throws.
    public func change<Result>(
        _ realm: String, in app: String, attempts: Int = 3, _ body: (ChangeDraft) throws -> Result
    ) throws -> Result {
        for _ in 0..<attempts {
            let draft = try beginChanges(of: realm, in: app)
            defer { draft.cancel() }
            do {
                return try body(draft)
            } catch StoreError.realmChanged {
                // Somebody was faster: once more, on what that made.
            }
        }
        return try holding(realm, in: app, body)
    }

    /// The row that a draft of changes begins with.
    private static func row(of realm: String, in app: String, _ connection: PostgresConnection) throws -> PostgresRow {
        let rows = try connection.query(
            """
            SELECT \(unsafeSQL: Realm.columns), \(unsafeSQL: SnapshotInfo.ownColumns), s.manifest, j.job_id AS active_id,
                EXISTS (
                    SELECT FROM partner p
                    WHERE p.app_id = r.app_id AND p.realm_id = r.realm_id AND p.state IN ('preparing', 'dual')
                ) AS has_partners
            FROM app a JOIN realm r USING (app_id)
            LEFT JOIN \(unsafeSQL: Realm.currentSnapshotRow) ON true
            LEFT JOIN job j
                ON j.app_id = r.app_id AND j.realm_id = r.realm_id AND j.state IN ('queued', 'running') AND j.exclusive
            WHERE a.name = \(app) AND r.name = \(realm)
                AND r.app_id = (SELECT app_id FROM app WHERE name = \(app))
            """)
        guard let row = rows.first else {
            _ = try SnapshotStore.Realms.realm(realm, in: app, connection)
            throw StoreError.notFound(.realm, realm)
        }
        if let job = try row.optional("active_id", as: RealmModel.UUID.self) {
            throw StoreError.migrationActive(job: job)
        }
        return row
    }
}
