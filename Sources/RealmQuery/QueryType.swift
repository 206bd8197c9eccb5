import RealmModel

/// The type of an operand, by Realm's names.
enum QueryType: String, Hashable, Sendable {
    case int, bool, float, double, string, binary, timestamp, decimal128, objectId, uuid, mixed
    case link, typedLink
    /// The type of `@type`, and of names compared with it.
    case typeOfValue = "@type"
    case null

    /// The type of a property's values, or of a collection's elements.
    init(_ type: PropertyType) {
        self =
            switch type {
            case .int: .int
            case .bool: .bool
            case .float: .float
            case .double: .double
            case .string: .string
            case .data: .binary
            case .date: .timestamp
            case .decimal128: .decimal128
            case .objectId: .objectId
            case .uuid: .uuid
            case .mixed: .mixed
            case .object, .linkingObjects: .link
            }
    }

    /// The type of a constant.
    init(_ value: Value) {
        self =
            switch value {
            case .null: .null
            case .int: .int
            case .bool: .bool
            case .float: .float
            case .double: .double
            case .string: .string
            case .data: .binary
            case .date: .timestamp
            case .decimal128: .decimal128
            case .objectId: .objectId
            case .uuid: .uuid
            case .link: .link
            case .typedLink: .typedLink
            case .list, .dictionary: .mixed
            }
    }

    /// Whether it can be calculated with; a mixed value may be a number.
    var isNumeric: Bool { [.int, .float, .double, .decimal128, .mixed].contains(self) }

    func isComparable(to other: QueryType) -> Bool {
        self == other || isNumeric && other.isNumeric || self == .mixed || other == .mixed
    }
}
