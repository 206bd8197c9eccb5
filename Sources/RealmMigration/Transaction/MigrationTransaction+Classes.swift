import RealmEditing
import RealmModel

extension MigrationTransaction {
    /// Gives a class another name, for the whole of the migration: what the script has done until then is done anew.
    ///
    /// The old side shows the class under either name. A retry finds it renamed on the new side.
    ///
    /// - Throws: `MigrationError` where there is no such class, the target has it still or has none of the new name, or that has
    ///   objects already; another one where the class is not renamed yet, which ends the script.
    public func renameClass(_ oldName: String, to newName: String) throws {
        try requireWritable()
        try refuseIndependent("it renames a class: declare that in `renames`")
        let rename = ClassRename(from: oldName, to: newName)
        guard !classRenames.contains(where: { $0.isSame(as: rename) }) else { return }
        try rename.check(in: newSchema) { old.realm[$0]?.objectCount }
        requestedRename = requestedRename ?? rename
        throw MigrationError(
            .illegalOperation, "The migration begins anew, with class '\(oldName)' called '\(newName)'.")
    }

    /// The name that a class has now; nil where it was not renamed.
    public func newName(of className: String) -> String? {
        classRenames.first { $0.from.hasSameBytes(as: className) }?.to
    }

    /// Runs a script.
    ///
    /// - Throws: `ClassRenaming` where it asked for that, whatever it threw or caught; what it throws.
    func run(_ script: (MigrationTransaction) throws -> Void) throws {
        do {
            try script(self)
        } catch {
            if let requestedRename { throw ClassRenaming(rename: requestedRename) }
            throw error
        }
        if let requestedRename { throw ClassRenaming(rename: requestedRename) }
    }

    /// Deletes all objects of a class, and the class itself where the target schema has it not.
    ///
    /// - Returns: whether there was such a class.
    /// - Throws: `MigrationError` where a class that is to go is still linked to.
    public func deleteData(of className: String) throws -> Bool {
        try requireWritable()
        try refuseIndependent("it deletes objects")
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
        try refuseIndependent("it deletes objects")
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
