import RealmModel

/// The default value of a property as JSON.
enum DefaultJSON {
    static func decode(
        _ value: JSONValue, for property: Property, at pointer: JSONPointer
    ) throws(InputError) -> Value {
        guard let decoded = value.isNull ? .null : decode(value, property.type) else {
            throw .schemaInvalid("The default value is not of the property's type", at: pointer)
        }
        return decoded
    }

    static func encode(_ value: Value) -> JSONValue {
        switch value {
        case .int(let number): .int(number)
        case .bool(let flag): .bool(flag)
        case .float(let number): .double(Double(number))
        case .double(let number): .double(number)
        case .string(let text): .string(text)
        case .objectId(let id): ["$oid": .string(id.description)]
        case .uuid(let id): ["$uuid": .string(id.description)]
        default: .null
        }
    }

    private static func decode(_ value: JSONValue, _ type: PropertyType) -> Value? {
        switch type {
        case .int: value.int.map { .int($0) }
        case .bool: value.bool.map { .bool($0) }
        case .float: value.double.map { .float(Float($0)) }
        case .double: value.double.map { .double($0) }
        case .string: value.string.map { .string($0) }
        case .objectId: value["$oid"]?.string.flatMap { ObjectId($0) }.map { .objectId($0) }
        case .uuid: value["$uuid"]?.string.flatMap { UUID($0) }.map { .uuid($0) }
        default: nil
        }
    }
}
