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

    /// Gives objects the values back that they had before the script, with the objects that are embedded in them.
    ///
    /// Those are the values of the old ones, and of properties that are new or other ones what these begin with. In a retry
    /// they get those that the migration left in them. An object that the script deleted stays deleted.
    public func restore(_ keys: [Int64], of className: String) throws {
        guard let stored = new.realm[className] else { return }
        defer { new.unbind() }
        for key in keys { try restore(key, of: stored, as: key) }
    }

    /// Gives an object the values that another had, or itself, before the script.
    private func restore(_ key: Int64, of stored: WorkingClass, as earlier: Int64) throws {
        for column in stored.columns {
            guard let position = try stored.position(of: key) else { return }
            guard let value = try earlierValue(of: column, in: stored, at: earlier) else { continue }
            let target = column.property.objectType.flatMap { new.realm[$0] }
            let held = try stored.value(column, at: position)
            guard let target, target.kind == .embedded else {
                let shown = try new.realm.visible(value, of: column.property)
                // Embedded objects that nobody changed stay where they are stored.
                if held != shown { try stored.set(shown, in: column, at: position) }
                continue
            }
            // Links to what was deleted stand where they stood.
            let now = try new.realm.visible(held, of: column.property)
            if now == value, key == earlier {
                for part in value.linkedKeys { try restore(part.value, of: target, as: part.value) }
                continue
            }
            for part in now.linkedKeys { try new.realm.delete(part.value, from: target, withOwner: true) }
            let parts = try value.mapLinks { try madeAgain($0, in: target) }
            try stored.set(parts, in: column, at: position)
        }
    }

    /// Makes an embedded object with the values that one had before the script.
    private func madeAgain(_ earlier: ObjectKey, in stored: WorkingClass) throws -> ObjectKey {
        let key = try stored.create(stored.columns.map(\.property.initialValue))
        try restore(key.value, of: stored, as: earlier.value)
        return key
    }

    /// The value that an object had before the script; nil where that was none of its own, and stays as it is.
    private func earlierValue(of column: WorkingColumn, in stored: WorkingClass, at key: Int64) throws -> Value? {
        if let beginning {
            guard let before = beginning[stored.name], let position = try before.position(of: key) else { return nil }
            return try before.column(named: column.property.name).map { try before.value($0, at: position) }
        }
        let initial = column.property.initialValue
        if let before = old.realm[stored.name], let position = try before.position(of: key),
            let source = before.column(named: oldName(of: column.property.name, in: stored.name))
        {
            guard source.property.keepsValues(as: column.property, migration) else { return initial }
            return try before.value(source, at: position)
        }
        guard migration.applyDefaults == .existing else { return initial }
        return newSchema[stored.name]?.property(named: column.property.name)?.defaultValue ?? initial
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
