import Foundation
import Postgres
import TestDatabase
import Testing

/// `realmshift convert IN postgresql://…`: a schema named as the realm, which comes about whole or not at all.
@Suite struct `Realms copied into PostgreSQL` {
    private func convert(_ arguments: [String], in folder: TemporaryFolder) throws -> (status: Int32, error: String) {
        let outcome = try BuiltProgram.run(["convert"] + arguments, in: folder.url)
        return (outcome.status, outcome.error)
    }

    private func count(_ connection: PostgresConnection) throws -> Int? {
        try connection.query("SELECT count(*) AS rows FROM people.\"User\"").first?.value("rows", as: Int.self)
    }

    @Test func `makes a schema, and replaces its own alone, with --force`() throws {
        let folder = try TemporaryFolder()
        let url = try TestDatabase.make(alone: true)
        let connection = try PostgresConnection(url)
        let example = BuiltProgram.root.appendingPathComponent("examples/people.realm").path
        let first = try convert([example, url], in: folder)
        #expect(first.status == 0 && first.error.contains("to the schema people: schema version 2, 2 objects"))
        #expect(try count(connection) == 2)

        try connection.execute(script: "DELETE FROM people.\"User\"")
        let second = try convert([example, url, "--quiet"], in: folder)
        #expect(second.status == 1 && second.error.contains("\"people\" exists already: --force replaces it."))
        #expect(try count(connection) == 0)
        #expect(try convert([example, url, "--quiet", "--force"], in: folder).status == 0)
        #expect(try count(connection) == 2)

        try connection.execute(script: "DROP SCHEMA people CASCADE; CREATE SCHEMA people CREATE TABLE \"User\" (n int)")
        let foreign = try convert([example, url, "--quiet", "--force"], in: folder)
        #expect(foreign.status == 1 && foreign.error.contains("no export made it"))
        #expect(try count(connection) == 0)
    }

    @Test func `leaves nothing where it fails, and says no value and no password`() throws {
        let folder = try TemporaryFolder()
        let url = try TestDatabase.make(alone: true)
        let connection = try PostgresConnection(url)
        let example = BuiltProgram.root.appendingPathComponent("examples/people.realm").path
        #expect(try convert([example, url, "--flatten"], in: folder).status == 2)
        let nowhere = try convert([example, "postgresql://u:hidden-word@127.0.0.1:1/x"], in: folder)
        #expect(nowhere.status == 1 && !nowhere.error.contains("hidden-word"))
        // The database refuses what comes after the rows.
        try connection.execute(
            script: """
                CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'full'; END $$;
                CREATE EVENT TRIGGER refuse ON ddl_command_end WHEN TAG IN ('CREATE INDEX', 'ALTER TABLE')
                EXECUTE FUNCTION refuse()
                """)
        let late = try convert([example, url], in: folder)
        #expect(late.status == 1 && late.error.contains("full"))
        #expect(try connection.query("SELECT FROM pg_namespace WHERE nspname = 'people'").isEmpty)
    }
}
