import RealmModel

/// One class of a schema as JSON: `{"name", "primaryKey"?, "embedded"?, "asymmetric"?, "properties"}`.
enum ObjectSchemaJSON {
    private static let members = ["name", "primaryKey", "embedded", "asymmetric", "properties"]

    static func decode(_ value: JSONValue, at pointer: JSONPointer) throws(InputError) -> ObjectSchema {
        let object = try JSONBody(value, "A class", members: members, at: pointer)
        let name = try object.requiredString("name")
        let primaryKey = try object.string("primaryKey")
        let kind = try kind(name, of: object)
        guard let properties = value["properties"]?.members else {
            throw .malformedDocument("The properties of a class have to be an object", at: pointer.member("properties"))
        }
        var objectSchema = ObjectSchema(name, kind: kind)
        for member in properties {
            let place = pointer.member("properties").member(member.name)
            objectSchema.properties.append(
                try PropertyJSON.decode(member.value, name: member.name, at: place))
        }
        setPrimaryKey(primaryKey, of: &objectSchema)
        return objectSchema
    }

    static func encode(_ objectSchema: ObjectSchema, origins: PropertyNames?) -> JSONValue {
        var members = [JSONMember("name", .string(objectSchema.name))]
        if let primaryKey = objectSchema.primaryKey {
            let name = objectSchema.primaryKeyProperty?.publicName ?? primaryKey
            members.append(JSONMember("primaryKey", .string(name)))
        }
        switch objectSchema.kind {
        case .topLevel: break
        case .embedded: members.append(JSONMember("embedded", true))
        case .asymmetric: members.append(JSONMember("asymmetric", true))
        }
        let properties = objectSchema.properties.map { property in
            let isPrimaryKey = objectSchema.primaryKey.hasSameBytes(as: property.name)
            return JSONMember(
                property.publicName, PropertyJSON.encode(property, isPrimaryKey: isPrimaryKey, origins: origins))
        }
        members.append(JSONMember("properties", .object(properties)))
        return .object(members)
    }

    /// - Throws: `InputError` in the words of Realm JavaScript, which alone of the SDKs can be given both.
    private static func kind(_ name: String, of object: JSONBody) throws(InputError) -> ClassKind {
        let isEmbedded = try object.bool("embedded") ?? false
        let isAsymmetric = try object.bool("asymmetric") ?? false
        guard !isEmbedded || !isAsymmetric else {
            throw .schemaInvalid(
                "Invalid schema for object '\(name)': Cannot be both asymmetric and embedded.",
                at: JSONPointer(object.pointer))
        }
        return isEmbedded ? .embedded : isAsymmetric ? .asymmetric : .topLevel
    }

    /// Takes the key's stored name for its public one, and its index for granted.
    private static func setPrimaryKey(_ name: String?, of objectSchema: inout ObjectSchema) {
        guard let name else { return }
        let properties = objectSchema.properties
        let index =
            properties.firstIndex { $0.publicName.hasSameBytes(as: name) }
            ?? properties.firstIndex { $0.name.hasSameBytes(as: name) }
        objectSchema.primaryKey = index.map { properties[$0].name } ?? name
        // One that can't be is left to validation.
        guard let index, properties[index].index == .general, properties[index].supports(.general) else { return }
        objectSchema.properties[index].index = .none
    }
}
