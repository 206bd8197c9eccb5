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

    let old: WorkingRealm
    let new: WorkingRealm
    /// Grows with every write that may change what links to what.
    var linkRevision = 0
    var primaryKeyIndexes: [ClassOnSide: PrimaryKeyIndex] = [:]
    var backlinkIndexes: [BacklinkIndex.Name: BacklinkIndex] = [:]

    /// Whether a class loses its primary key for good when an object with one that is taken is created: what Realm does
    /// meanwhile in any mode, to let duplicates be, and makes good again at the end of a migration that isn't manual.
    let losesDuplicatedPrimaryKeys: Bool

    private var bindings: [[Binding]?]
    private let oldBindings: [[Binding]]

    /// Where a property of the schema is stored.
    struct Binding {
        let property: Property
        let column: WorkingColumn?
    }

    /// A class of one side.
    struct ClassOnSide: Hashable {
        let side: MigrationSide
        let index: Int
    }

    init(
        old: WorkingRealm, new: WorkingRealm, target: Schema, oldSchemaVersion: UInt64, newSchemaVersion: UInt64,
        losesDuplicatedPrimaryKeys: Bool = false
    ) {
        self.losesDuplicatedPrimaryKeys = losesDuplicatedPrimaryKeys
        self.old = old
        self.new = new
        oldSchema = old.schema
        newSchema = target
        self.oldSchemaVersion = oldSchemaVersion
        self.newSchemaVersion = newSchemaVersion
        bindings = target.classes.map { _ in nil }
        oldBindings = old.classes.map { oldClass in
            oldClass.columns.map { Binding(property: $0.property, column: $0) }
        }
    }

    /// Grows whenever any object is deleted: a caller that saw an object need not ask again before this changes.
    public var deletionCount: Int { new.deletionCount }

    func realm(_ side: MigrationSide) -> WorkingRealm { side == .old ? old : new }

    func schema(_ side: MigrationSide) -> Schema { side == .old ? oldSchema : newSchema }

    func className(of object: ObjectReference) -> String {
        schema(object.side).classes[object.classIndex].name
    }

    /// The stored class; nil where the script has removed it.
    func workingClass(_ index: Int, side: MigrationSide) -> WorkingClass? {
        realm(side)[schema(side).classes[index].name]
    }

    /// The stored columns of a class's properties, in the order of the schema.
    func bindings(of index: Int, side: MigrationSide) -> [Binding] {
        if side == .old { return oldBindings[index] }
        if let known = bindings[index] { return known }
        let target = newSchema.classes[index]
        let stored = new[target.name]
        let found = target.properties.map { Binding(property: $0, column: stored?.column(named: $0.name)) }
        bindings[index] = found
        return found
    }

    /// Forgets where properties are stored, after a rename or the removal of a class.
    func unbind() {
        bindings = newSchema.classes.map { _ in nil }
        primaryKeyIndexes = primaryKeyIndexes.filter { $0.key.side == .old }
        linkRevision += 1
    }

    func index(of className: String, side: MigrationSide) -> Int? {
        schema(side).classes.firstIndex { $0.name.hasSameBytes(as: className) }
    }

    /// The class and row of an object that has to be there.
    func locate(_ object: ObjectReference) throws -> (WorkingClass, RowPosition) {
        guard let stored = workingClass(object.classIndex, side: object.side),
            let position = try stored.position(of: object.key.value)
        else { throw MigrationError.invalidatedObject(className(of: object)) }
        return (stored, position)
    }

    /// Whether an object exists (still).
    public func isValid(_ object: ObjectReference) throws -> Bool {
        try workingClass(object.classIndex, side: object.side)?.position(of: object.key.value) != nil
    }

    /// A property's value; links to deleted objects are null and gone from lists.
    ///
    /// - Throws: `MigrationError` with Realm's text where the object was deleted.
    public func value(_ property: Int, of object: ObjectReference) throws -> Value {
        let (stored, position) = try locate(object)
        let binding = bindings(of: object.classIndex, side: object.side)[property]
        guard let column = binding.column else { return binding.property.initialValue }
        return try realm(object.side).visible(try stored.value(column, at: position), of: column.property)
    }

    /// Sets a property of a new object.
    ///
    /// - Throws: `MigrationError` with Realm's text: wrong type, null in a required property, read-only old object,
    ///   deleted object or link target.
    public func set(_ property: Int, of object: ObjectReference, to input: ScriptInput) throws {
        let (stored, position) = try writable(object)
        let binding = bindings(of: object.classIndex, side: .new)[property]
        guard !binding.property.isComputed else { throw MigrationError.readOnly(stored.name, binding.property.name) }
        guard let column = binding.column else { return }
        let value = try coerce(input, to: binding.property, of: stored.name)
        if value.mayBeKept(in: binding.property), try stored.value(column, at: position).isKept(over: value) { return }
        // Making the value may have created objects, never moved a row.
        try write(value, to: column, of: stored, at: position)
    }

    /// The class and row of an object that may be written.
    func writable(_ object: ObjectReference) throws -> (WorkingClass, RowPosition) {
        guard object.side == .new else { throw MigrationError.oldRealmIsReadOnly() }
        return try locate(object)
    }

    /// Writes a value that fits, and deletes the embedded objects that it replaces.
    func write(_ value: Value, to column: WorkingColumn, of stored: WorkingClass, at position: RowPosition) throws {
        if let target = column.property.objectType {
            linkRevision += 1
            if let embedded = new[target], embedded.kind == .embedded {
                let kept = Set(value.linkedKeys)
                for key in try stored.value(column, at: position).linkedKeys where !kept.contains(key) {
                    try delete(key.value, from: embedded)
                }
            }
        }
        if column.property.type == .mixed { linkRevision += 1 }
        try stored.set(value, in: column, at: position)
        let (name, declared) = (column.property.name, newSchema[stored.name]?.primaryKey)
        if stored.primaryKey.hasSameBytes(as: name) || declared.hasSameBytes(as: name),
            let index = index(of: stored.name, side: .new)
        {
            let key = try stored.keys(inGroup: position.group)[position.row]
            primaryKeyIndexes[ClassOnSide(side: .new, index: index)]?.add(value, key: key)
        }
    }
}

extension Value {
    /// The keys of all links that name no class: of a link, or of a collection of links.
    var linkedKeys: [ObjectKey] {
        switch self {
        case .link(let key): [key]
        case .list(let elements): elements.flatMap(\.linkedKeys)
        case .dictionary(let entries): entries.flatMap(\.value.linkedKeys)
        default: []
        }
    }
}
