extension PropertyType {
    /// The name of the type's values in a sentence.
    public var plural: String {
        switch self {
        case .int: "integers"
        case .bool: "booleans"
        case .float, .double: "numbers"
        case .string: "strings"
        case .data: "data"
        case .date: "dates"
        case .decimal128: "decimals"
        case .objectId: "ObjectIds"
        case .uuid: "UUIDs"
        case .mixed: "values of any type"
        case .object, .linkingObjects: "links"
        }
    }
}
