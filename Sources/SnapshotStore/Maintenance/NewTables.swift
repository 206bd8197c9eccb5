import Postgres
import StoreCore

extension SnapshotStore.Maintenance {
    /// Up to here little is known of a table, and there is little to read in it.
    private static let pagesOfNewTable = 2

    /// Has PostgreSQL look at the rows of each table that it has never looked at, and that has some pages by now.
    ///
    /// A statement is planned once a connection, and again only when PostgreSQL has learnt more of its tables. A plan that was made while a
    /// table was empty may read all entries of an app, or of a fleet, for one row. Autovacuum comes after a minute, unless it is told
    /// otherwise.
    public func analyzeNewTables() throws {
        try pool.withConnection { connection in
            let tables = try connection.query(
                """
                SELECT quote_ident(relname) AS name FROM pg_class
                WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND reltuples < 0
                    AND pg_relation_size(oid) > \(Self.pagesOfNewTable) * current_setting('block_size')::bigint
                """)
            for table in tables {
                // Another process that does the same is not waited for.
                try connection.execute(script: "ANALYZE (SKIP_LOCKED) \(try table.value("name", as: String.self))")
            }
        }
    }
}
