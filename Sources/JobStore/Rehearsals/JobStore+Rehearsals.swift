import Postgres
import RealmJSON
import RealmModel
import SnapshotStore
import StoreCore

extension JobStore {
    /// The report of a rehearsal, as JSON.
    ///
    /// - Throws: `StoreError.notFound` (job); `notRehearsed` where the job is none, or has not ended by itself.
    public func report(of id: RealmModel.UUID) throws -> [UInt8] {
        let rows = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT r.report FROM job j LEFT JOIN job_report r USING (app_id, job_id) WHERE j.job_id = \(id)
                """)
        }
        guard let row = rows.first else { throw StoreError.notFound(.job, "\(id)") }
        guard let report = try row.optional("report", as: PostgresJSON.self) else { throw StoreError.notRehearsed }
        return Array(report.text.utf8)
    }

    /// Makes what a rehearsal left the realm's current snapshot, where the realm is what it was.
    ///
    /// - Returns: the realm.
    /// - Throws: `StoreError.notFound` (job, realm); `notRehearsed`; `previewExpired`; `realmChanged`; `migrationActive`;
    ///   `realmIsSynced`.
    public func promote(_ id: RealmModel.UUID) throws -> Realm {
        try pool.transaction { connection in
            let job = try Self.job(id, connection)
            guard case .migration(let order) = job.order, order.request.dryRun, job.state == .succeeded else {
                throw StoreError.notRehearsed
            }
            let realm = try SnapshotStore.Realms.lock(order.realm, in: job.app, connection)
            guard realm.kind == .local else { throw StoreError.realmIsSynced }
            try SnapshotStore.Realms.requireNoExclusiveJob(of: realm, connection)
            // Nothing was left where nothing would change; the realm is then what it would be.
            guard let preview = order.resultSnapshot else {
                guard realm.currentSnapshot == order.sourceSnapshot else { throw StoreError.realmChanged }
                return realm
            }
            // A second request gets the same answer.
            if realm.currentSnapshot == preview { return realm }
            let found = try connection.query(
                """
                SELECT preview_until > now() AS is_preview FROM snapshot
                WHERE app_id = \(realm.appID) AND snapshot_id = \(preview) AND realm_id = \(realm.id) FOR UPDATE
                """)
            guard let row = found.first else { throw StoreError.previewExpired }
            guard realm.currentSnapshot == order.sourceSnapshot else { throw StoreError.realmChanged }
            guard try row.optional("is_preview") == true else { throw StoreError.previewExpired }
            try connection.execute(
                """
                UPDATE snapshot SET preview_until = NULL WHERE app_id = \(realm.appID) AND snapshot_id = \(preview)
                """)
            try connection.execute(
                """
                UPDATE realm SET current_id = \(preview), unsynced_count = 0, patched_rows = 0
                WHERE app_id = \(realm.appID) AND realm_id = \(realm.id)
                """)
            return try SnapshotStore.Realms.realm(order.realm, in: job.app, connection)
        }
    }

    /// Keeps what a rehearsal found that does not come to a preview.
    ///
    /// - Throws: `StoreError.leaseLost`.
    public func keep(_ report: JSONValue, of lease: JobLease) throws {
        try pool.transaction { connection in
            try lease.require(connection)
            try Self.keep(report, of: lease.job, connection)
        }
    }

    /// Keeps what a rehearsal found, in place of what an earlier attempt did.
    static func keep(_ report: JSONValue, of job: Job, _ connection: PostgresConnection) throws {
        try connection.execute(
            """
            INSERT INTO job_report (app_id, job_id, report)
            VALUES (\(job.appID), \(job.id), \(PostgresJSON(String(decoding: report.encoded(), as: UTF8.self))))
            ON CONFLICT (app_id, job_id) DO UPDATE SET report = excluded.report
            """)
    }
}
