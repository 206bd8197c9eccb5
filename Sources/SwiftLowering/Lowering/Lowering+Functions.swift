import SwiftSyntax

extension Lowering {
    // MARK: Signatures

    func parameters(_ clause: FunctionParameterClauseSyntax) throws -> [Parameter] {
        try clause.parameters.map { node in
            let label = node.firstName.identifierText
            let name = (node.secondName ?? node.firstName).identifierText
            let isReference =
                node.type.as(AttributedTypeSyntax.self).map {
                    $0.trimmedDescription.hasPrefix("inout ")
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
        of function: FunctionDeclSyntax, in owner: FunctionContext.Owner?, isStatic: Bool
    ) throws -> Signature {
        if let known = signatures[function.id] { return known }
        if function.genericParameterClause != nil {
            throw Refusal(
                "Generic functions are not understood: write it for the types that it is called with.",
                at: function.name)
        }
        if function.signature.effectSpecifiers?.asyncSpecifier != nil {
            throw Refusal("A migration is synchronous: ‘async’ is not understood.", at: function.name)
        }
        let inner = FunctionContext()
        inner.owner = owner
        let (parameters, result) = try inFunction(inner, scopes: [[:]]) {
            (
                try self.parameters(function.signature.parameterClause),
                try function.signature.returnClause.map { try type($0.type) } ?? .void
            )
        }
        let signature = Signature(
            js: fresh(function.name.identifierText), parameters: parameters, result: result, owner: owner,
            isStatic: isStatic, isMutating: function.modifiers.has(.mutating))
        signatures[function.id] = signature
        guard let body = function.body else {
            throw Refusal(
                "The function has no body here: what a protocol asks for is not understood.", at: function.name)
        }
        if function.modifiers.has(.override) {
            throw Refusal("Overridden methods are not understood.", at: function.name)
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
        (inner.owner, inner.selfValue) = (context.owner, context.selfValue)
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

    // MARK: Making values of the app's types

    /// The function that makes a value by an initializer of its type.
    func maker(_ node: InitializerDeclSyntax, of nominal: Nominal) throws -> Signature {
        if let known = signatures[node.id] { return known }
        let inner = FunctionContext()
        inner.owner = .nominal(nominal)
        let parameters = try inFunction(inner, scopes: [[:]]) { try self.parameters(node.signature.parameterClause) }
        let type = nominalType(nominal)
        let signature = Signature(
            js: fresh("init_" + nominal.name), parameters: parameters,
            result: node.optionalMark == nil ? type : type.optional, owner: .nominal(nominal))
        signatures[node.id] = signature
        guard let body = node.body else { throw Refusal("The initializer has no body.", at: node) }
        guard nominal.kind != .protocolType, declarations.superclass(of: nominal) == nil else {
            throw Refusal("Values of a class with a superclass are not understood.", at: node)
        }
        inner.result = .void
        inner.selfValue = Lowered("self", type, isStored: true, isSimple: true)
        inner.isInitializer = true
        later { [self] in
            do {
                let start =
                    nominal.kind == .enumeration ? "let self = null;\n" : "const self = \(try blank(nominal));\n"
                let text = try inFunction(inner, scopes: [[:]]) {
                    try functionText(signature, body.statements, at: node, name: signature.js)
                }
                // What is behind the first brace runs with a value whose properties have what they begin with.
                guard let brace = text.firstIndex(of: "{") else { return }
                let end = text.lastIndex(of: "}") ?? text.endIndex
                let rest = text[text.index(after: brace)..<end]
                emit(text[...brace] + "\n\(start)\(rest)\nreturn self;\n}")
            } catch { tell(error, at: node) }
        }
        return signature
    }

    /// A value of a type with what its properties begin with.
    private func blank(_ nominal: Nominal) throws -> String {
        let fields = try storedProperties(of: nominal).map { field -> String in
            let type = try fieldType(field, of: nominal)
            guard let value = field.binding.initializer?.value else {
                return "\(fieldName(field.name)): \(type.isOptional ? "null" : "undefined")"
            }
            let lowered = try initial(value, type, of: nominal)
            return "\(fieldName(field.name)): \(lowered)"
        }
        return "{ $t: \(descriptor(.nominal(nominal.number))), \(fields.joined(separator: ", ")) }"
    }

    /// What a property begins with, which sees nothing of where a value is made.
    private func initial(_ value: ExprSyntax, _ type: SwiftType, of nominal: Nominal) throws -> String {
        let inner = FunctionContext()
        inner.owner = .nominal(nominal)
        return try inFunction(inner, scopes: [[:]]) {
            let text = try keep(expression(value, type), as: type, at: value)
            guard context.temporaries > 0 else { return text }
            return "(() => {\n\(temporaries(of: context))return (\(text));\n})()"
        }
    }

    func fieldName(_ name: String) -> String {
        "_" + name.unicodeScalars.map { $0.isASCII ? String($0) : "$\($0.value)" }.joined()
    }

    /// Makes a value by its type's name and arguments.
    func make(_ nominal: Nominal, _ arguments: [Argument], at node: some SyntaxProtocol) throws -> Lowered {
        let type = nominalType(nominal)
        if type == .object {
            throw Refusal(
                "In a migration objects are made by ‘migration.create(\"\(nominal.realmName)\", value: …)’ alone.",
                at: node)
        }
        if nominal.hasGenerics { throw Refusal("Generic types are not understood.", at: node) }
        if nominal.kind == .enumeration, arguments.count == 1, arguments[0].label == "rawValue",
            nominal.members.initializers.isEmpty
        {
            let raw = nominal.inheritedNames.first.flatMap(SwiftType.scalar)
            guard let raw else { throw Refusal("‘\(nominal.path)’ has no raw values.", at: node) }
            let value = try coerce(expression(arguments[0].node, raw), to: raw, at: arguments[0].node)
            return Lowered("$.ofRaw(\(descriptor(type)), \(value.js))", type.optional)
        }
        var refusals: [any Error] = []
        for candidate in nominal.members.initializers
        where labels(of: candidate.signature.parameterClause, fit: arguments) {
            do {
                let signature = try maker(candidate, of: nominal)
                let values = try trying { try bind(arguments, to: signature.parameters, at: node) }
                return Lowered("\(mark(node))\(signature.js)(\(values.joined(separator: ", ")))", signature.result)
            } catch { refusals.append(error) }
        }
        if let first = refusals.first { throw first }
        guard nominal.members.initializers.isEmpty || nominal.kind == .structure,
            nominal.kind == .structure || (nominal.kind == .classType && arguments.isEmpty),
            declarations.superclass(of: nominal) == nil
        else { throw Refusal("‘\(nominal.path)’ can't be made of these values here.", at: node) }
        return try makeByMembers(nominal, arguments, at: node)
    }

    private func makeByMembers(_ nominal: Nominal, _ arguments: [Argument], at node: some SyntaxProtocol) throws
        -> Lowered
    {
        var rest = arguments[...]
        var fields: [String] = []
        for field in storedProperties(of: nominal) {
            let type = try fieldType(field, of: nominal)
            if let first = rest.first, first.label == field.name {
                rest = rest.dropFirst()
                fields.append(
                    "\(fieldName(field.name)): \(try keep(expression(first.node, type), as: type, at: first.node))")
            } else if let value = field.binding.initializer?.value {
                let lowered = try initial(value, type, of: nominal)
                fields.append("\(fieldName(field.name)): \(lowered)")
            } else if type.isOptional, !field.isConstant {
                fields.append("\(fieldName(field.name)): null")
            } else {
                throw Refusal("‘\(nominal.path)’ needs a value for ‘\(field.name)’.", at: node)
            }
        }
        guard rest.isEmpty else { throw Refusal("‘\(nominal.path)’ can't be made of these values here.", at: node) }
        return Lowered(
            "{ $t: \(descriptor(.nominal(nominal.number))), \(fields.joined(separator: ", ")) }",
            .nominal(nominal.number), isFresh: true)
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
