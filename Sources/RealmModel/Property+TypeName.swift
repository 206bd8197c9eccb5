extension PropertyType {
    /// Realm's word for the type in messages, without a collection or a target.
    var realmName: String {
        switch self {
        case .int: "int"
        case .bool: "bool"
        case .float: "float"
        case .double: "double"
        case .string: "string"
        case .data: "data"
        case .date: "date"
        case .decimal128: "decimal"
        case .objectId: "object id"
        case .uuid: "uuid"
        case .mixed: "mixed"
        case .object: "object"
        case .linkingObjects: "linking objects"
        }
    }
}

extension Property {
    /// The type as Realm's messages about differences have it: `int`, `<Dog>`, `array<Dog>`, `dictionary<string, int>`.
    public var typeName: String {
        let element = isLink ? objectType ?? "" : type.realmName
        switch collection {
        case _ where type == .linkingObjects: return "linking objects<\(objectType ?? "")>"
        case .none: return isLink ? "<\(element)>" : element
        case .list: return "array<\(element)>"
        case .set: return "set<\(element)>"
        case .dictionary: return "dictionary<string, \(element)>"
        }
    }

    /// The type as Realm's messages about validation have it: a collection's kind, or the word for the type.
    public var kindName: String {
        switch collection {
        case _ where type == .linkingObjects: type.realmName
        case .none: type.realmName
        case .list: "array"
        case .set: "set"
        case .dictionary: "dictionary"
        }
    }
}

extension ClassKind {
    /// Realm's word for the kind in messages.
    public var realmName: String {
        switch self {
        case .topLevel: "TopLevel"
        case .embedded: "Embedded"
        case .asymmetric: "TopLevelAsymmetric"
        }
    }
}
