import RealmEditing
import RealmModel

extension MigrationTransaction {
    /// Gives a property another name; its values replace those of the property of that name.
    ///
    /// A name that the class has not yet is allowed, for chains of renames; the migration fails at its end where it
    /// is not in the target schema.
    ///
    /// - Throws: `MigrationError` with Realm's text.
    public func renameProperty(of className: String, from oldName: String, to newName: String) throws {
        try requireWritable()
        try refuseIndependent("it renames a property: declare that in `renames`")
        // It was done before.
        guard !isRetry else { return }
        let rename = PropertyRename(className: className, from: oldName, to: newName)
        guard let stored = new.realm[className] else { throw MigrationError.renameOfUnknownClass(className) }
        guard let target = newSchema[className] else { throw MigrationError.renameInRemovedClass(className) }
        guard target.property(named: oldName) == nil else { throw MigrationError.renameOfKeptProperty(rename) }
        guard let column = stored.column(named: oldName) else { throw MigrationError.renameOfUnknownProperty(rename) }
        defer { new.unbind() }
        guard let replaced = stored.column(named: newName) else {
            stored.rename(column, to: newName)
            note(rename)
            return
        }
        // Realm compares the types of the elements first and the collections never, which is none of its own outcomes
        // to keep: the column would not be what the schema says.
        guard column.property.hasSameElements(as: replaced.property) else {
            throw changedType(rename, column, replaced)
        }
        guard replaced.property.isOptional || !column.property.isOptional else {
            throw MigrationError.renameMakesRequired(rename)
        }
        guard column.property.hasSameType(as: replaced.property) else {
            throw changedType(rename, column, replaced)
        }
        stored.removeColumn(named: newName)
        stored.rename(column, to: newName)
        if replaced.property.isOptional, !column.property.isOptional {
            column.property.isOptional = true
            stored.moveToEnd(column)
        }
        note(rename)
    }

    /// Keeps a rename; one of a chain goes on from where the last one led.
    private func note(_ rename: PropertyRename) {
        var made = SchemaRename.property(className: rename.className, from: rename.from, to: rename.to)
        renames = renames.filter { earlier in
            guard case .property(let className, let from, let to) = earlier,
                className.hasSameBytes(as: rename.className)
            else { return true }
            if to.hasSameBytes(as: rename.from) {
                made = .property(className: className, from: from, to: rename.to)
                return false
            }
            // Its values were replaced by those of this one.
            return !to.hasSameBytes(as: rename.to)
        }
        renames.append(made)
    }

    private func changedType(
        _ rename: PropertyRename, _ column: WorkingColumn, _ replaced: WorkingColumn
    ) -> MigrationError {
        MigrationError.renameChangesType(rename, from: column.property.typeName, to: replaced.property.typeName)
    }
}
