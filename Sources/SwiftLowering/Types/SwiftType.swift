/// The type of an expression, as far as a migration block needs types.
indirect enum SwiftType: Hashable, Sendable {
    /// An element of a tuple.
    struct Element: Hashable, Sendable {
        var label: String?
        var type: SwiftType
    }

    /// `Int`, `UInt64` and so on, by name.
    case int(String)
    case double
    case float
    case bool
    case string
    case character
    case void
    case any
    case never
    case optional(SwiftType)
    case array(SwiftType)
    /// `ArraySlice`, which has the indices of its array.
    case slice(SwiftType)
    /// A lazy view, with the steps that it consists of: a letter each.
    case lazy(SwiftType, String)
    /// An iterator, and a sequence that is its own.
    case iterator(SwiftType)
    case set(SwiftType)
    case dictionary(SwiftType, SwiftType)
    case tuple([Element])
    case function([SwiftType], SwiftType)
    case range(SwiftType)
    case closedRange(SwiftType)
    case list(SwiftType)
    /// `MutableSet`.
    case realmSet(SwiftType)
    /// `Map`, whose keys are texts.
    case realmMap(SwiftType)
    /// A type that the app declares.
    case nominal(Int)
    /// A model class that the app declares: in a migration no object of the realm is of it, and what is made of it belongs to none.
    case model(Int)
    case metatype(SwiftType)
    /// An `inout` parameter of a closure.
    case reference(SwiftType)
    /// A type of the library that has no parameters: `Date`, `MigrationObject` and so on.
    case named(String)
    /// The type of a name in `stubs`, and of values that come of it.
    case stub
    /// A parameter of a signature in the library's table.
    case variable(String)
    /// The type that `nil` wraps, where nothing tells it.
    case undetermined

    static let integer = SwiftType.int("Int")
    static let object = SwiftType.named("MigrationObject")
    static let error = SwiftType.named("Error")
    /// A part of a text, whose indices are those of the whole.
    static let substring = SwiftType.named("Substring")

    /// An entry of a dictionary.
    static func entry(_ key: SwiftType, _ value: SwiftType) -> SwiftType {
        .tuple([Element(label: "key", type: key), Element(label: "value", type: value)])
    }

    static let integerNames: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    ]

    var isInteger: Bool { if case .int = self { true } else { false } }
    var isFloating: Bool { self == .double || self == .float }
    var isNumber: Bool { isInteger || isFloating }
    var isOptional: Bool { if case .optional = self { true } else { false } }

    /// The type that an optional wraps; itself for every other type.
    var unwrapped: SwiftType { if case .optional(let type) = self { type } else { self } }

    /// The optional of a type; an optional is not wrapped again.
    var optional: SwiftType { isOptional ? self : .optional(self) }

    /// Replaces the variables of a signature.
    func replacing(_ variables: [String: SwiftType]) -> SwiftType {
        switch self {
        case .variable(let name): variables[name] ?? self
        case .optional(let type): .optional(type.replacing(variables))
        case .array(let type): .array(type.replacing(variables))
        case .slice(let type): .slice(type.replacing(variables))
        case .lazy(let type, let steps): .lazy(type.replacing(variables), steps)
        case .iterator(let type): .iterator(type.replacing(variables))
        case .set(let type): .set(type.replacing(variables))
        case .list(let type): .list(type.replacing(variables))
        case .realmSet(let type): .realmSet(type.replacing(variables))
        case .realmMap(let type): .realmMap(type.replacing(variables))
        case .range(let type): .range(type.replacing(variables))
        case .closedRange(let type): .closedRange(type.replacing(variables))
        case .metatype(let type): .metatype(type.replacing(variables))
        case .reference(let type): .reference(type.replacing(variables))
        case .dictionary(let key, let value): .dictionary(key.replacing(variables), value.replacing(variables))
        case .tuple(let elements):
            .tuple(elements.map { Element(label: $0.label, type: $0.type.replacing(variables)) })
        case .function(let parameters, let result):
            .function(parameters.map { $0.replacing(variables) }, result.replacing(variables))
        default: self
        }
    }

    /// Whether a signature's variables are left in the type.
    var hasVariables: Bool {
        contains { type in
            switch type {
            case .variable, .undetermined: true
            default: false
            }
        }
    }

    /// Whether a test holds of the type, or of one that it is made of.
    func contains(_ holds: (SwiftType) -> Bool) -> Bool { holds(self) || parts.contains { $0.contains(holds) } }

    /// The types that stand in it.
    private var parts: [SwiftType] {
        switch self {
        case .optional(let type), .array(let type), .slice(let type), .set(let type), .list(let type),
            .range(let type), .closedRange(let type), .metatype(let type), .reference(let type), .realmSet(let type),
            .realmMap(let type), .lazy(let type, _), .iterator(let type):
            [type]
        case .dictionary(let key, let value): [key, value]
        case .tuple(let elements): elements.map(\.type)
        case .function(let parameters, let result): parameters + [result]
        default: []
        }
    }

    /// Finds what the variables of a signature stand for; false where a type does not fit it.
    func match(_ type: SwiftType, _ variables: inout [String: SwiftType]) -> Bool {
        switch (self, type) {
        // A lazy view is none of the sequences that a signature means by a variable.
        case (.variable, .lazy), (.variable, .iterator): return false
        case (.lazy(let left, _), .lazy(let right, _)): return left.match(right, &variables)
        case (.variable(let name), _):
            if let known = variables[name] { return known == type }
            switch name {
            case "I": guard type.isInteger else { return false }
            case "F": guard type.isFloating else { return false }
            case "N": guard type.isNumber else { return false }
            case "O":
                if case .nominal = type { break }
                guard
                    type.isNumber
                        || [.string, .substring, .character, .named("Date"), .named("Decimal128"), .named("Decimal")]
                            .contains(type)
                else {
                    return false
                }
            default: break
            }
            variables[name] = type
            return true
        case (.iterator(let left), .iterator(let right)),
            (.optional(let left), .optional(let right)), (.array(let left), .array(let right)),
            (.slice(let left), .slice(let right)), (.set(let left), .set(let right)),
            (.list(let left), .list(let right)),
            (.realmSet(let left), .realmSet(let right)), (.realmMap(let left), .realmMap(let right)),
            (.range(let left), .range(let right)), (.closedRange(let left), .closedRange(let right)),
            (.metatype(let left), .metatype(let right)), (.reference(let left), .reference(let right)):
            return left.match(right, &variables)
        case (.dictionary(let key, let value), .dictionary(let otherKey, let otherValue)):
            return key.match(otherKey, &variables) && value.match(otherValue, &variables)
        case (.tuple(let left), .tuple(let right)):
            return left.count == right.count
                && zip(left, right).allSatisfy { $0.type.match($1.type, &variables) }
        case (.function(let left, let result), .function(let right, let otherResult)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.match($1, &variables) }
                && result.match(otherResult, &variables)
        default: return self == type
        }
    }
}

extension SwiftType {
    /// How many types stand in each other.
    var depth: Int { parts.isEmpty ? 0 : (parts.map(\.depth).max() ?? 0) + 1 }

    /// Whether it is a dictionary, an optional or a set, which have no arithmetic of the library.
    var isContainerOfValues: Bool {
        switch self {
        case .dictionary, .optional, .set: true
        default: false
        }
    }

    /// Whether its elements are made as they are asked for.
    var hasItems: Bool {
        switch self {
        case .lazy, .iterator: true
        default: false
        }
    }

    /// Whether values are objects of model classes, or belong to a realm.
    var isObject: Bool {
        switch self {
        case .object, .model: true
        default: false
        }
    }

    /// The type that an extension calls `Element`, `Index`, `Key`, `Value` or `Wrapped`.
    func part(_ name: String) -> SwiftType? {
        switch (self, name) {
        case (.array(let element), "Element"), (.slice(let element), "Element"), (.set(let element), "Element"),
            (.list(let element), "Element"), (.range(let element), "Element"), (.closedRange(let element), "Element"),
            (.range(let element), "Bound"), (.closedRange(let element), "Bound"):
            element
        case (.dictionary(let key, let value), "Element"):
            .entry(key, value)
        case (.array(let element), "SubSequence"), (.slice(let element), "SubSequence"): .slice(element)
        case (.array, "Index"), (.slice, "Index"): .integer
        case (.string, "Index"), (.substring, "Index"): .named("StringIndex")
        case (.string, "Element"), (.substring, "Element"): .character
        case (.string, "SubSequence"), (.substring, "SubSequence"): .substring
        case (.dictionary(let key, _), "Key"): key
        case (.dictionary(_, let value), "Value"): value
        case (.optional(let wrapped), "Wrapped"): wrapped
        default: nil
        }
    }
}
