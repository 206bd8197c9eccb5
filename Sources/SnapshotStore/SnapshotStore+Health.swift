import Postgres

extension SnapshotStore {
    /// Asks the database for a sign of life and for tables that this program knows.
    ///
    /// - Throws: `PostgresError`; `StoreError.databaseTooNew`.
    public func ping() throws {
        let version = try pool.withConnection { try DatabaseSchema.version($0) }
        guard version <= DatabaseSchema.currentVersion else {
            throw StoreError.databaseTooNew(found: version, known: DatabaseSchema.currentVersion)
        }
    }

    /// Whether an error's cause is likely to go away by itself: lost connections, a server that restarts, conflicts.
    public func isTransient(_ error: any Error) -> Bool {
        (error as? PostgresError)?.isTransient ?? false
    }

    /// The number of jobs in each state that occurs.
    public func jobCounts() throws -> [JobState: Int] {
        try pool.withConnection { connection in
            var counts: [JobState: Int] = [:]
            for row in try connection.query("SELECT state, count(*) AS count FROM job GROUP BY state") {
                if let state = JobState(rawValue: try row.value("state")) { counts[state] = try row.value("count") }
            }
            return counts
        }
    }
}
