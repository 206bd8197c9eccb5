import SwiftSyntax

extension Lowering {
    /// The value of an expression where one of a type is wanted.
    func coerced(_ node: ExprSyntax, to type: SwiftType) throws -> JavaScript {
        try coerce(expression(node, type), to: type, at: node).js
    }

    /// The value of an expression that is kept in a place of a type.
    func kept(_ node: ExprSyntax, as type: SwiftType, isFixed: Bool = false) throws -> JavaScript {
        try keep(expression(node, type), as: type, at: node, isFixed: isFixed)
    }

    /// A value as one of a type that Swift converts it to by itself.
    func coerce(_ value: Lowered, to type: SwiftType, at node: some SyntaxProtocol) throws -> Lowered {
        if value.type == type || value.type == .never { return value.retyped(type) }
        switch (value.type, type) {
        case (.optional(.undetermined), .optional), (.optional(.undetermined), .any): return value.retyped(type)
        case (.stub, .named("Logger")), (.stub, .named("OSLog")): return Lowered(.null, type)
        case (.optional(.undetermined), _):
            throw Refusal("‘nil’ can't be a value of the type ‘\(spelled(type))’.", at: node)
        case (.stub, _): return try valued(value, at: node)
        case (.optional(let inner), .optional(let target)):
            let attempt = try attempt {
                let holder = temporary()
                return (holder, try coerce(Lowered(holder, inner), to: target, at: node))
            }.get()
            guard attempt.value.1.isConverted else { return value.retyped(type) }
            let (holder, converted) = take(attempt)
            return value.converted(.conditional(holder.assigned(value.js).isNil, .null, converted.js), type)
        case (_, .optional(let target)):
            var converted = try coerce(value, to: target, at: node)
            converted.type = type
            return converted
        case (_, .any):
            try mustBeShowable(value, at: node)
            return value.converted(boxed(value), .any)
        case (.optional(let inner), _) where !isStrict:
            // Swift takes it for granted that a type with ‘!’ has a value.
            return try coerce(value.converted(.runtime("unwrap", value.js), inner), to: type, at: node)
        case (.array, .array), (.dictionary, .dictionary), (.tuple, .tuple), (.set, .set):
            if let converted = try coerceParts(value, to: type, at: node) { return converted }
        case (.function(let from, let given), .function(let to, let wanted)) where from.count == to.count:
            return try coerceFunction(value, from, given, to, wanted, at: node)
        case (.function(let from, let given), .function(let to, let wanted)) where to.count == 1 && from.count > 1:
            // A function of several values takes the parts of a tuple.
            guard case .tuple(let parts) = to[0], parts.map(\.type) == from, given == wanted else { break }
            let spread = JavaScript.function(of: "f") { f in .function(of: "parts") { f.called([.spread($0)]) } }
            return value.converted(spread.called([value.js]), type)
        case (.substring, .string): return value.converted(value.js.field("text"), type)
        // A literal.
        case (.string, .substring): return value.converted(.runtime("part", value.js), type)
        // Without the indices that it has of the whole.
        case (.slice(let from), .array(let to)) where from == to: return value.converted(value.js.method("slice"), type)
        default:
            if let witness = witness(value, as: type) { return witness }
            if isKind(value.type, of: type) {
                if type == .error || type == .named("LocalizedError") { describes(value.type) }
                return value.retyped(type)
            }
        }
        throw Refusal(
            "A value of the type ‘\(spelled(value.type))’ can't be taken for one of ‘\(spelled(type))’ here: convert it.",
            at: node)
    }

    /// Whether values of a type are of another one as they are: of a superclass, of a protocol.
    func isKind(_ type: SwiftType, of other: SwiftType) -> Bool {
        switch (type, other) {
        case (.metatype(.model), .metatype(.object)): return true
        case (.metatype(.nominal(let number)), .metatype(.nominal(let target))),
            (.nominal(let number), .nominal(let target)):
            return isKind(declarations.nominals[number], of: declarations.nominals[target])
        case (.named("LocalizedError"), .named("Error")), (.named("Decimal"), .named("NSDecimalNumber")),
            (.named("NSDecimalNumber"), .named("Decimal")):
            return true
        case (.nominal(let number), .named("LocalizedError")):
            return conforms(declarations.nominals[number], to: ["LocalizedError"])
        case (.nominal(let number), .named("Error")): return declarations.nominals[number].kind != .protocolType
        case (.model(let number), .model(let target)):
            var parent = declarations.superclass(of: declarations.nominals[number])
            while let superclass = parent, superclass.number != target {
                parent = declarations.superclass(of: superclass)
            }
            return parent != nil
        default: return false
        }
    }

    /// A collection or a tuple, whose parts are converted; nil where it is of another kind.
    private func coerceParts(_ value: Lowered, to type: SwiftType, at node: some SyntaxProtocol) throws -> Lowered? {
        switch (value.type, type) {
        case (.array(let from), .array(let to)):
            return try converted(value, to: type, from, to, at: node) { value.js.method("map", $0) }
        case (.set(let from), .set(let to)):
            return try converted(value, to: type, from, to, at: node) {
                .runtime("setOf", .runtime("elements", value.js).method("map", $0))
            }
        case (.dictionary(let key, let from), .dictionary(let other, let to)) where key == other:
            return try converted(value, to: type, from, to, at: node) { .runtime("mapValues", value.js, $0) }
        case (.tuple(let from), .tuple(let to)) where from.count == to.count:
            let attempt = try attempt {
                let holder = temporary()
                let parts = try zip(from, to).enumerated().map { index, pair in
                    try coerce(Lowered(holder[index], pair.0.type), to: pair.1.type, at: node)
                }
                return (holder, parts)
            }.get()
            guard attempt.value.1.contains(where: \.isConverted) else { return value.retyped(type) }
            let (holder, parts) = take(attempt)
            return value.converted(.sequence([holder.assigned(value.js), .array(parts.map(\.js))]), type)
        default: return nil
        }
    }

    /// A collection, whose elements are converted by a function that is made of what becomes of one.
    private func converted(
        _ value: Lowered, to type: SwiftType, _ from: SwiftType, _ to: SwiftType, at node: some SyntaxProtocol,
        _ make: (JavaScript) -> JavaScript
    ) throws -> Lowered {
        let element = try coerce(Lowered(.name("x"), from), to: to, at: node)
        return element.isConverted
            ? value.converted(make(.arrow([.name("x")], element.js)), type) : value.retyped(type)
    }

    /// A function where one of other types is wanted: what it takes and gives is converted.
    private func coerceFunction(
        _ value: Lowered, _ from: [SwiftType], _ given: SwiftType, _ to: [SwiftType], _ wanted: SwiftType,
        at node: some SyntaxProtocol
    ) throws -> Lowered {
        let type = SwiftType.function(to, wanted)
        try mustStayPlain(from, to, at: node)
        guard !type.hasVariables, !value.type.hasVariables else { return value.retyped(type) }
        let names = to.indices.map { JavaScript.name("x\($0)") }
        let arguments = try zip(zip(to, names), from).map { try coerce(Lowered($0.1, $0.0), to: $1, at: node) }
        let isVoid = wanted == .void || given == .never
        let result = isVoid ? Lowered(.name("x"), wanted) : try coerce(Lowered(.name("x"), given), to: wanted, at: node)
        guard result.isConverted || arguments.contains(where: \.isConverted) else { return value.retyped(type) }
        let call = JavaScript.name("f").called(arguments.map(\.js))
        return value.converted(
            JavaScript.function(of: "f") { _ in .arrow(names, .arrow([.name("x")], result.js).called([call])) }
                .called([value.js]), type)
    }

    /// Whether two values are equal, as `==` says.
    func equality(_ left: Lowered, _ right: Lowered, at node: some SyntaxProtocol) throws -> JavaScript {
        var (left, right) = (left, right)
        if case .optional(.undetermined) = right.type {
            if right.js.isInert { return left.js.isNil }
            right = right.retyped(left.type)
        }
        if case .optional(.undetermined) = left.type {
            if left.js.isInert { return right.js.isNil }
            left = left.retyped(right.type)
        }
        if left.type != right.type {
            // An optional is compared with what it may wrap.
            let type = left.type.isOptional || right.type.isOptional ? left.type.unwrapped.optional : left.type
            left = try coerce(left, to: type, at: node)
            right = try coerce(right, to: type, at: node)
        }
        try mustBeEquatable(left.type, at: node)
        switch left.type {
        case .int, .double, .float, .bool: return .binary(.equal, left.js, right.js)
        case .string: return .runtime("sameText", left.js, right.js)
        default: return .runtime("equal", left.js, right.js)
        }
    }
}
