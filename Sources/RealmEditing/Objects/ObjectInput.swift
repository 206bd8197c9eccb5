import RealmModel

/// A value as it is given, before it is known what the property takes.
public indirect enum ObjectInput: Sendable {
    case undefined
    case null
    case bool(Bool)
    /// A number without a fraction within ±(2^53−1), or a BigInt within 64 bits.
    case int(Int64)
    case double(Double)
    case float(Float)
    case string(String)
    case data([UInt8])
    case date(Timestamp)
    case decimal128(Decimal128)
    case objectId(ObjectId)
    case uuid(UUID)
    /// An object of the realm, of either side.
    case object(ObjectReference)
    /// A value of the property's own type, links included, which is taken as it is.
    case value(Value)
    case array([ObjectInput])
    /// A plain object, its members in their order.
    case members([(name: String, value: ObjectInput)])

    /// Whether the input is null; undefined is not.
    var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension ObjectInput {
    /// The value as a scalar of a type; nil where it is none.
    func scalar(as type: PropertyType) -> Value? {
        switch (self, type) {
        case (.int(let number), .int): .int(number)
        // JavaScript's −0; every other whole number is an int already.
        case (.double(0), .int): .int(0)
        case (.bool(let flag), .bool): .bool(flag)
        case (.int(let number), .float): .float(Float(number))
        case (.double(let number), .float): .float(Float(number))
        case (.int(let number), .double): .double(Double(number))
        case (.double(let number), .double): .double(number)
        case (.float(let number), .float): .float(number)
        case (.float(let number), .double): .double(Double(number))
        case (.string(let text), .string): .string(text)
        case (.data(let bytes), .data): .data(bytes)
        case (.date(let date), .date): .date(date)
        case (.decimal128(let number), .decimal128): .decimal128(number)
        case (.int(let number), .decimal128): Decimal128(String(number)).map { .decimal128($0) }
        case (.string(let text), .decimal128): Decimal128(text).map { .decimal128($0) }
        case (.objectId(let id), .objectId): .objectId(id)
        case (.string(let text), .objectId): ObjectId(text).map { .objectId($0) }
        case (.uuid(let id), .uuid): .uuid(id)
        case (.value(let value), _): value
        case (.string(let text), .uuid): UUID(text).map { .uuid($0) }
        default: nil
        }
    }

    /// The kind of the input, with its article, for messages.
    var kind: String {
        switch self {
        case .undefined: "undefined"
        case .null: "null"
        case .bool: "a boolean"
        case .int, .double, .float: "a number"
        case .string: "a string"
        case .data: "an instance of ArrayBuffer"
        case .date: "an instance of Date"
        case .decimal128: "an instance of Decimal128"
        case .objectId: "an instance of ObjectId"
        case .uuid: "an instance of UUID"
        case .object, .value: "an instance of Object"
        case .array: "an array"
        case .members: "an object"
        }
    }
}

extension ObjectInput {
    /// Why the input is none for a property of a type, as `kind`: a number is not any number.
    func kind(insteadOf type: PropertyType) -> String {
        guard case .double(let number) = self, type == .int else { return kind }
        if number.isNaN { return "NaN" }
        if number.isInfinite { return "an infinite number" }
        return number == number.rounded() ? "a number beyond ±(2^53 − 1)" : "a number with a fraction"
    }
}

extension PropertyType {
    /// The input that the type expects, with its article, for messages.
    var expectation: String {
        switch self {
        case .int: "a number or bigint"
        case .bool: "a boolean"
        case .float, .double: "a number"
        case .string: "a string"
        case .data: "an instance of ArrayBuffer"
        case .date: "an instance of Date"
        case .decimal128: "an instance of Decimal128"
        case .objectId: "an instance of ObjectId"
        case .uuid: "an instance of UUID"
        case .mixed: "a value"
        case .object, .linkingObjects: "an object"
        }
    }
}
