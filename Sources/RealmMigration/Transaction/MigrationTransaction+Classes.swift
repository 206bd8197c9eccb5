import RealmEditing
import RealmModel

extension MigrationTransaction {
    /// Deletes all objects of a class, and the class itself where the target schema has it not.
    ///
    /// - Returns: whether there was such a class.
    /// - Throws: `MigrationError` where a class that is to go is still linked to.
    public func deleteData(of className: String) throws -> Bool {
        try requireWritable()
        guard let stored = new.realm[className] else { return false }
        defer { new.unbind() }
        if newSchema[className] == nil {
            try refuseIfLinked(className)
            new.realm.removeClass(named: className)
            return true
        }
        try new.realm.deleteAll(of: stored)
        return true
    }

    /// Removes a class with its objects, as Realm JS's `deleteModel`; one of the target schema comes back empty.
    ///
    /// - Throws: `MigrationError` where another class still links to it.
    public func deleteModel(_ className: String) throws {
        try requireWritable()
        guard new.realm[className] != nil else { return }
        if newSchema[className] != nil {
            _ = try deleteData(of: className)
        } else {
            try refuseIfLinked(className)
            new.realm.removeClass(named: className)
            new.unbind()
        }
    }

    private func refuseIfLinked(_ className: String) throws {
        let isLinked = new.realm.classes.contains { other in
            !other.name.hasSameBytes(as: className)
                && other.columns.contains { $0.property.objectType?.hasSameBytes(as: className) == true }
        }
        guard try !isLinked && !hasMixedLink(to: className) else { throw MigrationError.linkedFromOutside(className) }
    }

    /// Whether a mixed value of another class linked to the class when the migration began.
    ///
    /// Realm remembers that, even where the value is gone. A script gives no links to a class that is to go.
    private func hasMixedLink(to className: String) throws -> Bool {
        for origin in old.realm.classes where !origin.name.hasSameBytes(as: className) {
            for column in origin.columns where column.property.type == .mixed {
                if try origin.contains(in: column, where: { $0.links(to: className) }) { return true }
            }
        }
        return false
    }
}
