import Columns
import RealmModel

/// Changes the objects of a realm, with the checks and the texts of the Realm SDKs.
///
/// Values come as inputs, which are made values of the properties' types; embedded objects live and die with the links to
/// them. Nothing is written for good before `WorkingRealm.finish`. Belongs to one thread.
package final class RealmEditor {
    /// The realm that is changed, as the schema shows it that it is to have.
    package let view: RealmView
    /// The realm as it was, whose objects may be given as input too.
    private let source: RealmView?
    let takenPrimaryKeys: TakenPrimaryKeys
    /// The objects that were created so far, embedded ones included.
    package internal(set) var createdCount = 0

    /// The rule for an object that is to have a primary key that another has.
    package enum TakenPrimaryKeys {
        /// Both are there, and the caller looks for duplicates in the end, as migrations do.
        case stand
        /// Both are there, and the class has no primary key any more.
        case loseTheirProperty
        /// That is refused, and so is any change of a primary key: Realm's rule everywhere but in migrations.
        case refused
    }

    /// Edits a realm.
    package init(_ view: RealmView, source: RealmView? = nil, takenPrimaryKeys: TakenPrimaryKeys) {
        self.view = view
        self.source = source
        self.takenPrimaryKeys = takenPrimaryKeys
    }

    /// Edits the objects of a snapshot, whose schema stays; the caller finishes `view.realm`.
    ///
    /// - Parameters:
    ///   - schema: what is shown of the stored schema; nil for what the snapshot declares.
    ///   - store: holds the snapshot's segments and takes the new ones.
    ///   - limits: the size of new row groups.
    ///   - keepsPatches: whether the snapshot keeps its row groups, and what changes beside them.
    package convenience init(
        editing snapshot: Snapshot, as schema: Schema? = nil, in store: any SegmentStore,
        limits: RowGroupLimits = .standard, memory: MemoryLimits = .standard, keepsPatches: Bool = false,
        takenPrimaryKeys: TakenPrimaryKeys = .refused
    ) {
        let context = WorkingContext(store: store, limits: limits, memory: memory, keepsPatches: keepsPatches)
        let realm = WorkingRealm(snapshot, context: context)
        self.init(RealmView(realm, as: schema ?? snapshot.declared, side: .new), takenPrimaryKeys: takenPrimaryKeys)
    }

    var realm: WorkingRealm { view.realm }

    /// The realm that an object is of.
    ///
    /// - Throws: `EditingError` where there is no realm as it was.
    func view(of object: ObjectReference) throws -> RealmView {
        guard let found = object.side == .new ? view : source else { throw EditingError.noSuchSide() }
        return found
    }

    /// Sets a property of an object.
    ///
    /// - Throws: `EditingError`: wrong type, null in a required property, an object of the realm as it was, a deleted object
    ///   or link target.
    package func set(_ property: Int, of object: ObjectReference, to input: ObjectInput) throws {
        let (stored, position) = try writable(object)
        let binding = view.bindings(of: object.classIndex)[property]
        guard !binding.property.isComputed else { throw EditingError.readOnly(stored.name, binding.property.name) }
        guard let column = binding.column else { return }
        let value = try coerce(input, to: binding.property, of: stored.name)
        if takenPrimaryKeys == .refused, view.schema.classes[object.classIndex].isPrimaryKey(binding.property) {
            guard try stored.value(column, at: position) == value else {
                throw EditingError.modifiedPrimaryKey(stored.name, binding.property.name)
            }
            return
        }
        try dropKept(of: column, in: stored, at: position)
        if value.mayBeKept(in: binding.property), try stored.value(column, at: position).isKept(over: value) { return }
        // Making the value may have created objects, never moved a row.
        try write(value, to: column, of: stored, at: position)
    }

    /// Lets go what was kept of a property whose type changed: the object is given a value of the property's own type.
    func dropKept(of column: WorkingColumn, in stored: WorkingClass, at position: RowPosition) throws {
        guard stored.unsyncedCount > 0 else { return }
        let name = column.property.name
        for kept in stored.columns where kept.property.isAwaiting && kept.property.isKept(of: name) {
            guard try !kept.property.isNothing(stored.value(kept, at: position)) else { continue }
            try write(kept.property.initialValue, to: kept, of: stored, at: position)
        }
    }

    /// The class and row of an object that may be written.
    func writable(_ object: ObjectReference) throws -> (WorkingClass, RowPosition) {
        guard object.side == .new else { throw EditingError.oldRealmIsReadOnly() }
        return try view.locate(object)
    }

    /// Writes a value that fits, and deletes the embedded objects that it replaces.
    func write(_ value: Value, to column: WorkingColumn, of stored: WorkingClass, at position: RowPosition) throws {
        if let target = column.property.objectType {
            view.noteLinks()
            if let embedded = realm[target], embedded.kind == .embedded {
                let kept = Set(value.linkedKeys)
                for key in try stored.value(column, at: position).linkedKeys where !kept.contains(key) {
                    try realm.delete(key.value, from: embedded, withOwner: true)
                }
            }
        }
        if column.property.type == .mixed { view.noteLinks() }
        try stored.set(value, in: column, at: position)
        let (name, declared) = (column.property.name, view.schema[stored.name]?.primaryKey)
        if stored.primaryKey.hasSameBytes(as: name) || declared.hasSameBytes(as: name) {
            let key = try stored.keys(inGroup: position.group)[position.row]
            view.primaryKeys[stored]?.note(value, of: key)
        }
    }

    /// Replaces one property of a whole row group.
    ///
    /// The array must have a row for every row of the group, deleted ones included, of the property's type, and a null
    /// only where the property is optional, or kept its nulls to be filled. Links lead to objects that are there, or were;
    /// they own none.
    package func replaceColumn(_ property: Int, of classIndex: Int, rowGroup: Int, with array: ColumnArray) throws {
        let binding = view.bindings(of: classIndex)[property]
        guard let stored = view.workingClass(classIndex), let column = binding.column else { return }
        guard takenPrimaryKeys != .refused || !view.schema.classes[classIndex].isPrimaryKey(binding.property) else {
            throw EditingError.modifiedPrimaryKey(stored.name, binding.property.name)
        }
        guard try stored.groups().indices.contains(rowGroup) else { throw EditingError.noSuchRowGroup() }
        let rowCount = try stored.groups()[rowGroup].rowCount
        guard array.count == rowCount else {
            throw ColumnError.damaged(what: "\(array.count) rows instead of \(rowCount)", offset: 0)
        }
        // Nulls that `nullability: keep` left may wait for the end; a part of them is filled, or deleted, meanwhile.
        let takesNulls = binding.property.isOptional || binding.property.type == .mixed || column.refusesNulls
        guard takesNulls || !array.hasNulls else {
            throw EditingError.notNullable(stored.name, binding.property.name)
        }
        if let target = binding.property.objectType {
            // An embedded object dies with the link to it, which only writing value by value sees to.
            guard realm[target]?.kind != .embedded else {
                throw EditingError(.invalidProperty, "Embedded objects are not written by columns.")
            }
            view.noteLinks()
        }
        if binding.property.type == .mixed { view.noteLinks() }
        try stored.replace(column, group: rowGroup, by: array)
        view.primaryKeys.forget(stored)
    }
}

extension ColumnArray {
    /// Whether a row, or an element of a list, is null.
    fileprivate var hasNulls: Bool {
        guard case .list(_, let elements) = values else { return nullCount > 0 }
        return nullCount > 0 || elements.nullCount > 0
    }
}
