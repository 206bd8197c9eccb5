import Postgres
import RealmModel
import SnapshotStore
import StoreCore

/// The outcome of an attempt; each kind has its own way to store it.
public protocol JobOutcome {
    /// Ends the job with a result, in one short transaction of the ending's.
    ///
    /// - Returns: the job; `cancelled` rather than succeeded where it was asked to stop meanwhile.
    /// - Throws: `StoreError`; nothing is changed then, and it may be tried again.
    func finish(_ ending: JobEnding) throws -> Job

    /// Lets go of what the attempt has; what was committed stays.
    func close()
}

/// The end of an attempt that has come to something: the part that is the same for all kinds.
public struct JobEnding {
    /// The state in which a transaction ends a job.
    enum End {
        /// With a result, where the kind has one: the id of what it is.
        case succeeded(RealmModel.UUID?)
        case cancelled
    }

    let lease: JobLease
    let progress: JobProgress?
    let pool: PostgresPool

    /// Runs a transaction of the kind's, and in it ends the job as that says.
    ///
    /// - Throws: `StoreError.leaseLost`; what the body throws.
    func commit(_ body: (PostgresConnection) throws -> End) throws -> Job {
        try pool.transaction { connection in
            switch try body(connection) {
            case .succeeded(let result):
                try lease.end(.succeeded, result: result, progress: progress, connection)
            case .cancelled: try lease.end(.cancelled, progress: progress, connection)
            }
        }
    }

    /// Locks the job's realm and the job, as `SnapshotStore.Realms.lock` does the first, by one statement.
    ///
    /// - Returns: the realm, and whether the job was asked to stop.
    /// - Throws: `StoreError.leaseLost`.
    func lockRealm(_ connection: PostgresConnection) throws -> (realm: Realm, isCancelRequested: Bool) {
        let rows = try connection.query(
            """
            SELECT \(unsafeSQL: Realm.columns), j.cancel_requested FROM job j
            JOIN app a ON a.app_id = j.app_id JOIN realm r ON r.app_id = j.app_id AND r.realm_id = j.realm_id
            WHERE j.job_id = \(lease.job.id) AND j.lease_token = \(lease.token)
            FOR KEY SHARE OF a FOR UPDATE OF r FOR UPDATE OF j
            """)
        guard let row = rows.first else { throw StoreError.leaseLost }
        return (try Realm(row: row, app: lease.job.app), try row.value("cancel_requested"))
    }
}
