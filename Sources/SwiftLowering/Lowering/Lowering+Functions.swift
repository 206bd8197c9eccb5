import SwiftSyntax

extension Lowering {
    // MARK: Signatures

    func parameters(_ clause: FunctionParameterClauseSyntax) throws -> [Parameter] {
        try clause.parameters.map { node in
            let label = node.firstName.identifierText
            let name = (node.secondName ?? node.firstName).identifierText
            let isReference =
                node.type.as(AttributedTypeSyntax.self).map {
                    $0.spelling.hasPrefix("inout ")
                } ?? false
            var type: SwiftType = try self.type(node.type)
            let isVariadic = node.ellipsis != nil
            if isVariadic { type = .array(type) }
            return Parameter(
                label: label == "_" ? nil : label, name: name, type: type, isReference: isReference,
                isVariadic: isVariadic,
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
            throw Refusal("A migration is synchronous: ‘async’ is not understood.", at: function.name)
        }
        let inner = FunctionContext()
        (inner.owner, inner.typeArguments) = (owner, typeArguments)
        let (parameters, result) = try inFunction(inner, scopes: [[:]]) {
            (
                try self.parameters(function.signature.parameterClause),
                try function.signature.returnClause.map { try type($0.type) } ?? .void
            )
        }
        let signature = Signature(
            js: fresh(function.name.identifierText), parameters: parameters, result: result, owner: owner,
            isStatic: isStatic, isMutating: function.modifiers.has(.mutating))
        signatures[key] = signature
        guard let body = function.body else {
            throw Refusal(
                "The function has no body here: what a protocol asks for is not understood.", at: function.name)
        }
        inner.result = result
        later { [self] in
            do {
                let text = try inFunction(inner, scopes: [[:]]) {
                    if owner != nil, !isStatic { addSelf(to: inner) }
                    return try functionText(
                        signature, body.statements, at: function, name: signature.js,
                        takesSelf: owner != nil && !isStatic)
                }
                emit(text)
            } catch { tell(error, at: function) }
        }
        return signature
    }

    private func addSelf(to context: FunctionContext) {
        switch context.owner {
        case .nominal(let nominal):
            context.selfValue = Lowered("self", nominalType(nominal), isStored: true, isSimple: true)
        case .library(let type, _): context.selfValue = Lowered("self", type, isSimple: true)
        case nil: break
        }
    }

    /// A function as JavaScript; in its own context.
    func functionText(
        _ signature: Signature, _ body: CodeBlockItemListSyntax?, at node: some SyntaxProtocol, name: String,
        takesSelf: Bool = false
    ) throws -> String {
        guard let body else { throw Refusal("The function has no body.", at: node) }
        var names: [String] = takesSelf ? ["self"] : []
        var prologue = ""
        for parameter in signature.parameters {
            let js = declare(parameter.name, parameter.type, isReference: parameter.isReference)
            names.append(js)
            if let value = parameter.defaultValue {
                let lowered = try keep(expression(value, parameter.type), as: parameter.type, at: value)
                prologue += "if (\(js) === undefined) \(js) = \(lowered);\n"
            }
        }
        let text = bodyText(body)
        return
            "function \(name)(\(names.joined(separator: ", "))) {\n\(prologue.isEmpty ? "" : temporaries(of: context))\(prologue)\(prologue.isEmpty ? text : text.hasPrefix("let $t1") ? String(text.drop { $0 != "\n" }.dropFirst()) : text)\n}"
    }

    /// The statements of a function, with its temporaries; one expression alone is what it gives.
    func bodyText(_ body: CodeBlockItemListSyntax) -> String {
        scopes.append([:])
        defer { scopes.removeLast() }
        var text: String?
        if body.count == 1, let item = body.first?.item, context.result != .void {
            var value: ExprSyntax?
            if case .expr(let only) = item { value = only }
            if case .stmt(let statement) = item { value = statement.as(ExpressionStmtSyntax.self)?.expression }
            if let value {
                do { text = try resultText(value) } catch {
                    tell(error, at: value)
                    text = ""
                }
            }
        }
        let lowered = text ?? statements(body)
        return temporaries(of: context) + lowered
    }

    // MARK: Closures

    func closure(_ node: ClosureExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        var wanted: [SwiftType]?
        var result: SwiftType?
        if case .function(let parameters, let type)? = expected?.unwrapped { (wanted, result) = (parameters, type) }
        if let declared = node.signature?.returnClause { result = try type(declared.type) }
        let inner = FunctionContext()
        (inner.owner, inner.selfValue, inner.typeArguments) = (context.owner, context.selfValue, context.typeArguments)
        inner.isResultKnown = result.map { !$0.hasVariables } ?? false
        inner.result = inner.isResultKnown ? result : nil
        var scope: [String: Local] = [:]
        var names: [String] = []
        var prologue = ""
        let explicit = try closureParameters(node)
        // One tuple, whose parts the closure names.
        if let explicit, let wanted, wanted.count == 1, case .tuple(let parts) = wanted[0],
            explicit.count == parts.count, parts.count > 1
        {
            let whole = fresh("tuple")
            names = [whole]
            for (index, parameter) in explicit.enumerated() where parameter.name != "_" {
                let js = fresh(parameter.name)
                scope[parameter.name] = Local(js: js, type: parts[index].type)
                prologue += "const \(js) = \(whole)[\(index)];\n"
            }
        } else if let explicit {
            for (index, parameter) in explicit.enumerated() {
                guard let type = parameter.type ?? wanted.flatMap({ $0.indices.contains(index) ? $0[index] : nil })
                else {
                    throw Refusal("The type of ‘\(parameter.name)’ can't be told: write it behind the name.", at: node)
                }
                let js = fresh(parameter.name == "_" ? "unused" : parameter.name)
                scope[parameter.name] = Self.local(js, type)
                names.append(js)
            }
            if let wanted {
                guard explicit.count == wanted.count else {
                    throw Refusal(
                        "The closure takes \(explicit.count) values, and \(wanted.count) are given.", at: node)
                }
            }
        } else if let wanted {
            let body = node.statements
            let used = body.tokens(viewMode: .sourceAccurate).compactMap { token -> Int? in
                if case .dollarIdentifier(let text) = token.tokenKind { return Int(text.dropFirst()) }
                return nil
            }.max()
            if wanted.count == 1, case .tuple(let parts) = wanted[0], (used ?? 0) >= 1 {
                let whole = fresh("tuple")
                names = [whole]
                inner.anonymous = parts.enumerated().map { Local(js: "\(whole)[\($0)]", type: $1.type) }
            } else {
                names = wanted.indices.map { fresh("_\($0)") }
                inner.anonymous = zip(names, wanted).map { Self.local($0, $1) }
            }
        }
        for capture in node.signature?.capture?.items ?? [] {
            if capture.initializer != nil {
                throw Refusal("A captured value with a name of its own is not understood.", at: capture)
            }
        }
        // Nested closures see the parameters without names of their own alone.
        let text = inFunction(inner, scopes: scopes + [scope]) { bodyText(node.statements) }
        let type: SwiftType = .function(
            explicit.map { list in
                list.enumerated().map { index, parameter in
                    scope[parameter.name]?.type ?? parameter.type ?? wanted.flatMap {
                        $0.indices.contains(index) ? $0[index] : nil
                    } ?? .any
                }
            }
                ?? wanted ?? [], inner.result ?? .void)
        let declared = wanted.map { SwiftType.function($0, inner.result ?? .void) } ?? type
        return Lowered("((\(names.joined(separator: ", "))) => {\n\(prologue)\(text)\n})", declared)
    }

    /// A parameter of a closure.
    private static func local(_ js: String, _ type: SwiftType) -> Local {
        if case .reference(let inner) = type { return Local(js: js, type: inner, isVariable: true, isReference: true) }
        return Local(js: js, type: type)
    }

    private func closureParameters(_ node: ClosureExprSyntax) throws -> [(name: String, type: SwiftType?)]? {
        switch node.signature?.parameterClause {
        case .simpleInput(let list): return list.map { ($0.name.identifierText, nil) }
        case .parameterClause(let clause):
            return try clause.parameters.map { parameter in
                ((parameter.secondName ?? parameter.firstName).identifierText, try parameter.type.map { try type($0) })
            }
        case nil: return nil
        @unknown default: throw Refusal("These parameters are not understood.", at: node)
        }
    }

    // MARK: Arguments

    func labels(of clause: FunctionParameterClauseSyntax, fit arguments: [Argument]) -> Bool {
        var index = 0
        for parameter in clause.parameters {
            let label = parameter.firstName.identifierText == "_" ? nil : parameter.firstName.identifierText
            if index < arguments.count, arguments[index].label == label || arguments[index].isTrailing {
                index += 1
                if parameter.ellipsis != nil {
                    while index < arguments.count, arguments[index].label == nil { index += 1 }
                }
            } else if parameter.defaultValue == nil, parameter.ellipsis == nil {
                return false
            }
        }
        return index == arguments.count
    }

    /// The arguments of a call as the parameters take them.
    func bind(_ arguments: [Argument], to parameters: [Parameter], at node: some SyntaxProtocol) throws -> [String] {
        var rest = arguments[...]
        var values: [String] = []
        for parameter in parameters {
            if parameter.isVariadic, case .array(let element) = parameter.type {
                var items: [String] = []
                while let next = rest.first, next.label == (items.isEmpty ? parameter.label : nil) {
                    items.append(try keep(expression(next.node, element), as: element, at: next.node))
                    rest = rest.dropFirst()
                }
                values.append("[\(items.joined(separator: ", "))]")
                continue
            }
            if let next = rest.first, next.label == parameter.label || next.isTrailing {
                rest = rest.dropFirst()
                if parameter.isReference {
                    let place = try self.place(next.node)
                    values.append("{ get v() { return \(place.read); }, set v(value) { \(place.write("value")); } }")
                } else {
                    values.append(
                        try keep(
                            expression(next.node, parameter.type), as: parameter.type, at: next.node, isFixed: true))
                }
            } else if parameter.defaultValue != nil {
                values.append("undefined")
            } else {
                throw Refusal("The argument ‘\(parameter.label ?? parameter.name)’ is missing.", at: node)
            }
        }
        guard rest.isEmpty else { throw Refusal("There are more arguments than the function takes.", at: node) }
        return values
    }
}

/// An argument of a call.
struct Argument {
    var label: String?
    var node: ExprSyntax
    var isTrailing = false

    /// Those of a call, its closures behind the parentheses included.
    static func all(_ call: FunctionCallExprSyntax) -> [Argument] {
        var all = call.arguments.map { Argument(label: $0.label?.identifierText, node: $0.expression) }
        if let closure = call.trailingClosure {
            all.append(Argument(label: nil, node: ExprSyntax(closure), isTrailing: true))
        }
        for closure in call.additionalTrailingClosures {
            all.append(Argument(label: closure.label.identifierText, node: ExprSyntax(closure.closure)))
        }
        return all
    }
}
