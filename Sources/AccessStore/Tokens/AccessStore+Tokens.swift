import Postgres
import RealmModel
import StoreCore

extension AccessStore.Tokens {
    /// Makes a token of 256 random bits, which ends with its key at the latest.
    ///
    /// - Parameters:
    ///   - key: the key that makes it.
    ///   - app: the app that the realms are of.
    ///   - realms: where it permits what it permits.
    ///   - scopes: what it permits, of `RealmToken.scopes`, at least one.
    ///   - life: how long it is valid, `RealmToken.longestLife` at most.
    /// - Returns: the token, and its secret, which can't be had again.
    /// - Throws: `StoreError.notFound` (app; API key, where it is gone meanwhile); `tokensFull`.
    public func create(
        by key: RealmModel.UUID, for realms: RealmNames, of app: String, scopes: Set<KeyScope>, life: Duration
    ) throws -> (token: RealmToken, secret: String) {
        let secret = AccessStore.Keys.secret(RealmToken.mark)
        let token = try pool.transaction { connection in
            // The app's lock comes before all others.
            let apps = try connection.query("SELECT app_id FROM app WHERE name = \(app) FOR KEY SHARE")
            guard let appID = try apps.first?.value("app_id", as: RealmModel.UUID.self) else {
                throw StoreError.notFound(.app, app)
            }
            // One after the other, so that the limit is none of each alone.
            let keys = try connection.query(
                """
                SELECT FROM api_key
                WHERE api_key_id = \(key) AND (expires_at IS NULL OR expires_at > now()) FOR NO KEY UPDATE
                """)
            guard !keys.isEmpty else { throw StoreError.notFound(.apiKey, "\(key)") }
            let count = try connection.query(
                "SELECT count(*) AS count FROM realm_token WHERE api_key_id = \(key) AND expires_at > now()")
            guard try count[0].value("count", as: Int.self) < RealmToken.limit else {
                throw StoreError.tokensFull(limit: RealmToken.limit)
            }
            let id = RealmModel.UUID.version7()
            try connection.execute(
                """
                INSERT INTO realm_token (realm_token_id, api_key_id, app_id, hash, scopes, realms, expires_at)
                SELECT \(id), api_key_id, \(appID), sha256(\(PostgresBytes(Array(secret.utf8)))),
                    \(PostgresArray(KeyScope.allCases.filter(scopes.contains).map(\.rawValue))),
                    \(PostgresArray(realms.elements)),
                    least(now() + \(life / .seconds(1)) * interval '1 second', expires_at)
                FROM api_key WHERE api_key_id = \(key)
                """)
            return try Self.token(id, connection)
        }
        return (token, secret)
    }

    /// The token of a secret; nil where there is none that is valid, with the key that made it.
    public func find(authenticating secret: String) throws -> RealmToken? {
        try pool.withConnection { connection in
            try connection.query(
                """
                SELECT \(unsafeSQL: RealmToken.columns)
                FROM realm_token t JOIN api_key k USING (api_key_id) JOIN app a USING (app_id)
                WHERE t.hash = sha256(\(PostgresBytes(Array(secret.utf8)))) \(unsafeSQL: RealmToken.isValid)
                """
            ).first.map(RealmToken.init(row:))
        }
    }

    /// A valid token of an id, of those that somebody may see.
    ///
    /// - Throws: `StoreError.notFound`.
    public func find(_ id: RealmModel.UUID, among visible: VisibleTokens) throws -> RealmToken {
        let token = try pool.withConnection { try Self.token(id, $0) }
        guard visible.contains(token) else { throw StoreError.notFound(.token, "\(id)") }
        return token
    }

    /// The valid tokens in the order they were made, of those that somebody may see.
    public func list(_ page: PageRequest = PageRequest(), among visible: VisibleTokens) throws -> Page<RealmToken> {
        let cursor = try Cursor.key(.tokens, page)
        guard let after = cursor.map({ RealmModel.UUID($0) }) ?? .zero else { throw StoreError.invalidCursor }
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT \(unsafeSQL: RealmToken.columns)
                FROM realm_token t JOIN api_key k USING (api_key_id) JOIN app a USING (app_id)
                WHERE t.realm_token_id > \(after) \(unsafeSQL: RealmToken.isValid) \(and: visible)
                ORDER BY t.realm_token_id LIMIT \(page.rowLimit)
                """)
            return try Page(rows, page, .tokens, item: RealmToken.init(row:)) { $0.id.description }
        }
    }

    /// Makes a token invalid from now on.
    ///
    /// - Throws: `StoreError.notFound`.
    public func delete(_ id: RealmModel.UUID) throws {
        let deleted = try pool.withConnection {
            try $0.execute("DELETE FROM realm_token WHERE realm_token_id = \(id)")
        }
        guard deleted == 1 else { throw StoreError.notFound(.token, "\(id)") }
    }

    /// Removes tokens that have expired.
    public func removeExpired() throws {
        try pool.transaction(isLong: true) { connection in
            _ = try connection.execute("DELETE FROM realm_token WHERE expires_at <= now()")
        }
    }

    private static func token(_ id: RealmModel.UUID, _ connection: PostgresConnection) throws -> RealmToken {
        let rows = try connection.query(
            """
            SELECT \(unsafeSQL: RealmToken.columns)
            FROM realm_token t JOIN api_key k USING (api_key_id) JOIN app a USING (app_id)
            WHERE t.realm_token_id = \(id) \(unsafeSQL: RealmToken.isValid)
            """)
        guard let row = rows.first else { throw StoreError.notFound(.token, "\(id)") }
        return try RealmToken(row: row)
    }
}

extension PostgresStatement.Interpolation {
    /// Appends `AND`, and that a token is one that somebody may see.
    fileprivate mutating func appendInterpolation(and visible: VisibleTokens) {
        appendLiteral(" AND (t.api_key_id = ")
        switch visible {
        case .made(let key): appendInterpolation(key)
        case .of(let apps, let key):
            appendInterpolation(key)
            appendLiteral(" OR ")
            appendInterpolation(apps == .all)
            appendLiteral(" OR a.name = ANY (")
            appendInterpolation(apps.names)
            appendLiteral(")")
        }
        appendLiteral(")")
    }
}

extension RealmToken {
    /// Its secrets begin with this, and those of keys do not.
    public static let mark = "rst_"

    fileprivate static let columns: StaticString = """
        t.realm_token_id, t.api_key_id, k.name AS key_name, a.name AS app_name, t.scopes, t.realms, t.created_at, t.expires_at
        """

    /// A condition on `realm_token t` and `api_key k`.
    static let isValid: StaticString =
        "AND t.expires_at > now() AND (k.expires_at IS NULL OR k.expires_at > now())"

    fileprivate init(row: PostgresRow) throws {
        id = try row.value("realm_token_id")
        maker = try row.value("api_key_id")
        makerName = try row.value("key_name")
        app = try row.value("app_name")
        let names: PostgresArray<String> = try row.value("scopes")
        // A scope of a later program is none of this one's to grant.
        scopes = Set(names.elements.compactMap(KeyScope.init))
        let realms: PostgresArray<String> = try row.value("realms")
        guard let named = RealmNames(realms.elements) else { throw StoreError.damaged("the realms of a token") }
        self.realms = named
        createdAt = try row.value("created_at")
        expiresAt = try row.value("expires_at")
    }
}
