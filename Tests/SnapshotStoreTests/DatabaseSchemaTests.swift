import Foundation
import Postgres
import TestDatabase
import Testing

@testable import SnapshotStore

@Suite struct DatabaseSchemaTests {
    @Test func `is brought up to date once by many at a time`() throws {
        let url = try TestDatabase.make()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            #expect(throws: Never.self) { try DatabaseSchema.upgrade(PostgresPool(url, size: 1)) }
        }
        let pool = PostgresPool(url)
        let version = try pool.withConnection { try DatabaseSchema.version($0) }
        #expect(version == DatabaseSchema.currentVersion)
        try DatabaseSchema.upgrade(pool)
    }

    @Test func `is refused where a newer program was`() throws {
        let pool = PostgresPool(try TestDatabase.make())
        try DatabaseSchema.upgrade(pool)
        let newer = DatabaseSchema.currentVersion + 1
        _ = try pool.withConnection {
            try $0.execute("INSERT INTO database_migration (number, name) VALUES (\(Int32(newer)), \("later"))")
        }
        #expect(throws: StoreError.databaseTooNew(found: newer, known: newer - 1)) {
            try DatabaseSchema.upgrade(pool)
        }
        #expect(throws: StoreError.databaseTooNew(found: newer, known: newer - 1)) {
            try SnapshotStore(pool).ping()
        }
    }

    @Test func `carries every file of db, in order`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../db").standardizedFileURL.path
        func text(_ file: String) throws -> String { try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8) }
        let baseline = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/baseline").sorted()
        #expect(try baseline.map { try text("baseline/\($0)") }.joined(separator: "\n") == DatabaseChange.baseline.sql)
        #expect(try text("take_over.sql") == DatabaseChange.takeOver.sql)
        let later = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/migrations").sorted()) ?? []
        #expect(later == DatabaseChange.later.map { String(format: "%04d_%@.sql", $0.number, $0.name as NSString) })
        for (index, change) in DatabaseChange.later.enumerated() {
            #expect(change.number == DatabaseChange.baseline.number + 1 + index)
            #expect(try text("migrations/\(later[index])") == change.sql)
        }
    }

    @Test(arguments: [
        ("state = 'asleep'", "state_known"),
        ("lease_until = now()", "lease_while_running"),
        ("state = 'running', attempt = 1, started_at = now()", "lease_while_running"),
        ("state = 'succeeded', attempt = 1, started_at = now(), finished_at = now()", "migration_result"),
        ("result_id = source_id", "migration_result"),
        ("kind = 'census'", "kind_known"),
        ("realm_name = NULL", "realm_whole"),
        ("realm_id = NULL, realm_name = NULL", "exclusive_in_realm"),
        ("source_id = NULL", "migration_whole"),
        ("to_version = NULL", "migration_whole"),
        ("dry_run = NULL", "migration_whole"),
        ("state = 'failed', finished_at = now()", "problem_when_failed"),
        ("state = 'cancelled'", "finished_when_over"),
        ("attempt = -1", "attempt_in_range"),
        ("attempt = 1", "started_with_attempt"),
        ("cancel_requested = true", "cancel_while_running"),
        ("host_losses = 1", "losses_counted"),
        ("log_count = -1", "job_log_count_check"),
        ("priority = 2", "priority_known"),
        ("to_version = -1", "job_to_version_check"),
        ("to_version = 18446744073709551615", "job_to_version_check"),
        ("kind = 'fleet', exclusive = false", "fleet_whole"),
        ("kind = 'backfill'", "backfill_whole"),
        ("kind = 'backfill', exclusive = false", "backfill_whole"),
        ("kind = 'partner_backfill'", "partner_backfill_whole"),
        ("kind = 'partner_backfill', exclusive = false, result_id = source_id", "result_of_success"),
        ("dry_run = true, result_id = source_id", "result_of_success"),
    ])
    func `refuses a job in an impossible state`(_ change: String, _ constraint: String) throws {
        let fixture = try StoreFixture()
        let source = try fixture.upload()
        _ = try fixture.queueMigration(of: source)
        let error = #expect(throws: PostgresError.self) {
            try fixture.pool.withConnection { try $0.execute(script: "UPDATE job SET \(change)") }
        }
        #expect(error?.constraint == constraint)
    }

    @Test func `reads no constraint of jobs anew for each statement`() throws {
        let fixture = try StoreFixture()
        let rows = try fixture.pool.withConnection { connection in
            try connection.query("SELECT FROM pg_constraint WHERE conrelid = 'job'::regclass AND contype = 'c'")
        }
        #expect(rows.isEmpty)
    }
}
