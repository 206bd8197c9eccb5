import RealmModel

/// The kind of a value that `@type` tells, and its names in queries; several kinds are one number of bits.
struct ValueKind: OptionSet, Hashable, Sendable {
    let rawValue: Int64

    static let null = ValueKind(rawValue: 1)
    static let int = ValueKind(rawValue: 1 << 1)
    static let double = ValueKind(rawValue: 1 << 2)
    static let float = ValueKind(rawValue: 1 << 3)
    static let bool = ValueKind(rawValue: 1 << 4)
    static let date = ValueKind(rawValue: 1 << 5)
    static let string = ValueKind(rawValue: 1 << 6)
    static let data = ValueKind(rawValue: 1 << 7)
    static let uuid = ValueKind(rawValue: 1 << 8)
    static let objectId = ValueKind(rawValue: 1 << 9)
    static let decimal = ValueKind(rawValue: 1 << 10)
    static let link = ValueKind(rawValue: 1 << 11)
    static let dictionary = ValueKind(rawValue: 1 << 12)
    static let list = ValueKind(rawValue: 1 << 13)

    /// Realm's names, in any case of letters.
    private static let names: [(name: String, kind: ValueKind)] = [
        ("null", .null), ("int", .int), ("integer", .int), ("int16", .int), ("int32", .int), ("int64", .int),
        ("short", .int), ("long", .int), ("byte", .int), ("char", .int), ("bool", .bool), ("boolean", .bool),
        ("string", .string), ("binary", .data), ("data", .data), ("bytearray", .data), ("byte[]", .data),
        ("date", .date), ("datetimeoffset", .date), ("timestamp", .date), ("float", .float), ("double", .double),
        ("decimal128", .decimal), ("decimal", .decimal), ("objectlink", .link), ("link", .link),
        ("objectid", .objectId), ("uuid", .uuid), ("guid", .uuid), ("numeric", [.int, .double, .float, .decimal]),
        ("bindata", .data), ("object", .dictionary), ("dictionary", .dictionary), ("array", .list), ("list", .list),
        ("collection", [.list, .dictionary]),
    ]

    static func named(_ name: String) throws(QueryError) -> ValueKind {
        let lower = name.lowercased()
        if let found = names.first(where: { $0.name == lower }) { return found.kind }
        throw QueryError(
            "Unable to parse the type attribute string '\(name)', supported case insensitive values are: [\(names.map(\.name).joined(separator: ", "))]"
        )
    }

    init(rawValue: Int64) { self.rawValue = rawValue }

    init(_ value: Value) {
        self =
            switch value {
            case .null: .null
            case .int: .int
            case .bool: .bool
            case .float: .float
            case .double: .double
            case .string: .string
            case .data: .data
            case .date: .date
            case .decimal128: .decimal
            case .objectId: .objectId
            case .uuid: .uuid
            case .link, .typedLink: .link
            case .list: .list
            case .dictionary: .dictionary
            }
    }

    init(_ type: PropertyType) {
        self =
            switch type {
            case .int: .int
            case .bool: .bool
            case .float: .float
            case .double: .double
            case .string: .string
            case .data: .data
            case .date: .date
            case .decimal128: .decimal
            case .objectId: .objectId
            case .uuid: .uuid
            case .mixed: []
            case .object, .linkingObjects: .link
            }
    }
}
