import Columns
import RealmEditing
import RealmModel

/// Gives a synced realm another schema, which may break with the one before: what is done while sync is terminated.
///
/// No value is made up, and none is lost. Values that the new schema leaves out stay stored; a value whose property has another type
/// is kept under a name that no client sees; and an object that has such a value and none of the new type, be it optional or a
/// collection, or null where that is not permitted any more, is unsynced until it is filled.
public struct SchemaReplacement {
    private let snapshot: Snapshot
    private let store: any SegmentStore

    /// Prepares to give a snapshot another schema.
    ///
    /// - Parameter store: holds the snapshot's segments and takes the new ones.
    public init(_ snapshot: Snapshot, in store: any SegmentStore) {
        self.snapshot = snapshot
        self.store = store
    }

    /// The snapshot with another schema.
    ///
    /// - Throws: `ServerSchemaError.invalid`; `notReplaceable` for another primary key, another kind of class, and embedded
    ///   objects that would lack a value; what the store throws.
    public func replaced(by target: Schema) throws -> Snapshot {
        try ServerSchema.validate(target)
        let realm = RealmEditor(editing: snapshot, in: store).view.realm
        for wanted in target.classes {
            if let stored = realm[wanted.name] {
                try adapt(stored, to: wanted)
            } else {
                addClass(wanted, to: realm)
            }
        }
        for stored in realm.classes where target[stored.name] == nil && stored.unsyncedCount > 0 {
            try Self.hide(stored.columns, of: stored)
        }
        return try realm.finish(schemaVersion: snapshot.schemaVersion, declared: target)
    }

    /// The snapshot as it is when a class, or some properties of it, leave the schema: no object lacks a value of what no client sees.
    ///
    /// - Parameter side: the class with all that leaves.
    public func without(_ side: ObjectSchema) throws -> Snapshot {
        guard let count = snapshot[side.name]?.unsyncedCount, count > 0 else { return snapshot }
        let realm = RealmEditor(editing: snapshot, in: store).view.realm
        guard let stored = realm[side.name] else { return snapshot }
        try Self.hide(stored.columns.filter { side.property(named: $0.property.publicName) != nil }, of: stored)
        return try realm.finish(schemaVersion: snapshot.schemaVersion, declared: snapshot.declared)
    }

    /// The snapshot without what is stored of some properties, which are not in the schema.
    public func dropping(_ names: [String], of className: String) throws -> Snapshot {
        let realm = RealmEditor(editing: snapshot, in: store).view.realm
        guard !names.isEmpty, let stored = realm[className] else { return snapshot }
        for name in names { stored.removeColumn(named: name) }
        return try realm.finish(schemaVersion: snapshot.schemaVersion, declared: snapshot.declared)
    }

    /// Lets no object lack a value of columns that no client sees.
    private static func hide(_ columns: [WorkingColumn], of stored: WorkingClass) throws {
        for column in columns where !stored.primaryKey.hasSameBytes(as: column.property.name) {
            if column.property.requiresValue { column.property.isOptional = true }
            column.property.awaits(false)
        }
        try stored.countUnsynced()
    }

    private func addClass(_ wanted: ObjectSchema, to realm: WorkingRealm) {
        var stored = wanted
        stored.properties = wanted.persistedProperties.map(\.asStored)
        _ = realm.addClass(stored)
    }

    private func adapt(_ stored: WorkingClass, to wanted: ObjectSchema) throws {
        guard stored.kind == wanted.kind else { throw ServerSchemaError.notReplaceable(className: wanted.name) }
        var adapted: Set<NameKey> = []
        let columns = Dictionary(stored.columns.map { (NameKey($0.property.name), $0) }) { first, _ in first }
        for property in wanted.persistedProperties {
            adapted.insert(NameKey(property.name))
            let isPrimaryKey = wanted.isPrimaryKey(property)
            let known = columns[NameKey(property.name)]
            if let column = known, column.property.holds(property) {
                column.property.index = isPrimaryKey ? column.property.index : property.index
                if !property.isCollection { column.property.isOptional = property.isOptional }
            } else if isPrimaryKey {
                throw ServerSchemaError.notReplaceable(className: wanted.name)
            } else {
                if let known {
                    if try takeBack(property, over: known, of: stored) { continue }
                    try keep(known, as: property.name, of: stored)
                }
                stored.addColumn(
                    property.asStored,
                    filledWith: property.requiresValue && stored.objectCount > 0 ? .null : property.initialValue)
            }
        }
        // A property that no client sees lacks nothing.
        for column in stored.columns where !adapted.contains(NameKey(column.property.name)) {
            if column.property.requiresValue { column.property.isOptional = true }
            column.property.awaits(adapted.contains(NameKey(column.property.publicName)))
        }
        try stored.countUnsynced()
        guard !wanted.isEmbedded || stored.unsyncedCount == 0 else {
            throw ServerSchemaError.notReplaceable(className: wanted.name)
        }
    }

    private func hasValues(_ column: WorkingColumn, of stored: WorkingClass) throws -> Bool {
        try stored.contains(in: column, where: { !column.property.isNothing($0) })
    }

    /// Puts kept values back where their property has their type again, and nobody has given it a value of the other one.
    private func takeBack(_ property: Property, over column: WorkingColumn, of stored: WorkingClass) throws -> Bool {
        guard let kept = stored.columns.last(where: { $0.property.isKept(of: property.name) }),
            kept.property.holds(property),
            try !hasValues(column, of: stored)
        else { return false }
        stored.removeColumn(named: property.name)
        stored.rename(kept, to: property.name)
        kept.property.alias = nil
        kept.property.index = property.index
        if !property.isCollection { kept.property.isOptional = property.isOptional }
        return true
    }

    /// Moves what is stored under a name out of the way of a property of another type; what has no value goes, so that earlier values stay the
    /// latest.
    private func keep(_ column: WorkingColumn, as name: String, of stored: WorkingClass) throws {
        guard try hasValues(column, of: stored) else {
            stored.removeColumn(named: column.property.name)
            return
        }
        let kept = stored.schema.freeKeptName
        stored.rename(column, to: kept)
        column.property.alias = name
        column.property.index = .none
        if !column.property.isCollection { column.property.isOptional = true }
    }
}

extension Property {
    /// Whether what is stored of the property are values of another declaration of it, but for nulls.
    fileprivate func holds(_ other: Property) -> Bool {
        hasSameType(as: other) && (!isCollection || isOptional == other.isOptional)
    }

    /// The property without what files don't hold.
    fileprivate var asStored: Property {
        var stored = self
        stored.alias = nil
        stored.defaultValue = nil
        return stored
    }
}
