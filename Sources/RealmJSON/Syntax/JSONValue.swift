/// Any JSON value (RFC 8259), the members of an object in the order they were written.
public indirect enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number that is an integer by its form and fits 64 bits.
    case int(Int64)
    /// An integer above those, up to 2⁶⁴ − 1: schema versions go that far.
    case unsigned(UInt64)
    /// Every other number, integers past 64 bits included: where an exact one is asked for, this is none.
    case double(Double)
    case string(String)
    case array([JSONValue])
    /// The members in their order, no name twice.
    case object([JSONMember])
}

/// One member of a JSON object.
public struct JSONMember: Hashable, Sendable {
    /// The name, unescaped.
    public var name: String
    /// The value.
    public var value: JSONValue

    /// Makes a member.
    public init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }
}

extension JSONValue {
    /// The member of a name; nil where this is no object or has none.
    public subscript(_ name: String) -> JSONValue? {
        members?.first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// Whether this is null.
    public var isNull: Bool { self == .null }

    /// The members of an object; nil for anything else.
    public var members: [JSONMember]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The object with members behind its own; anything else as it is.
    public func adding(_ members: [JSONMember]) -> JSONValue {
        if case .object(let own) = self { .object(own + members) } else { self }
    }

    /// The elements of an array; nil for anything else.
    public var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The text of a string; nil for anything else.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The integer; nil for anything else, numbers with a fraction or an exponent included.
    public var int: Int64? {
        if case .int(let number) = self { number } else { nil }
    }

    /// The integer that is not negative; nil for anything else.
    public var unsigned: UInt64? {
        switch self {
        case .int(let number): UInt64(exactly: number)
        case .unsigned(let number): number
        default: nil
        }
    }

    /// An integer that is not negative.
    public init(_ number: UInt64) {
        self = Int64(exactly: number).map { .int($0) } ?? .unsigned(number)
    }

    /// The number, an integer widened; nil for anything else.
    public var double: Double? {
        switch self {
        case .int(let number): Double(number)
        case .unsigned(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// The truth value; nil for anything else.
    public var bool: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Null.
    public init(nilLiteral: ()) { self = .null }

    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// An integer.
    public init(integerLiteral value: Int64) { self = .int(value) }

    /// A number with a fraction.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// An object, its members in the order of the literal; no name may stand in it twice.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { JSONMember($0.0, $0.1) })
    }
}
