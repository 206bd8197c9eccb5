import RealmModel

/// The statements that make the tables of a realm in PostgreSQL: tables first, keys and indexes when the rows are there.
struct PostgresDefinitions {
    /// Whether a property that requires a value may still be null in the table, for a value that PostgreSQL has not.
    let losesValues: (_ className: String, Property) -> Bool

    /// The table of a class, without keys.
    func table(_ relation: ClassRelation) -> String {
        let own = relation.key.property == nil ? ["\(relation.key.name.quoted) bigint NOT NULL"] : []
        let lines =
            own
            + relation.columns.map { column in
                let isRequired = column.isRequired && !losesValues(relation.schema.name, column.property)
                return "\(column.name.quoted) \(Self.type(of: column.property, column.reference))"
                    + (isRequired ? " NOT NULL" : "")
            }
        return Self.creation(of: relation.table, lines)
    }

    /// The table of a collection, without keys.
    func table(_ collection: CollectionRelation, of relation: ClassRelation) -> String {
        let property = collection.property
        var lines = ["\(collection.owner.quoted) \(Self.type(of: relation.key)) NOT NULL"]
        if let place = collection.place {
            lines.append("\(place.quoted) \(property.collection == .list ? "integer" : "text") NOT NULL")
        }
        let isRequired =
            !property.isOptional && property.type != .mixed
            && !losesValues(collection.className(in: relation), property)
        lines.append(
            "\(collection.value.quoted) \(Self.type(of: property, collection.reference))"
                + (isRequired ? " NOT NULL" : ""))
        return Self.creation(of: collection.table, lines)
    }

    /// The primary keys of a class and its collections.
    func keys(_ relation: ClassRelation) -> [String] {
        var statements = ["ALTER TABLE \(relation.table.quoted) ADD PRIMARY KEY (\(relation.key.name.quoted))"]
        if relation.key.property == nil,
            let column = relation.columns.first(where: \.isPrimaryKey)
        {
            statements.append("ALTER TABLE \(relation.table.quoted) ADD UNIQUE (\(column.name.quoted))")
        }
        return statements
            + relation.collections.compactMap { collection in
                collection.place.map {
                    "ALTER TABLE \(collection.table.quoted) ADD PRIMARY KEY (\(collection.owner.quoted), \($0.quoted))"
                }
            }
    }

    /// The foreign keys of a class and its collections; all primary keys are there.
    func references(_ relation: ClassRelation) -> [String] {
        let owner = Reference(className: relation.schema.name, table: relation.table, key: relation.key)
        return relation.columns.compactMap { column in
            column.reference.map { Self.reference(from: relation.table, column.name, to: $0, "SET NULL") }
        }
            + relation.collections.flatMap { collection in
                let isDictionary = collection.property.collection == .dictionary
                return [Self.reference(from: collection.table, collection.owner, to: owner, "CASCADE")]
                    + [collection.reference].compactMap(\.self).map {
                        Self.reference(
                            from: collection.table, collection.value, to: $0, isDictionary ? "SET NULL" : "CASCADE")
                    }
            }
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

    /// The table that says of each class what is in its table.
    static func manifestTable(_ name: String) -> String {
        creation(
            of: name,
            [
                "\"class\" text PRIMARY KEY", "\"table_name\" text", "\"object_count\" bigint NOT NULL",
                "\"digest\" text", "\"properties\" jsonb NOT NULL", "\"losses\" jsonb NOT NULL",
            ])
    }

    /// The table that says how the others were written.
    static func optionsTable(_ name: String) -> String {
        creation(of: name, ["\"name\" text PRIMARY KEY", "\"value\" text"])
    }

    /// `COPY` into the columns of a table.
    static func copy(into table: String) -> SQLWriter.Part { .copy("COPY \(table.quoted) FROM stdin", table: table) }

    private static func creation(of table: String, _ lines: [String]) -> String {
        lines.isEmpty
            ? "CREATE TABLE \(table.quoted) ()"
            : "CREATE TABLE \(table.quoted) (\n  \(lines.joined(separator: ",\n  "))\n)"
    }

    private static func reference(
        from table: String, _ column: String, to reference: Reference, _ action: String
    ) -> String {
        "ALTER TABLE \(table.quoted) ADD FOREIGN KEY (\(column.quoted)) REFERENCES \(reference.table.quoted) "
            + "(\(reference.key.name.quoted)) ON DELETE \(action) DEFERRABLE INITIALLY DEFERRED"
    }

    private static func type(of key: KeyColumn) -> String { key.property.map { type(of: $0, nil) } ?? "bigint" }

    private static func type(of property: Property, _ reference: Reference?) -> String {
        switch property.type {
        case .int: "bigint"
        case .bool: "boolean"
        case .float: "real"
        case .double: "double precision"
        case .date: "timestamptz"
        case .data: "bytea"
        case .decimal128: "numeric"
        case .uuid: "uuid"
        case .mixed: "jsonb"
        case .object: reference.map { type(of: $0.key) } ?? "bigint"
        case .string, .objectId, .linkingObjects: "text"
        }
    }
}
