import RealmEditing
import RealmModel

extension MigrationTransaction {
    /// Sets an object aside whose callback threw: what the script has done to it is undone when the enumeration ends.
    ///
    /// - Parameter item: names the object, and says what went wrong.
    /// - Throws: `MigrationError` where that is one more than may be.
    public func quarantine(_ item: ProblemItem) throws {
        guard let limit = quarantineLimit else { return }
        guard quarantined.count < limit else {
            throw MigrationError(
                nil, "More than \(limit) objects would be quarantined; the last one: \(item.message)",
                script: .exception, details: [item])
        }
        quarantined.append(item)
    }

    /// Gives objects the values back that they had before the script: those of the old ones, and of properties that are new or
    /// other ones what these begin with.
    ///
    /// In a retry they get those that the migration left in them. An object that the script deleted stays deleted.
    public func restore(_ keys: [Int64], of className: String) throws {
        guard let stored = new.realm[className] else { return }
        defer { new.unbind() }
        if let beginning { return try restore(keys, of: stored, from: beginning[className]) }
        let before = old.realm[className]
        for key in keys {
            guard let position = try stored.position(of: key) else { continue }
            let oldPosition = try before?.position(of: key)
            for column in stored.columns {
                let target = column.property.objectType.flatMap { new.realm[$0] }
                // Embedded objects are gone where their owner has let go of them.
                guard target?.kind != .embedded else { continue }
                let source = before?.column(named: oldName(of: column.property.name, in: className))
                var value = column.property.initialValue
                if let before, let source, let oldPosition {
                    if source.property.keepsValues(as: column.property, migration) {
                        value = try before.value(source, at: oldPosition)
                    }
                } else if migration.applyDefaults == .existing {
                    value = newSchema[className]?.property(named: column.property.name)?.defaultValue ?? value
                }
                try stored.set(try new.realm.visible(value, of: column.property), in: column, at: position)
            }
        }
    }

    /// Gives objects the values that they have in a realm of the same schema.
    private func restore(_ keys: [Int64], of stored: WorkingClass, from before: WorkingClass?) throws {
        guard let before else { return }
        for key in keys {
            guard let position = try stored.position(of: key), let earlier = try before.position(of: key) else {
                continue
            }
            for column in stored.columns {
                let target = column.property.objectType.flatMap { new.realm[$0] }
                guard target?.kind != .embedded, let source = before.column(named: column.property.name) else {
                    continue
                }
                let value = try before.value(source, at: earlier)
                try stored.set(try new.realm.visible(value, of: column.property), in: column, at: position)
            }
        }
    }

    private func oldName(of property: String, in className: String) -> String {
        for case .property(let name, let from, let to) in renames
        where name.hasSameBytes(as: className) && to.hasSameBytes(as: property) {
            return from
        }
        return property
    }

    /// Whether an enumeration visits an object: all, but for a retry.
    func visits(_ key: Int64, of className: String) -> Bool {
        guard let visited else { return true }
        return visited[NameKey(className)]?.contains(key) ?? false
    }
}

extension Property {
    /// Whether the values of the property before are what a migration leaves in it by itself.
    fileprivate func keepsValues(as property: Property, _ migration: DeclaredMigration) -> Bool {
        hasSameType(as: property) && (!isOptional || property.isOptional || migration.nullability == .keep)
    }
}
