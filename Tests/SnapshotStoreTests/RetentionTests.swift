import Foundation
import Postgres
import RealmModel
import StoreCore
import TestStores
import Testing

@testable import SnapshotStore

@Suite struct `What an app keeps` {
    private let fixture: StoreFixture
    private var store: SnapshotStore { fixture.store }

    init() throws { fixture = try StoreFixture(grace: .zero) }

    /// Uploads as many snapshots, each a day older than the next.
    private func upload(_ count: Int, to realm: String = "alice") throws -> [RealmModel.UUID] {
        let made = try (0..<count).map { try fixture.upload($0 + 1, to: realm).id }
        for (age, id) in made.reversed().enumerated() {
            try setAge("snapshot", "snapshot_id", "created_at", id, days: age)
        }
        return made
    }

    private func setAge(
        _ table: StaticString, _ key: StaticString, _ column: StaticString, _ id: RealmModel.UUID, days: Int
    ) throws {
        try fixture.pool.withConnection { connection in
            _ = try connection.execute(
                """
                UPDATE \(unsafeSQL: table) SET \(unsafeSQL: column) = now() - \(Double(days) + 0.5) * interval '1 day'
                WHERE \(unsafeSQL: key) = \(id)
                """)
        }
    }

    private func remaining(_ realm: String = "alice") throws -> Set<RealmModel.UUID> {
        Set(try store.snapshots.list(of: realm, in: "shop").items.map(\.id))
    }

    @Test(
        arguments: [
            (Retention(keepSnapshots: 2), 2), (Retention(keepDays: 3), 3),
            (Retention(keepSnapshots: 2, keepDays: 4), 4),
            (Retention(keepSnapshots: 5, keepDays: 1), 5), (Retention(keepDays: 0.1), 1), (Retention(), 6),
            (Retention(keepJobs: 0), 6),
        ])
    func `keeps snapshots that their number or their age keeps`(retention: Retention, count: Int) throws {
        let made = try upload(6)
        let others = try upload(3, to: "bob")
        try store.apps.setRetention(retention, of: "shop")
        #expect(try store.apps.retention(of: "shop") == retention)
        let report = try store.maintenance.removeOld()
        #expect(try remaining() == Set(made.suffix(count)))
        #expect(try remaining("bob") == Set(others.suffix(count)))
        #expect(report.snapshots == 6 - count + max(3 - count, 0))
        for _ in 0..<3 { try store.maintenance.sweep() }
        // A batch each: no upload shares segments with another.
        #expect(try fixture.count("segment_batch") == count + min(count, 3))
        let opened = try store.snapshots.openCurrent(of: "alice", in: "shop")
        #expect(try StoreFixture.names(opened.snapshot, opened.store).count == 6)
    }

    @Test func `keeps what is current, what a job migrates, and what a recovery shows`() throws {
        let made = try upload(5)
        let current = try store.snapshots.find(made[0])
        _ = try store.realms.restore(made[0], in: "alice", of: "shop")
        _ = try fixture.queueMigration(of: current)
        try fixture.pool.withConnection { connection in
            _ = try connection.execute(
                """
                INSERT INTO recovery (app_id, recovery_id, realm_id, snapshot_id, schema)
                SELECT app_id, gen_random_uuid(), realm_id, snapshot_id, '' FROM snapshot WHERE snapshot_id = \(made[1])
                """)
        }
        try store.apps.setRetention(Retention(keepSnapshots: 1), of: "shop")
        try store.maintenance.removeOld()
        #expect(try remaining() == [made[0], made[1], made[4]])
    }

    @Test(
        arguments: [
            (Retention(keepJobs: 2), 2), (Retention(keepJobDays: 3), 3), (Retention(keepJobs: 1, keepJobDays: 2), 2),
            (Retention(keepJobs: 0), 0), (Retention(keepSnapshots: 1), 5),
        ])
    func `keeps jobs that their number or their age keeps, and those that are not over`(
        retention: Retention, count: Int
    ) throws {
        let source = try fixture.upload()
        var ended: [RealmModel.UUID] = []
        for age in [4, 3, 2, 1, 0] {
            let job = try fixture.queueMigration(of: source)
            _ = try fixture.jobs.cancel(job.id)
            try setAge("job", "job_id", "finished_at", job.id, days: age)
            ended.append(job.id)
        }
        let waiting = try fixture.queueMigration(of: source)
        try store.apps.setRetention(retention, of: "shop")
        try store.maintenance.removeOld()
        let left = try fixture.jobs.list().items.map(\.id)
        #expect(Set(left) == Set(ended.suffix(count) + [waiting.id]))
    }

    @Test func `is a chore of one of all processes`() throws {
        var turn = try #require(try store.maintenance.takeRetention(every: .seconds(60)))
        #expect(try store.maintenance.takeRetention(every: .seconds(60)) == nil)
        while try turn.step() {}
        #expect(try store.maintenance.takeRetention(every: .seconds(60)) == nil)
        #expect(throws: StoreError.notFound(.app, "cafe")) { try store.apps.setRetention(Retention(), of: "cafe") }
        #expect(throws: StoreError.notFound(.app, "cafe")) { try store.apps.retention(of: "cafe") }
    }
}
