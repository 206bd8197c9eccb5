import Postgres
import RealmModel
import StoreCore

extension AccessStore.Keys {
    /// Makes a key of 256 random bits.
    ///
    /// - Parameters:
    ///   - name: what the key is for, 1 to 200 characters.
    ///   - scopes: what it permits, at least one.
    ///   - apps: where it permits that, at least in one.
    ///   - expiresAt: when it becomes invalid, to the microsecond; nil for never.
    /// - Returns: the key, and its secret, which can't be had again.
    public func create(
        named name: String, scopes: Set<KeyScope>, apps: VisibleApps, expiresAt: Timestamp? = nil
    ) throws -> (key: APIKey, secret: String) {
        let secret = Self.secret("rsk_")
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                INSERT INTO api_key (api_key_id, name, hash, scopes, apps, expires_at)
                VALUES (\(RealmModel.UUID.version7()), \(name), sha256(\(PostgresBytes(Array(secret.utf8)))),
                    \(PostgresArray(KeyScope.allCases.filter(scopes.contains).map(\.rawValue))), \(apps.names),
                    \(expiresAt))
                RETURNING \(unsafeSQL: APIKey.columns)
                """)
            return (try APIKey(row: rows[0]), secret)
        }
    }

    /// 256 random bits behind a mark that says to whom, and to programs that look for secrets, what it is.
    static func secret(_ mark: String) -> String {
        mark + Hexadecimal.encode((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// The key of a secret; nil where there is none that is valid.
    public func find(authenticating secret: String) throws -> APIKey? {
        try pool.withConnection { connection in
            try connection.query(
                """
                SELECT \(unsafeSQL: APIKey.columns) FROM api_key
                WHERE hash = sha256(\(PostgresBytes(Array(secret.utf8)))) AND (expires_at IS NULL OR expires_at > now())
                """
            ).first.map(APIKey.init(row:))
        }
    }

    /// Whether there is a valid key that permits all in all apps, as the first one does.
    public func hasAdministrator() throws -> Bool {
        let scopes = PostgresArray(KeyScope.administrator.map(\.rawValue).sorted())
        return try pool.withConnection { connection in
            let found = try connection.query(
                """
                SELECT FROM api_key
                WHERE scopes @> \(scopes) AND apps IS NULL AND (expires_at IS NULL OR expires_at > now()) LIMIT 1
                """)
            return !found.isEmpty
        }
    }

    /// The key of an id.
    ///
    /// - Throws: `StoreError.notFound`.
    public func find(_ id: RealmModel.UUID) throws -> APIKey {
        let rows = try pool.withConnection { connection in
            try connection.query("SELECT \(unsafeSQL: APIKey.columns) FROM api_key WHERE api_key_id = \(id)")
        }
        guard let row = rows.first else { throw StoreError.notFound(.apiKey, "\(id)") }
        return try APIKey(row: row)
    }

    /// Those of some keys, tokens and sessions that are there and have not expired, of tokens and sessions with their keys.
    public func valid(among ids: Set<RealmModel.UUID>) throws -> Set<RealmModel.UUID> {
        let ids = PostgresArray(Array(ids))
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT api_key_id AS id FROM api_key
                WHERE api_key_id = ANY(\(ids)) AND (expires_at IS NULL OR expires_at > now())
                UNION ALL
                SELECT t.realm_token_id FROM realm_token t JOIN api_key k USING (api_key_id)
                WHERE t.realm_token_id = ANY(\(ids)) \(unsafeSQL: RealmToken.isValid)
                UNION ALL
                SELECT s.session_id FROM session s JOIN api_key k USING (api_key_id)
                WHERE s.session_id = ANY(\(ids)) \(unsafeSQL: Session.isValid)
                """)
            return Set(try rows.map { try $0.value("id") })
        }
    }

    /// The keys in the order they were made, of those that give access to some apps and to no other.
    public func list(_ page: PageRequest = PageRequest(), within apps: VisibleApps = .all) throws -> Page<APIKey> {
        let key = try Cursor.key(.apiKeys, page)
        guard let after = key.map({ RealmModel.UUID($0) }) ?? .zero else { throw StoreError.invalidCursor }
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT \(unsafeSQL: APIKey.columns) FROM api_key
                WHERE api_key_id > \(after) AND (\(apps == .all) OR apps <@ \(apps.names))
                ORDER BY api_key_id LIMIT \(page.rowLimit)
                """)
            return try Page(rows, page, .apiKeys, item: APIKey.init(row:)) { $0.id.description }
        }
    }

    /// Makes a key invalid from now on.
    ///
    /// - Throws: `StoreError.notFound`.
    public func delete(_ id: RealmModel.UUID) throws {
        let deleted = try pool.withConnection { try $0.execute("DELETE FROM api_key WHERE api_key_id = \(id)") }
        guard deleted == 1 else { throw StoreError.notFound(.apiKey, "\(id)") }
    }
}

extension APIKey {
    static let columns: StaticString = "api_key_id, name, scopes, apps, created_at, expires_at"

    init(row: PostgresRow) throws {
        id = try row.value("api_key_id")
        name = try row.value("name")
        let names: PostgresArray<String> = try row.value("scopes")
        // A scope of a later program is none of this one's to grant.
        scopes = Set(names.elements.compactMap(KeyScope.init))
        let apps: PostgresArray<String>? = try row.optional("apps")
        self.apps = apps.map { .named(Set($0.elements)) } ?? .all
        createdAt = try row.value("created_at")
        expiresAt = try row.optional("expires_at")
    }
}
