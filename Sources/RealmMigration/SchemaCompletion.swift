import RealmEditing
import RealmModel

/// The part of a migration after its script: what is not in the target goes, primary keys are checked, classes become
/// embedded; in Realm's order, class by class.
struct SchemaCompletion {
    private let realm: WorkingRealm
    private let request: MigrationRequest
    private let editor: SchemaEditor
    /// The stored schema before the migration.
    private let before: [NameKey: ObjectSchema]

    /// How many objects an error names.
    private static let namedObjects = 10

    init(realm: WorkingRealm, request: MigrationRequest, before: Schema) {
        self.realm = realm
        self.request = request
        self.before = Dictionary(before.classes.map { (NameKey($0.name), $0) }) { first, _ in first }
        editor = SchemaEditor(realm: realm, request: request)
    }

    /// - Parameter changes: what there was to change before the script; nil where a script ran, which may have changed
    ///   the schema as well.
    ///
    /// - Returns: what was noticed of the objects; an error says it as well.
    func run(_ changes: [SchemaChange]?) throws -> [MigrationFinding] {
        try editor.findings.explaining { try complete(changes) }
        return editor.findings.findings
    }

    private func complete(_ changes: [SchemaChange]?) throws {
        if request.mode == .manual { return try completeManually() }
        try refuseNulls()
        if changes == nil { try refuseLongListEntries() }
        for change in changes ?? SchemaDifference.compare(existing: realm.schema, target: request.target) {
            try complete(change, afterScript: changes == nil)
        }
        try keepPrimaryKeys()
        try refuseDuplicates()
    }

    /// In manual mode the script has to have made every change; there are no operations for that but renaming.
    private func completeManually() throws {
        let changes = SchemaDifference.compare(existing: realm.schema, target: request.target)
        guard changes.isEmpty else { throw MigrationError(.schemaMismatch, .migrationRequired, changes) }
        try refuseDuplicates()
    }

    private func complete(_ change: SchemaChange, afterScript: Bool) throws {
        switch change {
        // A class or a property that the script removed although the target has it comes back empty.
        case .addTable(let added): if afterScript { try editor.addClass(added) }
        case .addInitialProperties(let added): if afterScript { try editor.addInitialProperties(of: added) }
        case .addProperty(let className, let property): if afterScript { try editor.add(property, to: className) }
        case .removeProperty(let className, let property): try remove(property, of: className)
        case .addIndex(let className, let property, let index):
            if afterScript { try editor.completeIndex(index, of: property, in: className) }
        case .removeIndex(let className, let property):
            if afterScript { editor.removeIndex(of: property, in: className) }
        case .changePrimaryKey(let className, _, let primaryKey):
            try editor.setPrimaryKey(primaryKey, of: className)
        case .changeTableType(let className, _, let kind):
            try editor.changeKind(
                of: className, to: kind, resolvesConstraints: request.resolveEmbeddedConstraints)
        case .changePropertyType, .makePropertyNullable, .makePropertyRequired, .removeTable: break
        }
    }

    private func remove(_ property: Property, of className: String) throws {
        // A name that neither schema has is the end of a chain of renames that leads nowhere.
        guard before[NameKey(className)]?.property(named: property.name) != nil else {
            throw MigrationError.renamedPropertyMissing(className, property.name)
        }
        realm[className]?.removeColumn(named: property.name)
    }

    private func refuseNulls() throws {
        for stored in realm.classes {
            for column in stored.columns where column.refusesNulls {
                var keys: [ObjectKey] = []
                var count = 0
                try stored.forEachObject { position, key in
                    guard try stored.value(column, at: position).holdsNull else { return }
                    count += 1
                    if keys.count < Self.namedObjects { keys.append(ObjectKey(key)) }
                }
                guard count == 0 else {
                    throw MigrationError.nullsKept(stored.name, column.property.name, count: count, keys: keys)
                }
            }
        }
    }

    /// Refuses entries that the script wrote into lists that have an index already.
    private func refuseLongListEntries() throws {
        for stored in realm.classes {
            for column in stored.columns where column.isModified { try ListIndexLimit(stored, column).check() }
        }
    }

    /// A primary key whose column was made anew without a script is one still, where Realm loses it.
    private func keepPrimaryKeys() throws {
        for target in request.target.classes {
            guard let stored = realm[target.name], stored.primaryKey == nil, let key = target.primaryKey else {
                continue
            }
            try editor.setPrimaryKey(key, of: target.name)
        }
    }

    /// The primary keys of all classes, as far as no change of the schema has checked them.
    private func refuseDuplicates() throws {
        for stored in realm.classes {
            guard let name = stored.primaryKey, let column = stored.column(named: name),
                mayHaveDuplicates(stored, column)
            else { continue }
            try editor.refuseDuplicates(in: column, of: stored)
        }
    }

    /// Whether anything happened to a primary key that was unique before, and was not looked at since.
    ///
    /// A class that the migration adds has no objects before the script; a key that another property of a class was before is checked where it
    /// becomes one.
    private func mayHaveDuplicates(_ stored: WorkingClass, _ column: WorkingColumn) -> Bool {
        guard column.isModified else { return false }
        guard request.mode != .manual, let old = before[NameKey(stored.name)] else { return true }
        return old.primaryKey.map(NameKey.init) == stored.primaryKey.map(NameKey.init)
    }
}

extension Value {
    /// Whether the value is null, or a collection in which one is.
    fileprivate var holdsNull: Bool {
        switch self {
        case .null: true
        case .list(let elements): elements.contains(where: \.isNull)
        case .dictionary(let entries): entries.contains { $0.value.isNull }
        default: false
        }
    }
}

extension ObjectSchema {
    /// The stored property of a name; linking objects are none.
    func persistedProperty(named name: String) -> Property? {
        property(named: name).flatMap { $0.isComputed ? nil : $0 }
    }
}
