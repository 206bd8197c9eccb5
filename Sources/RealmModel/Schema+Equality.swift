/// Equality of schemas is of the bytes of their names, as Realm compares them; Swift's own would normalise them.
extension Property {
    /// Whether both properties say the same.
    public static func == (lhs: Property, rhs: Property) -> Bool {
        lhs.name.hasSameBytes(as: rhs.name) && lhs.alias.hasSameBytes(as: rhs.alias) && lhs.type == rhs.type
            && lhs.collection == rhs.collection && lhs.objectType.hasSameBytes(as: rhs.objectType)
            && lhs.isOptional == rhs.isOptional && lhs.index == rhs.index
            && lhs.originProperty.hasSameBytes(as: rhs.originProperty) && lhs.defaultValue == rhs.defaultValue
    }

    /// Hashes the name and the type, which tell most properties apart.
    public func hash(into hasher: inout Hasher) {
        name.hashBytes(into: &hasher)
        hasher.combine(type)
    }
}

extension ObjectSchema {
    /// Whether both classes say the same.
    public static func == (lhs: ObjectSchema, rhs: ObjectSchema) -> Bool {
        lhs.name.hasSameBytes(as: rhs.name) && lhs.kind == rhs.kind
            && lhs.primaryKey.hasSameBytes(as: rhs.primaryKey) && lhs.properties == rhs.properties
    }

    /// Hashes the name and the properties.
    public func hash(into hasher: inout Hasher) {
        name.hashBytes(into: &hasher)
        hasher.combine(properties)
    }
}
