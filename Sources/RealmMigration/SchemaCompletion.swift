import RealmModel

/// The part of a migration after its script: what is not in the target goes, primary keys are checked, classes become
/// embedded.
struct SchemaCompletion {
    let realm: WorkingRealm
    let request: MigrationRequest
    /// The stored schema before the migration.
    let before: Schema

    /// How many objects an error names.
    private static let namedObjects = 10

    func run() throws {
        if request.mode == .manual { return try completeManually() }
        try removeProperties()
        restoreClasses()
        try refuseNulls()
        try setPrimaryKeys()
        try convertClasses()
    }

    /// In manual mode the script has to have made every change; there are no operations for that but renaming.
    private func completeManually() throws {
        let changes = SchemaDifference.compare(existing: realm.schema, target: request.target)
        guard changes.isEmpty else { throw MigrationError(.schemaMismatch, .migrationRequired, changes) }
        try setPrimaryKeys()
    }

    private func removeProperties() throws {
        for target in request.target.classes {
            guard let stored = realm[target.name] else { continue }
            for property in stored.schema.properties where target.persistedProperty(named: property.name) == nil {
                // A name that neither schema has is the end of a chain of renames that leads nowhere.
                guard let old = before[target.name], old.property(named: property.name) != nil else {
                    throw MigrationError.renamedPropertyMissing(target.name, property.name)
                }
                stored.removeColumn(named: property.name)
            }
        }
    }

    /// What the script removed although the target has it comes back empty.
    private func restoreClasses() {
        for target in request.target.classes {
            guard let stored = realm[target.name] else {
                _ = realm.addClass(target.stored)
                continue
            }
            for property in target.persistedProperties {
                guard let column = stored.column(named: property.name) else {
                    stored.addColumn(property.stored, filledWith: property.initialValue)
                    continue
                }
                column.property.index = property.index
            }
        }
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

    private func setPrimaryKeys() throws {
        for target in request.target.classes {
            realm[target.name]?.primaryKey = target.primaryKey
        }
        for stored in realm.classes {
            guard let name = stored.primaryKey, let column = stored.column(named: name),
                mayHaveDuplicates(stored, column)
            else { continue }
            let duplicates = try PrimaryKeyIndex(of: stored, column: column)
                .duplicates(in: stored, column: column, limit: Self.namedObjects)
            guard duplicates.isEmpty else {
                throw MigrationError.duplicatePrimaryKey(stored.name, name, keys: duplicates)
            }
        }
    }

    /// Whether anything happened to a primary key that was unique before.
    private func mayHaveDuplicates(_ stored: WorkingClass, _ column: WorkingColumn) -> Bool {
        let old = before[stored.name]
        return column.isModified || !(old?.primaryKey).hasSameBytes(as: stored.primaryKey)
            || !column.originalName.hasSameBytes(as: column.property.name)
            || (column.constant != nil && stored.objectCount > 1)
    }

    private func convertClasses() throws {
        let changed = request.target.classes.filter { target in
            realm[target.name].map { $0.kind != target.kind } ?? false
        }
        for target in changed.sorted(byBytesOf: \.name) {
            guard let stored = realm[target.name] else { continue }
            switch (stored.kind, target.kind) {
            case (.topLevel, .embedded):
                try EmbeddedConversion(
                    realm: realm, stored: stored,
                    resolvesConstraints: request.options.resolveEmbeddedConstraints
                ).run()
            case (.embedded, .topLevel): stored.kind = .topLevel
            default:
                throw MigrationError.asymmetricConversion(
                    target.name, from: stored.kind.realmName, to: target.kind.realmName)
            }
        }
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
