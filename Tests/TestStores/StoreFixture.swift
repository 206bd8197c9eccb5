import AccessStore
import Columns
import Foundation
import JobStore
import Postgres
import RealmModel
import SnapshotStore
import StoreCore
import TestDatabase

/// The stores of a database of their own, with the app `shop`.
package struct StoreFixture {
    package let pool: PostgresPool
    package let store: SnapshotStore
    package let jobs: JobStore
    package let access: AccessStore

    package init(grace: Duration = .seconds(3600)) throws {
        pool = PostgresPool(try TestDatabase.make(), size: 16)
        try DatabaseSchema.upgrade(pool)
        store = SnapshotStore(pool, maintenance: MaintenanceLimits(grace: grace))
        jobs = JobStore(store)
        access = AccessStore(pool)
        _ = try store.apps.put("shop")
    }

    package static let schema = Schema([
        ObjectSchema("Person", primaryKey: "id", properties: [Property("id", .int), Property("name", .string)])
    ])

    /// Writes persons into a segment store.
    package static func persons(_ count: Int, version: UInt64? = 1, into store: any SegmentStore) throws -> Snapshot {
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
    package static func names(_ snapshot: Snapshot, _ store: any SegmentStore) throws -> [Value] {
        guard let stored = snapshot["Person"] else { return [] }
        let reader = try ClassReader(stored, store: store)
        return try reader.rowGroups.indices.flatMap { group in
            let names = try reader.column(1, inGroup: group)
            return try (0..<names.count).map { try names.value(at: $0, as: ColumnType(.string)) }
        }
    }

    @discardableResult
    package func upload(_ count: Int = 10, to realm: String = "alice") throws -> SnapshotInfo {
        let draft = try store.snapshots.beginDraft(of: realm, in: "shop")
        return try draft.commit(try Self.persons(count, into: draft.store))
    }

    package func count(_ table: StaticString) throws -> Int {
        try pool.withConnection {
            try $0.query("SELECT count(*) AS n FROM \(unsafeSQL: table)")[0].value("n")
        }
    }

    /// Waits until a condition holds, ten minutes at most.
    package func wait(until condition: () throws -> Bool) throws {
        for _ in 0..<60_000 {
            if try condition() { return }
            Thread.sleep(forTimeInterval: 0.01)
        }
        throw TimedOut()
    }

    /// A condition did not come true.
    private struct TimedOut: Error {}

    /// Queues a migration of a snapshot to version 2.
    package func queueMigration(of source: SnapshotInfo) throws -> Job {
        let order = MigrationOrder(MigrationOrder.Request(targetVersion: 2), plan: nil, of: source)
        return try jobs.insert(.migration(order), of: source.app)
    }
}

extension Job {
    package var migration: MigrationOrder {
        guard case .migration(let order) = order else { preconditionFailure("The job is no migration.") }
        return order
    }
}

/// Every page of a list, one after the other.
package func allPages<Item>(_ limit: Int, _ list: (PageRequest) throws -> Page<Item>) throws -> [Page<Item>] {
    var pages = [try list(PageRequest(limit: limit))]
    while let next = pages.last?.next { pages.append(try list(PageRequest(limit: limit, cursor: next))) }
    return pages
}
