import RealmModel

extension MigrationTransaction {
    /// Gives a property another name; its values replace those of the property of that name.
    ///
    /// A name that the class has not yet is allowed, for chains of renames; the migration fails at its end where it
    /// is not in the target schema.
    ///
    /// - Throws: `MigrationError` with Realm's text.
    public func renameProperty(of className: String, from oldName: String, to newName: String) throws {
        let rename = PropertyRename(className: className, from: oldName, to: newName)
        guard let stored = new[className] else { throw MigrationError.renameOfUnknownClass(className) }
        guard let target = newSchema[className] else { throw MigrationError.renameInRemovedClass(className) }
        guard target.property(named: oldName) == nil else { throw MigrationError.renameOfKeptProperty(rename) }
        guard let column = stored.column(named: oldName) else { throw MigrationError.renameOfUnknownProperty(rename) }
        defer { unbind() }
        guard let replaced = stored.column(named: newName) else {
            column.property.name = newName
            return
        }
        guard column.property.hasSameType(as: replaced.property) else {
            throw MigrationError.renameChangesType(
                rename, from: column.property.typeName, to: replaced.property.typeName)
        }
        guard replaced.property.isOptional || !column.property.isOptional else {
            throw MigrationError.renameMakesRequired(rename)
        }
        stored.removeColumn(named: newName)
        column.property.name = newName
        column.property.isOptional = replaced.property.isOptional
        if stored.primaryKey.hasSameBytes(as: oldName) { stored.primaryKey = nil }
    }
}
