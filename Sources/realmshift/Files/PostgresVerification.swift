import Columns
import Postgres
import RealmExport
import RealmJSON
import RealmModel

/// Compares a schema of a PostgreSQL database with the realm that it is said to be an export of, value by value.
///
/// The realm is exported once more, into temporary tables, and PostgreSQL compares the two. Nothing is kept: it all happens in a
/// transaction that is rolled back, and that sees the database at one moment.
struct PostgresVerification {
    private let connection: PostgresConnection
    private let schema: String

    /// A table with its columns in their order.
    private struct Table {
        var columns: [(name: String, type: Int)] = []
        var key: [String] = []
    }

    /// - Parameters:
    ///   - url: of the database; it may hold a password, and is in no message.
    ///   - schema: the name of the export's schema.
    /// - Throws: `PostgresError`.
    init(_ url: String, schema: String) throws {
        connection = try PostgresConnection(url, timeouts: PostgresTimeouts(statement: .seconds(86_400)))
        self.schema = schema
    }

    /// Everything that differs, table by table; empty where nothing does.
    ///
    /// - Throws: `PostgresError`, also where the database has no such export; what the store throws.
    func differences(from snapshot: Snapshot, _ store: any SegmentStore) throws -> [ExportDifference] {
        try connection.execute(script: "BEGIN ISOLATION LEVEL REPEATABLE READ")
        defer { try? connection.execute(script: "ROLLBACK") }
        let given = try tables(
            try connection.query(
                """
                SELECT c.relname::pg_catalog.text AS table_name, a.attname::pg_catalog.text AS name, a.atttypid::pg_catalog.int8 AS type, false AS is_key
                FROM pg_catalog.pg_namespace n JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relkind = 'r'
                    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                WHERE n.nspname = \(schema) ORDER BY c.relname, a.attnum
                """))
        guard given.contains(where: { $0.name.hasPrefix("realm_export") }) else {
            throw PostgresError(
                sqlState: "3F000",
                message:
                    "The database has no schema \"\(schema)\" that an export made: realmshift convert makes it, and names "
                    + "it as the realm's file.")
        }
        _ = try PostgresCopy(connection).write(
            SQLWriter(try ordered(snapshot, as: given), from: store, schema: .named("pg_temp")))
        let wanted = try tables(
            try connection.query(
                """
                SELECT c.relname::pg_catalog.text AS table_name, a.attname::pg_catalog.text AS name, a.atttypid::pg_catalog.int8 AS type,
                    coalesce(a.attnum = ANY (i.indkey), false) AS is_key
                FROM pg_catalog.pg_class c
                    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                    LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary
                WHERE c.relnamespace = pg_catalog.pg_my_temp_schema() AND c.relkind = 'r' ORDER BY c.relname, a.attnum
                """))
        return try wanted.flatMap { name, table in
            try differences(name, table, given.first { $0.name.hasSameBytes(as: name) }?.table)
        }
    }

    /// The snapshot with its classes and properties in the order of the export.
    private func ordered(_ snapshot: Snapshot, as export: [(name: String, table: Table)]) throws -> Snapshot {
        // A class may have taken the name of the table.
        let options = export.first { name, table in
            name.hasPrefix("realm_export") && table.columns.map(\.name) == ["name", "value"]
        }
        guard let options else { return snapshot }
        let statement = "SELECT \"value\" FROM \(schema.sqlName).\(options.name.sqlName) WHERE \"name\" = 'schema'"
        guard let row = try connection.query(PostgresStatement(stringLiteral: statement)).first,
            let given = try? SchemaJSON.decode(JSONValue.parse(Array(row.value("value", as: String.self).utf8)))
        else { return snapshot }
        var ordered = snapshot
        ordered.declared = snapshot.declared.ordered(as: given)
        return ordered
    }

    private func tables(_ rows: [PostgresRow]) throws(PostgresError) -> [(name: String, table: Table)] {
        var tables: [(name: String, table: Table)] = []
        for row in rows {
            let name = try row.value("table_name", as: String.self)
            if tables.last?.name.hasSameBytes(as: name) != true { tables.append((name, Table())) }
            let column = try row.value("name", as: String.self)
            tables[tables.count - 1].table.columns.append((column, try row.value("type", as: Int.self)))
            if try row.value("is_key", as: Bool.self) { tables[tables.count - 1].table.key.append(column) }
        }
        return tables
    }

    // MARK: One table

    private func differences(_ name: String, _ table: Table, _ given: Table?) throws -> [ExportDifference] {
        func difference(_ kind: ExportDifference.Kind, _ column: String? = nil, _ count: Int? = nil) -> ExportDifference
        {
            ExportDifference(kind: kind, table: name, column: column, count: count)
        }
        guard let given else { return [difference(.absent)] }
        var found: [ExportDifference] = []
        var same: [String] = []
        for column in table.columns {
            let other = given.columns.first { $0.name.hasSameBytes(as: column.name) }
            if other?.type == column.type {
                same.append(column.name)
            } else {
                found.append(difference(other == nil ? .absent : .retyped, column.name))
            }
        }
        let hasKey = !table.key.isEmpty && table.key.allSatisfy { key in same.contains { $0.hasSameBytes(as: key) } }
        // Without its key a row is found by all of its values.
        guard hasKey || found.isEmpty else { return found }
        let sums = hasKey ? try matched(name, table.key, same) : try unmatched(name, same)
        for (kind, column, count) in sums where count > 0 { found.append(difference(kind, column, count)) }
        return found
    }

    private typealias Sum = (kind: ExportDifference.Kind, column: String?, count: Int)

    /// Rows of one key are compared, column by column, by the texts of their values: numbers alone would be equal whatever their
    /// sign of zero.
    private func matched(_ name: String, _ key: [String], _ columns: [String]) throws(PostgresError) -> [Sum] {
        let others = columns.filter { column in !key.contains { $0.hasSameBytes(as: column) } }
        let match = key.map { "a.\($0.sqlName) = b.\($0.sqlName)" }.joined(separator: " AND ")
        let conditions =
            ["b.ctid IS NULL", "a.ctid IS NULL"]
            + others.map {
                "a.ctid IS NOT NULL AND b.ctid IS NOT NULL AND a.\($0.sqlName)::pg_catalog.text IS DISTINCT FROM b.\($0.sqlName)::pg_catalog.text"
            }
        let sums = conditions.enumerated().map { "count(*) FILTER (WHERE \($0.element)) AS n\($0.offset)" }
        let kinds: [(ExportDifference.Kind, String?)] =
            [(.missing, nil), (.added, nil)] + others.map { (.changed, $0) }
        return try count(
            "SELECT \(sums.joined(separator: ", ")) FROM pg_temp.\(name.sqlName) a "
                + "FULL JOIN \(schema.sqlName).\(name.sqlName) b ON \(match)", kinds)
    }

    private func unmatched(_ name: String, _ columns: [String]) throws(PostgresError) -> [Sum] {
        let values = columns.map { "\($0.sqlName)::pg_catalog.text" }.joined(separator: ", ")
        let places = ["pg_temp.\(name.sqlName)", "\(schema.sqlName).\(name.sqlName)"]
        func excess(_ one: Int, _ other: Int) -> String {
            "(SELECT count(*) FROM (SELECT \(values) FROM \(places[one]) EXCEPT ALL SELECT \(values) FROM \(places[other])) x)"
        }
        return try count("SELECT \(excess(0, 1)) AS n0, \(excess(1, 0)) AS n1", [(.missing, nil), (.added, nil)])
    }

    private func count(
        _ sql: String, _ kinds: [(ExportDifference.Kind, String?)]
    ) throws(PostgresError) -> [Sum] {
        guard let row = try connection.query(PostgresStatement(stringLiteral: sql)).first else { return [] }
        var sums: [Sum] = []
        for (index, kind) in kinds.enumerated() {
            sums.append((kind.0, kind.1, try row.value("n\(index)", as: Int.self)))
        }
        return sums
    }
}

extension String {
    /// The name as SQL has it.
    fileprivate var sqlName: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}
