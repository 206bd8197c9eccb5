import Columns
import Postgres
import RealmModel
import TestDatabase

@testable import SnapshotStore

/// A store in a database of its own, with the app `shop`.
struct StoreFixture {
    let pool: PostgresPool
    let store: SnapshotStore

    init(grace: Duration = .seconds(3600)) throws {
        pool = PostgresPool(try TestDatabase.make(), size: 16)
        try DatabaseSchema.upgrade(pool)
        store = SnapshotStore(pool, maintenance: MaintenanceLimits(grace: grace))
        _ = try store.apps.put("shop")
    }

    static let schema = Schema([
        ObjectSchema("Person", primaryKey: "id", properties: [Property("id", .int), Property("name", .string)])
    ])

    /// Writes persons into a segment store.
    static func persons(_ count: Int, version: UInt64? = 1, into store: any SegmentStore) throws -> Snapshot {
        let writer = ClassWriter(
            schema: schema.classes[0], store: store, limits: RowGroupLimits(rows: 100, bytes: 1 << 20))
        for number in 0..<count {
            writer.columns[0].append(int: Int64(number))
            try writer.columns[1].append(variable: Array("person \(number)".utf8))
            try writer.endRow(key: ObjectKey(Int64(number)))
        }
        return Snapshot(
            schemaVersion: version, declared: schema, classes: [try writer.finish(nextSequence: Int64(count))])
    }

    /// The names of the persons of a snapshot.
    static func names(_ snapshot: Snapshot, _ store: any SegmentStore) throws -> [Value] {
        guard let stored = snapshot["Person"] else { return [] }
        let reader = try ClassReader(stored, store: store)
        return try reader.rowGroups.indices.flatMap { group in
            let names = try reader.column(1, inGroup: group)
            return try (0..<names.count).map { try names.value(at: $0, as: ColumnType(.string)) }
        }
    }

    @discardableResult
    func upload(_ count: Int = 10, to realm: String = "alice") throws -> SnapshotInfo {
        let draft = try store.snapshots.beginDraft(of: realm, in: "shop")
        return try draft.commit(try Self.persons(count, into: draft.store))
    }

    func count(_ table: StaticString) throws -> Int {
        try pool.withConnection {
            try $0.query("SELECT count(*) AS n FROM \(unsafeSQL: table)")[0].value("n")
        }
    }

    /// Queues a migration of a snapshot to version 2.
    func queueMigration(of source: SnapshotInfo) throws -> Job {
        let order = MigrationOrder(MigrationOrder.Request(targetVersion: 2), plan: nil, of: source)
        return try store.jobs.insert(.migration(order), of: source.app)
    }
}

extension Job {
    var migration: MigrationOrder {
        guard case .migration(let order) = order else { preconditionFailure("The job is no migration.") }
        return order
    }
}
