extension SchemaChange {
    /// Realm's message (REALM_SEMANTICS, section 1.7), word for word; nil for the properties of a new class.
    public var message: String? {
        switch self {
        case .addTable(let added): "Class '\(added.name)' has been added."
        case .addInitialProperties: nil
        case .removeTable(let removed): "Class '\(removed.name)' has been removed."
        case .changeTableType(let name, let from, let to):
            "Class '\(name)' has been changed from \(from.realmName) to \(to.realmName)."
        case .addProperty(let name, let property): Self.message(name, property, "added")
        case .removeProperty(let name, let property): Self.message(name, property, "removed")
        case .changePropertyType(let name, let from, let to):
            Self.message(name, from, "changed from '\(from.typeName)' to '\(to.typeName)'")
        case .makePropertyNullable(let name, let property): Self.message(name, property, "made optional")
        case .makePropertyRequired(let name, let property): Self.message(name, property, "made required")
        case .addIndex(let name, let property, _): Self.message(name, property, "made indexed")
        case .removeIndex(let name, let property): Self.message(name, property, "made unindexed")
        case .changePrimaryKey(let name, let from?, let to?):
            "Primary Key for class '\(name)' has changed from '\(from)' to '\(to)'."
        case .changePrimaryKey(let name, _, let to):
            "Primary Key for class '\(name)' has been \(to == nil ? "removed" : "added")."
        }
    }

    private static func message(_ className: String, _ property: Property, _ what: String) -> String {
        "Property '\(className).\(property.name)' has been \(what)."
    }
}

extension SchemaMessageHeader {
    /// Realm's whole message about changes: the header, and one line for each that has a message.
    public func text(_ changes: [SchemaChange]) -> String {
        text(changes.compactMap(\.message))
    }
}
