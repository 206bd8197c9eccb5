import Postgres
import StoreCore
import TestStores
import Testing

@testable import SnapshotStore

/// A statement is planned once a connection: a plan that was made while its table was empty serves until PostgreSQL knows more.
@Suite struct NewTableTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    /// The index, or the other way, by which a prepared statement finds its rows.
    private func plan(of statement: String, _ connection: PostgresConnection) throws -> String {
        try connection.query(PostgresStatement(stringLiteral: "EXPLAIN EXECUTE \(statement)"))
            .map { try $0.value("QUERY PLAN") }.joined(separator: "\n")
    }

    @Test(arguments: [("realm_name", "name", "text"), ("realm_by_id", "realm_id", "uuid")])
    func `a realm is looked up by its key from the first on`(_ index: String, _ column: String, _ type: String) throws {
        try fixture.pool.withConnection { connection in
            try connection.execute(
                script: "PREPARE look (uuid, \(type)) AS SELECT FROM realm WHERE app_id = $1 AND \(column) = $2")
            let plan = try plan(of: "look (NULL, NULL)", connection)
            #expect(plan.contains("using \(index) on"), "\(plan)")
        }
    }

    @Test func `a statement is planned anew when there are rows, with nobody waiting for autovacuum`() throws {
        try fixture.pool.withConnection { connection in
            try connection.execute(
                script: """
                    ALTER TABLE fleet_member SET (autovacuum_enabled = false);
                    PREPARE look (uuid, uuid, uuid) AS SELECT FROM fleet_member WHERE (app_id, fleet_id, realm_id) = ($1, $2, $3)
                    """)
            let look = "look (NULL, NULL, NULL)"
            let new = try plan(of: look, connection)
            #expect(!new.contains("fleet_member_pkey"), "The test shows nothing: \(new)")
            try fixture.pool.withConnection { other in
                try other.execute(
                    script: """
                        SET session_replication_role = replica;
                        INSERT INTO fleet_member (app_id, fleet_id, realm_id, realm_name, position, weight)
                        SELECT app_id, app_id, gen_random_uuid(), 'realm' || n, n, 1 FROM app, generate_series(1, 1000) AS n;
                        RESET session_replication_role
                        """)
            }
            try fixture.store.maintenance.analyzeNewTables()
            #expect(try plan(of: look, connection).contains("using fleet_member_pkey on"))
        }
    }
}
