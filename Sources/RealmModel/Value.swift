/// Any value that a property of a Realm object can hold.
public enum Value: Hashable, Sendable {
    case null
    case int(Int64)
    case bool(Bool)
    case float(Float)
    case double(Double)
    case string(String)
    case data([UInt8])
    case date(Timestamp)
    case decimal128(Decimal128)
    case objectId(ObjectId)
    case uuid(UUID)
    /// A link of a property that names its class, or the key of an embedded object.
    case link(ObjectKey)
    /// A link inside a mixed value, which has to say the class itself.
    case typedLink(className: String, ObjectKey)
    /// A list or a set; a set's elements are unique and in Realm's order.
    case list([Value])
    /// A dictionary, its entries in bytewise order of their keys.
    case dictionary([DictionaryEntry])

    /// Whether the value is null.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// One entry of a dictionary property.
public struct DictionaryEntry: Hashable, Sendable {
    /// The key; may be empty.
    public var key: String
    /// The value; null where the dictionary's values are optional.
    public var value: Value

    /// Makes an entry.
    public init(_ key: String, _ value: Value) {
        self.key = key
        self.value = value
    }
}
