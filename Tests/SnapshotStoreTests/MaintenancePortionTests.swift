import Foundation
import Postgres
import RealmModel
import StoreCore
import TestStores
import Testing

@testable import SnapshotStore

/// Counts the rows that each transaction of maintenance removes or changes, which do not depend on how fast anything is.
@Suite struct `A portion of maintenance` {
    private static let portion = 10
    private let fixture: StoreFixture
    private let store: SnapshotStore

    init() throws {
        fixture = try StoreFixture()
        store = SnapshotStore(
            fixture.pool, maintenance: MaintenanceLimits(grace: .zero, portion: Self.portion))
    }

    /// From now on notes for each transaction how many rows of a table it removes.
    private func count(_ table: String) throws {
        try fixture.pool.withConnection { connection in
            try connection.execute(
                script: """
                    CREATE TABLE IF NOT EXISTS removal (tx bigint, of text, rows bigint);
                    CREATE OR REPLACE FUNCTION note_removal() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN
                        INSERT INTO removal SELECT txid_current(), TG_TABLE_NAME, count(*) FROM gone HAVING count(*) > 0;
                        RETURN NULL;
                    END $$;
                    CREATE TRIGGER note_removal AFTER DELETE ON \(table) REFERENCING OLD TABLE AS gone
                        FOR EACH STATEMENT EXECUTE FUNCTION note_removal()
                    """)
        }
    }

    /// Of a table the rows that were removed, and the most that one transaction did.
    private func removed(_ table: String) throws -> (all: Int, most: Int) {
        let row = try fixture.pool.withConnection { connection in
            try connection.query(
                """
                SELECT coalesce(sum(rows), 0)::bigint AS all_rows, coalesce(max(rows), 0)::bigint AS most
                FROM (SELECT sum(rows)::bigint AS rows FROM removal WHERE of = \(table) GROUP BY tx) AS each
                """)[0]
        }
        return (try row.value("all_rows"), try row.value("most"))
    }

    @Test func `has snapshots of one realm and of many`() throws {
        for realm in 0..<8 { for _ in 0..<4 { try fixture.upload(1, to: "r\(realm)") } }
        for _ in 0..<35 { try fixture.upload(1, to: "long") }
        try store.apps.setRetention(Retention(keepSnapshots: 2), of: "shop")
        try count("snapshot")
        var turn = try #require(try store.maintenance.takeRetention(every: .zero))
        while try turn.step() {}
        #expect(try removed("snapshot") == (8 * 2 + 33, Self.portion))
        // Nothing is left for a second round.
        #expect(try store.maintenance.removeOld() == RetentionReport())
    }

    @Test func `has jobs with their logs`() throws {
        let source = try fixture.upload()
        let jobs = try (0..<25).map { _ in
            let job = try fixture.queueMigration(of: source)
            return try fixture.jobs.cancel(job.id)
        }
        try fixture.pool.withConnection { connection in
            _ = try connection.execute(
                """
                UPDATE job SET log_count = 30 WHERE job_id = ANY(\(PostgresArray(jobs.prefix(3).map(\.id))))
                """)
        }
        try store.apps.setRetention(Retention(keepJobs: 1), of: "shop")
        try count("job")
        #expect(try store.maintenance.removeOld().jobs == 24)
        // Each of the first three goes alone, as it has a log.
        let transactions = try fixture.pool.withConnection { connection in
            try connection.query("SELECT rows FROM removal ORDER BY tx").map { try $0.value("rows", as: Int.self) }
        }
        #expect(transactions == [1, 1, 1, 10, 10, 1])
    }

    @Test func `has segments, of a batch that goes and of one that stays`() throws {
        let draft = try fixture.store.snapshots.beginDraft(of: "alice", in: "shop")
        _ = try StoreFixture.persons(1_000, into: draft.store)
        _ = try draft.commit(try StoreFixture.persons(10, into: draft.store))
        try fixture.upload(1_000, to: "bob")
        try store.realms.delete("bob", in: "shop")
        let before = try fixture.count("segment")
        try count("segment")
        try count("segment_column")
        try store.maintenance.sweep()
        #expect(try fixture.count("segment_batch") == 1)
        #expect(try fixture.count("segment") == 4)
        let (segments, columns) = (try removed("segment"), try removed("segment_column"))
        #expect(segments == (before - 4, Self.portion))
        #expect(columns.most <= Self.portion)
    }

    @Test(arguments: [
        "UPDATE segment_batch SET garbage_since = now() + interval '1 hour'",
        "INSERT INTO segment_reader SELECT app_id, gen_random_uuid(), realm_id, now() + interval '1 hour' FROM segment_batch",
    ])
    func `leaves what became garbage meanwhile, or is read`(statement: String) throws {
        for realm in ["alice", "bob"] {
            let draft = try fixture.store.snapshots.beginDraft(of: realm, in: "shop")
            _ = try StoreFixture.persons(1_000, into: draft.store)
            _ = try draft.commit(try StoreFixture.persons(10, into: draft.store))
        }
        let before = try fixture.count("segment")
        var round = try SweepRound(store)
        while try fixture.count("segment") == before { #expect(try round.step()) }
        try fixture.pool.withConnection { try $0.execute(script: statement) }
        let left = try fixture.count("segment")
        while try round.step() {}
        #expect(try fixture.count("segment") == left)
        try fixture.pool.withConnection { connection in
            try connection.execute(script: "DELETE FROM segment_reader; UPDATE segment_batch SET garbage_since = now()")
        }
        try store.maintenance.sweep()
        #expect(try fixture.count("segment") == 8)
    }

    @Test func `has parts of uploads`() throws {
        let upload = try store.uploads.begin(
            for: "alice", in: "shop", length: 25, mediaType: "application/json", metadata: "", totalLimit: 1 << 20)
        for offset in 0..<25 { try store.uploads.append([0], at: offset, to: upload) }
        try fixture.pool.withConnection { _ = try $0.execute("UPDATE upload SET expires_at = now()") }
        try count("upload_part")
        try store.maintenance.sweep()
        #expect(try removed("upload_part") == (25, Self.portion))
        #expect(try fixture.count("upload") == 0)
    }

    @Test func `waits for no realm that is being changed`() throws {
        for realm in ["alice", "bob"] { for _ in 0..<3 { try fixture.upload(1, to: realm) } }
        try store.apps.setRetention(Retention(keepSnapshots: 1), of: "shop")
        try fixture.pool.transaction { connection in
            _ = try SnapshotStore.Realms.lock("alice", in: "shop", connection)
            #expect(try store.maintenance.removeOld().snapshots == 2)
        }
        #expect(try store.maintenance.removeOld().snapshots == 2)
    }

    @Test func `is told of as what is left`() throws {
        #expect(try store.maintenance.backlog().batches == 0)
        for _ in 0..<3 { try fixture.upload() }
        #expect(try store.maintenance.backlog().batches == 3)
        #expect(try fixture.store.maintenance.backlog().batches == 0)
        try store.maintenance.sweep()
        #expect(try store.maintenance.backlog().batches == 0)
        #expect(try store.maintenance.backlog().sweepAge >= .zero)
    }
}
