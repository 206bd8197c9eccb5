import RealmModel

extension RelationalSchema {
    /// The relations of a declared schema, under names that a database accepts.
    ///
    /// A class has its own name wherever no other of its name is; collections are named behind all classes.
    ///
    /// - Parameter needsObjectKey: whether objects of a class with a primary key are referred to by object keys all the same.
    init(_ schema: Schema, rules: NamingRules, needsObjectKey: (ObjectSchema) -> Bool) {
        var tables = NameRoom(tablesOf: rules)
        manifestTable = tables.take("realm_manifest")
        optionsTable = tables.take("realm_export")
        let heads = schema.classes.map {
            ClassHead($0, table: tables.take($0.name), rules, needsObjectKey: needsObjectKey($0))
        }
        let references = [NameKey: Reference](
            heads.map { (NameKey($0.schema.name), $0.reference) }, uniquingKeysWith: { first, _ in first })
        let named = heads.map { head in
            (head, head.collections.map { ($0, tables.take("\(head.schema.name)_\($0.publicName)")) })
        }
        classes = named.map { head, collections in
            ClassRelation(
                schema: head.schema, table: head.table, key: head.key,
                columns: head.columns.map { name, property in
                    let reference = property.reference(among: references)
                    let needsIndex = reference != nil || property.index == .general
                    return RelationColumn(
                        name: name, property: property, reference: reference,
                        index: needsIndex && !head.schema.isPrimaryKey(property)
                            ? tables.take("index_\(head.table)_\(name)") : nil)
                },
                collections: collections.map { property, table in
                    CollectionRelation(property, table: table, reference: property.reference(among: references)) {
                        tables.take($0)
                    }
                })
        }
    }
}

extension CollectionRelation {
    fileprivate init(
        _ property: Property, table: String, reference: Reference?, takeName: (String) -> String
    ) {
        self.table = table
        self.property = property
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

/// What can be said of a class's table before the others have their names.
private struct ClassHead {
    let schema: ObjectSchema
    let table: String
    let key: KeyColumn
    let columns: [(String, Property)]
    var collections: [Property] { schema.persistedProperties.filter(\.isCollection) }
    var reference: Reference { Reference(className: schema.name, table: table, key: key) }

    init(_ schema: ObjectSchema, table: String, _ rules: NamingRules, needsObjectKey: Bool) {
        self.schema = schema
        self.table = table
        var room = NameRoom(columnsOf: rules)
        // A property keeps its name; the object key, which is nobody's property, gives way.
        let columns = schema.persistedProperties.filter { !$0.isCollection }.map { (room.take($0.publicName), $0) }
        self.columns = columns
        if !needsObjectKey, let (name, property) = columns.first(where: { schema.isPrimaryKey($0.1) }) {
            key = KeyColumn(name: name, property: property)
        } else {
            key = KeyColumn(name: room.take("_key"), property: nil)
        }
    }
}
