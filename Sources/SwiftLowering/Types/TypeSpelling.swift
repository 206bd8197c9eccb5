/// Reads types as the table of the library writes them, in ASCII.
struct TypeSpelling {
    private var rest: Substring.UTF8View

    static func type(_ text: Substring) -> SwiftType {
        var spelling = TypeSpelling(rest: text.utf8)
        return spelling.type()
    }

    private mutating func skip() { rest = rest.drop { $0 == UInt8(ascii: " ") } }

    private mutating func take(_ text: StaticString) -> Bool {
        skip()
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.utf8CodeUnitCount)
        return true
    }

    private mutating func type() -> SwiftType {
        var type = primary()
        while take("?") { type = .optional(type) }
        return type
    }

    private mutating func primary() -> SwiftType {
        if take("[") {
            let first = type()
            if take(":") {
                let value = type()
                _ = take("]")
                return .dictionary(first, value)
            }
            _ = take("]")
            return .array(first)
        }
        if take("(") {
            var elements: [SwiftType.Element] = []
            while !take(")") {
                elements.append(element())
                _ = take(",")
            }
            if take("->") { return .function(elements.map(\.type), type()) }
            return elements.isEmpty ? .void : .tuple(elements)
        }
        skip()
        let name = rest.prefix { Self.isOfName($0) }
        rest = rest.dropFirst(name.count)
        var arguments: [SwiftType] = []
        if take("<") {
            while !take(">") {
                arguments.append(type())
                _ = take(",")
            }
        }
        return SwiftType.named(String(Substring(name)), arguments)
    }

    private mutating func element() -> SwiftType.Element {
        skip()
        let label = rest.prefix { Self.isOfName($0) }
        if rest.dropFirst(label.count).hasPrefix(":") {
            rest = rest.dropFirst(label.count + 1)
            return SwiftType.Element(label: String(Substring(label)), type: type())
        }
        return SwiftType.Element(label: nil, type: type())
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension SwiftType {
    /// Types of the library that lowered code names as they are.
    static let libraryNames: Set<String> = [
        "Date", "Data", "UUID", "URL", "NSNumber", "Migration", "Schema", "ObjectSchema", "Property", "PropertyType",
        "Decimal128", "ObjectId", "DateFormatter", "ISO8601DateFormatter", "Calendar", "DateComponents", "CharacterSet",
        "Error", "TimeZone", "Locale", "StringIndex", "CalendarComponent", "CalendarIdentifier", "Logger", "OSLog",
        "OSLogType", "UTF8",
        "MigrationObject", "StringEncoding", "Decimal", "ComparisonResult", "CompareOptions", "JSONSerialization",
        "JSONOptions", "JSONDecoder", "JSONEncoder", "JSONDates", "JSONKeys", "ISO8601Options", "NSNull",
        "RoundingRule", "FloatingPointSign", "Base64Options", "Hasher", "UnicodeScalar", "AnyRealmValue",
        "NSRegularExpression", "ExpressionOptions", "DecimalRounding", "PartialTextRange", "Substring",
        "LocalizedError", "NSDecimalNumber",
    ]

    /// Those of them whose values are shown here as Swift shows them.
    static let namesWithText: Set<String> = [
        "Date", "Data", "UUID", "URL", "NSNumber", "Decimal128", "ObjectId", "Error", "LocalizedError",
        "Decimal",
        "NSDecimalNumber", "NSNull", "UnicodeScalar", "Substring",
    ]

    /// The names above of types that stand in another one.
    static let nestedNames: [String: String] = [
        "Calendar.Component": "CalendarComponent", "String.Index": "StringIndex", "String.Encoding": "StringEncoding",
        "String.CompareOptions": "CompareOptions", "NSString.CompareOptions": "CompareOptions",
        "Unicode.Scalar": "UnicodeScalar", "NSRegularExpression.Options": "ExpressionOptions",
        "NSDecimalNumber.RoundingMode": "DecimalRounding", "Decimal.RoundingMode": "DecimalRounding",
        "JSONSerialization.ReadingOptions": "JSONOptions", "JSONSerialization.WritingOptions": "JSONOptions",
        "JSONEncoder.OutputFormatting": "JSONOptions", "ISO8601DateFormatter.Options": "ISO8601Options",
        "JSONDecoder.DateDecodingStrategy": "JSONDates", "JSONEncoder.DateEncodingStrategy": "JSONDates",
        "JSONDecoder.KeyDecodingStrategy": "JSONKeys", "JSONEncoder.KeyEncodingStrategy": "JSONKeys",
    ]

    /// A type of the library that stands in another one, by its whole name.
    static func nested(_ path: String) -> SwiftType? {
        if path == "String.UnicodeScalarView" { return .array(.named("UnicodeScalar")) }
        return nestedNames[path].map { .named($0) }
    }

    /// Those of them that are sets of options: numbers, a bit each.
    static let optionSetNames: Set<String> = [
        "JSONOptions", "ISO8601Options", "Base64Options", "CompareOptions", "ExpressionOptions",
    ]

    /// A type of the library by its name; a single capital is a variable of a signature.
    static func named(_ name: String, _ arguments: [SwiftType]) -> SwiftType {
        switch (name, arguments.count) {
        case ("Array", 1), ("ContiguousArray", 1): return .array(arguments[0])
        case ("ArraySlice", 1): return .slice(arguments[0])
        case ("Iterator", 1): return .iterator(arguments[0])
        case ("Lazy", 1): return .lazy(arguments[0], "")
        case ("Set", 1): return .set(arguments[0])
        case ("Dictionary", 2): return .dictionary(arguments[0], arguments[1])
        case ("Optional", 1): return .optional(arguments[0])
        case ("Range", 1): return .range(arguments[0])
        case ("ClosedRange", 1): return .closedRange(arguments[0])
        case ("List", 1), ("DynamicList", 1): return .list(arguments[0])
        case ("MutableSet", 1): return .realmSet(arguments[0])
        case ("Map", 2): return .realmMap(arguments[1])
        case ("Type", 1): return .metatype(arguments[0])
        // It is called to read the value that it leads to.
        case ("KeyPath", 2), ("WritableKeyPath", 2), ("ReferenceWritableKeyPath", 2):
            return .function([arguments[0]], arguments[1])
        case ("Inout", 1): return .reference(arguments[0])
        default: return scalar(name) ?? (name.count == 1 ? .variable(name) : .named(name))
        }
    }

    /// A type without parameters; nil where the library has none of the name.
    static func scalar(_ name: String) -> SwiftType? {
        if integerNames.contains(name) { return .int(name) }
        switch name {
        case "Double", "CGFloat", "TimeInterval", "Float64": return .double
        case "Float", "Float32": return .float
        case "Bool": return .bool
        case "String", "NSString", "StaticString": return .string
        case "Character": return .character
        case "Void": return .void
        case "Never": return .never
        case "Any", "AnyObject", "NSObject", "AnyHashable", "CustomStringConvertible": return .any
        case "DynamicObject", "MigrationObject", "Object", "RealmSwiftObject", "ObjectBase", "RLMObjectBase",
            "RLMObject":
            return .object
        case "FloatingPointRoundingRule": return .named("RoundingRule")
        case "NSDate": return .named("Date")
        case "NSUUID": return .named("UUID")
        case "NSData": return .named("Data")
        case "NSURL": return .named("URL")
        case "NSError": return .error
        default: return libraryNames.contains(name) ? .named(name) : nil
        }
    }
}
