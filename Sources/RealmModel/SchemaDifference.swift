/// The changes from a stored schema to a target schema, in Realm's order (REALM_SEMANTICS, section 1.2).
///
/// First the new classes; then, class by class in bytewise order of names, what happens to the stored properties in
/// their order, the new properties in theirs, and the primary key; last the kinds of classes. The order of properties,
/// aliases, default values and linking objects are no part of a difference.
public enum SchemaDifference {
    /// The changes; none where a realm of the stored schema already is one of the target.
    ///
    /// - Parameter includesTableRemovals: whether stored classes that the target has not are reported. Realm does
    ///   that for changes from outside alone; a migration keeps them.
    public static func compare(
        existing: Schema, target: Schema, includesTableRemovals: Bool = false
    ) -> [SchemaChange] {
        let pairs = pair(existing, target)
        let removals = includesTableRemovals ? pairs.compactMap(\.removal) : []
        return pairs.compactMap(\.addition) + removals + pairs.flatMap(\.columnChanges) + pairs.compactMap(\.kindChange)
    }

    /// The classes of both schemas by name, in bytewise order of the names.
    private static func pair(_ existing: Schema, _ target: Schema) -> [ClassPair] {
        let stored = Dictionary(existing.classes.map { (NameKey($0.name), $0) }) { first, _ in first }
        let wanted = Dictionary(target.classes.map { (NameKey($0.name), $0) }) { first, _ in first }
        return Set(stored.keys).union(wanted.keys)
            .sorted(byBytesOf: \.name)
            .map { ClassPair(existing: stored[$0], target: wanted[$0]) }
    }
}

/// A class in the stored schema, in the target, or in both.
private struct ClassPair {
    var existing: ObjectSchema?
    var target: ObjectSchema?

    var addition: SchemaChange? {
        existing == nil ? target.map { .addTable($0) } : nil
    }

    var removal: SchemaChange? {
        target == nil ? existing.map { .removeTable($0) } : nil
    }

    var kindChange: SchemaChange? {
        guard let existing, let target, existing.kind != target.kind else { return nil }
        return .changeTableType(className: existing.name, from: existing.kind, to: target.kind)
    }

    var columnChanges: [SchemaChange] {
        guard let target else { return [] }
        guard let existing else { return [.addInitialProperties(target)] }
        return existing.changes(to: target)
    }
}

extension ObjectSchema {
    fileprivate func changes(to target: ObjectSchema) -> [SchemaChange] {
        let wanted = Dictionary(target.properties.map { (NameKey($0.name), $0) }) { first, _ in first }
        let stored = Set(persistedProperties.map { NameKey($0.name) })
        let modified = persistedProperties.flatMap { property in
            changes(of: property, to: wanted[NameKey(property.name)], in: target)
        }
        let added = target.persistedProperties
            .filter { !stored.contains(NameKey($0.name)) }
            .map { SchemaChange.addProperty(className: name, $0) }
        return modified + added + primaryKeyChanges(to: target)
    }

    private func changes(of property: Property, to wanted: Property?, in target: ObjectSchema) -> [SchemaChange] {
        guard let wanted, !wanted.isComputed else { return [.removeProperty(className: name, property)] }
        guard property.hasSameType(as: wanted) else {
            return [.changePropertyType(className: name, from: property, to: wanted)]
        }
        return optionalityChanges(of: property, to: wanted) + generalIndexChanges(of: property, to: wanted, in: target)
            + fullTextIndexChanges(of: property, to: wanted)
    }

    private func optionalityChanges(of property: Property, to wanted: Property) -> [SchemaChange] {
        guard property.isOptional != wanted.isOptional else { return [] }
        return property.isOptional
            ? [.makePropertyRequired(className: name, property)] : [.makePropertyNullable(className: name, property)]
    }

    private func generalIndexChanges(
        of property: Property, to wanted: Property, in target: ObjectSchema
    ) -> [SchemaChange] {
        switch (hasGeneralIndex(property), target.hasGeneralIndex(wanted)) {
        case (false, true): [.addIndex(className: name, property, .general)]
        case (true, false): [.removeIndex(className: name, property)]
        default: []
        }
    }

    private func fullTextIndexChanges(of property: Property, to wanted: Property) -> [SchemaChange] {
        switch (property.index == .fullText, wanted.index == .fullText) {
        case (false, true): [.addIndex(className: name, property, .fullText)]
        case (true, false): [.removeIndex(className: name, property)]
        default: []
        }
    }

    private func primaryKeyChanges(to target: ObjectSchema) -> [SchemaChange] {
        guard primaryKey.map(NameKey.init) != target.primaryKey.map(NameKey.init) else { return [] }
        return [.changePrimaryKey(className: name, from: primaryKey, to: target.primaryKey)]
    }

    /// Whether a property has the general index, which a primary key has without saying so.
    private func hasGeneralIndex(_ property: Property) -> Bool {
        property.index == .general || isPrimaryKey(property)
    }
}
