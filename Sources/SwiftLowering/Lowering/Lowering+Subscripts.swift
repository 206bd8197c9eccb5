import SwiftSyntax

extension Lowering {
    func subscripted(_ node: SubscriptCallExprSyntax) throws -> Lowered {
        try subscripted(node, of: postfix(node.calledExpression, nil))
    }

    func subscripted(_ node: SubscriptCallExprSyntax, of base: Lowered) throws -> Lowered {
        if base.type == .stub { return Lowered("undefined", .stub, isSimple: true) }
        let arguments = Array(node.arguments)
        guard let first = arguments.first?.expression else {
            throw Refusal("This subscript is not understood.", at: node)
        }
        let place = mark(node)
        var value = base
        if base.type.isOptional {
            value = Lowered(
                "\(place)$.unwrap(\(base.js))", base.type.unwrapped, isStored: base.isStored, isFresh: base.isFresh)
        }
        if let found = try followed(node, from: value) { return found }
        if let own = try ownSubscript(node, of: value.type) {
            return Lowered(
                "\(place)\(own.getter)(\(([value.js] + own.arguments).joined(separator: ", ")))", own.type,
                isFresh: true)
        }
        switch value.type {
        case .array(let element), .slice(let element): return try item(element, of: value, first, at: node)
        case .dictionary(let key, let element):
            let index = try expression(first, key)
            guard index.type != .substring || key == .substring else {
                throw Refusal("A literal is not asked for a ‘Substring’ here: make a ‘String’ of it.", at: first)
            }
            let name = try coerce(index, to: key, at: first)
            if arguments.count == 2, arguments[1].label?.text == "default" {
                let fallback = try keep(
                    expression(arguments[1].expression, element), as: element, at: arguments[1].expression)
                return Lowered("(\(value.js).get(\(name.js)) ?? \(fallback))", element, isStored: value.isStored)
            }
            guard !element.isOptional else {
                throw Refusal("Optional values of a dictionary are not understood.", at: node)
            }
            return Lowered(
                "\(value.js).get(\(name.js))", element.optional, isStored: value.isStored, isFresh: value.isFresh)
        case .string, .substring: return try character(of: value, first, at: node)
        case .list(let element):
            let index = try coerce(expression(first, .integer), to: .integer, at: first)
            return Lowered("\(place)$.listAt(\(value.js), \(index.js), \(descriptor(element)))", element)
        case .named("MigrationObject"): return try property(value, first, at: node)
        case .realmMap(let element):
            let key = try coerce(expression(first, .string), to: .string, at: first)
            let wrapped = element.unwrapped
            return Lowered("\(place)$.realmMapAt(\(value.js), \(key.js), \(descriptor(wrapped)))", wrapped.optional)
        case .named("Data"): return try byte(of: value, first, at: node)
        case .named("Schema"):
            return Lowered(
                "$.schemaClass(\(value.js), \(try coerce(expression(first, .string), to: .string, at: first).js))",
                .optional(.named("ObjectSchema")))
        case .named("ObjectSchema"):
            return Lowered(
                "$.schemaProperty(\(value.js), \(try coerce(expression(first, .string), to: .string, at: first).js))",
                .optional(.named("Property")))
        default: break
        }
        throw Refusal("A subscript of ‘\(spelled(base.type))’ is not understood here.", at: node)
    }

    /// A character of a text, or a part of it by a range.
    private func character(of text: Lowered, _ first: ExprSyntax, at node: SubscriptCallExprSyntax) throws -> Lowered {
        if let part = try slice(first, text, at: node) { return Lowered(part, .substring) }
        let index = try coerce(expression(first, .named("StringIndex")), to: .named("StringIndex"), at: first)
        let name = text.type == .string ? "characterAt" : "partCharacterAt"
        return Lowered("\(mark(node))$.\(name)(\(text.js), \(index.js))", .character)
    }

    /// A byte of a `Data`, or a part of it by a range, which has the indices of the whole.
    private func byte(of data: Lowered, _ first: ExprSyntax, at node: SubscriptCallExprSyntax) throws -> Lowered {
        let bytes = Lowered("$.bytes(\(data.js))", .array(.int("UInt8")), isFresh: true)
        if let part = try slice(first, bytes, at: node) {
            var found = Lowered(part, .slice(.int("UInt8")), isFresh: true)
            found.isView = true
            return found
        }
        let index = try coerce(expression(first, .integer), to: .integer, at: first)
        return Lowered("\(mark(node))$.at(\(data.js), \(index.js))", .int("UInt8"))
    }

    /// An element of an array or a slice, or a part of it by a range.
    private func item(
        _ element: SwiftType, of value: Lowered, _ first: ExprSyntax, at node: SubscriptCallExprSyntax
    ) throws -> Lowered {
        if let part = try slice(first, value, at: node) {
            let isShared = isCopied(element)
            return Lowered(part, .slice(element), isStored: value.isStored && isShared, isFresh: !isShared)
        }
        let index = try coerce(expression(first, .integer), to: .integer, at: first)
        var name = "at"
        if case .slice = value.type { name = "sliceAt" }
        return Lowered(
            "\(mark(node))$.\(name)(\(value.js), \(index.js))", element, isStored: value.isStored,
            isFresh: value.isFresh)
    }

    /// A property of an object by its name.
    func property(_ object: Lowered, _ key: ExprSyntax, at node: some SyntaxProtocol) throws -> Lowered {
        let name = try coerce(expression(key, .string), to: .string, at: key)
        return property(object, name.js, plain: LiteralValue.string(key).flatMap(Self.plainName), at: node)
    }

    func property(_ object: Lowered, _ name: String, plain: String?, at node: some SyntaxProtocol) -> Lowered {
        let place = mark(node)
        var holder = object.js
        var head = ""
        if !object.isSimple {
            holder = temporary()
            head = "\(holder) = \(object.js), "
        }
        let raw = plain.map { "\(holder).\($0)" } ?? "$.rawProperty(\(holder), \(name))"
        var lowered = Lowered(
            "\(place)$.read(\(head.isEmpty ? raw : "(\(head)\(raw))"), \(holder), \(name))", .optional(.any))
        lowered.raw = Lowered.Raw(js: place + (head.isEmpty ? raw : "(\(head)\(raw))"), object: holder, key: name)
        return lowered
    }

    /// Whether an index is a range, by its form.
    func isRange(_ index: ExprSyntax) -> Bool {
        if let infix = index.as(InfixOperatorExprSyntax.self) {
            return ["..<", "..."].contains(infix.operator.spelling)
        }
        if let tuple = index.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
            return isRange(only.expression)
        }
        if Self.isWhole(index) { return true }
        return index.is(PrefixOperatorExprSyntax.self)
            && ["..<", "..."].contains(index.as(PrefixOperatorExprSyntax.self)?.operator.text)
            || index.is(PostfixOperatorExprSyntax.self)
    }

    /// Whether an index is `...`, the whole.
    private static func isWhole(_ index: ExprSyntax) -> Bool {
        index.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .binaryOperator("...")
    }

    /// The half-open range of indices that an index of an array is, as JavaScript; nil where it is none.
    func indexRange(_ index: ExprSyntax, _ base: Lowered) throws -> String? {
        if Self.isWhole(index) { return "[0, (\(base.js)).length]" }
        if let prefix = index.as(PrefixOperatorExprSyntax.self), ["..<", "..."].contains(prefix.operator.text) {
            let bound = try expression(prefix.expression, .integer)
            return "[0, \(bound.js)\(prefix.operator.text == "..." ? " + 1" : "")]"
        }
        if let postfix = index.as(PostfixOperatorExprSyntax.self), postfix.operator.text == "..." {
            return "[\(try expression(postfix.expression, .integer).js), (\(base.js)).length]"
        }
        let found = try expression(index, .range(.integer))
        switch found.type {
        case .range(.int): return found.js
        case .closedRange(.int): return "$.opened(\(found.js))"
        default: return nil
        }
    }

    /// A part of an array or a text by a range; nil where the index is none.
    func slice(_ index: ExprSyntax, _ base: Lowered, at node: some SyntaxProtocol) throws -> String? {
        let element: SwiftType = [.string, .substring].contains(base.type) ? .named("StringIndex") : .integer
        let place = mark(node)
        if Self.isWhole(index) { return "\(place)$.slice(\(base.js), null, null, false)" }
        if let prefix = index.as(PrefixOperatorExprSyntax.self), ["..<", "..."].contains(prefix.operator.text) {
            let bound = try expression(prefix.expression, element)
            return "\(place)$.slice(\(base.js), null, \(bound.js), \(prefix.operator.text == "..."))"
        }
        if let postfix = index.as(PostfixOperatorExprSyntax.self), postfix.operator.text == "..." {
            let bound = try expression(postfix.expression, element)
            return "\(place)$.slice(\(base.js), \(bound.js), null, false)"
        }
        if let infix = index.as(InfixOperatorExprSyntax.self),
            let symbol = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text,
            ["..<", "..."].contains(symbol)
        {
            let from = try expression(infix.leftOperand, element).js
            let to = try expression(infix.rightOperand, element).js
            return "\(place)$.slice(\(base.js), \(from), \(to), \(symbol == "..."))"
        }
        guard let found = try? trying({ try expression(index, nil) }) else { return nil }
        switch found.type {
        case .range(let type) where type == element: return "\(place)$.sliceRange(\(base.js), \(found.js), false)"
        case .closedRange(let type) where type == element: return "\(place)$.sliceRange(\(base.js), \(found.js), true)"
        default: return nil
        }
    }
}
