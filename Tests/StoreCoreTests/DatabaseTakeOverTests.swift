import Foundation
import JobStore
import Postgres
import SnapshotStore
import TestDatabase
import Testing

@testable import StoreCore

/// Databases that the last program before the baseline left behind, with rows in every table.
@Suite struct DatabaseTakeOverTests {
    private let former: PostgresPool

    init() throws {
        former = try Self.pool()
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/version_37.sql")
        let dump = try String(contentsOf: file, encoding: .utf8)
        try former.withConnection { connection in
            try connection.execute(script: dump)
            try connection.execute(script: "SET search_path = realmshift; RESET client_min_messages")
        }
    }

    private static func pool() throws -> PostgresPool {
        PostgresPool(try TestDatabase.make(alone: true), size: 1, schema: DatabaseSchema.name)
    }

    /// The tables, columns, constraints, indexes, functions and triggers; columns in no order.
    private func shape(_ pool: PostgresPool) throws -> [String] {
        try pool.withConnection { connection in
            try connection.query(
                """
                WITH ours AS (
                    SELECT oid, relname, reloptions FROM pg_class
                    WHERE relnamespace = 'realmshift'::regnamespace AND relkind = 'r'
                )
                SELECT concat_ws(' ', 'table', relname, reloptions::text) AS line FROM ours
                UNION ALL SELECT concat_ws(' ', 'column', relname, attname, format_type(atttypid, atttypmod), attnotnull,
                    attcollation::regcollation, attstorage, pg_get_expr(adbin, adrelid))
                FROM ours JOIN pg_attribute a ON attrelid = oid AND attnum > 0 AND NOT attisdropped
                LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
                UNION ALL SELECT concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(c.oid))
                FROM ours JOIN pg_constraint c ON conrelid = ours.oid
                UNION ALL SELECT concat_ws(' ', 'index', pg_get_indexdef(indexrelid)) FROM ours JOIN pg_index ON indrelid = oid
                UNION ALL SELECT concat_ws(' ', 'trigger', relname, pg_get_triggerdef(t.oid))
                FROM ours JOIN pg_trigger t ON tgrelid = ours.oid AND NOT tgisinternal
                UNION ALL SELECT concat_ws(' ', 'function', pg_get_functiondef(oid))
                FROM pg_proc WHERE pronamespace = 'realmshift'::regnamespace
                ORDER BY line
                """
            ).map { try $0.value("line") }
        }
    }

    /// Rows that are another table's afterwards, or have other columns, as the former tables have them.
    private static let moved = [
        "job": """
        SELECT to_jsonb(j) - '{source_id,result_id,from_version,to_version,request,schema,migration,plan,dry_run,attempt_limit}'::text[]
        FROM job j WHERE kind <> 'no_op'
        """,
        "migration_job": """
        SELECT to_jsonb(j) FROM (
            SELECT app_id, job_id, source_id, from_version, to_version, request, schema, migration, plan, result_id
            FROM job WHERE kind = 'migration') AS j
        """,
        "backfill_job": """
        SELECT to_jsonb(j) FROM (SELECT app_id, job_id, request, migration AS function FROM job WHERE kind = 'backfill') AS j
        """,
        "partner_backfill_job": """
        SELECT to_jsonb(j) FROM (
            SELECT app_id, job_id, request -> 'partner' AS partner_id FROM job WHERE kind = 'partner_backfill') AS j
        """,
        "rehearsal_job": """
        SELECT to_jsonb(j) FROM (SELECT app_id, job_id, to_version, request FROM job WHERE kind = 'rehearsal') AS j
        """,
        "job_log": ofJob("job_log"), "job_attempt": ofJob("job_attempt"), "job_report": ofJob("job_report"),
        "quarantined_object": ofJob("quarantined_object"),
        "audit_entry":
            "SELECT to_jsonb(e) || jsonb_build_object('app_name', coalesce(app_name, '')) FROM audit_entry e",
    ]

    /// The rows of tables without the columns and rows that they have got since the baseline.
    private static let grown = [
        "chore": "SELECT to_jsonb(c) - 'backlog' - 'ended_at' FROM chore c WHERE name NOT IN ('counting', 'figures')",
        "realm": "SELECT to_jsonb(r) - '{counted_id,counted_version,is_uncounted}'::text[] FROM realm r",
        "job": "SELECT to_jsonb(j) - 'trace_parent' FROM job j",
    ]

    /// The rows of a table that get the app of their jobs.
    private static func ofJob(_ table: String) -> String {
        "SELECT to_jsonb(o) || jsonb_build_object('app_id', j.app_id) FROM \(table) o JOIN job j USING (job_id)"
    }

    /// The rows of all tables, each as JSON, but for the list of changes.
    ///
    /// - Parameter queries: the rows of tables that are asked for otherwise.
    private func rows(_ pool: PostgresPool, _ queries: [String: String] = [:]) throws -> [String: [String]] {
        try pool.withConnection { connection in
            let tables = try connection.query(
                "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'realmshift' AND tablename <> 'database_migration'"
            ).map { try $0.value("name", as: String.self) }
            var rows: [String: [String]] = [:]
            for table in Set(tables).union(queries.keys) {
                let query = queries[table] ?? "SELECT to_jsonb(t) FROM \(table) t"
                rows[table] = try connection.query(
                    PostgresStatement(stringLiteral: "SELECT row::text AS row FROM (\(query)) AS rows (row) ORDER BY 1")
                ).map { try $0.value("row") }
            }
            return rows
        }
    }

    @Test func `get the same tables as a new one`() throws {
        try DatabaseSchema.upgrade(former)
        let fresh = try Self.pool()
        try DatabaseSchema.upgrade(fresh)
        let (taken, made) = (try shape(former), try shape(fresh))
        #expect(Set(taken).subtracting(made) == [] && Set(made).subtracting(taken) == [])
        #expect(taken.count == made.count && made.count > 300)
        try DatabaseSchema.upgrade(former)
        try SnapshotStore(former).ping()
    }

    @Test func `keep every row`() throws {
        #expect(try rows(former).values.allSatisfy { !$0.isEmpty })
        let expected = try rows(former, Self.moved)
        try DatabaseSchema.upgrade(former)
        let taken = try rows(former, Self.grown)
        #expect(Set(taken.keys).isSuperset(of: expected.keys))
        for (table, rows) in expected { #expect(taken[table] == rows, "\(table)") }
    }

    @Test func `have jobs that can be read, and whose orders are what they were`() throws {
        try DatabaseSchema.upgrade(former)
        let jobs = try JobStore(SnapshotStore(former)).list().items.compactMap(\.job)
        #expect(jobs.count == 9)
        #expect(
            Dictionary(grouping: jobs, by: \.order.kind).mapValues(\.count) == [
                .migration: 4, .backfill: 2, .partnerBackfill: 1, .fleet: 1, .rehearsal: 1,
            ])
        let migration = try #require(jobs.first { $0.quarantinedCount == 1 }).migration
        #expect(migration.resultSnapshot != nil && migration.fromVersion == 1 && migration.toVersion == 2)
    }

    @Test func `of older programs are refused, and stay as they are`() throws {
        try former.withConnection { try $0.execute(script: "DELETE FROM database_migration WHERE number = 37") }
        let before = try rows(former)
        let error = #expect(throws: StoreError.self) { try DatabaseSchema.upgrade(former) }
        #expect(error == .databaseTooOld(found: 36, needed: 37))
        #expect(
            error?.description == """
                The database is at version 36, and this program takes over databases of version 37: start the last realmshift of \
                version 37 with it once, and then this one.
                """)
        #expect(try rows(former) == before)
    }
}
