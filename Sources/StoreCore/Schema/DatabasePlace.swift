import Postgres

/// Where in a database the service's tables are: in a schema of their own, with the list of the changes made so far.
///
/// A database in which something else lives is left as it is, unless somebody has made a place for the service there: a schema
/// of its name that is empty.
enum DatabasePlace {
    /// Finds the place or makes it.
    ///
    /// Any number of processes may do so at once: each makes all of it or nothing.
    ///
    /// - Throws: `StoreError.databaseForeign`; `databaseTooOld` where the tables are in `public`, as those of the first programs were;
    ///   `PostgresError`.
    static func prepare(_ connection: PostgresConnection) throws {
        // `IF NOT EXISTS` does not keep two sessions from colliding in the catalogue.
        let collisions = ["23505", "42P06", "42P07", "42710"]
        for _ in 0..<4 {
            do {
                return try connection.transaction(isLong: true) { try settle($0) }
            } catch let error as PostgresError where collisions.contains(error.sqlState) {}
        }
        try connection.transaction(isLong: true) { try settle($0) }
    }

    private static func look(_ connection: PostgresConnection) throws -> PostgresRow {
        try connection.query(
            """
            WITH place AS (SELECT coalesce(current_schema()::text, \(DatabaseSchema.name)) AS name)
            SELECT name, to_regnamespace(quote_ident(name)) IS NOT NULL AS is_there,
                to_regclass(quote_ident(name) || '.database_migration') IS NOT NULL AS is_known,
                name = \(DatabaseSchema.name) AND to_regclass('public.database_migration') IS NOT NULL AS is_elsewhere
            FROM place
            """)[0]
    }

    private static func settle(_ connection: PostgresConnection) throws {
        let place = try look(connection)
        let name: String = try place.value("name")
        if try place.value("is_known") { return try requireOurs("SELECT name FROM database_migration", connection) }
        let isThere: Bool = try place.value("is_there")
        if try place.value("is_elsewhere") {
            guard try !isThere || isEmpty(name, connection) else { return try requireSettled(connection) }
            return try refuseFormer(connection)
        }
        guard try isEmpty(isThere ? name : nil, connection) else { return try requireSettled(connection) }
        if !isThere { try connection.execute(script: "CREATE SCHEMA \(DatabaseSchema.name)") }
        try connection.execute(script: ledger)
    }

    /// Whether a schema, or the whole database, has nothing of anybody's; extensions may have brought something.
    private static func isEmpty(_ schema: String?, _ connection: PostgresConnection) throws -> Bool {
        let found = try connection.query(
            """
            SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
                AND (\(schema)::text IS NULL OR n.nspname = \(schema))
                AND NOT EXISTS (
                    SELECT FROM pg_depend d
                    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
            LIMIT 1
            """)
        return found.isEmpty
    }

    /// Refuses a place that is not empty, unless another process has made it the service's since it was looked at.
    private static func requireSettled(_ connection: PostgresConnection) throws {
        guard try look(connection).value("is_known") else { throw StoreError.databaseForeign }
        try requireOurs("SELECT name FROM database_migration", connection)
    }

    /// Refuses a list of changes that another program keeps under the same name.
    private static func requireOurs(_ names: PostgresStatement, _ connection: PostgresConnection) throws {
        do {
            let found = try connection.query(names).map { try $0.value("name", as: String.self) }
            let ours = [DatabaseChange.baseline.name, DatabaseChange.firstFormerName]
            guard found.isEmpty || ours.contains(where: found.contains) else { throw StoreError.databaseForeign }
        } catch let error as PostgresError where ["42703", "XX000"].contains(error.sqlState) {
            // It has no such column, or one of another type.
            throw StoreError.databaseForeign
        }
    }

    /// Refuses tables that the first programs made in `public`: those of the last one before the baseline are in the schema.
    private static func refuseFormer(_ connection: PostgresConnection) throws {
        try requireOurs("SELECT name FROM public.database_migration", connection)
        let found = try connection.query("SELECT coalesce(max(number), 0) AS version FROM public.database_migration")
        throw StoreError.databaseTooOld(found: try found[0].value("version"), needed: DatabaseChange.formerVersion)
    }

    /// Bears the name that it has always had.
    private static let ledger = """
        CREATE TABLE database_migration (
            number integer PRIMARY KEY,
            name text NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT now()
        )
        """
}
