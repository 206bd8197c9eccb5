import Columns
import RealmModel

/// The tables that a realm's classes and collections become.
struct RelationalSchema: Sendable {
    /// The classes in the order of the declared schema.
    let classes: [ClassRelation]
    /// Embedded classes without a table: their objects are columns and collections of their owners.
    let flattened: [ObjectSchema]
    /// The table that says what is in the others.
    let manifestTable: String
    /// The table that says how the others were written.
    let optionsTable: String
}

/// The table of a class, and those of its collections.
struct ClassRelation: Sendable {
    /// The class as it is declared.
    let schema: ObjectSchema
    let table: String
    /// The column that other tables refer to.
    let key: KeyColumn
    /// The columns beside an object key's own, in declared order; a primary key is among them.
    let columns: [RelationColumn]
    let collections: [CollectionRelation]

    /// The columns of the class's own properties and the tables of its collections, by the names of the properties, where
    /// the database would not have them under the realm's.
    var names: [NameKey: PlaceName] {
        var names: [NameKey: PlaceName] = [:]
        for column in columns where column.path.isEmpty {
            names[NameKey(column.property.name)] = PlaceName(
                .column, column.name, insteadOf: column.property.publicName)
        }
        for collection in collections where collection.path.isEmpty {
            let property = collection.property
            names[NameKey(property.name)] = PlaceName(
                .table, collection.table, insteadOf: "\(schema.name)_\(property.publicName)")
        }
        return names
    }
}

/// The column that identifies a class's objects.
struct KeyColumn: Hashable, Sendable {
    let name: String
    /// The primary key; nil where the object key stands in a column of its own: the class has no primary key, or it is null
    /// in an object, to which nothing could refer by it.
    let property: Property?

    /// The type of the cells.
    var type: PropertyType { property?.type ?? .int }
}

/// The table and column that a link's column refers to.
struct Reference: Hashable, Sendable {
    let className: String
    let table: String
    let key: KeyColumn
}

extension Reference {
    /// A reference to a class's objects without tables: by their primary key, or their object key.
    init(toObjectsOf schema: ObjectSchema) {
        let key = schema.primaryKeyProperty
        self.init(
            className: schema.name, table: schema.name, key: KeyColumn(name: key?.publicName ?? "_key", property: key))
    }
}

/// A column with one value of each object.
struct RelationColumn: Sendable {
    let name: String
    let property: Property
    /// The properties that lead from the table's class to the embedded object whose property it is; none where it is the class's.
    let path: [Property]
    /// Whether it says if an embedded object is there, whose own properties are columns as well.
    let isPresence: Bool
    /// Whether it is the class's primary key.
    let isPrimaryKey: Bool
    /// Where the property is a link.
    let reference: Reference?
    /// The index on the column; nil for none.
    let index: String?

    /// Whether each object has a value.
    var isRequired: Bool { isPresence || path.isEmpty && property.requiresValue }
    /// The type of the cells.
    var type: PropertyType { isPresence ? .bool : reference?.key.type ?? property.type }
}

/// The table of a list, a set or a dictionary.
struct CollectionRelation: Sendable {
    let table: String
    let property: Property
    /// As of a column.
    let path: [Property]
    let owner: String
    /// `position` of a list, `key` of a dictionary; nil for a set.
    let place: String?
    let value: String
    /// Where the elements are links.
    let reference: Reference?
    /// The index that owners, where they are no key, or links are found by, each with its column.
    let indexes: [Index]

    /// An index of one column.
    struct Index: Sendable {
        let name: String
        let column: String
    }
}

extension CollectionRelation {
    /// The class whose property it is: the table's, or that of an embedded object.
    func className(in relation: ClassRelation) -> String { path.last?.objectType ?? relation.schema.name }
}
