import Postgres
import RealmModel
import StoreCore

extension AccessStore.Sessions {
    /// Makes a session of 256 random bits for a key.
    ///
    /// - Returns: its id, and its secret, which can't be had again.
    /// - Throws: `StoreError.notFound` where the key is gone meanwhile.
    public func create(for key: RealmModel.UUID) throws -> (id: RealmModel.UUID, secret: String) {
        let secret = AccessStore.Keys.secret(Session.mark)
        let id = RealmModel.UUID.version7()
        try pool.transaction { connection in
            // One after the other, so that the limit is none of each alone.
            let keys = try connection.query(
                """
                SELECT FROM api_key
                WHERE api_key_id = \(key) AND (expires_at IS NULL OR expires_at > now()) FOR NO KEY UPDATE
                """)
            guard !keys.isEmpty else { throw StoreError.notFound(.apiKey, "\(key)") }
            try connection.execute(
                """
                DELETE FROM session WHERE session_id IN (
                    SELECT session_id FROM session WHERE api_key_id = \(key)
                    ORDER BY used_at DESC OFFSET \(Session.limit - 1))
                """)
            try connection.execute(
                """
                INSERT INTO session (session_id, api_key_id, hash)
                VALUES (\(id), \(key), sha256(\(PostgresBytes(Array(secret.utf8)))))
                """)
        }
        return (id, secret)
    }

    /// The session of a secret, which is used by that; nil where there is none that is valid, with its key.
    public func find(authenticating secret: String) throws -> Session? {
        try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT s.session_id, s.used_at < now() - interval '5 minutes' AS was_long_ago,
                    k.api_key_id, k.name, k.scopes, k.apps, k.created_at, k.expires_at
                FROM session s JOIN api_key k USING (api_key_id)
                WHERE s.hash = sha256(\(PostgresBytes(Array(secret.utf8)))) \(unsafeSQL: Session.isValid)
                """)
            guard let row = rows.first else { return nil }
            let session = Session(id: try row.value("session_id"), key: try APIKey(row: row))
            if try row.value("was_long_ago", as: Bool.self) {
                try connection.execute("UPDATE session SET used_at = now() WHERE session_id = \(session.id)")
            }
            return session
        }
    }

    /// Ends a session.
    ///
    /// - Throws: `StoreError.notFound`.
    public func delete(_ id: RealmModel.UUID) throws {
        let deleted = try pool.withConnection { try $0.execute("DELETE FROM session WHERE session_id = \(id)") }
        guard deleted == 1 else { throw StoreError.notFound(.session, "\(id)") }
    }

    /// Removes sessions that have ended.
    public func removeEnded() throws {
        try pool.transaction(isLong: true) { connection in
            _ = try connection.execute("DELETE FROM session WHERE used_at <= now() - interval '12 hours'")
        }
    }
}

extension Session {
    /// A condition on `session s` and `api_key k`.
    static let isValid: StaticString =
        "AND s.used_at > now() - interval '12 hours' AND (k.expires_at IS NULL OR k.expires_at > now())"
}
