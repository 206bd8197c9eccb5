import RealmModel

/// The objects of a realm as a schema shows them.
///
/// Classes are addressed by their index in `schema`, properties by their index in the class's `properties`. Belongs to one
/// thread.
package final class RealmView {
    /// Whose objects these are.
    package let side: RealmSide
    /// The schema that is shown: the stored one, or the one that it is about to be.
    package let schema: Schema
    package let realm: WorkingRealm
    /// Grows with every write that may change what links to what.
    private(set) var linkRevision = 0
    private(set) var primaryKeys = PrimaryKeyLookups()
    var backlinkIndexes: [BacklinkIndex.Name: BacklinkIndex] = [:]

    private var bindings: [[Binding]?]
    /// The stored classes of the schema's, as they were at a revision of the realm's.
    private var stored: (classes: [WorkingClass?], revision: Int)

    /// Where a property of the schema is stored.
    package struct Binding {
        package let property: Property
        /// Nil where the stored class has no such property, or no longer.
        package let column: WorkingColumn?
    }

    /// Shows a realm.
    package init(_ realm: WorkingRealm, as schema: Schema, side: RealmSide) {
        self.realm = realm
        self.schema = schema
        self.side = side
        bindings = schema.classes.map { _ in nil }
        stored = Self.stored(of: realm, as: schema)
    }

    private static func stored(of realm: WorkingRealm, as schema: Schema) -> (classes: [WorkingClass?], revision: Int) {
        (schema.classes.map { realm[$0.name] }, realm.classRevision)
    }

    // MARK: Classes and properties

    /// The index of a class; nil where the schema has none of the name.
    package func index(of className: String) -> Int? {
        schema.index(of: className)
    }

    /// The stored class; nil where it was removed.
    package func workingClass(_ index: Int) -> WorkingClass? {
        if stored.revision != realm.classRevision { stored = Self.stored(of: realm, as: schema) }
        return stored.classes[index]
    }

    /// The stored columns of a class's properties, in the order of the schema.
    package func bindings(of index: Int) -> [Binding] {
        if let known = bindings[index] { return known }
        let shown = schema.classes[index]
        let stored = workingClass(index)
        let found = shown.properties.map { Binding(property: $0, column: stored?.column(named: $0.name)) }
        bindings[index] = found
        return found
    }

    /// Forgets where properties are stored, after a rename or the removal of a class or of all its objects.
    package func unbind() {
        bindings = schema.classes.map { _ in nil }
        primaryKeys = PrimaryKeyLookups()
        noteLinks()
    }

    /// Goes on with what another view of the same realm knows of its objects by primary key, and shares what either learns.
    ///
    /// Without it neither would hear of the objects that the other adds.
    package func sharePrimaryKeys(with other: RealmView) { primaryKeys = other.primaryKeys }

    /// Notes that links may have changed.
    func noteLinks() { linkRevision += 1 }

    // MARK: Objects

    func className(of object: ObjectReference) -> String { schema.classes[object.classIndex].name }

    /// The class and row of an object that has to be there.
    func locate(_ object: ObjectReference) throws -> (WorkingClass, RowPosition) {
        guard let stored = workingClass(object.classIndex), let position = try stored.position(of: object.key.value)
        else { throw EditingError.invalidatedObject(className(of: object)) }
        return (stored, position)
    }

    /// Whether an object exists (still).
    package func isValid(_ object: ObjectReference) throws -> Bool {
        try workingClass(object.classIndex)?.position(of: object.key.value) != nil
    }

    /// A property's value; links to deleted objects are null and gone from lists.
    ///
    /// - Throws: `EditingError` where the object was deleted.
    package func value(_ property: Int, of object: ObjectReference) throws -> Value {
        let (stored, position) = try locate(object)
        let binding = bindings(of: object.classIndex)[property]
        guard let column = binding.column else { return binding.property.initialValue }
        return try realm.visible(try stored.value(column, at: position), of: column.property)
    }
}
