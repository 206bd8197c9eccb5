import RealmModel

/// The keys of embedded objects in two exports of a realm: those of the same owner, in the same property, are of one object.
///
/// An object may have lost its owner, as where a migration removed the property: it is the one of the same key, in formats that keep it.
/// Each embedded class has a temporary table of its keys in the one (`a`) and in the other (`b`).
struct EmbeddedKeys {
    private let tables: [NameKey: String]

    /// Pairs the keys.
    ///
    /// - Parameter database: has the one export, and the other one attached as `given`.
    init(_ schema: RelationalSchema, _ database: SQLiteDatabase) throws(ExportError) {
        let embedded = schema.classes.filter(\.schema.isEmbedded)
        tables = Dictionary(embedded.enumerated().map { (NameKey($1.schema.name), "temp.embedded_\($0)") }) {
            first, _ in
            first
        }
        for table in tables.values {
            try database.execute("CREATE TABLE \(table) (a INTEGER PRIMARY KEY, b INTEGER NOT NULL UNIQUE)")
        }
        guard !tables.isEmpty else { return }
        try pairByOwners(schema, database)
        for relation in embedded {
            guard let keys = tables[NameKey(relation.schema.name)],
                try database.columns(of: relation.table, in: "given").contains(where: {
                    $0.hasSameBytes(as: relation.key.name)
                })
            else { continue }
            let (table, key) = (relation.table.quoted, relation.key.name.quoted)
            try database.execute(
                "INSERT OR IGNORE INTO \(keys) SELECT a.\(key), b.\(key) FROM main.\(table) a JOIN given.\(table) b "
                    + "ON a.\(key) = b.\(key) WHERE typeof(b.\(key)) = 'integer'")
        }
        try pairByOwners(schema, database)
    }

    private func pairByOwners(_ schema: RelationalSchema, _ database: SQLiteDatabase) throws(ExportError) {
        // Objects that embedded ones own are found when these are: as often as they are nested.
        var paired = -1
        while true {
            for relation in schema.classes {
                for source in sources(of: relation) where try exists(source, database) {
                    try database.execute(source.pairing)
                }
            }
            let count = try count(database)
            if count == paired { return }
            paired = count
        }
    }

    /// A column of links to embedded objects.
    private struct Source {
        var table: String
        var columns: [String]
        var pairing: String
    }

    private func sources(of relation: ClassRelation) -> [Source] {
        let own = self.tables(of: relation)
        let columns = relation.columns.compactMap { column in
            source(relation.table, [relation.key.name], column.name, to: column.reference, own)
        }
        return columns
            + relation.collections.compactMap { collection in
                collection.place.flatMap { place in
                    source(
                        collection.table, [collection.owner, place], collection.value, to: collection.reference,
                        self.tables(of: collection, in: relation))
                }
            }
    }

    private func source(
        _ table: String, _ key: [String], _ column: String, to reference: Reference?, _ links: [NameKey: String]
    ) -> Source? {
        guard let reference, let keys = tables[NameKey(reference.className)] else { return nil }
        let match = key.map { Self.match($0, links[NameKey($0)]) }.joined(separator: " AND ")
        return Source(
            table: table, columns: key + [column],
            pairing: "INSERT OR IGNORE INTO \(keys) SELECT a.\(column.quoted), b.\(column.quoted) "
                + "FROM main.\(table.quoted) a JOIN given.\(table.quoted) b ON \(match) "
                + "WHERE typeof(a.\(column.quoted)) = 'integer' AND typeof(b.\(column.quoted)) = 'integer'")
    }

    private func exists(_ source: Source, _ database: SQLiteDatabase) throws(ExportError) -> Bool {
        let given = try database.columns(of: source.table, in: "given")
        return source.columns.allSatisfy { name in given.contains { $0.hasSameBytes(as: name) } }
    }

    private func count(_ database: SQLiteDatabase) throws(ExportError) -> Int {
        let counts = tables.values.map { "(SELECT count(*) FROM \($0))" }.joined(separator: " + ")
        let query = try database.prepare("SELECT \(counts)")
        return try query.step() ? Int(query.integer(0)) : 0
    }

    // MARK: Columns

    /// The columns of a class's table with keys of embedded objects, each with the table of these.
    func tables(of relation: ClassRelation) -> [NameKey: String] {
        var found: [NameKey: String] = [:]
        for column in relation.columns {
            if let table = column.reference.flatMap({ tables[NameKey($0.className)] }) {
                found[NameKey(column.name)] = table
            }
        }
        if let table = tables[NameKey(relation.schema.name)] { found[NameKey(relation.key.name)] = table }
        return found
    }

    /// The same of the table of a collection.
    func tables(of collection: CollectionRelation, in relation: ClassRelation) -> [NameKey: String] {
        var found: [NameKey: String] = [:]
        if let table = collection.reference.flatMap({ tables[NameKey($0.className)] }) {
            found[NameKey(collection.value)] = table
        }
        if let table = tables[NameKey(relation.schema.name)] { found[NameKey(collection.owner)] = table }
        return found
    }

    /// The condition that a column of `a` has the same in `b`.
    ///
    /// - Parameter keys: the table of the embedded objects whose keys it has; nil of other columns.
    static func match(_ column: String, _ keys: String?) -> String {
        "\(given("a.\(column.quoted)", keys)) IS b.\(column.quoted)"
    }

    /// The same condition, by which rows of `a` are found for one of `b`.
    static func matchBack(_ column: String, _ keys: String?) -> String {
        guard let keys else { return match(column, nil) }
        return "a.\(column.quoted) IS (SELECT k.a FROM \(keys) k WHERE k.b = b.\(column.quoted))"
    }

    /// The key that the other export has for one.
    static func given(_ column: String, _ keys: String?) -> String {
        guard let keys else { return column }
        return "(SELECT k.b FROM \(keys) k WHERE k.a = \(column))"
    }
}
