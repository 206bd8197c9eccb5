import Postgres
import RealmModel
import StoreCore

extension SnapshotStore.Uploads {
    /// How long an upload waits for its next part, and is remembered when it is done.
    public static let age = Duration.seconds(86_400)
    /// Bytes of a part, in a row: none needs more memory than that.
    public static let partBytes = 1 << 20

    /// Begins an upload.
    ///
    /// An app's uploads may announce half of what all may, and a realm's half of that; one that is alone may announce all that is left.
    ///
    /// - Parameter totalLimit: bytes that all uploads may announce that are not done, those of other apps included.
    /// - Throws: `StoreError.notFound` (app), `invalidName`, `uploadsFull`.
    public func begin(
        for realm: String, in app: String, length: Int, mediaType: String, metadata: String, totalLimit: Int
    ) throws -> PartialUpload {
        try ResourceName.check(realm, of: .realm)
        let id = RealmModel.UUID.version7()
        return try pool.transaction { connection in
            let appID = try SnapshotStore.Apps.keep(app, connection).id
            let rows = try connection.query(
                """
                WITH open AS (
                    SELECT coalesce(sum(length), 0) AS all_bytes,
                        coalesce(sum(length) FILTER (WHERE app_id = \(appID)), 0) AS app_bytes,
                        coalesce(sum(length) FILTER (WHERE app_id = \(appID) AND realm_name = \(realm)), 0) AS realm_bytes
                    -- Maintenance removes those that have expired.
                    FROM upload WHERE snapshot_id IS NULL AND expires_at > now()
                )
                INSERT INTO upload (app_id, upload_id, realm_name, length, media_type, metadata, expires_at)
                SELECT \(appID), \(id), \(realm), \(length), \(mediaType), \(metadata),
                    now() + \(Self.age.inSeconds) * interval '1 second'
                FROM open
                WHERE all_bytes + \(length) <= \(totalLimit)
                    AND (app_bytes = 0 OR app_bytes + \(length) <= \(totalLimit / 2))
                    AND (realm_bytes = 0 OR realm_bytes + \(length) <= \(totalLimit / 4))
                RETURNING \(unsafeSQL: PartialUpload.columns)
                """)
            guard let row = rows.first else { throw StoreError.uploadsFull(limit: totalLimit) }
            return try PartialUpload(row: row)
        }
    }

    /// An upload of a realm.
    ///
    /// - Throws: `StoreError.notFound` (upload).
    public func find(_ id: RealmModel.UUID, for realm: String, in app: String) throws -> PartialUpload {
        let rows = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT \(unsafeSQL: PartialUpload.columns) FROM upload
                WHERE app_id = (SELECT app_id FROM app WHERE name = \(app)) AND upload_id = \(id) AND realm_name = \(realm)
                    AND expires_at > now()
                """)
        }
        guard let row = rows.first else { throw StoreError.notFound(.upload, "\(id)") }
        return try PartialUpload(row: row)
    }

    /// Adds bytes where an upload has come to.
    ///
    /// - Throws: `StoreError.uploadOffset` where it has come to another place; `notFound` where it is gone.
    public func append(_ bytes: [UInt8], at offset: Int, to upload: PartialUpload) throws {
        try pool.transaction { connection in
            let moved = try connection.execute(
                """
                WITH moved AS (
                    UPDATE upload SET received = received + \(bytes.count),
                        expires_at = now() + \(Self.age.inSeconds) * interval '1 second'
                    WHERE app_id = \(upload.appID) AND upload_id = \(upload.id) AND received = \(offset)
                        -- Parts of one that has expired may be gone, also since the transaction began.
                        AND expires_at > clock_timestamp()
                    RETURNING app_id, upload_id
                )
                INSERT INTO upload_part (app_id, upload_id, start, bytes)
                SELECT app_id, upload_id, \(offset), \(PostgresBytes(bytes)) FROM moved
                """)
            guard moved == 0 else { return }
            let rows = try connection.query(
                """
                SELECT received FROM upload
                WHERE app_id = \(upload.appID) AND upload_id = \(upload.id) AND expires_at > now()
                """)
            guard let row = rows.first else { throw StoreError.notFound(.upload, "\(upload.id)") }
            var now = upload
            now.received = try row.value("received")
            throw StoreError.uploadOffset(now.offset)
        }
    }

    /// Reads an upload part by part, from its first byte.
    public func read(_ upload: PartialUpload, _ body: ([UInt8]) throws -> Void) throws {
        var offset = 0
        while offset < upload.received {
            let rows = try pool.withConnection { connection in
                try connection.query(
                    """
                    SELECT bytes FROM upload_part
                    WHERE app_id = \(upload.appID) AND upload_id = \(upload.id) AND start = \(offset)
                    """)
            }
            guard let bytes = try rows.first?.value("bytes", as: PostgresBytes.self).bytes, !bytes.isEmpty else {
                throw StoreError.notFound(.upload, "\(upload.id)")
            }
            try body(bytes)
            offset += bytes.count
        }
    }

    /// Removes an upload with its parts.
    public func delete(_ upload: PartialUpload) throws {
        try pool.transaction(isLong: true) { connection in
            _ = try connection.execute(
                "DELETE FROM upload WHERE app_id = \(upload.appID) AND upload_id = \(upload.id)")
        }
    }

    /// Notes, in the transaction that makes it, which snapshot an upload became; its parts go.
    ///
    /// - Throws: `StoreError.notFound` where it became one already, or is gone.
    static func finish(
        _ upload: PartialUpload, as snapshot: RealmModel.UUID, _ connection: PostgresConnection
    ) throws {
        let finished = try connection.execute(
            """
            UPDATE upload SET snapshot_id = \(snapshot), expires_at = now() + \(Self.age.inSeconds) * interval '1 second'
            WHERE app_id = \(upload.appID) AND upload_id = \(upload.id) AND snapshot_id IS NULL AND expires_at > clock_timestamp()
            """)
        guard finished == 1 else { throw StoreError.notFound(.upload, "\(upload.id)") }
        try connection.execute(
            "DELETE FROM upload_part WHERE app_id = \(upload.appID) AND upload_id = \(upload.id)")
    }

    /// Removes uploads that nobody went on with, and forgets those that were done long ago.
    public func removeOld() throws {
        while try !removeOld(atMost: 1_000) {}
    }

    /// Removes some of them, parts before their uploads: those have a mebibyte each.
    ///
    /// - Returns: whether these were the last.
    func removeOld(atMost limit: Int) throws -> Bool {
        try pool.transaction(isLong: true) { connection in
            let parts = try connection.execute(
                """
                DELETE FROM upload_part WHERE (app_id, upload_id, start) IN (
                    SELECT app_id, upload_id, start FROM upload_part JOIN (
                        SELECT app_id, upload_id FROM upload WHERE expires_at < now() LIMIT \(limit) FOR UPDATE SKIP LOCKED
                    ) AS old USING (app_id, upload_id) LIMIT \(limit))
                """)
            guard parts < limit else { return false }
            return try connection.execute(
                """
                DELETE FROM upload u WHERE (app_id, upload_id) IN (
                    SELECT app_id, upload_id FROM upload WHERE expires_at < now() LIMIT \(limit) FOR UPDATE SKIP LOCKED)
                    AND NOT EXISTS (SELECT FROM upload_part p WHERE p.app_id = u.app_id AND p.upload_id = u.upload_id)
                """) < limit
        }
    }
}

extension PartialUpload {
    static let columns: StaticString = """
        app_id, upload_id, realm_name, length, received, media_type, metadata, snapshot_id, expires_at
        """

    init(row: PostgresRow) throws {
        self.init(
            id: try row.value("upload_id"), realm: try row.value("realm_name"), length: try row.value("length"),
            received: try row.value("received"), mediaType: try row.value("media_type"),
            metadata: try row.value("metadata"), snapshot: try row.optional("snapshot_id"),
            expiresAt: try row.value("expires_at"), appID: try row.value("app_id"))
    }
}
