import Columns
import RealmModel

/// What a migration function works on: the old realm, read only, and the new one.
///
/// Classes are addressed by their index in `oldSchema` or `newSchema`, properties by their index in the class's
/// `properties`. A transaction belongs to one thread.
public final class MigrationTransaction {
    /// The schema of the realm as it was, persisted properties in column order.
    public let oldSchema: Schema
    /// The target schema.
    public let newSchema: Schema
    /// The version that the realm had; 2^64 − 1 where it had none.
    public let oldSchemaVersion: UInt64
    /// The version that the migration leads to.
    public let newSchemaVersion: UInt64

    init(oldSchema: Schema, newSchema: Schema, oldSchemaVersion: UInt64, newSchemaVersion: UInt64) {
        self.oldSchema = oldSchema
        self.newSchema = newSchema
        self.oldSchemaVersion = oldSchemaVersion
        self.newSchemaVersion = newSchemaVersion
    }

    // MARK: Enumerating

    /// The objects that `enumerateObjects` visits for a class, by Realm's rules (REALM_SEMANTICS, section 1.3).
    ///
    /// A class in both schemas gives its old objects in order of their keys, each with the new object of its key; a
    /// class only in the new schema its objects now; one only in the old schema its old objects. Pairs whose new
    /// object was deleted meanwhile are for the caller to skip, by `isValid`, when their turn comes.
    ///
    /// - Returns: nil where nothing is to be visited.
    public func enumeration(of className: String) throws -> Enumeration? { nil }

    /// What `enumerateObjects` visits.
    public struct Enumeration {
        /// The class's index in `oldSchema`, where it has old objects.
        public let oldClass: Int?
        /// The class's index in `newSchema`, where it has new objects.
        public let newClass: Int?
        /// Row groups to visit in order; `batch` gives the keys of each.
        public let batchCount: Int
        /// All objects, for progress.
        public let objectCount: Int
    }

    /// The object keys of one batch of an enumeration, ascending, those deleted before the enumeration left out.
    ///
    /// - Returns: the keys, and the row group and the rows where the objects stand, for the bulk functions; the row
    ///   group is nil where the batch's objects are not in one.
    public func batch(
        _ index: Int, of enumeration: Enumeration
    ) throws -> (keys: [Int64], rowGroup: Int?, rows: [Int]) { ([], nil, []) }

    /// All keys of a class on one side, ascending, in runs of a row group at most.
    public func keys(of classIndex: Int, side: MigrationSide, visit: ([Int64]) throws -> Void) throws {}

    /// The number of objects of a class on one side now.
    public func objectCount(of classIndex: Int, side: MigrationSide) -> Int { 0 }

    /// The object of a primary key on one side; nil where there is none.
    public func object(
        in classIndex: Int, side: MigrationSide, primaryKey: ScriptInput
    ) throws -> ObjectReference? { nil }

    // MARK: Single values

    /// Whether an object exists (still).
    public func isValid(_ object: ObjectReference) throws -> Bool { false }

    /// Grows whenever any object is deleted: a caller that saw an object need not ask again before this changes.
    public private(set) var deletionCount = 0

    /// A property's value; links to deleted objects are null and gone from lists.
    ///
    /// - Throws: `MigrationError` with Realm's text where the object was deleted.
    public func value(_ property: Int, of object: ObjectReference) throws -> Value { .null }

    /// Sets a property of a new object.
    ///
    /// - Throws: `MigrationError` with Realm's text: wrong type, null in a required property, read-only old object,
    ///   deleted object or link target.
    public func set(_ property: Int, of object: ObjectReference, to input: ScriptInput) throws {}

    /// The objects of one side that link to an object by a linking-objects property.
    public func linkingObjects(_ property: Int, of object: ObjectReference) throws -> [ObjectReference] { [] }

    // MARK: Collections

    /// Appends to a list or adds to a set; answers the new count.
    public func append(_ input: ScriptInput, to property: Int, of object: ObjectReference) throws -> Int { 0 }

    /// Replaces `removeCount` elements of a list from `index` by others; answers the values removed.
    public func splice(
        _ property: Int, of object: ObjectReference, at index: Int, removeCount: Int, inserting: [ScriptInput]
    ) throws -> [Value] { [] }

    /// Sets or adds a dictionary's entry.
    public func setEntry(_ key: String, of property: Int, of object: ObjectReference, to input: ScriptInput) throws {}

    /// Removes a dictionary's entry or a set's element; answers whether it was there.
    public func remove(_ input: ScriptInput, from property: Int, of object: ObjectReference) throws -> Bool { false }

    // MARK: Objects and classes

    /// Creates an object; members that are missing get the schema's default, null, or nothing in a collection.
    public func create(in className: String, _ input: ScriptInput) throws -> ObjectReference {
        ObjectReference(side: .new, classIndex: 0, key: ObjectKey(0))
    }

    /// Deletes a new object, with the embedded objects that it owns.
    public func delete(_ object: ObjectReference) throws {}

    /// Deletes all objects of a class, and the class itself where the target schema has it not.
    ///
    /// - Returns: whether there was such a class.
    public func deleteData(of className: String) throws -> Bool { false }

    /// Gives a property another name; its values replace those of the property of that name.
    public func renameProperty(of className: String, from oldName: String, to newName: String) throws {}

    // MARK: In bulk

    /// One property of one row group as it is now, for scripts that run over columns.
    ///
    /// - Parameter rowGroup: as `batch` named it.
    public func column(_ property: Int, of classIndex: Int, side: MigrationSide, rowGroup: Int) throws -> ColumnArray {
        ColumnArray(count: 0, values: .int([]))
    }

    /// Replaces one property of a whole row group; for single values of a type that is neither a link nor mixed.
    ///
    /// The array must have a row for every row of the group, deleted ones included, of the property's type, and a null
    /// only where the property is optional.
    public func replaceColumn(_ property: Int, of classIndex: Int, rowGroup: Int, with array: ColumnArray) throws {}
}
