import Columns
import RealmEditing
import RealmModel

/// The two realms that a migration function works on: the old one, read only, and the new one.
///
/// Classes are addressed by their index in `oldSchema` or `newSchema`, properties by their index in the class's
/// `properties`. A refused operation throws a `MigrationError` with Realm's text. A transaction belongs to one thread.
public final class MigrationTransaction {
    /// The version that the realm had; 2^64 − 1 where it had none.
    public let oldSchemaVersion: UInt64
    /// The version that the migration leads to.
    public let newSchemaVersion: UInt64

    let old: RealmView
    let new: RealmView
    private let editor: RealmEditor
    /// The renames that were made, each from the name that the source has to the last one.
    public internal(set) var renames: [SchemaRename] = []
    /// The classes that have another name, on both sides.
    let classRenames: [ClassRename]
    /// The rename that a script asked for; there is no use in what it does from then on.
    var requestedRename: ClassRename?
    /// The objects that were set aside.
    public internal(set) var quarantined: [ProblemItem] = []
    /// How many may be; nil where none is.
    var quarantineLimit: Int?
    /// The declaration, with the choices among it.
    var migration = DeclaredMigration()
    /// The share that the script visits, where it is held to `independent`.
    private(set) var share: MigrationShare?
    private var deletionsBefore = 0
    /// The objects that a retry visits, by class; nil where all are visited.
    var visited: [NameKey: Set<Int64>]?
    /// The realm that a retry begins with: the result of the migration before it.
    var beginning: WorkingRealm?
    /// Whether it is a retry: what stands outside of enumerations was done before.
    public var isRetry: Bool { visited != nil }
    /// Whether objects are set aside whose callback throws.
    public var quarantines: Bool { quarantineLimit != nil }
    /// Whether nothing may be changed: what checks see.
    let isReadOnly: Bool
    private var creationLimit = Int.max
    private var creationLimitExceeded: () -> Void = {}

    /// - Parameter losesDuplicatedPrimaryKeys: whether a class loses its primary key for good when an object with one that
    ///   is taken is created: what Realm does meanwhile in any mode, to let duplicates be, and makes good again at the end of
    ///   a migration that isn't manual.
    init(
        old: WorkingRealm, new: WorkingRealm, target: Schema, oldSchemaVersion: UInt64, newSchemaVersion: UInt64,
        losesDuplicatedPrimaryKeys: Bool = false, classRenames: [ClassRename] = [], isReadOnly: Bool = false
    ) {
        self.classRenames = classRenames
        self.isReadOnly = isReadOnly
        self.old = RealmView(old, as: old.schema, side: .old)
        self.new = RealmView(new, as: target, side: .new)
        editor = RealmEditor(
            self.new, source: self.old, takenPrimaryKeys: losesDuplicatedPrimaryKeys ? .loseTheirProperty : .stand)
        self.oldSchemaVersion = oldSchemaVersion
        self.newSchemaVersion = newSchemaVersion
    }

    /// The schema of the realm as it was, persisted properties in column order.
    public var oldSchema: Schema { old.schema }
    /// The target schema.
    public var newSchema: Schema { new.schema }

    /// Grows whenever any object is deleted: a caller that saw an object need not ask again before this changes.
    public var deletionCount: Int { new.realm.deletionCount }

    /// Objects that were created, those included that are gone again.
    public var createdCount: Int { editor.createdCount }

    /// Refuses every change from when more objects were created than a script may.
    ///
    /// - Parameter exceeded: is told then, since scripts catch errors; once or several times.
    public func limitCreation(to count: Int, exceeded: @escaping () -> Void) {
        creationLimit = count
        creationLimitExceeded = exceeded
    }

    /// - Throws: `MigrationError` in Realm's words where nothing may be changed.
    func requireWritable() throws(MigrationError) {
        guard !isReadOnly else {
            throw MigrationError(
                .wrongTransactionState, "Cannot modify managed objects outside of a write transaction.")
        }
    }

    /// Changes objects, and looks how many were created.
    private func changing<Result>(_ operation: () throws -> Result) throws -> Result {
        try requireWritable()
        let result = try editing(operation)
        try refuseOthers()
        guard editor.createdCount <= creationLimit else {
            creationLimitExceeded()
            throw MigrationError(exceeding: .createdCount, of: OutputLimits(createdCount: creationLimit))
        }
        return result
    }

    /// Holds the script to `independent` from now on.
    ///
    /// - Parameter share: what its enumerations visit.
    func hold(to share: MigrationShare) { (self.share, deletionsBefore) = (share, deletionCount) }

    /// Whether objects were deleted since.
    var hasDeleted: Bool { deletionCount > deletionsBefore }

    func view(_ side: RealmSide) -> RealmView { side == .old ? old : new }

    func index(of className: String, side: RealmSide) -> Int? { view(side).index(of: className) }

    /// Does something to objects; what it refuses is an error of the migration.
    func editing<Result>(_ operation: () throws -> Result) throws -> Result {
        do {
            return try operation()
        } catch let error as EditingError {
            throw MigrationError(error)
        }
    }

    // MARK: Values

    /// Whether an object exists (still).
    public func isValid(_ object: ObjectReference) throws -> Bool { try view(object.side).isValid(object) }

    /// A property's value; links to deleted objects are null and gone from lists.
    ///
    /// - Throws: `MigrationError` where the object was deleted.
    public func value(_ property: Int, of object: ObjectReference) throws -> Value {
        try editing { try view(object.side).value(property, of: object) }
    }

    /// Sets a property of a new object.
    ///
    /// - Throws: `MigrationError`: wrong type, null in a required property, read-only old object, deleted object or link
    ///   target.
    public func set(_ property: Int, of object: ObjectReference, to input: ObjectInput) throws {
        try changing { try editor.set(property, of: object, to: input) }
    }

    // MARK: Collections

    /// Appends to a list or adds to a set; answers the new count.
    public func append(_ input: ObjectInput, to property: Int, of object: ObjectReference) throws -> Int {
        try changing { try editor.append(input, to: property, of: object) }
    }

    /// Replaces `removeCount` elements of a list from `index` by others; answers the values removed.
    ///
    /// - Parameter index: clamped to the list, as `removeCount` is.
    public func splice(
        _ property: Int, of object: ObjectReference, at index: Int, removeCount: Int, inserting: [ObjectInput]
    ) throws -> [Value] {
        try changing {
            try editor.splice(property, of: object, at: index, removeCount: removeCount, inserting: inserting)
        }
    }

    /// Puts another element in the place of one of a list; an equal one stays as it is, as in Realm.
    ///
    /// - Throws: `MigrationError`, `outOfBounds` where the list has no such element.
    public func setElement(_ index: Int, of property: Int, of object: ObjectReference, to input: ObjectInput) throws {
        try changing { try editor.setElement(index, of: property, of: object, to: input) }
    }

    /// Sets or adds a dictionary's entry.
    public func setEntry(_ key: String, of property: Int, of object: ObjectReference, to input: ObjectInput) throws {
        try changing { try editor.setEntry(key, of: property, of: object, to: input) }
    }

    /// Removes a dictionary's entry or a set's element; answers whether it was there.
    public func remove(_ input: ObjectInput, from property: Int, of object: ObjectReference) throws -> Bool {
        try requireWritable()
        let wasThere = try editing { try editor.remove(input, from: property, of: object) }
        try refuseOthers()
        return wasThere
    }

    // MARK: Objects

    /// Creates an object; members that are missing get the schema's default, null, or nothing in a collection.
    ///
    /// - Parameters:
    ///   - className: a class of the target schema that is not embedded.
    ///   - input: members by public name, an array with a value for every persisted property in declared order, or
    ///     an object whose properties are copied by name.
    /// - Throws: `MigrationError`; then no object was made.
    public func create(in className: String, _ input: ObjectInput) throws -> ObjectReference {
        try changing { try editor.create(in: className, input) }
    }

    /// Deletes a new object, with the embedded objects that it owns.
    public func delete(_ object: ObjectReference) throws {
        try requireWritable()
        try refuseIndependent("it deletes objects")
        try editing { try editor.delete(object) }
    }

    /// The object of a primary key on one side; nil where there is none.
    ///
    /// - Throws: `MigrationError` where the class has no primary key or the input is not of its type.
    public func object(
        in classIndex: Int, side: RealmSide, primaryKey: ObjectInput
    ) throws -> ObjectReference? {
        try editing { try view(side).object(in: classIndex, primaryKey: primaryKey) }
    }

    /// The objects of one side that link to an object by a linking-objects property, in order of their keys.
    public func linkingObjects(_ property: Int, of object: ObjectReference) throws -> [ObjectReference] {
        try editing { try view(object.side).linkingObjects(property, of: object) }
    }

    /// The objects of one side that link to an object by a property of a class, in order of their keys.
    public func linkingObjects(
        from className: String, by property: String, to object: ObjectReference
    ) throws -> [ObjectReference] {
        try editing { try view(object.side).linkingObjects(from: className, by: property, to: object) }
    }

    /// Replaces one property of a whole row group: see `RealmEditor.replaceColumn`.
    public func replaceColumn(_ property: Int, of classIndex: Int, rowGroup: Int, with array: ColumnArray) throws {
        try requireWritable()
        try editing { try editor.replaceColumn(property, of: classIndex, rowGroup: rowGroup, with: array) }
    }
}
