import RealmModel

/// The part of a migration before its script: classes and columns come and change; nothing goes yet.
struct SchemaPreparation {
    let realm: WorkingRealm
    let request: MigrationRequest

    /// Applies changes in their order.
    ///
    /// - Parameter isFinal: whether no script and no completion follow, so that removals and primary keys are done
    ///   here as well.
    func apply(_ changes: [SchemaChange], isFinal: Bool) throws {
        for change in changes {
            if let violation = change.nameViolation {
                throw MigrationError.invalidName(violation, in: change.className)
            }
            try apply(change, isFinal: isFinal)
        }
    }

    private func apply(_ change: SchemaChange, isFinal: Bool) throws {
        switch change {
        case .addTable(let added):
            _ = realm.addClass(added.stored)
        case .addProperty(let className, let property):
            try add(property, to: className)
        case .changePropertyType(let className, let old, let new):
            realm[className]?.removeColumn(named: old.name)
            realm[className]?.addColumn(new.stored, filledWith: new.initialValue)
        case .makePropertyNullable(let className, let property):
            moveToEnd(property, of: className) { $0.property.isOptional = true }
        case .makePropertyRequired(let className, let property):
            makeRequired(property, of: className)
        case .addIndex(let className, let property, let index):
            // A primary key has its index without saying so.
            let isPrimaryKey = request.target[className]?.primaryKey.hasSameBytes(as: property.name) ?? false
            realm[className]?.column(named: property.name)?.property.index = isPrimaryKey ? .none : index
        case .removeIndex(let className, let property):
            realm[className]?.column(named: property.name)?.property.index = .none
        case .changePrimaryKey(let className, _, let primaryKey):
            realm[className]?.primaryKey = isFinal ? primaryKey : nil
        case .removeProperty(let className, let property):
            if isFinal { realm[className]?.removeColumn(named: property.name) }
        case .addInitialProperties, .removeTable, .changeTableType: break
        }
    }

    private func add(_ property: Property, to className: String) throws {
        // Classes cease to be embedded only when the script has ended.
        if property.collection == .set, let target = property.objectType, realm[target]?.kind == .embedded {
            throw MigrationError.setOfEmbedded(className, property.name)
        }
        let isDefault = request.options.applyDefaults == .existing
        let value = isDefault ? property.defaultValue ?? property.initialValue : property.initialValue
        realm[className]?.addColumn(property.stored, filledWith: value)
    }

    /// Realm resets all values, even those that are not null; `keep` lets them stay and looks for nulls at the end.
    private func makeRequired(_ property: Property, of className: String) {
        guard request.options.nullability == .keep else {
            var required = property.stored
            required.isOptional = false
            realm[className]?.removeColumn(named: property.name)
            realm[className]?.addColumn(required, filledWith: required.initialValue)
            return
        }
        moveToEnd(property, of: className) {
            $0.property.isOptional = false
            $0.refusesNulls = true
        }
    }

    /// Realm makes a new column for a change of nullability, so that the property's place is the last.
    private func moveToEnd(_ property: Property, of className: String, _ change: (WorkingColumn) -> Void) {
        guard let stored = realm[className], let column = stored.column(named: property.name) else { return }
        stored.removeColumn(named: property.name)
        change(column)
        stored.columns.append(column)
    }
}
