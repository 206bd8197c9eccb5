import CSQLite
import RealmJSON
import RealmModel

extension SQLiteDatabase {
    /// The options that a database says it was exported with, and the schema of the realm.
    ///
    /// - Throws: `ExportError.noExport` where it says nothing of the kind.
    static func head(ofExport path: String) throws(ExportError) -> (options: ExportOptions, schema: Schema) {
        let database = try SQLiteDatabase(reading: path)
        func option(_ name: String) throws(ExportError) -> String {
            let query: SQLiteStatement
            do {
                query = try database.prepare("SELECT \"value\" FROM \"realm_export\" WHERE \"name\" = ?")
            } catch {
                throw .noExport
            }
            query.bind(name, at: 1)
            guard try query.step() else { throw .noExport }
            return query.text(0)
        }
        guard let dates = ExportOptions.Dates(rawValue: try option("dates")),
            let schema = try? SchemaJSON.decode(JSONValue.parse(Array(option("schema").utf8)))
        else { throw .noExport }
        return (ExportOptions(dates: dates, flattens: try option("flatten") == "true"), schema)
    }

    /// Makes a database readable beside this one.
    func attach(_ path: String, as name: String) throws(ExportError) {
        // A file from elsewhere is read, and none of it runs.
        try execute("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON")
        let statement = try prepare("ATTACH ? AS \(name.quoted)")
        statement.bind(path.asReadOnlyURI, at: 1)
        _ = try statement.step()
    }

    /// The names of the tables, but for those of SQLite itself.
    func tables(in schema: String) throws(ExportError) -> [String] {
        let query = try prepare(
            "SELECT \"name\" FROM \(schema).sqlite_schema WHERE \"type\" = 'table' AND \"name\" NOT GLOB 'sqlite_*' ORDER BY \"name\""
        )
        var names: [String] = []
        while try query.step() { names.append(query.text(0)) }
        return names
    }

    /// The version that an app gave the file.
    func userVersion(in schema: String) throws(ExportError) -> Int64 {
        let query = try prepare("PRAGMA \(schema).user_version")
        return try query.step() ? query.integer(0) : 0
    }

    /// The names of a table's columns; none where there is no such table.
    func columns(of table: String, in schema: String) throws(ExportError) -> [String] {
        let query = try prepare("SELECT \"name\" FROM pragma_table_info(?, ?) ORDER BY \"cid\"")
        query.bind(table, at: 1)
        query.bind(schema, at: 2)
        var names: [String] = []
        while try query.step() { names.append(query.text(0)) }
        return names
    }
}

extension String {
    /// The path as the URI by which SQLite opens a file for reading alone.
    var asReadOnlyURI: String {
        let escaped = utf8.map { byte -> String in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                || byte == 0x2f || byte == 0x2e || byte == 0x2d || byte == 0x5f
            return isPlain
                ? String(UnicodeScalar(byte)) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return "file:" + escaped.joined() + "?mode=ro"
    }
}
