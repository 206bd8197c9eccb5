import RealmModel

/// The type of a leaf's values in a Parquet file.
enum ParquetType: Hashable {
    case bool, int64, float, double
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    case timestamp
    case text, json, bytes, uuid

    /// The type of single values; a link has that of its target's key.
    init(_ type: PropertyType) {
        switch type {
        case .bool: self = .bool
        case .int, .object, .linkingObjects: self = .int64
        case .float: self = .float
        case .double: self = .double
        case .date: self = .timestamp
        case .string, .decimal128, .objectId: self = .text
        case .mixed: self = .json
        case .data: self = .bytes
        case .uuid: self = .uuid
        }
    }

    /// The number of the physical type.
    var physical: Int32 {
        switch self {
        case .bool: 0
        case .int64, .timestamp: 2
        case .float: 4
        case .double: 5
        case .text, .json, .bytes: 6
        case .uuid: 7
        }
    }

    /// Writes what a schema says of the type beside its name.
    func describe(in writer: inout ThriftWriter) {
        switch self {
        case .text: writer.field(6, Int32(0))
        case .json: writer.field(6, Int32(19))
        default: break
        }
        switch self {
        case .text: writer.field(10) { $0.field(1) { _ in } }
        case .json: writer.field(10) { $0.field(12) { _ in } }
        case .uuid: writer.field(10) { $0.field(14) { _ in } }
        case .timestamp:
            writer.field(10) { logical in
                logical.field(8) { timestamp in
                    timestamp.field(1, true)
                    timestamp.field(2) { unit in unit.field(3) { _ in } }
                }
            }
        case .bool, .int64, .float, .double, .bytes: break
        }
    }
}
