import SwiftSyntax

extension Lowering {
    // MARK: Signatures

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
            throw Refusal("A migration is synchronous: ‘async’ is not understood.", at: function.name)
        }
        try mustBePlain(function.attributes)
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
            isStatic: isStatic, isMutating: function.modifiers.has(.mutating),
            mayThrow: function.signature.effectSpecifiers?.throwsClause != nil)
        signatures[key] = signature
        guard let body = function.body else {
            throw Refusal(
                "The function has no body here: what a protocol asks for is not understood.", at: function.name)
        }
        inner.result = result
        later { [self] in
            do {
                let text = try inFunction(inner, scopes: [[:]]) {
                    if owner != nil, !isStatic { addSelf(to: inner, isMutating: signature.isMutating) }
                    return try functionText(
                        signature, body.statements, at: function, name: signature.js,
                        takesSelf: owner != nil && !isStatic)
                }
                emit(text)
            } catch { tell(error, at: function) }
        }
        return signature
    }

    /// Gives the code of a method its `self`: the value, or the place where one that is no object of its own is changed.
    func addSelf(to context: FunctionContext, isMutating: Bool) {
        let type: SwiftType
        switch context.owner {
        case .nominal(let nominal): type = nominalType(nominal)
        case .library(let extended, _): type = extended
        case nil: return
        }
        context.selfForm = isMutating && !isInPlace(type) ? .cell : .object
        // A value that the method does not change is the same as long as it runs.
        let isStored = isMutating || isShared(type)
        context.isSelfConstant = !isStored && isCopied(type)
        context.selfValue = Lowered(
            context.selfForm == .cell ? "self.v" : "self", type, isStored: isStored, isSimple: true, isSelf: true)
    }

    private func isShared(_ type: SwiftType) -> Bool {
        guard case .nominal(let number) = type else { return false }
        return [.classType, .protocolType].contains(declarations.nominals[number].kind)
    }

    /// A function as JavaScript; in its own context.
    ///
    /// - Parameters:
    ///   - opening: what is done before the body, and before the values of parameters that are left out.
    ///   - closing: what is done behind it.
    func functionText(
        _ signature: Signature, _ body: CodeBlockItemListSyntax?, at node: some SyntaxProtocol, name: String,
        takesSelf: Bool = false, opening: String = "", closing: String = ""
    ) throws -> String {
        guard let body else { throw Refusal("The function has no body.", at: node) }
        var names: [String] = takesSelf ? ["self"] : []
        var prologue = ""
        for parameter in signature.parameters {
            let js = declare(parameter.name, parameter.type, isReference: parameter.isReference)
            names.append(js)
            if let value = parameter.defaultValue {
                let lowered =
                    try parameter.isDeferred
                    ? deferred(value, parameter.type)
                    : keep(expression(value, parameter.type), as: parameter.type, at: value)
                prologue += "if (\(js) === undefined) \(js) = \(lowered);\n"
            }
        }
        let text = bodyStatements(body)
        return
            "function \(name)(\(names.joined(separator: ", "))) {\n\(temporaries(of: context))\(opening)\(prologue)\(text)\n\(closing)}"
    }

    /// The statements of a function, with its temporaries; one expression alone is what it gives.
    func bodyText(_ body: CodeBlockItemListSyntax) -> String {
        let text = bodyStatements(body)
        return temporaries(of: context) + text
    }

    private func bodyStatements(_ body: CodeBlockItemListSyntax) -> String {
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
        return text ?? statements(body)
    }

    // MARK: Closures

    ///
    /// - Parameter isBorrowed: whether it is called before the value changes that its code stands in, and never later.
    func closure(_ node: ClosureExprSyntax, _ expected: SwiftType?, isBorrowed: Bool = false) throws -> Lowered {
        var wanted: [SwiftType]?
        var result: SwiftType?
        if case .function(let parameters, let type)? = expected?.unwrapped { (wanted, result) = (parameters, type) }
        if let declared = node.signature?.returnClause { result = try type(declared.type) }
        let inner = FunctionContext()
        (inner.owner, inner.selfValue, inner.typeArguments) = (context.owner, context.selfValue, context.typeArguments)
        (inner.selfForm, inner.isSelfConstant) = (context.selfForm, context.isSelfConstant)
        inner.isResultKnown = result.map { !isOpen($0) } ?? false
        inner.result = inner.isResultKnown ? result : nil
        inner.givesOptional = result?.isOptional ?? false
        let explicit = try closureParameters(node)
        let taken = try closureNames(node, explicit, wanted)
        inner.anonymous = taken.anonymous
        let captures = try self.captures(node, isBorrowed: isBorrowed)
        // Nested closures see the parameters without names of their own alone.
        let text = inFunction(inner, scopes: scopes + [captures.scope, taken.scope]) { bodyText(node.statements) }
        let type: SwiftType = .function(
            explicit.map { list in
                list.enumerated().map { index, parameter in
                    parameter.type ?? taken.scope[parameter.name]?.type ?? wanted.flatMap {
                        $0.indices.contains(index) ? $0[index] : nil
                    } ?? .any
                }
            }
                ?? wanted ?? [], inner.result ?? (inner.neverEnds ? .never : .void))
        let declared = wanted.map { SwiftType.function($0, inner.result ?? .void) } ?? type
        var js = "((\(taken.names.joined(separator: ", "))) => {\n\(taken.prologue)\(text)\n})"
        if context.isSelfConstant, !isBorrowed, let this = context.selfValue {
            js = "(self => \(js))(\(copied("self", this.type)))"
        }
        guard !captures.names.isEmpty else { return Lowered(js, declared) }
        let values = captures.values.joined(separator: ", ")
        return Lowered("((\(captures.names.joined(separator: ", "))) => \(js))(\(values))", declared)
    }

    /// The parameters of a closure: the parameters of the function, and the names of the source.
    private struct ClosureNames {
        var scope: [String: Local] = [:]
        var names: [String] = []
        /// Takes a tuple apart.
        var prologue = ""
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
                taken.scope[parameter.name] = Local(js: js, type: parts[index].type)
                taken.prologue += "const \(js) = \(whole)[\(index)];\n"
            }
        } else if let explicit {
            for (index, parameter) in explicit.enumerated() {
                guard let type = parameter.type ?? wanted.flatMap({ $0.indices.contains(index) ? $0[index] : nil })
                else {
                    throw Refusal("The type of ‘\(parameter.name)’ can't be told: write it behind the name.", at: node)
                }
                let js = fresh(parameter.name == "_" ? "unused" : parameter.name)
                taken.scope[parameter.name] = Self.local(js, type)
                taken.names.append(js)
            }
            if let wanted, explicit.count != wanted.count {
                throw Refusal(
                    "The closure takes \(explicit.count) values, and \(wanted.count) are given.", at: node)
            }
        } else if let wanted {
            let used = AnonymousSearch.last(of: node)
            if wanted.count == 1, case .tuple(let parts) = wanted[0], (used ?? 0) >= 1 {
                let whole = fresh("tuple")
                taken.names = [whole]
                taken.anonymous = parts.enumerated().map { Local(js: "\(whole)[\($0)]", type: $1.type) }
            } else {
                taken.names = wanted.indices.map { fresh("_\($0)") }
                taken.anonymous = zip(taken.names, wanted).map { Self.local($0, $1) }
            }
        }
        return taken
    }

    /// The names of a closure's capture list: values as they are when the closure is made.
    private func captures(_ node: ClosureExprSyntax, isBorrowed: Bool) throws -> (
        scope: [String: Local], names: [String], values: [String]
    ) {
        var (scope, names, values): ([String: Local], [String], [String]) = ([:], [], [])
        for capture in node.signature?.capture?.items ?? [] {
            let name = capture.name.identifierText
            let isWeak = capture.specifier?.specifier.tokenKind == .keyword(.weak)
            if name == "self" {
                if isWeak, !isBorrowed, let this = context.selfValue {
                    try mustBeHeld(this.type, name, at: capture)
                }
                continue
            }
            let value = try capture.initializer.map { try expression($0.value, nil) } ?? reference(name, at: capture)
            if isWeak, !isBorrowed { try mustBeHeld(value.type, name, at: capture) }
            let js = fresh(name)
            scope[name] = Local(js: js, type: isWeak ? value.type.optional : value.type)
            names.append(js)
            values.append(try keep(value, as: nil, at: capture, isFixed: true))
        }
        return (scope, names, values)
    }

    /// A parameter of a closure.
    static func local(_ js: String, _ type: SwiftType) -> Local {
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

    // MARK: Arguments

    func labels(of clause: FunctionParameterClauseSyntax, fit arguments: [Argument]) -> Bool {
        var index = 0
        for parameter in clause.parameters {
            let label = parameter.firstName.identifierText == "_" ? nil : parameter.firstName.identifierText
            if index < arguments.count, arguments[index].node.is(ClosureExprSyntax.self), parameter.isKeyPath {
                return false
            }
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
    func bind(_ arguments: [Argument], to parameters: [Parameter], at node: some SyntaxProtocol) throws
        -> BoundArguments
    {
        var rest = arguments[...]
        var bound = BoundArguments()
        for parameter in parameters {
            if parameter.isVariadic, case .array(let element) = parameter.type {
                var items: [String] = []
                while let next = rest.first, next.label == (items.isEmpty ? parameter.label : nil) {
                    items.append(try keep(expression(next.node, element), as: element, at: next.node))
                    rest = rest.dropFirst()
                }
                bound.values.append("[\(items.joined(separator: ", "))]")
                continue
            }
            if let next = rest.first, next.label == parameter.label || next.isTrailing {
                rest = rest.dropFirst()
                if parameter.isDeferred {
                    bound.values.append(try deferred(next.node, parameter.type))
                } else if parameter.isReference {
                    try bound.add(place(next.node), in: self, at: next.node)
                } else {
                    bound.values.append(
                        try keep(
                            expression(next.node, parameter.type), as: parameter.type, at: next.node, isFixed: true))
                }
            } else if parameter.defaultValue != nil {
                bound.values.append("undefined")
            } else {
                throw Refusal("The argument ‘\(parameter.label ?? parameter.name)’ is missing.", at: node)
            }
        }
        guard rest.isEmpty else { throw Refusal("There are more arguments than the function takes.", at: node) }
        return bound
    }

    /// An argument that the function works out when it asks for it.
    func deferred(_ node: ExprSyntax, _ type: SwiftType) throws -> String {
        guard case .function(let types, let result) = type, types.isEmpty else {
            throw Refusal("This argument is not understood.", at: node)
        }
        let inner = FunctionContext()
        (inner.owner, inner.selfValue, inner.typeArguments) = (context.owner, context.selfValue, context.typeArguments)
        (inner.selfForm, inner.isSelfConstant, inner.anonymous) = (
            context.selfForm, context.isSelfConstant, context.anonymous
        )
        return try inFunction(inner, scopes: scopes) {
            let value = try keep(expression(node, result), as: result, at: node)
            return "(() => {\n\(temporaries(of: context))return (\(value));\n})"
        }
    }

    /// A call of a function of the app; one that changes its value is given the place of it.
    ///
    /// - Parameter make: the call, of the value that the function is called of and the arguments.
    func call(
        _ signature: Signature, of receiver: Lowered?, _ bound: BoundArguments, at node: some SyntaxProtocol,
        _ make: ([String]) -> String
    ) throws -> Lowered {
        calls += 1
        var (setup, finish, values) = ([String](), bound.finish, bound.values)
        if let receiver {
            if signature.isMutating {
                guard let place = receiver.place, place.write != nil || isObject(receiver.type) else {
                    throw Self.keptNowhere(node)
                }
                let open = try opened(place, at: node)
                setup = open.setup
                finish += open.finish
                values.insert(isInPlace(open.type) ? open.read : try cell(open, at: node), at: 0)
            } else {
                values.insert(receiver.js, at: 0)
            }
        }
        let js = finished("\(mark(node))\(make(values))", finish, mayThrow: signature.mayThrow)
        return Lowered(sequence(setup, js), signature.result, isFresh: true)
    }

    private func isObject(_ type: SwiftType) -> Bool {
        guard case .nominal(let number) = type else { return false }
        return declarations.nominals[number].kind == .classType
    }
}

extension FunctionParameterSyntax {
    /// Whether it takes a key path, which no closure is.
    fileprivate var isKeyPath: Bool {
        let name = type.as(IdentifierTypeSyntax.self)?.name.identifierText ?? ""
        return ["KeyPath", "WritableKeyPath", "ReferenceWritableKeyPath"].contains(name)
    }
}

/// Looks for the parameters without names of a closure, those of closures inside aside.
private final class AnonymousSearch: SyntaxVisitor {
    private var last: Int?

    /// The number of the last one that a closure uses; nil where it uses none.
    static func last(of node: ClosureExprSyntax) -> Int? {
        let search = AnonymousSearch(viewMode: .sourceAccurate)
        search.walk(node.statements)
        return search.last
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
        if case .dollarIdentifier(let text) = token.tokenKind, let number = Int(text.dropFirst()) {
            last = max(last ?? 0, number)
        }
        return .skipChildren
    }
}

/// The arguments of a call.
struct BoundArguments {
    var values: [String] = []
    /// The steps behind the call that make changes of them count.
    var finish: [Finish] = []

    /// Gives a place.
    mutating func add(_ place: Place, in lowering: Lowering, at node: some SyntaxProtocol) throws {
        let open = try lowering.opened(place, at: node)
        values.append(lowering.sequence(open.setup, try lowering.cell(open, at: node)))
        finish += open.finish
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
