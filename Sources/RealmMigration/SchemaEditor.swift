import RealmEditing
import RealmModel

/// The single changes of a schema, as every phase of a migration makes them.
struct SchemaEditor {
    let realm: WorkingRealm
    private let request: MigrationRequest
    /// The findings about the objects.
    let findings = FindingLog()
    private let targets: [NameKey: ObjectSchema]
    /// How many pairs of objects an error names.
    private static let namedPairs = 10

    init(realm: WorkingRealm, request: MigrationRequest) {
        self.realm = realm
        self.request = request
        targets = Dictionary(request.target.classes.map { (NameKey($0.name), $0) }) { first, _ in first }
    }

    /// The class of the target.
    func target(_ className: String) -> ObjectSchema? { targets[NameKey(className)] }

    // MARK: Classes

    /// Adds a class with its primary key, which is its first column; its other properties follow by themselves, so that
    /// classes may link to each other.
    func addClass(_ added: ObjectSchema) throws {
        var stored = added.stored
        stored.properties = stored.properties.filter(stored.isPrimaryKey)
        for index in stored.properties.indices {
            guard stored.properties[index].supports(.general) else {
                throw MigrationError.indexNotSupported(added.name, stored.properties[index].name)
            }
            // A new class has the index of its primary key, and no other.
            stored.properties[index].index = .none
        }
        _ = realm.addClass(stored)
    }

    /// Adds the properties of a class that is new.
    func addInitialProperties(of added: ObjectSchema) throws {
        for property in added.persistedProperties where !added.isPrimaryKey(property) {
            try add(property, to: added.name, filledWith: property.initialValue)
        }
    }

    /// Makes a class embedded, or embedded objects free.
    func changeKind(of className: String, to kind: ClassKind, resolvesConstraints: Bool) throws {
        guard let stored = realm[className] else { return }
        switch (stored.kind, kind) {
        case (.topLevel, .embedded):
            try EmbeddedConversion(
                realm: realm, stored: stored, resolvesConstraints: resolvesConstraints, findings: findings
            ).run()
        case (.embedded, .topLevel): stored.kind = .topLevel
        default:
            throw MigrationError.asymmetricConversion(
                className, from: stored.kind.realmName, to: kind.realmName)
        }
    }

    // MARK: Properties

    /// Adds a property; existing objects get its default, or no value, where the request says so.
    func add(_ property: Property, to className: String) throws {
        let applied = request.migration.applyDefaults == .existing ? property.defaultValue : nil
        let isAbsent =
            request.addedRequired == .absent && property.requiresValue && realm[className]?.objectCount != 0
        try add(property, to: className, filledWith: applied ?? (isAbsent ? .null : property.initialValue))
    }

    /// Puts another property in the place of one, whose values are lost.
    func replace(_ old: Property, by new: Property, in className: String) throws {
        realm[className]?.removeColumn(named: old.name)
        try add(new, to: className, filledWith: new.initialValue)
    }

    private func add(_ property: Property, to className: String, filledWith value: Value) throws {
        var added = property.stored
        if property.isLink {
            try refuseTarget(of: property, in: className)
            added.index = .none
        } else {
            added.index = try index(of: property, in: className)
        }
        realm[className]?.addColumn(added, filledWith: value)
    }

    /// The present kind of a class counts, not that of the target: classes cease to be embedded only at the end.
    private func refuseTarget(of property: Property, in className: String) throws {
        switch property.objectType.flatMap({ realm[$0]?.kind }) {
        case .embedded where property.collection == .set:
            throw MigrationError.setOfEmbedded(className, property.name)
        case .asymmetric: throw MigrationError.linkToAsymmetric(className, property.name)
        default: break
        }
    }

    /// The index with which a property is added; a primary key has the general one, whatever it asks for.
    private func index(of property: Property, in className: String) throws -> PropertyIndex {
        let isPrimaryKey = target(className)?.isPrimaryKey(property) ?? false
        let index = isPrimaryKey ? .general : property.index
        guard property.supports(index) else { throw MigrationError.indexNotSupported(className, property.name) }
        return index
    }

    /// Realm makes a new column for a change of nullability, so that the property's place is the last.
    func makeNullable(_ property: Property, of className: String) {
        moveToEnd(property, of: className) { $0.property.isOptional = true }
    }

    /// Realm resets all values, even those that are not null; `keep` lets them stay and looks for nulls at the end.
    func makeRequired(_ property: Property, of className: String) {
        guard request.migration.nullability == .keep else {
            guard let stored = realm[className], let column = stored.column(named: property.name) else { return }
            var required = column.property
            required.isOptional = false
            if stored.schema.isPrimaryKey(required) { required.index = .general }
            stored.removeColumn(named: property.name)
            stored.addColumn(required, filledWith: required.initialValue)
            return
        }
        moveToEnd(property, of: className) {
            $0.property.isOptional = false
            $0.refusesNulls = true
        }
    }

    private func moveToEnd(_ property: Property, of className: String, _ change: (WorkingColumn) -> Void) {
        guard let stored = realm[className], let column = stored.column(named: property.name) else { return }
        change(column)
        stored.moveToEnd(column)
    }

    // MARK: Indexes

    /// Makes an index before a script, or without one.
    func addIndex(_ index: PropertyIndex, of property: Property, in className: String) throws {
        guard let stored = realm[className], let column = stored.column(named: property.name) else { return }
        if index == .fullText, stored.schema.isPrimaryKey(column.property) {
            throw MigrationError.fullTextPrimaryKey(className, property.name)
        }
        // A property that becomes the primary key and asks for a full-text index keeps the one that it has, and is refused
        // for it.
        let keepsFullText = column.property.index == .fullText && wantedIndex(of: property, in: className) == .fullText
        guard !keepsFullText else { return }
        guard column.property.supports(index) else {
            throw MigrationError.indexNotSupported(className, property.name)
        }
        column.property.index = index
        try ListIndexLimit(stored, column).check()
    }

    private func wantedIndex(of property: Property, in className: String) -> PropertyIndex? {
        target(className)?.property(named: property.name)?.index
    }

    /// Makes an index that is missing when the script has ended.
    func completeIndex(_ index: PropertyIndex, of property: Property, in className: String) throws {
        guard let stored = realm[className], let column = stored.column(named: property.name) else { return }
        // A primary key that asks for a full-text index has one of both by now, and keeps it.
        guard column.property.index == .none, !stored.schema.isPrimaryKey(column.property) else { return }
        guard column.property.supports(index) else {
            throw MigrationError.indexNotSupported(className, property.name)
        }
        column.property.index = index
        try ListIndexLimit(stored, column).check()
    }

    /// Removes an index; the one that the target asks for in its place stays.
    func removeIndex(of property: Property, in className: String) {
        let wanted = wantedIndex(of: property, in: className)
        realm[className]?.column(named: property.name)?.property.index = wanted == .general ? .general : .none
    }

    // MARK: Primary keys

    /// Gives a class its primary key.
    ///
    /// - Throws: `MigrationError` where two objects have the same, or the property has a full-text index.
    func setPrimaryKey(_ name: String?, of className: String) throws {
        guard let stored = realm[className] else { return }
        if let old = stored.primaryKey {
            // The property keeps the index that it had as the primary key where the target asks for it.
            let wanted = target(className)?.property(named: old)?.index
            if wanted == .general { stored.column(named: old)?.property.index = .general }
            stored.primaryKey = nil
        }
        guard let name, let column = stored.column(named: name) else { return }
        try refuseDuplicates(in: column, of: stored)
        guard column.property.index != .fullText else { throw MigrationError.fullTextPrimaryKey(className, name) }
        stored.primaryKey = name
        column.property.index = .none
    }

    /// Does with objects of one primary key what the class's policy says; functions have merged theirs before.
    private func settleDuplicates(in column: WorkingColumn, of stored: WorkingClass) throws {
        let policy = request.migration.primaryKeyPolicies.first { $0.className.hasSameBytes(as: stored.name) }
        guard let policy, policy.onDuplicate == .keepFirst || policy.onDuplicate == .keepLast, column.constant == nil
        else { return }
        let duplicates = try PrimaryKeyDuplicates(in: stored, column, limit: Self.namedPairs)
        guard !duplicates.pairs.isEmpty else { return }
        let error = MigrationError.duplicatePrimaryKey(stored.name, column.property.name, duplicates)
        for finding in error.findings { findings.add(finding) }
        let resolution = DuplicateResolution(realm: realm, stored: stored)
        try resolution.keep({ policy.onDuplicate == .keepFirst ? $0.first : $0.last }, in: column)
    }

    /// Looks for values that two objects share.
    func refuseDuplicates(in column: WorkingColumn, of stored: WorkingClass) throws {
        let name = column.property.name
        try settleDuplicates(in: column, of: stored)
        let duplicates = try PrimaryKeyDuplicates(in: stored, column, limit: Self.namedPairs)
        guard duplicates.pairs.isEmpty else {
            throw MigrationError.duplicatePrimaryKey(stored.name, name, duplicates)
        }
    }
}
