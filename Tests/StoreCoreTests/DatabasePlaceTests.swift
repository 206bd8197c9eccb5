import Foundation
import Postgres
import SnapshotStore
import TestDatabase
import Testing
import Threads

@testable import StoreCore

/// Where in a database the tables are, and which databases are none of the service's.
@Suite struct DatabasePlaceTests {
    private let url: String
    private let pool: PostgresPool

    init() throws {
        url = try TestDatabase.make(alone: true)
        pool = PostgresPool(url, size: 2, schema: DatabaseSchema.name)
    }

    private func run(_ sql: String) throws { try PostgresConnection(url).execute(script: sql) }

    /// The tables that there are, by schema.
    private func tables() throws -> [String: Set<String>] {
        let rows = try PostgresConnection(url).query(
            """
            SELECT schemaname::text AS schema, tablename::text AS name FROM pg_tables
            WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
            """)
        return try rows.reduce(into: [:]) {
            try $0[$1.value("schema", as: String.self), default: []].insert($1.value("name", as: String.self))
        }
    }

    /// Makes a list of changes in `public`, as programs did that knew of no schema.
    private func makeFormer() throws {
        try run(
            """
            CREATE TABLE database_migration (number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz);
            INSERT INTO database_migration (number, name)
                SELECT number, CASE number WHEN 1 THEN 'service' ELSE 'change' END FROM generate_series(1, 14) AS number;
            CREATE TABLE app (app_id uuid PRIMARY KEY)
            """)
    }

    @Test func `is a schema of the service's own`() throws {
        try DatabaseSchema.upgrade(pool)
        let tables = try tables()
        #expect(Set(tables.keys) == ["realmshift"])
        #expect(tables["realmshift"]?.isSuperset(of: ["app", "job", "database_migration"]) == true)
        _ = try SnapshotStore(pool).apps.put("shop")
        try SnapshotStore(pool).ping()
        try DatabaseSchema.upgrade(pool)
    }

    /// The other process is done between two questions of this one, of which the second waits for a lock.
    @Test func `is found where another process makes it at the same moment`() throws {
        let other = try PostgresConnection(url)
        try other.execute(script: "BEGIN; LOCK TABLE pg_depend IN ACCESS EXCLUSIVE MODE")
        let upgrading = ThreadGroup()
        let failure = Mutex<String?>(nil)
        upgrading.start("upgrade") { [pool] in
            do { try DatabaseSchema.upgrade(pool) } catch { failure.withLock { $0 = "\(error)" } }
        }
        let watching = try PostgresConnection(try TestDatabase.make())
        while try watching.query("SELECT FROM pg_locks WHERE NOT granted AND relation = 'pg_depend'::regclass").isEmpty
        {
            Thread.sleep(forTimeInterval: 0.01)
        }
        try other.execute(
            script: """
                CREATE SCHEMA realmshift;
                CREATE TABLE realmshift.database_migration
                    (number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
                COMMIT
                """)
        #expect(upgrading.wait(timeout: .seconds(60)))
        #expect(failure.withLock { $0 } == nil)
        #expect(try Set(tables().keys) == ["realmshift"])
    }

    @Test func `is what the URL says where it says one`() throws {
        try run("CREATE SCHEMA elsewhere; CREATE TABLE others (id bigint)")
        let pool = PostgresPool(url + "&options=-csearch_path%3Delsewhere", schema: DatabaseSchema.name)
        try DatabaseSchema.upgrade(pool)
        let tables = try tables()
        #expect(Set(tables.keys) == ["public", "elsewhere"])
        #expect(tables["public"] == ["others"])
    }

    @Test(arguments: ["SELECT 1", "CREATE SCHEMA realmshift", "CREATE TABLE others (id bigint)"])
    func `is refused where the first programs left their tables in public`(_ others: String) throws {
        try makeFormer()
        try run(others)
        let before = try tables()
        #expect(throws: StoreError.databaseTooOld(found: 14, needed: 37)) { try DatabaseSchema.upgrade(pool) }
        #expect(try tables() == before)
    }

    @Test(arguments: [
        "CREATE TABLE others (id bigint)",
        "CREATE SCHEMA billing; CREATE TABLE billing.invoice (id bigint)",
        "CREATE SCHEMA realmshift; CREATE TABLE realmshift.others (id bigint)",
        "CREATE SCHEMA realmshift; CREATE TABLE realmshift.database_migration (id bigint)",
        "CREATE SCHEMA realmshift; CREATE TABLE realmshift.database_migration (number integer, name text); "
            + "INSERT INTO realmshift.database_migration VALUES (1, 'invoices')",
        "CREATE TABLE database_migration (number integer, name text); INSERT INTO database_migration VALUES (1, 'invoices')",
        "CREATE TABLE database_migration (version text)",
        "CREATE VIEW others AS SELECT 1 AS one",
    ])
    func `is refused where something else lives, and nothing is changed`(_ others: String) throws {
        try run(others)
        let before = try tables()
        for _ in 0..<2 {
            #expect(throws: StoreError.databaseForeign) { try DatabaseSchema.upgrade(pool) }
        }
        #expect(try tables() == before)
    }

    @Test func `is beside something else where somebody has made a place for it`() throws {
        try run("CREATE TABLE others (id bigint); CREATE SCHEMA realmshift")
        try DatabaseSchema.upgrade(pool)
        #expect(try tables()["public"] == ["others"])
        _ = try SnapshotStore(pool).apps.put("shop")
    }
}
