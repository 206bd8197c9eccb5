import Foundation
import Postgres
import SnapshotStore
import TestDatabase
import TestStores
import Testing

@testable import StoreCore

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

    @Test func `says whose locks a change waits for, and is tried until they are gone`() throws {
        let url = try TestDatabase.make()
        let pool = PostgresPool(url, size: 1)
        try pool.withConnection { connection in
            try DatabasePlace.prepare(connection)
            try connection.execute(script: DatabaseChange.baseline.sql)
            try connection.execute(script: "INSERT INTO database_migration (number, name) VALUES (38, 'baseline')")
        }
        let other = try PostgresConnection(url + "&application_name=dump")
        try other.execute(script: "BEGIN; LOCK TABLE realm IN ROW EXCLUSIVE MODE")
        var told: [String] = []
        try DatabaseSchema.upgrade(pool, lockTimeout: .milliseconds(50)) { text in
            told.append(text)
            if told.count == 2 { #expect(throws: Never.self) { try other.execute(script: "COMMIT") } }
        }
        #expect(told.count >= 2)
        #expect(told.first?.hasPrefix("change 39 of the database waits for dump (process ") == true, "\(told)")
        #expect(told.first?.contains("which has had locks on realm for ") == true)
        #expect(try pool.withConnection { try DatabaseSchema.version($0) } == DatabaseSchema.currentVersion)
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
            #expect(change.number > (index == 0 ? .baseline : DatabaseChange.later[index - 1]).number)
            #expect(try text("migrations/\(later[index])") == change.sql)
        }
    }

    @Test(arguments: [
        ("state = 'asleep'", "state_whole"),
        ("lease_until = now()", "state_whole"),
        ("state = 'running', attempt = 1, started_at = now()", "state_whole"),
        ("state = 'running', attempt = 1, started_at = now(), lease_token = job_id", "state_whole"),
        ("state = 'succeeded', attempt = 1, started_at = now()", "state_whole"),
        (
            "state = 'succeeded', attempt = 1, started_at = now(), finished_at = now(), lease_until = now()",
            "state_whole"
        ),
        ("state = 'succeeded', finished_at = now(), problem = '{}'", "state_whole"),
        ("state = 'failed', finished_at = now()", "state_whole"),
        ("state = 'failed', problem = '{}'", "state_whole"),
        ("state = 'cancelled'", "state_whole"),
        ("cancel_requested = true", "state_whole"),
        ("problem = '{}'", "state_whole"),
        ("finished_at = now()", "state_whole"),
        ("kind = 'census'", "kind_whole"),
        ("fleet_id = app_id", "kind_whole"),
        ("realm_id = NULL, realm_name = NULL", "kind_whole"),
        ("kind = 'fleet', exclusive = false", "kind_whole"),
        ("kind = 'fleet', exclusive = false, realm_id = NULL, realm_name = NULL", "kind_whole"),
        ("kind = 'backfill'", "kind_whole"),
        ("kind = 'partner_backfill'", "kind_whole"),
        ("kind = 'rehearsal', exclusive = false", "kind_whole"),
        ("kind = 'rehearsal', realm_id = NULL, realm_name = NULL", "kind_whole"),
        ("realm_name = NULL", "kind_whole"),
        ("attempt = 1", "numbers_whole"),
        ("started_at = now()", "numbers_whole"),
        ("attempt = -1", "numbers_whole"),
        ("host_losses = 1", "numbers_whole"),
        ("log_count = -1", "numbers_whole"),
        ("priority = 2", "numbers_whole"),
        ("priority = -2", "numbers_whole"),
    ])
    func `refuses a job in an impossible state`(_ change: String, _ constraint: String) throws {
        #expect(try refusal(of: "UPDATE job SET \(change)")?.constraint == constraint)
    }

    @Test(arguments: [
        ("to_version = -1", "migration_job_to_version_check"),
        ("to_version = 18446744073709551615", "migration_job_to_version_check"),
        ("job_id = source_id", "migration_job_app_id_job_id_fkey"),
        ("app_id = source_id", "migration_job_app_id_job_id_fkey"),
    ])
    func `refuses an impossible order`(_ change: String, _ constraint: String) throws {
        #expect(try refusal(of: "UPDATE migration_job SET \(change)")?.constraint == constraint)
    }

    /// The error of a change of a queued migration.
    private func refusal(of change: String) throws -> PostgresError? {
        let fixture = try StoreFixture()
        _ = try fixture.queueMigration(of: try fixture.upload())
        return #expect(throws: PostgresError.self) {
            try fixture.pool.withConnection { try $0.execute(script: change) }
        }
    }
}
