import Postgres
import RealmJSON
import RealmModel
import StoreCore

extension JobStore {
    /// The objects that a job has set aside, in the order in which that happened.
    ///
    /// - Throws: `StoreError.notFound`.
    public func quarantine(
        of id: RealmModel.UUID, _ page: PageRequest = PageRequest()
    ) throws -> Page<QuarantinedObject> {
        let after = try Cursor.number(.quarantine, page, as: Int.self) ?? 0
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT ordinal, item, object FROM quarantined_object
                WHERE app_id = (SELECT app_id FROM job WHERE job_id = \(id)) AND job_id = \(id) AND ordinal > \(after)
                ORDER BY ordinal LIMIT \(page.rowLimit)
                """)
            if rows.isEmpty { _ = try Self.job(id, connection) }
            return try Page(rows, page, .quarantine, item: QuarantinedObject.init(row:)) { "\($0.ordinal)" }
        }
    }

    /// The keys of the objects that a job has set aside, by class.
    public func quarantinedKeys(of id: RealmModel.UUID) throws -> [NameKey: Set<Int64>] {
        let rows = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT class, object_key FROM quarantined_object
                WHERE app_id = (SELECT app_id FROM job WHERE job_id = \(id)) AND job_id = \(id)
                """)
        }
        var keys: [NameKey: Set<Int64>] = [:]
        for row in rows {
            keys[NameKey(try row.value("class")), default: []].insert(
                Int64(try row.value("object_key", as: Int.self)))
        }
        return keys
    }

    /// Keeps what a job has set aside; of a retry what the job before had set aside is forgotten.
    static func keep(
        _ objects: [QuarantinedObject], of job: RealmModel.UUID, in app: RealmModel.UUID,
        retryOf earlier: RealmModel.UUID?, _ connection: PostgresConnection
    ) throws {
        if let earlier {
            try connection.execute("DELETE FROM quarantined_object WHERE app_id = \(app) AND job_id = \(earlier)")
            try connection.execute(
                "UPDATE job SET quarantined_count = 0, revision = revision + 1 WHERE job_id = \(earlier)")
        }
        for object in objects {
            let item = PostgresJSON(String(decoding: object.item.json.encoded(), as: UTF8.self))
            let key = Int(object.item.key?.value ?? -1)
            let bytes = object.object.map { PostgresJSON(String(decoding: $0, as: UTF8.self)) }
            try connection.execute(
                """
                INSERT INTO quarantined_object (app_id, job_id, ordinal, class, object_key, item, object)
                VALUES (\(app), \(job), \(object.ordinal), \(object.item.className ?? ""), \(key), \(item), \(bytes))
                """)
        }
        guard !objects.isEmpty else { return }
        try connection.execute("UPDATE job SET quarantined_count = \(objects.count) WHERE job_id = \(job)")
    }
}
