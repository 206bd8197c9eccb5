import RealmModel

/// The statements that make and fill the tables of a realm in SQLite.
struct SQLiteDefinitions {
    let options: ExportOptions
    /// Whether a property that requires a value may still be null in the table, for a value that SQLite has not.
    let losesValues: (_ className: String, Property) -> Bool

    static let referring = "DEFERRABLE INITIALLY DEFERRED"

    /// The table that says of each class what is in its table.
    static func manifestTable(_ name: String) -> String {
        """
        CREATE TABLE \(name.quoted) (
          "class" TEXT NOT NULL PRIMARY KEY,
          "table_name" TEXT,
          "object_count" INTEGER NOT NULL,
          "digest" TEXT,
          "properties" TEXT NOT NULL,
          "losses" TEXT NOT NULL
        )
        """
    }

    /// The table that says how the others were written.
    static func optionsTable(_ name: String) -> String {
        "CREATE TABLE \(name.quoted) (\n  \"name\" TEXT NOT NULL PRIMARY KEY,\n  \"value\" TEXT\n)"
    }

    /// The table of a class.
    func table(_ relation: ClassRelation) -> String {
        var lines: [String] = []
        if relation.key.property == nil { lines.append("\(relation.key.name.quoted) INTEGER PRIMARY KEY NOT NULL") }
        for column in relation.columns {
            var line = "\(column.name.quoted) \(type(of: column.type))"
            let isKey = relation.key.property != nil && column.isPrimaryKey
            if isKey || column.isRequired && !losesValues(relation.schema.name, column.property) { line += " NOT NULL" }
            if column.isPrimaryKey { line += isKey ? " PRIMARY KEY" : " UNIQUE" }
            line += check(column.name, column.type) + references(column.reference, "SET NULL")
            lines.append(line)
        }
        return "CREATE TABLE \(relation.table.quoted) (\n  \(lines.joined(separator: ",\n  "))\n)"
    }

    /// The table of a collection.
    func table(_ collection: CollectionRelation, of relation: ClassRelation) -> String {
        let property = collection.property
        let owner = Reference(className: relation.schema.name, table: relation.table, key: relation.key)
        var lines = ["\(collection.owner.quoted) \(keyType(owner.key)) NOT NULL" + references(owner, "CASCADE")]
        if let place = collection.place {
            lines.append("\(place.quoted) \(property.collection == .list ? "INTEGER" : "TEXT") NOT NULL")
        }
        var value = "\(collection.value.quoted) \(type(of: collection.reference?.key.type ?? property.type))"
        if !property.isOptional, property.type != .mixed, !losesValues(collection.className(in: relation), property) {
            value += " NOT NULL"
        }
        value += check(collection.value, property.type)
        value += references(collection.reference, property.collection == .dictionary ? "SET NULL" : "CASCADE")
        lines.append(value)
        guard let place = collection.place else {
            return "CREATE TABLE \(collection.table.quoted) (\n  \(lines.joined(separator: ",\n  "))\n)"
        }
        lines.append("PRIMARY KEY (\(collection.owner.quoted), \(place.quoted))")
        return "CREATE TABLE \(collection.table.quoted) (\n  \(lines.joined(separator: ",\n  "))\n) WITHOUT ROWID"
    }

    /// The indexes of a class and its collections.
    func indexes(_ relation: ClassRelation) -> [String] {
        relation.columns.compactMap { column in
            column.index.map { "CREATE INDEX \($0.quoted) ON \(relation.table.quoted) (\(column.name.quoted))" }
        }
            + relation.collections.flatMap { collection in
                collection.indexes.map {
                    "CREATE INDEX \($0.name.quoted) ON \(collection.table.quoted) (\($0.column.quoted))"
                }
            }
    }

    /// The statement that inserts a row, with as many parameters as the table has columns.
    static func insertion(into table: String, columns: Int) -> String {
        "INSERT INTO \(table.quoted) VALUES (\([String](repeating: "?", count: columns).joined(separator: ",")))"
    }

    private func keyType(_ key: KeyColumn) -> String { key.type == .int ? "INTEGER" : "TEXT" }

    private func type(of type: PropertyType) -> String {
        switch type {
        case .int, .bool, .object: "INTEGER"
        case .float, .double: "REAL"
        case .date: options.dates == .iso ? "TEXT" : "INTEGER"
        case .data: "BLOB"
        case .string, .decimal128, .objectId, .uuid, .mixed, .linkingObjects: "TEXT"
        }
    }

    private func check(_ column: String, _ type: PropertyType) -> String {
        type == .bool ? " CHECK (\(column.quoted) IN (0, 1))" : ""
    }

    private func references(_ reference: Reference?, _ action: String) -> String {
        guard let reference else { return "" }
        return " REFERENCES \(reference.table.quoted) (\(reference.key.name.quoted)) ON DELETE \(action) "
            + Self.referring
    }
}

extension String {
    /// The name between the quotes that SQL has for names.
    var quoted: String {
        "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
