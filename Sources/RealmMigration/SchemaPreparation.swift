import RealmEditing
import RealmModel

/// The part of a migration before its script, or all of it where the mode runs none: classes and columns come and
/// change, in Realm's order.
struct SchemaPreparation {
    /// Which of the changes are made.
    enum Extent {
        /// All that a realm without a schema version needs.
        case initial
        /// Classes and indexes: what the same version permits.
        case sameVersion
        /// The changes that the additive modes permit.
        case additive
        /// The changes that a script finds done: nothing goes yet, and primary keys come at the end.
        case migration
    }

    let editor: SchemaEditor
    let extent: Extent

    init(realm: WorkingRealm, request: MigrationRequest, extent: Extent) {
        editor = SchemaEditor(realm: realm, request: request)
        self.extent = extent
    }

    /// Makes changes in their order.
    func apply(_ changes: [SchemaChange]) throws {
        for change in changes {
            if let violation = change.nameViolation {
                throw MigrationError.invalidName(violation, in: change.className)
            }
            try apply(change)
        }
    }

    private func apply(_ change: SchemaChange) throws {
        switch change {
        case .addTable(let added): try editor.addClass(added)
        case .addInitialProperties(let added): try editor.addInitialProperties(of: added)
        case .addProperty(let className, let property): try editor.add(property, to: className)
        case .changePropertyType(let className, let old, let new): try editor.replace(old, by: new, in: className)
        case .makePropertyNullable(let className, let property): editor.makeNullable(property, of: className)
        case .makePropertyRequired(let className, let property): editor.makeRequired(property, of: className)
        case .addIndex(let className, let property, let index):
            try editor.addIndex(index, of: property, in: className)
        case .removeIndex(let className, let property): editor.removeIndex(of: property, in: className)
        case .changePrimaryKey(let className, _, let primaryKey):
            try editor.setPrimaryKey(extent == .initial ? primaryKey : nil, of: className)
        case .removeProperty(let className, let property):
            if extent == .initial { editor.realm[className]?.removeColumn(named: property.name) }
        case .changeTableType(let className, _, let kind):
            guard extent == .initial else { return }
            try editor.changeKind(of: className, to: kind, resolvesConstraints: false)
        case .removeTable: break
        }
    }
}
