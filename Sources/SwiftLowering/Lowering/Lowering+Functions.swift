import SwiftSyntax

extension Lowering {
    // MARK: Signatures

    /// The parameters of a function, as they are seen from where it is declared.
    func parameters(
        _ clause: FunctionParameterClauseSyntax, in owner: FunctionContext.Owner?,
        _ typeArguments: [String: SwiftType] = [:]
    ) throws -> [Parameter] {
        try inFunction(FunctionContext(owner: owner, typeArguments: typeArguments)) { try parameters(clause) }
    }

    func parameters(_ clause: FunctionParameterClauseSyntax) throws -> [Parameter] {
        try clause.parameters.map { node in
            try mustBePlain(node.attributes)
            let label = node.firstName.identifierText
            let name = (node.secondName ?? node.firstName).identifierText
            let isReference = isInout(node.type)
            var type: SwiftType = try self.type(node.type)
            let isVariadic = node.ellipsis != nil
            if isVariadic { type = .array(type) }
            return Parameter(
                label: label == "_" ? nil : label, name: name, type: type, isReference: isReference,
                isVariadic: isVariadic, isDeferred: isAutoclosure(node.type),
                defaultValue: node.defaultValue?.value)
        }
    }

    /// The signature of a function or a method, which is lowered when it was asked for first.
    func signature(
        of function: FunctionDeclSyntax, in owner: FunctionContext.Owner?, isStatic: Bool,
        _ typeArguments: [String: SwiftType] = [:]
    ) throws -> Signature {
        let key = FunctionKey(function.id, in: owner, typeArguments)
        if let known = signatures[key] { return known }
        if function.genericParameterClause != nil, typeArguments.isEmpty {
            throw Refusal("A generic function is understood where it is called alone.", at: function.name)
        }
        if function.signature.effectSpecifiers?.asyncSpecifier != nil {
            throw Refusal(
                "A migration is synchronous: ‘async’ is not understood: call what gives the value at once.",
                at: function.name)
        }
        try mustBePlain(function.attributes)
        // A method of the instance that a block belongs to finds its other methods, without the instance.
        let isOfType = owner != nil && isStatic && function.modifiers.isStatic
        let inner = FunctionContext(owner: owner, isStatic: isOfType, typeArguments: typeArguments)
        let (parameters, result) = try inFunction(inner) {
            (
                try self.parameters(function.signature.parameterClause),
                try function.signature.returnClause.map { try type($0.type) } ?? .void
            )
        }
        let signature = Signature(
            name: fresh(function.name.identifierText), parameters: parameters, result: result, owner: owner,
            isStatic: isStatic, isMutating: function.modifiers.has(.mutating),
            mayThrow: function.signature.effectSpecifiers?.throwsClause != nil)
        signatures[key] = signature
        guard let body = function.body else {
            throw Refusal(
                "A requirement of a protocol has no body: call it on a value, or on a type by its name.",
                at: function.name
            )
        }
        let isMethod = owner != nil && !isStatic
        let context = methodContext(isMethod ? owner : nil, result, isMutating: signature.isMutating, in: inner)
        emitLater(context, at: function) { [self] in
            try declared(signature, body.statements, at: function, takesSelf: isMethod)
        }
        return signature
    }

    /// The context of a method: its `self` is the value, or the place where one that is no object of its own is changed.
    func methodContext(
        _ owner: FunctionContext.Owner?, _ result: SwiftType, isMutating: Bool, in outer: FunctionContext? = nil
    ) -> FunctionContext {
        var context = outer ?? FunctionContext(owner: owner)
        context.result = result
        let type: SwiftType
        switch owner {
        case .nominal(let nominal): type = nominalType(nominal)
        case .library(let extended, _): type = extended
        case nil: return context
        }
        context.selfForm = isMutating && !isInPlace(type) ? .cell : .object
        // A value that the method does not change is the same as long as it runs.
        let ownership: Ownership = isMutating || isShared(type) ? .borrowed : .shared
        context.isSelfConstant = ownership == .shared && isCopied(type)
        context.selfValue = Lowered(
            context.selfForm == .cell ? JavaScript.this.field("v") : .this, type, ownership: ownership, isSimple: true,
            isSelf: true)
        return context
    }

    /// Whether values of an app's type are objects, or may be.
    func isShared(_ type: SwiftType) -> Bool {
        guard let nominal = appType(type) else { return false }
        return [.classType, .protocolType].contains(nominal.kind)
    }

    /// A function as JavaScript; in its own context.
    ///
    /// - Parameter around: what is done around the body.
    func declared(
        _ signature: Signature, _ body: CodeBlockItemListSyntax?, at node: some SyntaxProtocol, name: String? = nil,
        takesSelf: Bool = false, around: ([Statement]) -> [Statement] = { $0 }
    ) throws -> Statement {
        guard let body else { throw Refusal("The function has no body.", at: node) }
        var names: [JavaScript] = takesSelf ? [.this] : []
        var steps: [Statement] = []
        // Names in default values are those around the function, and not the parameters.
        let defaults = try signature.parameters.map { parameter in
            try parameter.defaultValue.map { value in
                try parameter.isDeferred ? deferred(value, parameter.type) : kept(value, as: parameter.type)
            }
        }
        for (parameter, value) in zip(signature.parameters, defaults) {
            let js = JavaScript.name(declare(parameter.name, parameter.type, isReference: parameter.isReference))
            names.append(js)
            guard let value else { continue }
            steps.append(.conditional(.binary(.equal, js, .undefined), [.expression(js.assigned(value))]))
        }
        return .function(name ?? signature.name, names, withTemporaries(steps + around(bodyStatements(body))))
    }

    /// The statements of a function, with its temporaries; one expression alone is what it gives.
    func body(_ statements: CodeBlockItemListSyntax) -> [Statement] { withTemporaries(bodyStatements(statements)) }

    private func bodyStatements(_ items: CodeBlockItemListSyntax) -> [Statement] {
        guard context.result != .void, let value = items.onlyExpression else { return block(items) }
        return inScope { told(at: value) { try resultStatements(value) } ?? [] }
    }

    // MARK: Closures

    ///
    /// - Parameter isBorrowed: whether it is called before the value changes that its code stands in, and never later.
    func closure(_ node: ClosureExprSyntax, _ expected: SwiftType?, isBorrowed: Bool = false) throws -> Lowered {
        var wanted: [SwiftType]?
        var result: SwiftType?
        if case .function(let parameters, let type)? = expected?.unwrapped { (wanted, result) = (parameters, type) }
        if let declared = node.signature?.returnClause { result = try type(declared.type) }
        var inner = context.inner()
        inner.isResultKnown = result.map { !isOpen($0) } ?? false
        inner.result = inner.isResultKnown ? result : nil
        inner.givesOptional = result?.isOptional ?? false
        let taken = try closureNames(node, closureParameters(node), wanted)
        inner.anonymous = taken.anonymous
        let captures = try self.captures(node, isBorrowed: isBorrowed)
        // Nested closures see the parameters without names of their own alone.
        let toldBefore = toldCount
        let (steps, given, neverEnds) = inFunction(inner, scopes: scopes + [captures.scope, taken.scope]) {
            (body(node.statements), context.result, context.neverEnds)
        }
        // The type may be that of a part that is not understood.
        if given == nil, toldCount > toldBefore { throw Refusal.known }
        // The closure's own types tell which types a generic function takes.
        if let open = wanted, open.count == taken.types.count {
            wanted = zip(open, taken.types).map { isOpen($0) ? $1 : $0 }
        }
        let declared = SwiftType.function(wanted ?? taken.types, given ?? (wanted == nil && neverEnds ? .never : .void))
        var js = JavaScript.closure(taken.names.map { .name($0) }, taken.prologue + steps)
        if context.isSelfConstant, !isBorrowed, let this = context.selfValue {
            js = JavaScript.arrow([.this], js).called([copied(.this, this.type)])
        }
        guard !captures.names.isEmpty else { return Lowered(js, declared) }
        return Lowered(JavaScript.arrow(captures.names, js).called(captures.values), declared)
    }

    /// The parameters of a closure: the parameters of the function, and the names of the source.
    private struct ClosureNames {
        var scope: [String: Local] = [:]
        var names: [String] = []
        /// Those of the parameters with names.
        var types: [SwiftType] = []
        /// Takes a tuple apart.
        var prologue: [Statement] = []
        /// Those without names of their own.
        var anonymous: [Local] = []
    }

    private func closureNames(
        _ node: ClosureExprSyntax, _ explicit: [(name: String, type: SwiftType?)]?, _ wanted: [SwiftType]?
    ) throws -> ClosureNames {
        var taken = ClosureNames()
        // One tuple, whose parts the closure names.
        if let explicit, let wanted, wanted.count == 1, case .tuple(let parts) = wanted[0],
            explicit.count == parts.count, parts.count > 1
        {
            let whole = fresh("tuple")
            taken.names = [whole]
            for (index, parameter) in explicit.enumerated() where parameter.name != "_" {
                let js = fresh(parameter.name)
                taken.scope[parameter.name] = Local(js: .name(js), type: parts[index].type)
                taken.prologue.append(.constant(js, JavaScript.name(whole)[index]))
            }
        } else if let explicit {
            for (index, parameter) in explicit.enumerated() {
                guard let type = parameter.type ?? wanted.flatMap({ $0.indices.contains(index) ? $0[index] : nil })
                else {
                    throw Refusal("The type of ‘\(parameter.name)’ can't be told: write it behind the name.", at: node)
                }
                let js = fresh(parameter.name == "_" ? "unused" : parameter.name)
                taken.scope[parameter.name] = Self.local(.name(js), type)
                taken.names.append(js)
                taken.types.append(type)
            }
            if let wanted, explicit.count != wanted.count {
                throw Refusal("The closure takes \(explicit.count) values, and \(wanted.count) are given.", at: node)
            }
        } else if let wanted {
            let used = node.lastAnonymous
            if wanted.count == 1, case .tuple(let parts) = wanted[0], (used ?? 0) >= 1 {
                let whole = fresh("tuple")
                taken.names = [whole]
                taken.anonymous = parts.enumerated().map { Local(js: JavaScript.name(whole)[$0], type: $1.type) }
            } else {
                taken.names = wanted.indices.map { fresh("_\($0)") }
                taken.anonymous = zip(taken.names, wanted).map { Self.local(.name($0), $1) }
            }
        }
        return taken
    }

    /// The names of a closure's capture list: values as they are when the closure is made.
    private func captures(_ node: ClosureExprSyntax, isBorrowed: Bool) throws -> (
        scope: [String: Local], names: [JavaScript], values: [JavaScript]
    ) {
        var (scope, names, values): ([String: Local], [JavaScript], [JavaScript]) = ([:], [], [])
        for capture in node.signature?.capture?.items ?? [] {
            let name = capture.name.identifierText
            let isWeak = capture.specifier?.specifier.tokenKind == .keyword(.weak)
            if name == "self" {
                if isWeak, !isBorrowed, let this = context.selfValue { try mustBeHeld(this.type, name, at: capture) }
                continue
            }
            let value = try capture.initializer.map { try expression($0.value, nil) } ?? reference(name, at: capture)
            if isWeak, !isBorrowed { try mustBeHeld(value.type, name, at: capture) }
            let js = JavaScript.name(fresh(name))
            scope[name] = Local(js: js, type: isWeak ? value.type.optional : value.type)
            names.append(js)
            values.append(try keep(value, as: nil, at: capture, isFixed: true))
        }
        return (scope, names, values)
    }

    /// A parameter of a closure.
    static func local(_ js: JavaScript, _ type: SwiftType) -> Local {
        if case .reference(let inner) = type { return Local(js: js, type: inner, isVariable: true, isReference: true) }
        return Local(js: js, type: type)
    }

    private func closureParameters(_ node: ClosureExprSyntax) throws -> [(name: String, type: SwiftType?)]? {
        switch node.signature?.parameterClause {
        case .simpleInput(let list): return list.map { ($0.name.identifierText, nil) }
        case .parameterClause(let clause):
            return try clause.parameters.map { parameter in
                (
                    (parameter.secondName ?? parameter.firstName).identifierText,
                    try parameter.type.map { isInout($0) ? .reference(try type($0)) : try type($0) }
                )
            }
        case nil: return nil
        @unknown default: throw Refusal("These parameters are not understood.", at: node)
        }
    }
}

extension ClosureExprSyntax {
    /// The number of the last parameter without a name that it uses, those of closures inside aside; nil where it uses none.
    fileprivate var lastAnonymous: Int? {
        var last: Int?
        statements.search { node in
            if case .dollarIdentifier(let text)? = node.as(TokenSyntax.self)?.tokenKind {
                last = [last, Int(text.dropFirst())].compactMap(\.self).max()
            }
            return node.is(ClosureExprSyntax.self) ? .skipChildren : .visitChildren
        }
        return last
    }
}
