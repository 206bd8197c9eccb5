import Postgres
import RealmModel
import StoreCore

extension AccessStore.Audit {
    /// Keeps entries, in one statement; of one that is there already, the status is added where it has none.
    public func insert(_ entries: [AuditEntry]) throws {
        guard !entries.isEmpty else { return }
        try pool.withConnection { connection in
            _ = try connection.execute(
                """
                INSERT INTO audit_entry
                    (audit_entry_id, at, key_id, key_name, token_id, app_name, operation, path, request_id, status)
                SELECT e.id, e.at, e.key_id, e.key_name, e.token_id,
                    CASE WHEN e.app <> '' OR e.job IS NULL THEN e.app ELSE coalesce(
                        -- The job may be gone since the entry was kept first.
                        (SELECT kept.app_name FROM audit_entry kept WHERE kept.audit_entry_id = e.id),
                        (SELECT j.app_name FROM job j WHERE j.job_id = e.job), '') END,
                    e.operation, e.path, e.request_id, e.status
                FROM unnest(
                    \(PostgresArray(entries.map(\.id))), \(PostgresArray(entries.map(\.at))),
                    \(PostgresArray(entries.map(\.key))), \(PostgresArray(entries.map(\.keyName))),
                    \(PostgresArray(entries.map { $0.app ?? "" })), \(PostgresArray(entries.map(\.operation))),
                    \(PostgresArray(entries.map(\.path))), \(PostgresArray(entries.map(\.requestID))),
                    \(PostgresArray(nullable: entries.map { $0.status.map { Int32($0) } })),
                    \(PostgresArray(nullable: entries.map(\.job))), \(PostgresArray(nullable: entries.map(\.token)))
                ) AS e (id, at, key_id, key_name, app, operation, path, request_id, status, job, token_id)
                ON CONFLICT (app_name, audit_entry_id) DO UPDATE SET status = coalesce(audit_entry.status, excluded.status)
                """)
        }
    }

    /// Entries, the newest first.
    public func list(_ filter: AuditFilter, _ page: PageRequest = PageRequest()) throws -> Page<AuditEntry> {
        let key = try Cursor.key(.audit, page)
        guard let before = key.map({ RealmModel.UUID($0) }) ?? .greatest else { throw StoreError.invalidCursor }
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT audit_entry_id, at, key_id, key_name, token_id, app_name, operation, path, request_id, status
                FROM audit_entry
                WHERE audit_entry_id < \(before) \(and: "app_name", is: filter.app) \(and: "key_id", is: filter.key)
                    \(and: "app_name", isOneOf: filter.visible.names)
                    AND (\(filter.since)::timestamptz IS NULL OR at >= \(filter.since))
                ORDER BY audit_entry_id DESC LIMIT \(page.rowLimit)
                """)
            return try Page(rows, page, .audit, item: AuditEntry.init(row:)) { $0.id.description }
        }
    }

    /// Removes entries that are older than some time, the oldest first.
    ///
    /// - Parameter portion: how many a transaction removes, at most.
    public func remove(olderThan age: Duration, portion: Int = 1_000) throws {
        let end = RealmModel.UUID.lowestVersion7(ago: age)
        var removed = portion
        while removed == portion {
            removed = try pool.transaction(isLong: true) { connection in
                try connection.execute(
                    """
                    DELETE FROM audit_entry WHERE (app_name, audit_entry_id) IN (
                        SELECT app_name, audit_entry_id FROM audit_entry WHERE audit_entry_id < \(end)
                        ORDER BY audit_entry_id LIMIT \(portion))
                    """)
            }
        }
    }
}

extension AuditEntry {
    init(row: PostgresRow) throws {
        self.init(
            id: try row.value("audit_entry_id"), at: try row.value("at"), key: try row.value("key_id"),
            keyName: try row.value("key_name"), token: try row.optional("token_id"),
            app: try row.value("app_name", as: String.self).nonEmpty,
            operation: try row.value("operation"), path: try row.value("path"),
            requestID: try row.value("request_id"), status: try row.optional("status", as: Int.self))
    }
}

extension String {
    /// The text, or nil where it is empty.
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
