import RealmModel

extension RelationalSchema {
    /// The relations of a declared schema, under names that a database accepts.
    ///
    /// A class has its own name wherever no other of its name is; collections are named behind all classes.
    ///
    /// - Parameters:
    ///   - flattens: whether embedded objects are columns of their owners where they can be.
    ///   - needsObjectKey: whether objects of a class with a primary key are referred to by object keys all the same.
    /// - Throws: `tooLarge` where a table would have more columns than the database takes, or there would be too many.
    init(
        _ schema: Schema, rules: NamingRules, flattens: Bool = false, needsObjectKey: (ObjectSchema) -> Bool
    ) throws(InputError) {
        let flattening = flattens ? Flattening(schema) : Flattening(none: schema)
        flattened = schema.classes.filter(flattening.contains)
        let tabled = schema.classes.filter { !flattening.contains($0) }
        var width = EmbeddedWidth(flattened) { property, _ in property.isCollection ? 0 : 1 }
        // The object key is a column, too.
        try width.check(tabled, classLimit: rules.columnLimit - 1)
        var tables = NameRoom(tablesOf: rules)
        manifestTable = tables.take("realm_manifest")
        optionsTable = tables.take("realm_export")
        let heads = tabled.map {
            ClassHead(
                $0, table: tables.take($0.name), flattening.parts(of: $0), rules, needsObjectKey: needsObjectKey($0))
        }
        let references = [NameKey: Reference](
            heads.map { (NameKey($0.schema.name), $0.reference) }, uniquingKeysWith: { first, _ in first })
        let named = heads.map { head in
            (head, head.collections.map { ($0, tables.take("\(head.schema.name)_\($0.name)")) })
        }
        classes = named.map { head, collections in
            ClassRelation(
                schema: head.schema, table: head.table, key: head.key,
                columns: head.columns.map { name, part in
                    let reference = part.isPresence ? nil : part.property.reference(among: references)
                    let isPrimaryKey = part.path.isEmpty && head.schema.isPrimaryKey(part.property)
                    let needsIndex = reference != nil || part.property.index == .general
                    return RelationColumn(
                        name: name, property: part.property, path: part.path, isPresence: part.isPresence,
                        isPrimaryKey: isPrimaryKey, reference: reference,
                        index: needsIndex && !isPrimaryKey ? tables.take("index_\(head.table)_\(name)") : nil)
                },
                collections: collections.map { part, table in
                    CollectionRelation(
                        part, table: table, reference: part.property.reference(among: references)
                    ) { tables.take($0) }
                })
        }
        guard tables.count <= rules.tableLimit else {
            let message =
                "The realm's classes and collections need \(tables.count) tables and indexes, and an export has at most "
                + "\(rules.tableLimit)."
            throw InputError(.tooLarge, ProblemItem(message))
        }
    }
}

extension CollectionRelation {
    fileprivate init(
        _ part: Flattening.Part, table: String, reference: Reference?, takeName: (String) -> String
    ) {
        let property = part.property
        self.table = table
        self.property = property
        path = part.path
        self.reference = reference
        owner = "owner"
        value = "value"
        place =
            switch property.collection {
            case .list: "position"
            case .dictionary: "key"
            case .set, .none: nil
            }
        let indexed = (place == nil ? [owner] : []) + (reference == nil ? [] : [value])
        indexes = indexed.map { Index(name: takeName("index_\(table)_\($0)"), column: $0) }
    }
}

extension Property {
    fileprivate func reference(among references: [NameKey: Reference]) -> Reference? {
        guard type == .object, let objectType else { return nil }
        return references[name: objectType]
    }
}

/// The parts of a class's table that are known before the others have their names.
private struct ClassHead {
    let schema: ObjectSchema
    let table: String
    let key: KeyColumn
    let columns: [(String, Flattening.Part)]
    let collections: [Flattening.Part]
    var reference: Reference { Reference(className: schema.name, table: table, key: key) }

    init(
        _ schema: ObjectSchema, table: String, _ parts: [Flattening.Part], _ rules: NamingRules, needsObjectKey: Bool
    ) {
        self.schema = schema
        self.table = table
        var room = NameRoom(columnsOf: rules)
        // A property keeps its name; the object key, which is nobody's property, gives way.
        // So does what an embedded object has.
        let single = parts.filter { !$0.property.isCollection }
        let own = single.map { $0.path.isEmpty ? room.take($0.name) : nil }
        let columns = zip(own, single).map { name, part in (name ?? room.take(part.name), part) }
        self.columns = columns
        collections = parts.filter(\.property.isCollection)
        if !needsObjectKey,
            let (name, part) = columns.first(where: { $1.path.isEmpty && schema.isPrimaryKey($1.property) })
        {
            key = KeyColumn(name: name, property: part.property)
        } else {
            key = KeyColumn(name: room.take("_key"), property: nil)
        }
    }
}
