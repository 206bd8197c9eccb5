import SwiftWire
import SwiftSyntax

extension Lowering {
    /// Lowers an expression.
    ///
    /// - Parameters:
    ///   - expected: the type that the place wants; literals and members without a type take it.
    ///   - isDiscarded: whether nobody looks at the value.
    func expression(_ node: ExprSyntax, _ expected: SwiftType?, isDiscarded: Bool = false) throws -> Lowered {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else {
            throw Refusal("This refers to itself, or nests deeper than can be lowered: divide it.", at: node)
        }
        try step(at: node)
        // Where Any is wanted, no type is expected: the value is converted once it is there.
        let takesAny = expected?.unwrapped == .any
        if expected == .optional(.any) { wantedAsAny.insert(node.id) }
        if takesAny, let empty = emptyCollection(node) { return empty }
        if takesAny, let choice = try choiceAsAny(node) { return choice }
        let expected = takesAny ? nil : expected
        switch node.kind {
        case .memberAccessExpr, .functionCallExpr, .subscriptCallExpr, .forceUnwrapExpr, .optionalChainingExpr:
            return try chain(node, expected, isDiscarded: isDiscarded)
        default: return try primary(node, expected, isDiscarded: isDiscarded)
        }
    }

    /// A chain of members, calls and subscripts: where one `?` in it finds nil, all of it is nil.
    private func chain(_ node: ExprSyntax, _ expected: SwiftType?, isDiscarded: Bool) throws -> Lowered {
        let (value, tests) = try collectingTests { try postfix(node, expected, isDiscarded: isDiscarded) }
        guard !tests.isEmpty else { return value }
        var whole = value.made(value.js.unlessNil(tests), value.type == .stub ? .stub : value.type.optional)
        whole.raw = value.raw
        if let raw = value.raw { whole.raw?.js = raw.js.unlessNil(tests) }
        return whole
    }

    /// Lowers a chain, with what each `?` in it asks for.
    func collectingTests(_ body: () throws -> Lowered) rethrows -> (value: Lowered, tests: [JavaScript]) {
        context.chains.append([])
        defer { context.chains.removeLast() }
        let value = try body()
        return (value, context.chains[context.chains.count - 1])
    }

    /// Adds what a `?` asks for to the chain that is lowered.
    func ask(_ test: JavaScript) { context.chains[context.chains.count - 1].append(test) }

    /// A part of a chain.
    func postfix(_ node: ExprSyntax, _ expected: SwiftType?, isDiscarded: Bool = false) throws -> Lowered {
        if let parameter = try parameter(node) { return parameter }
        if let optional = node.as(OptionalChainingExprSyntax.self) {
            let base = try postfix(optional.expression, nil)
            if base.type == .stub { return base }
            // A type with ‘!’, or one that is never nil by what is known here.
            guard base.type.isOptional || base.type == .any else { return base }
            let holder = base.isSimple ? base.js : temporary()
            ask(base.isSimple ? base.js : holder.assigned(base.js))
            return Lowered(holder, base.type.unwrapped, ownership: base.ownership, isSimple: true)
        }
        if let forced = node.as(ForceUnwrapExprSyntax.self) {
            let base = try postfix(forced.expression, expected?.optional)
            if base.type == .stub || !base.type.isOptional { return base }
            return base.made(runtime("unwrap", at: forced, base.js), base.type.unwrapped)
        }
        if let member = node.as(MemberAccessExprSyntax.self) { return try self.member(member, expected) }
        if let call = node.as(FunctionCallExprSyntax.self) {
            return try self.call(call, expected, isDiscarded: isDiscarded)
        }
        if let access = node.as(SubscriptCallExprSyntax.self) { return try subscripted(access) }
        return try primary(node, expected, isDiscarded: isDiscarded)
    }

    /// The value that the settings give a name, or a path of names.
    private func parameter(_ node: ExprSyntax) throws -> Lowered? {
        guard !program.parameters.isEmpty,
            node.is(MemberAccessExprSyntax.self) || node.is(DeclReferenceExprSyntax.self) || isPlainCall(node)
        else { return nil }
        let path = node.bareSpelling
        guard let value = program.parameters[path], path.contains(".") || lookUp(path) == nil else { return nil }
        let lowered =
            switch value {
            case .int(let number): Lowered(.integer(number), .integer)
            case .double(let number): Lowered(.number(number), .double)
            case .bool(let flag): Lowered(.bool(flag), .bool)
            case .string(let text): Lowered(.text(text), .string)
            }
        // A path with `?` leads to an optional, as in the app.
        if isChained(node), !context.chains.isEmpty { ask(lowered.js) }
        return lowered
    }

    /// Whether a `?` is in a chain.
    func isChained(_ node: ExprSyntax) -> Bool {
        if node.is(OptionalChainingExprSyntax.self) { return true }
        if let member = node.as(MemberAccessExprSyntax.self) { return member.base.map(isChained) ?? false }
        if let call = node.as(FunctionCallExprSyntax.self) { return isChained(call.calledExpression) }
        if let access = node.as(SubscriptCallExprSyntax.self) { return isChained(access.calledExpression) }
        return false
    }

    /// Whether it is a call without arguments, whose value a path may stand for.
    private func isPlainCall(_ node: ExprSyntax) -> Bool {
        guard let call = node.as(FunctionCallExprSyntax.self) else { return false }
        return call.arguments.isEmpty && call.trailingClosure == nil
    }

    private func primary(_ node: ExprSyntax, _ expected: SwiftType?, isDiscarded: Bool) throws -> Lowered {
        if let made = try ownLiteral(node, expected) { return made }
        switch node.kind {
        case .integerLiteralExpr, .floatLiteralExpr: return try number(node, expected, sign: "")
        case .booleanLiteralExpr: return Lowered(.bool(node.spelling == "true"), .bool)
        case .nilLiteralExpr:
            return Lowered(
                .null,
                expected.map { $0.isOptional ? $0 : .optional(.undetermined) } ?? .optional(.undetermined),
                isSimple: true)
        default: break
        }
        if let text = node.as(StringLiteralExprSyntax.self) { return try string(text, expected) }
        if let reference = node.as(DeclReferenceExprSyntax.self) {
            if case .binaryOperator(let symbol) = reference.baseName.tokenKind {
                return try operatorFunction(symbol, expected, at: node)
            }
            if let parameter = try parameter(node) { return parameter }
            return try self.reference(
                reference.baseName.identifierText, at: node, labels: reference.argumentNames, expected)
        }
        if let tuple = node.as(TupleExprSyntax.self) { return try self.tuple(tuple, expected) }
        if let array = node.as(ArrayExprSyntax.self) { return try self.array(array, expected) }
        if let dictionary = node.as(DictionaryExprSyntax.self) { return try self.dictionary(dictionary, expected) }
        if let infix = node.as(InfixOperatorExprSyntax.self) { return try self.infix(infix, expected) }
        if let prefix = node.as(PrefixOperatorExprSyntax.self) { return try self.prefix(prefix, expected) }
        if let postfix = node.as(PostfixOperatorExprSyntax.self), postfix.operator.text == "..." {
            return try upwards(postfix)
        }
        if let ternary = node.as(TernaryExprSyntax.self) { return try self.ternary(ternary, expected) }
        if let cast = node.as(AsExprSyntax.self) { return try self.cast(cast, expected) }
        if let test = node.as(IsExprSyntax.self) {
            let value = try expression(test.expression, nil)
            return Lowered(.runtime("is", castable(value), descriptor(try castType(test.type))), .bool)
        }
        if let attempt = node.as(TryExprSyntax.self) {
            return try self.attempt(attempt, expected, isDiscarded: isDiscarded)
        }
        if let closure = node.as(ClosureExprSyntax.self) { return try self.closure(closure, expected) }
        if let path = node.as(KeyPathExprSyntax.self) { return try keyPath(path, expected) }
        if let macro = node.as(MacroExpansionExprSyntax.self) { return try self.macro(macro) }
        if let conditional = node.as(IfExprSyntax.self) { return try valueOf(ExprSyntax(conditional), expected) }
        if let choice = node.as(SwitchExprSyntax.self) { return try valueOf(ExprSyntax(choice), expected) }
        if let specialized = node.as(GenericSpecializationExprSyntax.self),
            let type = try namedType(ExprSyntax(specialized))
        {
            return try metatype(type, at: node)
        }
        if let inout_ = node.as(InOutExprSyntax.self) { return try expression(inout_.expression, expected) }
        if let postfix = node.as(PostfixOperatorExprSyntax.self) {
            throw Refusal("The operator ‘\(postfix.operator.text)’ is not understood here: write a function.", at: node)
        }
        throw Refusal("This expression is not understood: write it otherwise.", at: node)
    }

    /// `1...`, as `zip` takes it, and the rest of a text.
    private func upwards(_ node: PostfixOperatorExprSyntax) throws -> Lowered {
        let bound = try expression(node.expression, .integer)
        switch bound.type {
        case .integer: return Lowered(.array([bound.js, .null]), .named("PartialRange"))
        case .named("StringIndex"): return Lowered(.array([bound.js, .null]), .named("PartialTextRange"))
        default: throw Refusal("A range without an end is understood here of the type ‘Int’.", at: node)
        }
    }

    private func macro(_ node: MacroExpansionExprSyntax) throws -> Lowered {
        let place = declarations.file(of: node).place(of: node)
        switch node.macroName.text {
        case "line": return Lowered(.integer(Int64(place.line)), .integer)
        case "column": return Lowered(.integer(Int64(place.column)), .integer)
        case "file", "fileID", "filePath":
            return Lowered(.text(declarations.files[place.file].name), .string)
        case "function": return Lowered(.text("migration"), .string)
        case "keyPath":
            let path = node.arguments.first?.expression.spelling ?? ""
            let names = path.split(separator: ".").drop { $0.first?.isUppercase ?? false }
            return Lowered(.text(names.joined(separator: ".")), .string)
        default: throw Refusal("‘#\(node.macroName.text)’ is not understood.", at: node)
        }
    }
}
