import RealmModel

/// Where and how a column of a format before 10 keeps its values, REALM_FORMAT section 20.
struct LegacyTree {
    /// The content of the leaves, by the number of the column's type.
    enum Content: Hashable {
        case int
        case bool
        case string
        /// Strings as indexes into a list of distinct ones.
        case enumeratedString
        case data
        /// Whole seconds, in formats before 5.
        case oldDate
        case timestamp
        case float
        case double
        case link
        case linkList
        /// A table of one column for each row: a list of primitive values.
        indirect case list(of: Content, isNullable: Bool)

        /// The content of a type that has one by its number alone.
        init?(typeCode: Int64) {
            switch typeCode {
            case 0: self = .int
            case 1: self = .bool
            case 2: self = .string
            case 3: self = .enumeratedString
            case 4: self = .data
            case 7: self = .oldDate
            case 8: self = .timestamp
            case 9: self = .float
            case 10: self = .double
            case 12: self = .link
            case 13: self = .linkList
            default: return nil
            }
        }

        /// The property type of a value, or of an element.
        var propertyType: PropertyType {
            switch self {
            case .int: .int
            case .bool: .bool
            case .string, .enumeratedString: .string
            case .data: .data
            case .oldDate, .timestamp: .date
            case .float: .float
            case .double: .double
            case .link, .linkList: .object
            case .list(let element, _): element.propertyType
            }
        }
    }

    let content: Content
    let root: Int64
}
