import RealmModel

/// The classes of a file and what their tables say of them.
struct StoredSchema {
    /// A class and its table.
    struct Class {
        let schema: ObjectSchema
        let table: Table
    }

    /// The classes in the order of their tables; Realm's own tables are not among them.
    let classes: [Class]
    /// The classes that links lead to.
    let targets: LinkTargets

    /// Makes the schema of a file's tables.
    ///
    /// - Parameter className: the class that a table holds; nil for Realm's own tables.
    init(
        _ tables: [Table], in image: Image, className: (Table) -> String? = { $0.className }
    ) throws(InputError) {
        var names: [Int64: String] = [:]
        var seen: Set<NameKey> = []
        for table in tables {
            guard let name = className(table) else { continue }
            guard !name.isEmpty else { throw .damaged("a class has no name", at: table.offset) }
            guard names.updateValue(name, forKey: table.key) == nil, seen.insert(name: name) else {
                throw InputError.damaged("two tables have the same name or key", at: table.offset).within(
                    className: name)
            }
        }
        targets = LinkTargets(
            Dictionary(tables.map { ($0.key, $0) }) { first, _ in first }.filter { names[$0.key] != nil },
            named: names, in: image)
        var classes: [Class] = []
        for table in tables {
            guard let name = className(table) else { continue }
            classes.append(Class(schema: try Self.schema(of: table, named: name, classNames: names), table: table))
        }
        self.classes = classes
    }

    private static func schema(
        of table: Table, named name: String, classNames: [Int64: String]
    ) throws(InputError) -> ObjectSchema {
        var schema = ObjectSchema(name, kind: table.kind)
        var names: Set<NameKey> = []
        for column in table.columns {
            let isPrimaryKey = column.key == table.primaryKey  // no name
            if isPrimaryKey { schema.primaryKey = column.name }
            let objectType = column.targetTable.flatMap { classNames[$0] }
            guard (column.type == .object) == (objectType != nil) else {
                throw InputError.damaged("a link to a table that is no class", at: table.offset)
                    .within(className: name, property: column.name)
            }
            guard !column.name.isEmpty, names.insert(name: column.name) else {
                throw InputError.damaged("a column has no name of its own", at: table.offset)
                    .within(className: name, property: column.name)
            }
            schema.properties.append(column.property(isPrimaryKey: isPrimaryKey, objectType: objectType))
        }
        guard table.primaryKey == nil || schema.primaryKey != nil else {
            throw InputError.damaged("the primary key is no column", at: table.offset).within(className: name)
        }
        return schema
    }
}
