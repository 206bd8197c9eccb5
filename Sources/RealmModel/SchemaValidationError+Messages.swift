/// Realm's messages about classes and names (REALM_SEMANTICS, section 1.8), word for word.
extension SchemaValidationError {
    static func duplicateType(_ name: String) -> Self {
        Self("Type '\(name)' appears more than once in the schema.", name)
    }

    static func duplicateProperty(_ property: String, in name: String) -> Self {
        Self("Property '\(property)' appears more than once in the schema for type '\(name)'.", name, property)
    }

    static func duplicateAlias(_ alias: String, in name: String, property: String?) -> Self {
        Self("Alias '\(alias)' appears more than once in the schema for type '\(name)'.", name, property)
    }

    static func aliasConflict(_ alias: String, of property: String, in name: String) -> Self {
        Self(
            "Property '\(name).\(property)' has an alias '\(alias)' that conflicts with a property of the same name.",
            name, property)
    }

    static func embeddedPrimaryKey(in name: String) -> Self {
        Self("Embedded object type '\(name)' cannot have a primary key.", name)
    }

    static func missingPrimaryKeyProperty(_ property: String, in name: String) -> Self {
        Self("Specified primary key '\(name).\(property)' does not exist.", name, property)
    }

    static func syncedWithoutPrimaryKey(_ name: String) -> Self {
        Self(
            "There must be a primary key property named '_id' on a synchronized Realm but none was found for type "
                + "'\(name)'", name)
    }

    static func syncedPrimaryKeyName(_ property: String, in name: String) -> Self {
        Self(
            "The primary key property on a synchronized Realm must be named '_id' but found '\(property)' for type "
                + "'\(name)'", name, property)
    }

    static func asymmetricInLocalRealm(_ name: String) -> Self {
        Self("Asymmetric table '\(name)' not allowed in a local Realm", name)
    }

    static func asymmetricInPartitionSync(_ name: String) -> Self {
        Self("Asymmetric table '\(name)' not allowed in partition based sync", name)
    }

    static func embeddedCycle(_ path: [String], in name: String) -> Self {
        Self(
            "Cycles containing embedded objects are not currently supported: '\(path.joined(separator: "."))'", name,
            path.dropFirst().first)
    }

    static func unreachableEmbedded(_ name: String) -> Self {
        Self("Embedded object '\(name)' is unreachable by any link path from top level objects.", name)
    }
}

/// Realm's messages about one property (REALM_SEMANTICS, section 1.8), word for word.
extension SchemaValidationError {
    static func linkingObjectsNotAnArray(_ property: Property, in name: String) -> Self {
        Self("Linking Objects property '\(name).\(property.name)' must be an array.", name, property.name)
    }

    static func cannotBeNullable(_ property: Property, in name: String) -> Self {
        ofType(property, in: name, "cannot be nullable.")
    }

    static func linkMustBeNullable(_ property: Property, in name: String) -> Self {
        Self("Property '\(name).\(property.name)' of type 'object' must be nullable.", name, property.name)
    }

    static func mixedMustBeNullable(_ property: Property, in name: String) -> Self {
        Self("Property '\(name).\(property.name)' of type 'Mixed' must be nullable.", name, property.name)
    }

    static func cannotBePrimaryKey(_ property: Property, in name: String) -> Self {
        ofType(property, in: name, "cannot be made the primary key.")
    }

    static func cannotBeIndexed(_ property: Property, in name: String) -> Self {
        ofType(property, in: name, "cannot be indexed.")
    }

    static func unexpectedOrigin(_ property: Property, in name: String) -> Self {
        ofType(property, in: name, "cannot have an origin property name.")
    }

    static func missingOrigin(_ property: Property, in name: String) -> Self {
        ofType(property, in: name, "must have an origin property name.")
    }

    static func unexpectedObjectType(_ property: Property, in name: String) -> Self {
        Self(
            "Property '\(name).\(property.name)' of type '\(property.typeName)' cannot have an object type.", name,
            property.name)
    }

    /// - Parameter classes: the names of those that there are.
    static func unknownObjectType(_ property: Property, in name: String, among classes: [String]) -> Self {
        let type = property.objectType ?? ""
        // A type of values that is mistyped is read as a class.
        let types = PropertyType.allCases.filter { $0 != .object && $0 != .linkingObjects }.map(\.rawValue)
        let message = ofType(property, in: name, "has unknown object type '\(type)'").message
        return Self(message, name, property.name, hint: NearestName.question(type, among: types + classes))
    }

    static func setOfEmbedded(_ property: Property, in name: String) -> Self {
        Self(
            "Set property '\(name).\(property.name)' cannot contain embedded object type '\(property.objectType ?? "")'. "
                + "Set semantics are not applicable to embedded objects.", name, property.name)
    }

    static func linkToAsymmetric(_ property: Property, in name: String) -> Self {
        ofType(property, in: name, "cannot be a link to an asymmetric object.")
    }

    static func originDoesNotExist(_ property: Property, in name: String) -> Self {
        origin(of: property, in: name, "does not exist")
    }

    static func originIsNoLink(_ property: Property, in name: String) -> Self {
        origin(of: property, in: name, "is not a link")
    }

    static func originLinksElsewhere(_ property: Property, in name: String, target: String) -> Self {
        origin(of: property, in: name, "links to type '\(target)'")
    }

    private static func ofType(_ property: Property, in name: String, _ fault: String) -> Self {
        Self("Property '\(name).\(property.name)' of type '\(property.kindName)' \(fault)", name, property.name)
    }

    private static func origin(of property: Property, in name: String, _ fault: String) -> Self {
        Self(
            "Property '\(property.objectType ?? "").\(property.originProperty ?? "")' declared as origin of linking "
                + "objects property '\(name).\(property.name)' \(fault)", name, property.name)
    }
}
