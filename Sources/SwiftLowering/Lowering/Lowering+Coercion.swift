import SwiftSyntax

extension Lowering {
    /// A value as one of a type that Swift converts it to by itself.
    func coerce(_ value: Lowered, to type: SwiftType, at node: some SyntaxProtocol) throws -> Lowered {
        if value.type == type || value.type == .never {
            return Lowered(value.js, type, isStored: value.isStored, isSimple: value.isSimple)
        }
        switch (value.type, type) {
        case (.variable("refused"), _), (_, .variable("refused")): throw Refusal.known
        case (.optional(.variable("nil")), .optional): return Lowered("null", type, isSimple: true)
        case (.optional(.variable("nil")), .any): return Lowered("null", type, isSimple: true)
        case (.stub, .named("Logger")), (.stub, .named("OSLog")): return Lowered("null", type, isSimple: true)
        case (.stub, _):
            throw Refusal(
                "A stub gives no value: give the value in the parameters, or add the file that declares it.", at: node)
        case (.optional(let inner), .optional(let target)):
            let holder = temporary()
            let converted = try coerce(Lowered(holder, inner, isSimple: true), to: target, at: node)
            if converted.js == holder {
                return Lowered(value.js, type, isStored: value.isStored, isSimple: value.isSimple)
            }
            return Lowered("((\(holder) = \(value.js)) == null ? null : \(converted.js))", type)
        case (_, .optional(let target)):
            let converted = try coerce(value, to: target, at: node)
            return Lowered(converted.js, type, isStored: converted.isStored, isSimple: converted.isSimple)
        case (_, .any): return Lowered(boxed(value), .any)
        case (.metatype(.model), .metatype(.object)): return Lowered(value.js, type, isSimple: value.isSimple)
        case (.model(let number), .model(let target)):
            var parent = declarations.superclass(of: declarations.nominals[number])
            while let superclass = parent, superclass.number != target {
                parent = declarations.superclass(of: superclass)
            }
            if parent != nil { return Lowered(value.js, type) }
        case (.optional(let inner), _):
            // What Swift takes for granted of a type with ‘!’.
            return try coerce(Lowered("$.unwrap(\(value.js))", inner, isStored: value.isStored), to: type, at: node)
        case (.nominal(let number), .named("Error")):
            guard declarations.nominals[number].kind != .protocolType else { break }
            return Lowered(value.js, .error)
        case (.array(let from), .array(let to)):
            let element = try coerce(Lowered("x", from), to: to, at: node)
            if element.js == "x" { return Lowered(value.js, type, isStored: value.isStored, isSimple: value.isSimple) }
            return Lowered("(\(value.js)).map(x => \(element.js))", type)
        case (.dictionary(let key, let from), .dictionary(let other, let to)) where key == other:
            let element = try coerce(Lowered("x", from), to: to, at: node)
            if element.js == "x" { return Lowered(value.js, type, isStored: value.isStored, isSimple: value.isSimple) }
            return Lowered("$.mapValues(\(value.js), x => \(element.js))", type)
        case (.tuple(let from), .tuple(let to)) where from.count == to.count:
            let holder = temporary()
            let parts = try zip(from, to).enumerated().map { index, pair in
                try coerce(Lowered("\(holder)[\(index)]", pair.0.type), to: pair.1.type, at: node).js
            }
            if parts == parts.indices.map({ "\(holder)[\($0)]" }) {
                return Lowered(value.js, type, isStored: value.isStored)
            }
            return Lowered("((\(holder) = \(value.js)), [\(parts.joined(separator: ", "))])", type)
        case (.function(let from, _), .function(let to, _)) where from.count == to.count:
            return Lowered(value.js, type)
        case (.nominal(let number), .nominal(let target)):
            let nominal = declarations.nominals[number]
            let wanted = declarations.nominals[target]
            if isKind(nominal, of: wanted) {
                return Lowered(value.js, type, isStored: value.isStored)
            }
        case (.double, .int), (.int, .double), (.float, .double), (.double, .float): break
        default: break
        }
        throw Refusal(
            "A value of the type ‘\(spelled(value.type))’ can't be taken for one of ‘\(spelled(type))’ here.", at: node)
    }

    /// A value that is kept in a place of a type: converted, and a copy where something else may hold it.
    ///
    /// - Parameter isFixed: whether the place never changes; then a copy is made of what may change alone.
    func keep(
        _ value: Lowered, as type: SwiftType?, at node: some SyntaxProtocol, isFixed: Bool = false
    ) throws -> String {
        let converted = try type.map { try coerce(value, to: $0, at: node) } ?? value
        let isAlone = value.isFresh || isFixed && !value.isStored
        return !isAlone && isCopied(converted.type) ? "$.copy(\(converted.js))" : converted.js
    }

    /// A value as one of the type `Any` has it: with its type, where that is not to be seen.
    func boxed(_ value: Lowered) -> String {
        let js = !value.isFresh && isCopied(value.type) ? "$.copy(\(value.js))" : value.js
        switch value.type {
        case .any, .error, .string, .bool, .object, .model, .stub, .never, .variable: return value.js
        case .nominal: return js
        case .named("Date"), .named("UUID"), .named("Data"), .named("ObjectId"), .named("Decimal128"), .named("URL"),
            .named("NSNumber"), .named("NSNull"):
            return js
        case .list, .realmSet, .realmMap: return value.js
        case .optional(.variable): return "null"
        default: return "$.box(\(js), \(descriptor(value.type)))"
        }
    }

    /// Whether two values are equal, as `==` says.
    func equality(_ left: Lowered, _ right: Lowered, at node: some SyntaxProtocol) throws -> String {
        if case .optional(.variable("nil")) = right.type { return "(\(left.js)) == null" }
        if case .optional(.variable("nil")) = left.type { return "(\(right.js)) == null" }
        var (left, right) = (left, right)
        if left.type != right.type {
            // An optional is compared with what it may wrap.
            let type = left.type.isOptional || right.type.isOptional ? left.type.unwrapped.optional : left.type
            left = try coerce(left, to: type, at: node)
            right = try coerce(right, to: type, at: node)
        }
        try mustBeEquatable(left.type, at: node)
        switch left.type {
        case .int, .double, .float, .bool: return "(\(left.js) === \(right.js))"
        case .string: return "$.sameText(\(left.js), \(right.js))"
        default: return "$.equal(\(left.js), \(right.js))"
        }
    }

    private func mustBeEquatable(_ type: SwiftType, at node: some SyntaxProtocol) throws {
        switch type.unwrapped {
        case .any, .function, .error, .stub:
            throw Refusal("Values of the type ‘\(spelled(type))’ can't be compared.", at: node)
        case .array(let element), .set(let element): try mustBeEquatable(element, at: node)
        case .dictionary(_, let value): try mustBeEquatable(value, at: node)
        case .nominal(let number):
            _ = descriptor(type.unwrapped)
            try lowerEquality(of: declarations.nominals[number])
        default: break
        }
    }

    /// Gives a type's own `==` to what compares values of it.
    private func lowerEquality(of nominal: Nominal) throws {
        guard let function = nominal.members.functions("==", isStatic: true).first,
            signatures[FunctionKey(function.id)] == nil
        else { return }
        let signature = try self.signature(of: function, in: .nominal(nominal), isStatic: true)
        emit("\(descriptor(.nominal(nominal.number))).equal = \(signature.js);")
    }
}
