import RealmEditing
import RealmModel

extension MigrationTransaction {
    /// The objects of a class that have the primary key of the target schema in common, by value, their keys ascending.
    public func duplicates(of className: String) throws -> [[Int64]] {
        guard let (stored, column) = primaryKey(of: className) else { return [] }
        return try DuplicateResolution(realm: new.realm, stored: stored).groups(in: column)
    }

    /// Deletes objects of a class, and has what linked to them link to others.
    ///
    /// - Parameter replacements: the keys of the objects that stay by those that go.
    public func replaceObjects(of className: String, by replacements: [Int64: Int64]) throws {
        try requireWritable()
        guard let stored = new.realm[className] else { return }
        try DuplicateResolution(realm: new.realm, stored: stored).replace(replacements)
        new.unbind()
    }

    private func primaryKey(of className: String) -> (WorkingClass, WorkingColumn)? {
        guard let name = newSchema[className]?.primaryKey, let stored = new.realm[className],
            let column = stored.column(named: name)
        else { return nil }
        return (stored, column)
    }
}
