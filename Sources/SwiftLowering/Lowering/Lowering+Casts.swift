import SwiftSyntax

extension Lowering {
    func cast(_ node: AsExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        let target = try node.questionOrExclamationMark == nil ? self.type(node.type) : castType(node.type)
        guard let form = node.questionOrExclamationMark?.text else {
            let value = try expression(node.expression, target)
            if value.type == .error, isNSError(target) {
                try mustKnowErrors(at: node)
                return Lowered(runtime("force", at: node, value.js, descriptor(target)), target)
            }
            let converted = try coerce(value, to: target, at: node)
            // An optional becomes the object that it wraps, or Foundation's null.
            return node.type.spelling == "AnyObject" ? Lowered(.runtime("asObject", converted.js), .any) : converted
        }
        let value = try valued(expression(node.expression, nil), at: node)
        let inner = target.unwrapped
        if form == "?", target.isOptional { throw Self.optionalOfOptional(node) }
        let isForced = form == "!" && !target.isOptional
        let place = mark(node)
        if let raw = value.raw {
            let simple = ["String", "Int", "Double", "Bool"].first { inner == SwiftType.scalar($0) }
            if let simple {
                return Lowered(
                    .runtime((isForced ? "force" : "maybe") + simple, raw.js, raw.object, raw.key).marked(place),
                    isForced ? inner : .optional(inner))
            }
        }
        let js = castable(value)
        if isForced { return Lowered(.runtime("force", js, descriptor(inner)).marked(place), inner) }
        // ‘as! T?’ of what is something else than nil or a T is a failure; ‘as?’ is nil.
        if form == "!" {
            return Lowered(.runtime("forceOptional", js, descriptor(inner)).marked(place), .optional(inner))
        }
        return Lowered(.runtime("maybe", js, descriptor(inner)), .optional(inner))
    }

    /// A value as `is`, `as?` and the patterns ask for its type: an optional of any value is asked for what it wraps.
    func castable(_ value: Lowered) -> JavaScript { value.type == .optional(.any) ? value.js : boxed(value) }

    func attempt(_ node: TryExprSyntax, _ expected: SwiftType?, isDiscarded: Bool) throws -> Lowered {
        switch node.questionOrExclamationMark?.text {
        case "?":
            let value = try expression(node.expression, expected?.unwrapped, isDiscarded: isDiscarded)
            return value.made(.runtime("tryMaybe", .arrow([], value.js)), value.type.optional)
        case "!":
            let value = try expression(node.expression, expected)
            return value.made(runtime("tryForced", at: node, .arrow([], value.js)), value.type)
        default: return try expression(node.expression, expected, isDiscarded: isDiscarded)
        }
    }

    /// Whether a type is Foundation's class of errors.
    func isNSError(_ type: SwiftType) -> Bool {
        guard let nominal = appType(type) else { return false }
        return nominal.shownPath == "Foundation.NSError"
    }

    /// Refuses to take an error for an `NSError` where errors of other types may be thrown: their domains are not known here.
    func mustKnowErrors(at node: some SyntaxProtocol) throws {
        let others = declarations.nominals.contains { isErrorType($0) && !isNSError(.nominal($0.number)) }
        guard others || declarations.mentions(["JSONSerialization", "JSONDecoder", "JSONEncoder", "ObjectId"]) else {
            return
        }
        throw Refusal(
            "An error of another type has no known form as an ‘NSError’: catch it by its own type.", at: node)
    }

    /// The type of a cast.
    func castType(_ node: TypeSyntax) throws -> SwiftType {
        let found: SwiftType = try type(node)
        if node.spelling == "CustomStringConvertible" {
            throw Refusal(
                "Whether a value has a description of its own is not known here: cast it to its type.", at: node)
        }
        if ["Any", "AnyObject"].contains(node.spelling) {
            throw Refusal("Every value is one of ‘\(node.spelling)’, and nil is too: leave the cast out.", at: node)
        }
        if isNSError(found.unwrapped) { try mustKnowErrors(at: node) }
        if found.unwrapped == .named("AnyRealmValue") {
            throw Refusal(
                "A value that a migration reads has its own type, and is no ‘AnyRealmValue’: cast it to its own type.",
                at: node
            )
        }
        guard let nominal = appType(found.unwrapped), nominal.kind == .protocolType,
            declarations.libraryConformances.values.contains(where: { $0.contains(nominal.name) })
        else { return found }
        throw Refusal(
            "Whether a value is of a protocol that types of the library conform to is not known here: cast it to its type.",
            at: node)
    }
}
