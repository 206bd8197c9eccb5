import RealmModel

/// The statements that make the tables of a realm in PostgreSQL: tables first, indexes and keys when the rows are there.
///
/// Every name is qualified. One that is not would be looked for in PostgreSQL's catalog first, whatever the search path.
struct PostgresDefinitions {
    /// The schema that the tables are in, as statements have it.
    let schema: String
    /// Whether a property that requires a value may still be null in the table, for a value that PostgreSQL has not.
    let losesValues: (_ className: String, Property) -> Bool

    /// The table of a class, without keys.
    func table(_ relation: ClassRelation) -> String {
        let own = relation.key.property == nil ? ["\(relation.key.name.quoted) pg_catalog.int8 NOT NULL"] : []
        let lines =
            own
            + relation.columns.map { column in
                let isRequired = column.isRequired && !losesValues(relation.schema.name, column.property)
                return "\(column.name.quoted) \(Self.type(of: column.property, column.reference))"
                    + (isRequired ? " NOT NULL" : "")
            }
        return creation(of: relation.table, lines)
    }

    /// The table of a collection, without keys.
    func table(_ collection: CollectionRelation, of relation: ClassRelation) -> String {
        let property = collection.property
        var lines = ["\(collection.owner.quoted) \(Self.type(of: relation.key)) NOT NULL"]
        if let place = collection.place {
            lines.append("\(place.quoted) pg_catalog.\(property.collection == .list ? "int4" : "text") NOT NULL")
        }
        let isRequired =
            !property.isOptional && property.type != .mixed
            && !losesValues(collection.className(in: relation), property)
        lines.append(
            "\(collection.value.quoted) \(Self.type(of: property, collection.reference))"
                + (isRequired ? " NOT NULL" : ""))
        return creation(of: collection.table, lines)
    }

    /// The primary keys of a class and its collections.
    func keys(_ relation: ClassRelation) -> [String] {
        var statements = ["ALTER TABLE \(place(relation.table)) ADD PRIMARY KEY (\(relation.key.name.quoted))"]
        if relation.key.property == nil,
            let column = relation.columns.first(where: \.isPrimaryKey)
        {
            statements.append("ALTER TABLE \(place(relation.table)) ADD UNIQUE (\(column.name.quoted))")
        }
        return statements
            + relation.collections.compactMap { collection in
                collection.place.map {
                    "ALTER TABLE \(place(collection.table)) ADD PRIMARY KEY (\(collection.owner.quoted), \($0.quoted))"
                }
            }
    }

    /// The foreign keys of a class and its collections; all primary keys are there.
    func references(_ relation: ClassRelation) -> [String] {
        let owner = Reference(className: relation.schema.name, table: relation.table, key: relation.key)
        return relation.columns.compactMap { column in
            column.reference.map { reference(from: relation.table, column.name, to: $0, "SET NULL") }
        }
            + relation.collections.flatMap { collection in
                let isDictionary = collection.property.collection == .dictionary
                return [reference(from: collection.table, collection.owner, to: owner, "CASCADE")]
                    + [collection.reference].compactMap(\.self).map {
                        reference(
                            from: collection.table, collection.value, to: $0, isDictionary ? "SET NULL" : "CASCADE")
                    }
            }
    }

    /// The indexes of a class and its collections.
    func indexes(_ relation: ClassRelation) -> [String] {
        relation.columns.compactMap { column in
            column.index.map { "CREATE INDEX \($0.quoted) ON \(place(relation.table)) (\(column.name.quoted))" }
        }
            + relation.collections.flatMap { collection in
                collection.indexes.map {
                    "CREATE INDEX \($0.name.quoted) ON \(place(collection.table)) (\($0.column.quoted))"
                }
            }
    }

    /// The table that says of each class what is in its table.
    func manifestTable(_ name: String) -> String {
        creation(
            of: name,
            [
                "\"class\" pg_catalog.text PRIMARY KEY", "\"table_name\" pg_catalog.text",
                "\"object_count\" pg_catalog.int8 NOT NULL", "\"digest\" pg_catalog.text",
                "\"properties\" pg_catalog.jsonb NOT NULL", "\"losses\" pg_catalog.jsonb NOT NULL",
            ])
    }

    /// The table that says how the others were written.
    func optionsTable(_ name: String) -> String {
        creation(of: name, ["\"name\" pg_catalog.text PRIMARY KEY", "\"value\" pg_catalog.text"])
    }

    /// `COPY` into the columns of a table.
    func copy(into table: String) -> SQLWriter.Part { .copy("COPY \(place(table)) FROM stdin", table: table) }

    /// A table's name with its schema's.
    private func place(_ table: String) -> String { "\(schema).\(table.quoted)" }

    private func creation(of table: String, _ lines: [String]) -> String {
        lines.isEmpty
            ? "CREATE TABLE \(place(table)) ()"
            : "CREATE TABLE \(place(table)) (\n  \(lines.joined(separator: ",\n  "))\n)"
    }

    private func reference(
        from table: String, _ column: String, to reference: Reference, _ action: String
    ) -> String {
        "ALTER TABLE \(place(table)) ADD FOREIGN KEY (\(column.quoted)) REFERENCES \(place(reference.table)) "
            + "(\(reference.key.name.quoted)) ON DELETE \(action) DEFERRABLE INITIALLY DEFERRED"
    }

    private static func type(of key: KeyColumn) -> String {
        key.property.map { type(of: $0, nil) } ?? "pg_catalog.int8"
    }

    private static func type(of property: Property, _ reference: Reference?) -> String {
        switch property.type {
        case .int: "pg_catalog.int8"
        case .bool: "pg_catalog.bool"
        case .float: "pg_catalog.float4"
        case .double: "pg_catalog.float8"
        case .date: "pg_catalog.timestamptz"
        case .data: "pg_catalog.bytea"
        case .decimal128: "pg_catalog.numeric"
        case .uuid: "pg_catalog.uuid"
        case .mixed: "pg_catalog.jsonb"
        case .object: reference.map { type(of: $0.key) } ?? "pg_catalog.int8"
        case .string, .objectId, .linkingObjects: "pg_catalog.text"
        }
    }
}
