/// The removals and additions that can only belong to one another, if they are a rename.
struct RenameSuggestions {
    private var suggestions: [SchemaChange: SchemaChangeReport.Suggestion] = [:]

    /// Pairs the one removal of a property with the one addition of the same type in its class, and the one class that
    /// is removed with the one of the same properties that is added.
    init(_ changes: [SchemaChange]) {
        for (_, changes) in Dictionary(grouping: changes, by: { NameKey($0.className) }) {
            addProperties(of: changes)
        }
        addClasses(of: changes)
    }

    subscript(_ change: SchemaChange) -> SchemaChangeReport.Suggestion? { suggestions[change] }

    private mutating func addProperties(of changes: [SchemaChange]) {
        let removed = changes.compactMap { change -> (SchemaChange, Property)? in
            if case .removeProperty(_, let property) = change { (change, property) } else { nil }
        }
        let added = changes.compactMap { change -> (SchemaChange, Property)? in
            if case .addProperty(_, let property) = change { (change, property) } else { nil }
        }
        for (removal, old) in removed {
            let candidates = added.filter { $0.1.hasSameType(as: old) }
            guard removed.filter({ $0.1.hasSameType(as: old) }).count == 1, candidates.count == 1,
                let (addition, new) = candidates.first
            else { continue }
            suggest(.changePropertyName, removal, old.name, addition, new.name)
        }
    }

    private mutating func addClasses(of changes: [SchemaChange]) {
        let removed = changes.compactMap { change -> (SchemaChange, ObjectSchema)? in
            if case .removeTable(let object) = change { (change, object) } else { nil }
        }
        let added = changes.compactMap { change -> (SchemaChange, ObjectSchema)? in
            if case .addTable(let object) = change { (change, object) } else { nil }
        }
        for (removal, old) in removed {
            let candidates = added.filter { $0.1.hasSameProperties(as: old) }
            guard removed.filter({ $0.1.hasSameProperties(as: old) }).count == 1, candidates.count == 1,
                let (addition, new) = candidates.first
            else { continue }
            suggest(.changeObjectTypeName, removal, old.name, addition, new.name)
        }
    }

    private mutating func suggest(
        _ kind: SchemaChangeReport.Kind, _ removal: SchemaChange, _ from: String, _ addition: SchemaChange, _ to: String
    ) {
        let suggestion = SchemaChangeReport.Suggestion(kind: kind, from: from, to: to)
        suggestions[removal] = suggestion
        suggestions[addition] = suggestion
    }
}

extension ObjectSchema {
    /// Whether both classes have stored properties of the same names and types, in any order.
    fileprivate func hasSameProperties(as other: ObjectSchema) -> Bool {
        persistedProperties.count == other.persistedProperties.count
            && persistedProperties.allSatisfy { property in
                other.property(named: property.name)?.hasSameType(as: property) ?? false
            }
    }
}
