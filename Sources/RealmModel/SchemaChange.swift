/// One step of Realm's difference between a stored and a target schema.
///
/// Classes and properties are the stored ones where something stored changes, the target's where something is new.
public enum SchemaChange: Hashable, Sendable {
    /// A class of the target is not stored.
    case addTable(ObjectSchema)
    /// The new class gets its properties; has no message of its own.
    case addInitialProperties(ObjectSchema)
    /// A stored class is not in the target; only reported where removals are asked for, Realm keeps the class.
    case removeTable(ObjectSchema)
    /// A class becomes or ceases to be embedded or asymmetric.
    case changeTableType(className: String, from: ClassKind, to: ClassKind)
    /// A class gets a property.
    case addProperty(className: String, Property)
    /// A class loses a stored property, or calculates it from now on.
    case removeProperty(className: String, Property)
    /// A property has another type, collection or target; Realm says nothing about its optionality and index then.
    case changePropertyType(className: String, from: Property, to: Property)
    /// A property may be null from now on.
    case makePropertyNullable(className: String, Property)
    /// A property may not be null any more.
    case makePropertyRequired(className: String, Property)
    /// A property gets an index; a primary key counts as having the general one.
    case addIndex(className: String, Property, PropertyIndex)
    /// A property loses its index.
    case removeIndex(className: String, Property)
    /// A class has another primary key, or begins or ceases to have one.
    case changePrimaryKey(className: String, from: String?, to: String?)
}

extension SchemaChange {
    /// The class that changes.
    public var className: String {
        switch self {
        case .addTable(let added), .addInitialProperties(let added), .removeTable(let added): added.name
        case .changeTableType(let name, _, _), .addProperty(let name, _), .removeProperty(let name, _),
            .changePropertyType(let name, _, _), .makePropertyNullable(let name, _), .makePropertyRequired(let name, _),
            .addIndex(let name, _, _), .removeIndex(let name, _), .changePrimaryKey(let name, _, _):
            name
        }
    }

    /// The stored name of the property that changes; nil where it is the class, of a primary key the new one.
    public var propertyName: String? {
        switch self {
        case .addTable, .addInitialProperties, .removeTable, .changeTableType: nil
        case .addProperty(_, let property), .removeProperty(_, let property), .changePropertyType(_, let property, _),
            .makePropertyNullable(_, let property), .makePropertyRequired(_, let property),
            .addIndex(_, let property, _), .removeIndex(_, let property):
            property.name
        case .changePrimaryKey(_, let old, let new): new ?? old
        }
    }

    /// Realm's message where the change would create a class or property whose name is too long.
    public var nameViolation: String? {
        switch self {
        case .addTable(let added): NameLimit.violation(className: added.name)
        case .addInitialProperties(let added):
            added.persistedProperties.lazy.compactMap { NameLimit.violation(property: $0.name, of: added.name) }
                .first
        case .addProperty(let className, let property):
            NameLimit.violation(property: property.name, of: className)
        default: nil
        }
    }
}
