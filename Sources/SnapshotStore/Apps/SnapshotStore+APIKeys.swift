import Foundation
import Postgres
import RealmModel

extension SnapshotStore {
    /// Makes a key of 256 random bits.
    ///
    /// - Parameter name: what the key is for, 1 to 200 characters.
    /// - Returns: the key, and its secret, which can't be had again.
    public func createAPIKey(named name: String) throws -> (key: APIKey, secret: String) {
        let random = (0..<4).map { _ in UInt64.random(in: .min ... .max) }
        let secret = "rsk_" + random.map { String(format: "%016lx", $0) }.joined()
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                INSERT INTO api_key (api_key_id, name, hash)
                VALUES (\(RealmModel.UUID.version7()), \(name), sha256(\(PostgresBytes(Array(secret.utf8)))))
                RETURNING api_key_id, name, created_at
                """)
            return (try APIKey(row: rows[0]), secret)
        }
    }

    /// The key of a secret; nil where there is none.
    public func apiKey(authenticating secret: String) throws -> APIKey? {
        try pool.withConnection { connection in
            try connection.query(
                """
                SELECT api_key_id, name, created_at FROM api_key
                WHERE hash = sha256(\(PostgresBytes(Array(secret.utf8))))
                """
            ).first.map(APIKey.init(row:))
        }
    }

    /// The keys in the order they were made.
    public func apiKeys(_ page: PageRequest = PageRequest()) throws -> Page<APIKey> {
        let key = try Cursor.key(.apiKeys, page)
        guard let after = key.map({ RealmModel.UUID($0) }) ?? .zero else { throw StoreError.invalidCursor }
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT api_key_id, name, created_at FROM api_key WHERE api_key_id > \(after)
                ORDER BY api_key_id LIMIT \(page.rowLimit)
                """)
            return try Page(rows, page, .apiKeys, item: APIKey.init(row:)) { $0.id.description }
        }
    }

    /// Makes a key invalid from now on.
    ///
    /// - Throws: `StoreError.notFound`.
    public func deleteAPIKey(_ id: RealmModel.UUID) throws {
        let deleted = try pool.withConnection { try $0.execute("DELETE FROM api_key WHERE api_key_id = \(id)") }
        guard deleted == 1 else { throw StoreError.notFound(.apiKey, "\(id)") }
    }
}

extension APIKey {
    init(row: PostgresRow) throws {
        id = try row.value("api_key_id")
        name = try row.value("name")
        createdAt = try row.value("created_at")
    }
}
