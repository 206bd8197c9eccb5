/// Reads types as the table of the library writes them.
struct TypeSpelling {
    private var rest: Substring

    static func type(_ text: some StringProtocol) -> SwiftType {
        var spelling = TypeSpelling(rest: Substring(text))
        return spelling.type()
    }

    private mutating func skip() { rest = rest.drop { $0 == " " } }

    private mutating func take(_ text: String) -> Bool {
        skip()
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
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
        let name = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        rest = rest.dropFirst(name.count)
        var arguments: [SwiftType] = []
        if take("<") {
            while !take(">") {
                arguments.append(type())
                _ = take(",")
            }
        }
        return SwiftType.named(name, arguments)
    }

    private mutating func element() -> SwiftType.Element {
        skip()
        let label = rest.prefix { $0.isLetter }
        if rest.dropFirst(label.count).hasPrefix(":") {
            rest = rest.dropFirst(label.count + 1)
            return SwiftType.Element(label: String(label), type: type())
        }
        return SwiftType.Element(label: nil, type: type())
    }
}

extension SwiftType {
    /// Types of the library that stand for themselves.
    static let libraryNames: Set<String> = [
        "Date", "Data", "UUID", "URL", "NSNumber", "Migration", "Schema", "ObjectSchema", "Property", "PropertyType",
        "Decimal128", "ObjectId", "DateFormatter", "ISO8601DateFormatter", "Calendar", "DateComponents", "CharacterSet",
        "Error", "TimeZone", "Locale", "StringIndex", "CalendarComponent", "CalendarIdentifier", "Logger", "OSLog",
        "OSLogType", "UTF8",
        "MigrationObject", "StringEncoding", "Decimal", "ComparisonResult", "CompareOptions",
    ]

    /// A type of the library by its name; a single capital is a variable of a signature.
    static func named(_ name: String, _ arguments: [SwiftType]) -> SwiftType {
        switch (name, arguments.count) {
        case ("Array", 1), ("ContiguousArray", 1), ("ArraySlice", 1): return .array(arguments[0])
        case ("Set", 1): return .set(arguments[0])
        case ("Dictionary", 2): return .dictionary(arguments[0], arguments[1])
        case ("Optional", 1): return .optional(arguments[0])
        case ("Range", 1): return .range(arguments[0])
        case ("ClosedRange", 1): return .closedRange(arguments[0])
        case ("List", 1), ("DynamicList", 1): return .list(arguments[0])
        case ("MutableSet", 1): return .realmSet(arguments[0])
        case ("Map", 2): return .realmMap(arguments[1])
        case ("Type", 1): return .metatype(arguments[0])
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
        case "String", "Substring", "NSString", "StaticString": return .string
        case "Character": return .character
        case "Void": return .void
        case "Never": return .never
        case "Any", "AnyObject", "NSObject", "AnyHashable": return .any
        case "DynamicObject", "MigrationObject", "Object", "RealmSwiftObject", "ObjectBase", "RLMObjectBase",
            "RLMObject":
            return .object
        case "NSDate": return .named("Date")
        case "NSUUID": return .named("UUID")
        case "NSData": return .named("Data")
        case "NSURL": return .named("URL")
        case "NSError", "LocalizedError": return .error
        default: return libraryNames.contains(name) ? .named(name) : nil
        }
    }
}
