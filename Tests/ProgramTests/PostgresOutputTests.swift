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

    @Test func `are verified by every value, and left as they are`() throws {
        let folder = try TemporaryFolder()
        let url = try TestDatabase.make(alone: true)
        let connection = try PostgresConnection(url)
        let realm = try folder.file(
            "things.json",
            """
            {"schemaVersion": 1, "schema": [
                {"name": "text", "primaryKey": "id", "properties": {"id": "int", "n": "double", "m": "mixed", "tags": "string[]",
                    "set": "int<>", "next": "text?"}},
                {"name": "Plain", "properties": {"at": "date?", "raw": "data"}}],
             "objects": {"text": [
                {"id": 1, "n": -0.0, "m": {"a": 1, "b": [null, -0.0]}, "tags": ["x", "y"], "set": [1, 2], "next": 2},
                {"id": 2, "n": 1.5, "m": null, "tags": [], "set": [], "next": null}],
              "Plain": [{"_key": 0, "at": {"$date": "2024-01-31T10:00:00.5Z"}, "raw": {"$binary": {"base64": "AAE=", "subType": "00"}}}]}}
            """)
        #expect(try convert([realm, url, "--quiet"], in: folder).status == 0)
        func verify() throws -> (status: Int32, output: String) {
            let outcome = try BuiltProgram.run(["verify", url, "--against", realm], in: folder.url)
            #expect(outcome.error == "", "\(outcome.error)")
            return (outcome.status, outcome.output)
        }
        #expect(try verify() == (0, "no difference\n"))
        for (change, back, found) in [
            (
                "UPDATE things.\"text\" SET n = 0 WHERE id = 1", "SET n = '-0' WHERE id = 1",
                "text.n: another value in 1 row"
            ),
            (
                "UPDATE things.\"text\" SET next = 1 WHERE id = 2", "SET next = null WHERE id = 2",
                "text.next: another value in 1 row"
            ),
            (
                "UPDATE things.\"text\" SET m = '1' WHERE id = 2", "SET m = null WHERE id = 2",
                "text.m: another value in 1 row"
            ),
        ] {
            try connection.execute(script: change)
            #expect(try verify() == (1, found + "\n"))
            try connection.execute(script: "UPDATE things.\"text\" \(back)")
        }
        try connection.execute(
            script: """
                DELETE FROM things."text_set" WHERE value = 2; INSERT INTO things."text_tags" VALUES (2, 0, 'z');
                ALTER TABLE things."Plain" ALTER at TYPE text
                """)
        let several = try verify()
        #expect(several.status == 1)
        #expect(
            Set(several.output.split(separator: "\n")) == [
                "text_set: 1 row missing", "text_tags: 1 row that the realm has not", "Plain.at: another type",
            ], "\(several.output)")
        let absent = try BuiltProgram.run([
            "verify", url, "--against", BuiltProgram.root.path + "/examples/people.realm",
        ])
        #expect(absent.status == 1 && absent.error.contains("no schema \"people\" that an export made"))
        let tables = try connection.query("SELECT FROM pg_catalog.pg_class WHERE relpersistence = 't'")
        #expect(tables.isEmpty)
    }
}
