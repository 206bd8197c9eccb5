import Foundation
import Postgres
import TestDatabase
import Testing
import Threads

@testable import SnapshotStore

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

    /// Brings the tables up to a version as programs did that knew of no schema.
    private func makeFormer(_ version: Int) throws {
        let connection = try PostgresConnection(url)
        try connection.execute(
            script:
                "CREATE TABLE database_migration (number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz)"
        )
        for change in DatabaseChange.all.prefix(version) {
            try connection.execute(script: change.sql)
            try connection.execute(
                "INSERT INTO database_migration (number, name) VALUES (\(Int32(change.number)), \(change.name))")
        }
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

    @Test(arguments: [1, 7, 14]) func `takes in what was in public before, with all that it holds`(version: Int) throws
    {
        try makeFormer(version)
        try run("INSERT INTO app (app_id, name) VALUES (gen_random_uuid(), 'shop')")
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            let pool = PostgresPool(url, size: 1, schema: DatabaseSchema.name)
            #expect(throws: Never.self) { try DatabaseSchema.upgrade(pool) }
        }
        #expect(try Set(tables().keys) == ["realmshift"])
        let store = SnapshotStore(pool)
        try store.ping()
        #expect(try store.apps.list().items.map(\.name) == ["shop"])
        let draft = try store.snapshots.beginDraft(of: "ada", in: "shop")
        _ = try draft.commit(try StoreFixture.persons(10, into: draft.store))
    }

    @Test func `leaves what others have in public where it is`() throws {
        try makeFormer(14)
        try run("CREATE TABLE others (id bigint)")
        try DatabaseSchema.upgrade(pool)
        #expect(try tables()["public"] == ["others"])
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
