import CLibPQ
import Foundation
import TestDatabase
import Testing

@testable import Postgres
@testable import StoreCore

/// While a service is upgraded, processes of the last program go on beside the new tables: what these add is such that nobody has to know
/// of it, and what goes is what the last program names no more.
///
/// `Fixtures/last_program.jsonl` has the statements of the last program that was released; Tests/Trials/record_statements.py records them.
@Suite struct LastProgramTests {
    /// A statement as the program has the server prepare it.
    private struct Recorded: Decodable {
        let sql: String
        let types: [String]
    }

    /// A server's description of a prepared statement: the names of its columns, with the numbers of their types.
    private typealias Shape = [String]

    private struct Tables: Decodable { let tables: Int }

    private let statements: [Recorded]
    private let version: Int
    private let connection: PostgresConnection

    /// Makes the tables of the last program.
    init() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Fixtures/last_program.jsonl")
        let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
        version = try JSONDecoder().decode(Tables.self, from: lines[0]).tables
        statements = try lines.dropFirst().map { try JSONDecoder().decode(Recorded.self, from: $0) }
        connection = try PostgresConnection(try TestDatabase.make())
        try connection.execute(script: DatabaseChange.baseline.sql)
        for change in DatabaseChange.later where change.number <= version { try connection.execute(script: change.sql) }
    }

    private func shapes() throws -> [String: Result<Shape, PostgresError>] {
        Dictionary(uniqueKeysWithValues: statements.map { ($0.sql, shape($0)) })
    }

    private func shape(_ statement: Recorded) -> Result<Shape, PostgresError> {
        do {
            let types = statement.types.isEmpty ? "" : "(\(statement.types.joined(separator: ", ")))"
            try connection.execute(script: "PREPARE recorded\(types) AS \(statement.sql)")
        } catch {
            return .failure(error)
        }
        defer { #expect(throws: Never.self) { try connection.execute(script: "DEALLOCATE recorded") } }
        let described = PQdescribePrepared(connection.handle, "recorded")
        defer { PQclear(described) }
        return .success(
            (0..<PQnfields(described)).map { "\(String(cString: PQfname(described, $0))) \(PQftype(described, $0))" })
    }

    /// The demands of the tables on rows that the last program writes: each a line.
    private func demands() throws -> Set<String> {
        try Set(
            connection.query(
                """
                WITH ours AS (
                    SELECT oid, relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
                )
                SELECT relname || ': ' || pg_get_constraintdef(c.oid) AS demand FROM pg_constraint c JOIN ours ON ours.oid = conrelid
                UNION ALL
                SELECT relname || ': ' || attname || ' must not be null' FROM pg_attribute JOIN ours ON ours.oid = attrelid
                WHERE attnum > 0 AND attnotnull AND NOT attisdropped AND NOT atthasdef AND attidentity = ''
                UNION ALL
                SELECT relname || ': unique ' || pg_get_indexdef(indexrelid) FROM pg_index JOIN ours ON ours.oid = indrelid
                WHERE indisunique AND NOT indisprimary
                """
            ).map { try $0.value("demand") })
    }

    private func tables() throws -> Set<String> {
        try Set(
            connection.query(
                "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema()"
            ).map { try $0.value("name") })
    }

    /// The obstacles that a change would put in the last program's way.
    private func obstacles(_ change: String) throws -> [String] {
        let (shapes, demands, tables) = (try shapes(), try demands(), try tables())
        try connection.execute(script: change)
        var obstacles: [String] = []
        for (sql, now) in try self.shapes() where (try? now.get()) != (try? shapes[sql]?.get()) {
            obstacles.append("\(now): \(sql)")
        }
        for demand in try self.demands().subtracting(demands) {
            if tables.contains(demand.split(separator: ":").first.map { String($0) } ?? "") { obstacles.append(demand) }
        }
        return obstacles
    }

    @Test func `all of its statements are prepared by its own tables`() throws {
        #expect(statements.count > 200 && version <= DatabaseSchema.currentVersion)
        for (sql, shape) in try shapes() { #expect(throws: Never.self, "\(sql)") { try shape.get() } }
    }

    /// Constraints that permit all that those in whose place they stand did, and more.
    private static let wider: Set<String> = [
        "api_key: CHECK (((cardinality(scopes) > 0) AND (scopes <@ '{read,write,migrate,admin,device}'::text[])))",
        "realm_token: CHECK (((cardinality(scopes) > 0) AND (scopes <@ '{read,write,migrate,device}'::text[])))",
    ]

    @Test func `goes on beside the tables of this program`() throws {
        let changes = DatabaseChange.later.filter { $0.number > version }.map(\.sql).joined(separator: "\n")
        #expect(Set(try obstacles(changes)).subtracting(Self.wider) == [])
    }

    @Test(arguments: [
        "ALTER TABLE job DROP COLUMN trace_parent CASCADE", "DROP TABLE worker CASCADE",
        "ALTER TABLE app RENAME name TO title",
        "ALTER TABLE realm ALTER COLUMN representation TYPE bigint", "ALTER TABLE realm ADD COLUMN color text NOT NULL",
        "ALTER TABLE realm ALTER COLUMN current_id SET NOT NULL", "ALTER TABLE app ADD CHECK (length(name) < 9)",
        "CREATE UNIQUE INDEX ON realm (app_id, labels)", "ALTER TABLE snapshot ADD FOREIGN KEY (app_id) REFERENCES app",
        "DROP FUNCTION job_attempts CASCADE",
    ])
    func `stumbles over a change that takes something away, or demands something`(_ change: String) throws {
        #expect(try !obstacles(change).isEmpty)
    }

    @Test(arguments: [
        "CREATE TABLE color (name text NOT NULL UNIQUE)", "ALTER TABLE realm ADD COLUMN color text",
        "ALTER TABLE realm ADD COLUMN color text NOT NULL DEFAULT 'red'", "CREATE INDEX ON realm (created_at)",
        "DROP INDEX realm_of_current",
    ])
    func `does not stumble over a change that adds something`(_ change: String) throws {
        #expect(try obstacles(change).isEmpty)
    }
}
