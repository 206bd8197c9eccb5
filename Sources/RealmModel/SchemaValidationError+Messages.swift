/// Realm's messages about classes and names (REALM_SEMANTICS, section 1.8), word for word.
extension SchemaValidationError {
    static func duplicateType(_ name: String) -> Self {
        Self(
            "Type '\(name)' appears more than once in the schema.", name,
            hint: "Declare it once, with the properties of both.")
    }

    static func duplicateProperty(_ property: String, in name: String) -> Self {
        Self(
            "Property '\(property)' appears more than once in the schema for type '\(name)'.", name, property,
            hint: "Declare it once; mapTo may have given it another's name.")
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
        Self(
            "Embedded object type '\(name)' cannot have a primary key.", name,
            hint: "Leave the primary key out, or \"embedded\".")
    }

    /// - Parameter properties: the names of those that there are.
    static func missingPrimaryKeyProperty(_ property: String, in name: String, among properties: [String]) -> Self {
        Self(
            "Specified primary key '\(name).\(property)' does not exist.", name, property,
            hint: NearestName.question(property, among: properties) ?? "Declare the property, or name another one.")
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
        Self(
            "Embedded object '\(name)' is unreachable by any link path from top level objects.", name,
            hint: "Link to it from a class that is not embedded, or leave it out.")
    }
}

/// Realm's messages about one property (REALM_SEMANTICS, section 1.8), word for word.
extension SchemaValidationError {
    static func linkingObjectsNotAnArray(_ property: Property, in name: String) -> Self {
        Self("Linking Objects property '\(name).\(property.name)' must be an array.", name, property.name)
    }

    static func cannotBeNullable(_ property: Property, in name: String) -> Self {
        ofType(property, in: name, "cannot be nullable.", hint: "Leave \"optional\" (or the ?) out.")
    }

    static func linkMustBeNullable(_ property: Property, in name: String) -> Self {
        Self(
            "Property '\(name).\(property.name)' of type 'object' must be nullable.", name, property.name,
            hint: "Declare it optional: a link is null where its object is deleted.")
    }

    static func mixedMustBeNullable(_ property: Property, in name: String) -> Self {
        Self(
            "Property '\(name).\(property.name)' of type 'Mixed' must be nullable.", name, property.name,
            hint: "Declare it optional.")
    }

    static func cannotBePrimaryKey(_ property: Property, in name: String) -> Self {
        ofType(
            property, in: name, "cannot be made the primary key.",
            hint: "A primary key is an int, a string, an objectId or a uuid.")
    }

    static func cannotBeIndexed(_ property: Property, in name: String) -> Self {
        ofType(
            property, in: name, "cannot be indexed.",
            hint: "An index is of an int, bool, string, date, objectId, uuid or mixed: leave \"indexed\" out.")
    }

    static func unexpectedOrigin(_ property: Property, in name: String) -> Self {
        ofType(
            property, in: name, "cannot have an origin property name.",
            hint: "Leave \"property\" out, or make it linkingObjects.")
    }

    static func missingOrigin(_ property: Property, in name: String) -> Self {
        ofType(
            property, in: name, "must have an origin property name.",
            hint: "Name the property that links here as \"property\".")
    }

    static func unexpectedObjectType(_ property: Property, in name: String) -> Self {
        Self(
            "Property '\(name).\(property.name)' of type '\(property.typeName)' cannot have an object type.", name,
            property.name, hint: "Leave \"objectType\" out, or make the type object, list, set or dictionary.")
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
                + "Set semantics are not applicable to embedded objects.", name, property.name,
            hint: "Make it a list, or the class one that is not embedded.")
    }

    static func linkToAsymmetric(_ property: Property, in name: String) -> Self {
        ofType(property, in: name, "cannot be a link to an asymmetric object.")
    }

    /// - Parameter properties: the names of those that there are.
    static func originDoesNotExist(_ property: Property, in name: String, among properties: [String]) -> Self {
        origin(
            of: property, in: name, "does not exist",
            hint: NearestName.question(property.originProperty ?? "", among: properties)
                ?? "Name the property that links here as \"property\".")
    }

    static func originIsNoLink(_ property: Property, in name: String) -> Self {
        origin(
            of: property, in: name, "is not a link", hint: "Name the property that links here as \"property\".")
    }

    static func originLinksElsewhere(_ property: Property, in name: String, target: String) -> Self {
        origin(
            of: property, in: name, "links to type '\(target)'",
            hint: "Name a property that links to '\(name)' as \"property\".")
    }

    private static func ofType(
        _ property: Property, in name: String, _ fault: String, hint: String? = nil
    ) -> Self {
        Self(
            "Property '\(name).\(property.name)' of type '\(property.kindName)' \(fault)", name, property.name,
            hint: hint)
    }

    private static func origin(of property: Property, in name: String, _ fault: String, hint: String) -> Self {
        Self(
            "Property '\(property.objectType ?? "").\(property.originProperty ?? "")' declared as origin of linking "
                + "objects property '\(name).\(property.name)' \(fault)", name, property.name, hint: hint)
    }
}
