import Postgres
import StoreCore
import TestDatabase
import Threads

/// Databases with the service's tables for tests, emptied and used again: to make the tables takes longer than most tests.
package enum PreparedDatabase {
    private struct Known {
        /// Brings all tables back to how they were made; nil before the first were.
        var reset: String?
        var free: [String] = []
    }

    private static let known = Mutex(Known())

    /// The URL of one that nobody uses.
    package static func take() throws -> String {
        let (used, reset) = known.withLock { ($0.free.isEmpty ? nil : $0.free.removeFirst(), $0.reset) }
        if let used, let reset, (try? PostgresConnection(used).execute(script: reset)) != nil { return used }
        let url = try TestDatabase.make()
        let pool = PostgresPool(url, size: 1)
        defer { pool.close() }
        try DatabaseSchema.upgrade(pool)
        if reset == nil {
            let made = try pool.withConnection { try resetScript($0) }
            known.withLock { $0.reset = made }
        }
        return url
    }

    /// Lets others use one to which there are no connections any more.
    package static func giveBack(_ url: String) { known.withLock { $0.free.append(url) } }

    /// Foreign keys and triggers are off: each table is brought back by itself.
    private static func resetScript(_ connection: PostgresConnection) throws -> String {
        try connection.execute(
            script: """
                CREATE FUNCTION pg_temp.rows_of(name text) RETURNS text LANGUAGE plpgsql AS $$
                    DECLARE rows text;
                    BEGIN EXECUTE format('SELECT json_agg(t) FROM %I AS t', name) INTO rows; RETURN rows; END $$
                """)
        return try connection.query(
            """
            SELECT 'SET session_replication_role = replica;' || string_agg(
                format('DELETE FROM %I', relname) || CASE WHEN rows IS NULL THEN '' ELSE
                    format('; INSERT INTO %1$I SELECT * FROM json_populate_recordset(NULL::%1$I, %2$L)', relname, rows) END,
                ';') AS script
            FROM pg_class CROSS JOIN LATERAL pg_temp.rows_of(relname) AS rows
            WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname <> 'database_migration'
            """)[0].value("script")
    }
}
