import RealmModel

/// One property of a class as JSON: a shorthand, or `{"type", "objectType"?, "optional"?, "indexed"?, …}`.
enum PropertyJSON {
    private static let members = [
        "type", "objectType", "optional", "indexed", "property", "default", "mapTo", "presentation",
    ]

    /// - Parameter name: the member's name, which is the property's public one.
    static func decode(_ value: JSONValue, name: String, at pointer: JSONPointer) throws(InputError) -> Property {
        if let text = value.string {
            guard let shape = PropertyShape(text) else { throw unknownType(at: pointer) }
            return property(name, shape, isOptional: shape.isOptional || shape.isAlwaysOptional)
        }
        let object = try JSONBody(value, "A property", members: members, at: pointer)
        let type = try object.requiredString("type")
        guard let shape = PropertyShape(type, objectType: try object.string("objectType")) else {
            throw unknownType(at: pointer.member("type"))
        }
        // Said plainly, `optional` stands even where Realm knows better: validation reports it.
        let isOptional = try object.bool("optional").map { $0 || shape.isOptional }
        var property = property(name, shape, isOptional: isOptional ?? (shape.isOptional || shape.isAlwaysOptional))
        property.index = try index(of: object)
        property.originProperty = try object.string("property")
        guard !property.isComputed || property.originProperty != nil else {
            throw object.invalid("property", "property is missing.")
        }
        if let stored = try object.string("mapTo"), !stored.hasSameBytes(as: name) {
            property.name = stored
            property.alias = name
        }
        if let given = value["default"] {
            let value = try DefaultJSON.decode(given, for: property, at: pointer.member("default"))
            // Null is no value of a property that requires one: no default is given.
            property.defaultValue = value.isNull && property.requiresValue ? nil : value
        }
        return property
    }

    static func encode(_ property: Property, isPrimaryKey: Bool, origins: PropertyNames?) -> JSONValue {
        var members: [JSONMember] = []
        let element = property.objectType ?? property.type.rawValue
        if property.isCollection {
            let type = property.objectType.map { PropertyShape.spelling(property.collection, of: $0) }
            members.append(JSONMember("type", .string(type ?? property.collection.rawValue)))
            members.append(JSONMember("objectType", .string(element)))
        } else {
            members.append(JSONMember("type", .string(property.type.rawValue)))
            if let target = property.objectType { members.append(JSONMember("objectType", .string(target))) }
        }
        members.append(JSONMember("optional", .bool(property.isOptional)))
        members.append(JSONMember("indexed", index(property.index, isPrimaryKey: isPrimaryKey)))
        if let origin = origins?.origin(of: property) ?? property.originProperty {
            members.append(JSONMember("property", .string(origin)))
        }
        if property.alias != nil { members.append(JSONMember("mapTo", .string(property.name))) }
        if let value = property.defaultValue {
            members.append(JSONMember("default", DefaultJSON.encode(value, isMixed: property.type == .mixed)))
        }
        return .object(members)
    }

    private static func unknownType(at pointer: JSONPointer) -> InputError {
        .schemaInvalid("This is no type of a property", at: pointer)
    }

    private static func property(_ name: String, _ shape: PropertyShape, isOptional: Bool) -> Property {
        Property(
            name, shape.type, collection: shape.collection, objectType: shape.objectType, isOptional: isOptional)
    }

    private static func index(of object: JSONBody) throws(InputError) -> PropertyIndex {
        switch object.member("indexed") {
        case nil, .bool(false): .none
        case .bool(true): .general
        case .string("full-text"): .fullText
        default:
            throw object.invalid("indexed", "indexed has to be true, false or \"full-text\".")
        }
    }

    private static func index(_ index: PropertyIndex, isPrimaryKey: Bool) -> JSONValue {
        switch index {
        case .none: .bool(isPrimaryKey)
        case .general: true
        case .fullText: "full-text"
        }
    }
}
