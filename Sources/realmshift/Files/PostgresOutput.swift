import Columns
import FileStore
import Postgres
import RealmExport
import RealmModel

/// A schema of a PostgreSQL database that a realm is copied into, in one transaction.
struct PostgresOutput {
    /// The database's URL; it may hold a password, and is in no message.
    private let url: String
    private let replaces: Bool
    /// The name of the schema.
    let schema: String

    /// Whether an output is a database rather than a file.
    static func isDatabase(_ path: String) -> Bool { path.hasPrefix("postgresql://") || path.hasPrefix("postgres://") }

    /// - Parameters:
    ///   - input: the path of the realm, whose name up to the first dot is that of the schema.
    ///   - replaces: whether an export that is there is removed.
    init(_ url: String, input: String, replaces: Bool) {
        self.url = url
        self.replaces = replaces
        let name = input == "-" ? "" : input.split(separator: "/").last?.prefix { $0 != "." } ?? ""
        schema = SQLWriter.schemaName(ofRealm: String(name))
    }

    /// Copies a snapshot.
    ///
    /// - Returns: the bytes of the rows.
    /// - Throws: `PostgresError`, `ExportError`, and what the store throws; the database is then as it was.
    func write(_ snapshot: Snapshot, from store: any SegmentStore) throws -> Int {
        // Tables of many rows take their time, and so do keys and indexes.
        let connection = try PostgresConnection(url, timeouts: PostgresTimeouts(statement: .seconds(86_400)))
        try connection.execute(script: "BEGIN; SET LOCAL standard_conforming_strings = on")
        try makeSchema(connection)
        let writer = SQLWriter(snapshot, from: store, schema: .named(schema))
        let bytes = try PostgresCopy(connection).write(writer)
        try connection.execute(script: "COMMIT")
        return bytes
    }

    private func makeSchema(_ connection: PostgresConnection) throws(PostgresError) {
        let found = try connection.query(
            """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_class WHERE relnamespace = n.oid AND relname LIKE 'realm\\_export%') AS is_export
            FROM pg_catalog.pg_namespace n WHERE nspname = \(schema)
            """)
        let parts = schema.split(separator: "\"", omittingEmptySubsequences: false)
        let name = "\"" + parts.joined(separator: "\"\"") + "\""
        if let row = found.first {
            let isExport = try row.value("is_export", as: Bool.self)
            guard replaces, isExport else {
                throw PostgresError(
                    sqlState: "42P06",
                    message: isExport
                        ? "The schema \(name) exists already: --force replaces it."
                        : "The schema \(name) exists already, and no export made it; it is left as it is.")
            }
            try connection.execute(script: "DROP SCHEMA \(name) CASCADE")
        }
        try connection.execute(script: "CREATE SCHEMA \(name)")
    }
}

/// The tables and rows of an export on their way into a database, in the transaction that the connection is in.
struct PostgresCopy {
    private let connection: PostgresConnection

    init(_ connection: PostgresConnection) { self.connection = connection }

    /// Makes the tables, and copies the rows.
    ///
    /// - Returns: the bytes of the rows.
    /// - Throws: `PostgresError`, `ExportError`, and what the writer's store throws.
    func write(_ writer: SQLWriter) throws -> Int {
        var writer = writer
        var bytes = 0
        while let part = try writer.next() {
            switch part {
            case .statement(let sql): try connection.execute(script: sql)
            case .copy(let sql, let table):
                try Self.withoutValues(of: table) {
                    try connection.copyIn(text: sql) {
                        guard case .rows(let lines) = try writer.next() else { return nil }
                        bytes += lines.count
                        return lines
                    }
                }
            case .rows, .rowsEnd: preconditionFailure("Rows follow on a statement that takes them.")
            }
        }
        return bytes
    }

    /// Errors of rows without what PostgreSQL shows of them.
    private static func withoutValues(of table: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as PostgresError where ["22", "23"].contains(error.sqlState.prefix(2)) {
            throw PostgresError(sqlState: error.sqlState, message: "PostgreSQL refuses a row of the table \(table).")
        }
    }
}
