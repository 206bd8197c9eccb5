extension Property {
    /// The value that Realm gives existing objects when the property is added: null, empty, or the type's zero.
    public var initialValue: Value {
        switch collection {
        case .list, .set: return .list([])
        case .dictionary: return .dictionary([])
        case .none: return isOptional || type == .object || type == .mixed ? .null : type.zero
        }
    }
}

extension PropertyType {
    /// The value of a required property that was never set; null for the types that are always optional.
    public var zero: Value {
        switch self {
        case .int: .int(0)
        case .bool: .bool(false)
        case .float: .float(0)
        case .double: .double(0)
        case .string: .string("")
        case .data: .data([])
        case .date: .date(Timestamp(seconds: 0, nanoseconds: 0))
        case .decimal128: .decimal128(.zero)
        case .objectId: .objectId(.zero)
        case .uuid: .uuid(.zero)
        case .mixed, .object, .linkingObjects: .null
        }
    }
}
