import SwiftSyntax

extension Lowering {
    func call(_ node: FunctionCallExprSyntax, _ expected: SwiftType?, isDiscarded: Bool) throws -> Lowered {
        let arguments = Argument.all(node)
        let callee = node.calledExpression
        if let reference = callee.as(DeclReferenceExprSyntax.self) {
            return try called(Call(reference.baseName.identifierText, arguments, expected, at: node))
        }
        if let member = callee.as(MemberAccessExprSyntax.self) {
            let name = member.declName.baseName.identifierText
            return try calledMember(member, Call(name, arguments, expected, of: member.base, at: node))
        }
        let call = Call("", arguments, expected, at: node)
        if let type = try namedType(callee) { return try made(type, call) }
        // A chain that goes on behind an optional function.
        return try apply(postfix(callee, nil), call)
    }

    /// Types whose arguments may be left out where they are made.
    static let generics: [String: SwiftType] = [
        "Array": .array(.variable("T")), "Set": .set(.variable("T")),
        "Dictionary": .dictionary(.variable("K"), .variable("V")),
    ]

    func apply(_ function: Lowered, _ call: Call) throws -> Lowered {
        if function.type == .stub { return try stubbed(call.arguments) }
        if let nominal = appType(function.type),
            let found = try calledOfNominal(nominal, function, call.of(nil, "callAsFunction"))
        {
            return found
        }
        guard case .function(let types, let result) = function.type.unwrapped else {
            throw Refusal("A value of the type ‘\(spelled(function.type))’ can't be called.", at: call.node)
        }
        let parameters = types.map { type in
            if case .reference(let inner) = type {
                return Parameter(label: nil, name: "_", type: inner, isReference: true)
            }
            return Parameter(label: nil, name: "_", type: type)
        }
        var plain = call
        for index in plain.arguments.indices { plain.arguments[index].label = nil }
        let signature = Signature(name: "", parameters: parameters, result: result, mayThrow: true)
        return try invoke(signature, of: nil, bind(plain, to: parameters), at: call.node) { function.js.called($0) }
    }

    // MARK: By name

    func called(_ call: Call) throws -> Lowered {
        if let local = lookUp(call.name), local.nominal == nil {
            if let function = local.function {
                let signature = try localSignature(function, local)
                return try invoke(signature, of: nil, bind(call, to: signature.parameters), at: call.node)
            }
            if local.isRefused { throw Refusal.known }
            return try apply(Lowered(local.value, local.type, isSimple: true), call)
        }
        if program.stubs.contains(call.name) { return try stubbed(call.arguments) }
        if call.name == "type", call.arguments.first?.label == "of" {
            return try typeOf(call.arguments[0].node, at: call.node)
        }
        if let found = try calledImplicitly(call) { return found }
        if let candidates = declarations.functions[call.name],
            let found = try calledOfApp(candidates, call)
        {
            return found
        }
        if call.name == "Optional", let only = call.onlyUnlabelled {
            let value = try expression(only, call.expected?.unwrapped)
            if value.type.isOptional { throw Self.optionalOfOptional(call.node) }
            return value.retyped(value.type.optional)
        }
        if let generic = Self.generics[call.name], declarations.types[call.name] == nil {
            return try made(generic, call)
        }
        if let found = try madeResult(call) { return found }
        if call.name == "List", call.arguments.isEmpty, case .list? = call.expected?.unwrapped,
            declarations.types[call.name] == nil
        {
            return try made(call.expected?.unwrapped ?? .any, call)
        }
        if call.name == "Self", let type = ownerType { try mustBeOneClass(type, at: call.node) }
        if let type = try namedType(ExprSyntax(DeclReferenceExprSyntax(baseName: .identifier(call.name)))),
            call.name.first?.isUppercase ?? false
        {
            return try made(type, call)
        }
        if let found = try libraryCall(library.functions(call.name), nil, call) { return found }
        if declarations.variables[call.name] != nil { return try apply(reference(call.name, at: call.node), call) }
        let isLibrary = library.hasFunction(call.name)
        let value: Lowered
        do { value = try reference(call.name, at: call.node) } catch {
            if case .library(let type, _)? = context.owner, context.selfValue != nil, !isLibrary {
                throw missing(call.name, of: type, isCalled: true, at: call.node)
            }
            guard isLibrary else { throw error }
            throw Refusal(
                "‘\(call.name)’ with these arguments is not understood: leave some out, or do it otherwise.",
                at: call.node)
        }
        if case .function = value.type { return try apply(value, call) }
        guard isLibrary else { throw unknown(call.name, at: call.node) }
        throw Refusal(
            "‘\(call.name)’ with these arguments is not understood: leave some out, or do it otherwise.", at: call.node)
    }

    /// A function at the top of the app's files: the library's of the name where that alone takes the arguments.
    private func calledOfApp(_ candidates: [FunctionDeclSyntax], _ call: Call) throws -> Lowered? {
        guard library.hasFunction(call.name) else { return try overloaded(candidates, call, nil, isStatic: false) }
        let own = attempt { try overloaded(candidates, call, nil, isStatic: false) }
        let isOwn = own.success.map { $0.value != nil } ?? false
        guard !isOwn || candidates.contains(where: { mayBeWorse($0, for: call) }) else {
            return own.success.flatMap { take($0) }
        }
        let other = attempt { try libraryCall(library.functions(call.name), nil, call) }
        let isOther = other.success.map { $0.value != nil } ?? false
        guard isOwn, isOther else { return try take((isOther ? other : own).get()) }
        throw Refusal(
            "Whether the app's ‘\(call.name)’ or the library's is called is not known here: give the app's another name.",
            at: call.node)
    }

    /// Whether the compiler may like a function of the library better: it has no literal to convert, or asks more of its types.
    private func mayBeWorse(_ function: FunctionDeclSyntax, for call: Call) -> Bool {
        let parameters = function.signature.parameterClause.parameters
        return function.genericParameterClause != nil
            || zip(parameters, call.arguments).contains { parameter, argument in
                isNumberLiteral(argument.node)
                    && parameter.type.trimmedDescription != (hasFraction(argument.node) ? "Double" : "Int")
            }
    }

    /// `type(of:)`: the type of a value of one of the app's, which can be shown.
    private func typeOf(_ value: ExprSyntax, at node: some SyntaxProtocol) throws -> Lowered {
        let value = try expression(value, nil)
        guard case .nominal(let number) = value.type, declarations.nominals[number].typeArguments.isEmpty else {
            throw Refusal("The type of this value is not understood as a value: write its name.", at: node)
        }
        _ = descriptor(value.type)
        for type in concreteTypes(of: declarations.nominals[number]) { _ = descriptor(.nominal(type.number)) }
        let nominal = declarations.nominals[number]
        if nominal.kind != .protocolType, concreteTypes(of: nominal).count == 1 {
            let type = try metatype(value.type, at: node)
            return Lowered(.sequence([value.js, type.js]), type.type)
        }
        return Lowered(value.js.field("$t"), .metatype(.any))
    }

    /// A method of the type that the code stands in.
    func calledImplicitly(_ call: Call) throws -> Lowered? {
        guard let owner = context.owner else { return nil }
        switch owner {
        case .nominal(let start):
            if let value = placedSelf,
                let found = try calledOfNominal(start, value, call)
                    ?? calledOfOptions(value, call)
            {
                return found
            }
            // A block of an instance's method: what it calls of the instance is the app's, without the instance.
            if context.selfValue == nil, !context.isStatic,
                let found = try overloaded(
                    start.members.functions(call.name, isStatic: false), call, owner, isStatic: true)
            {
                return found
            }
            var scope: Nominal? = start
            while let type = scope {
                if let found = try overloaded(
                    type.members.functions(call.name, isStatic: true), call, .nominal(type), isStatic: true)
                {
                    if type === start { try mustNotBeOverridden(call.name, at: call.node) }
                    return found
                }
                scope = declarations.superclass(of: type) ?? type.parent
            }
            return nil
        case .library(.nominal(let number), _):
            if let value = placedSelf, let found = try calledOfValue(value, call.of(Self.selfNode)) { return found }
            return try calledStatically(declarations.nominals[number], call)
        case .library(let type, let key):
            guard let members = declarations.extensions[key] else { return nil }
            if let value = placedSelf,
                let found = try calledOfExtension(
                    members.functions(call.name, isStatic: false), call, owner, value,
                    besides: {
                        library.functions(call.name).contains { $0.fits(call.arguments) }
                            ? nil : try calledOfLibrary(value, call.of(Self.selfNode))
                    })
            {
                return found
            }
            if let found = try overloaded(members.functions(call.name, isStatic: true), call, owner, isStatic: true) {
                return found
            }
            guard let value = placedSelf, value.type == type else { return nil }
            return try calledOfValue(value, call.of(Self.selfNode))
        }
    }

    private static let selfNode = ExprSyntax(DeclReferenceExprSyntax(baseName: .keyword(.self)))

    /// The `self` of the code, with its place.
    var placedSelf: Lowered? {
        context.selfValue.map { value in
            var placed = value
            placed.place = selfPlace(value)
            return placed
        }
    }

    /// Whether a method of a name may change what it is called of.
    func mayChange(_ name: String) -> Bool { library.changes(name) || declarations.mutatingNames.contains(name) }

    /// Whether code changes a variable; nil where any is meant.
    func changes(_ name: String?, in code: some SyntaxProtocol) -> Bool {
        let search = ChangeSearch(name, besides: nil) { [self] in mayChange($0) }
        search.walk(code)
        return search.hasFound
    }

    /// Whether a closure among the arguments changes something while the function runs.
    func isChanged(by call: Call) -> Bool {
        call.arguments.contains { $0.node.is(ClosureExprSyntax.self) && changes(nil, in: $0.node) }
    }

    /// The value as it is now.
    func unchanged(_ value: Lowered) -> Lowered {
        guard value.ownership == .borrowed, isCopied(value.type) else { return value }
        var copy = value
        copy.js = copied(value.js, value.type)
        return copy
    }

    /// A call of one of several functions of a name.
    func overloaded(
        _ candidates: [FunctionDeclSyntax], _ call: Call, _ owner: FunctionContext.Owner?, isStatic: Bool,
        receiver: Lowered? = nil
    ) throws -> Lowered? {
        let fitting = candidates.filter { labels(of: $0.signature.parameterClause, fit: call) }
        if fitting.count > 1, isInGeneric, isOfOwnType(call) {
            throw Refusal(
                "Which of several functions a generic one calls is not known here: give them other names.",
                at: call.node)
        }
        guard let first = fitting.first else { return nil }
        let calls = self.calls
        let (signature, bound): (Signature, BoundArguments)
        if fitting.count == 1 {
            let types = try typeArguments(of: first, for: call, in: owner)
            signature = try self.signature(of: first, in: owner, isStatic: isStatic, types)
            bound = try bind(call, to: signature.parameters)
        } else {
            let overloads = try taking(fitting, call) { candidate in
                let types = try typeArguments(of: candidate, for: call, in: owner)
                let parameters = try self.parameters(candidate.signature.parameterClause, in: owner, types)
                return ((candidate, types), parameters, isGeneric: !types.isEmpty)
            }
            let best = try preferred(overloads, call)
            bound = take(best.bound)
            signature = try self.signature(of: best.function.0, in: owner, isStatic: isStatic, best.function.1)
        }
        let value = receiver.map { self.calls > calls || isChanged(by: call) ? unchanged($0) : $0 }
        return try invoke(signature, of: value, bound, at: call.node)
    }

    /// Whether the arguments of a call may be of a type that the code was lowered for: the compiler chose what is called without it.
    private func isOfOwnType(_ call: Call) -> Bool {
        guard context.typeArguments.isEmpty, case .library(.nominal(let own), let key)? = context.owner,
            let holder = declarations.nominal(path: key.split(separator: ".").map(String.init)),
            lineage(of: holder).allSatisfy({ $0.associatedTypes.isEmpty && $0.kind == .protocolType })
        else { return true }
        return call.arguments.contains { argument in
            guard !argument.node.is(ClosureExprSyntax.self), let type = typeAlone(of: argument.node).success else {
                return true
            }
            return type.hasVariables || type.contains { $0 == .nominal(own) }
        }
    }

    /// Whether the code is lowered for types that it does not name: the compiler chose what it calls without them.
    var isInGeneric: Bool {
        if !context.typeArguments.isEmpty { return true }
        switch context.owner {
        case .nominal(let owner)?: return owner.template != nil
        // The members of a protocol's extension are lowered for each type.
        case .library(.nominal, _)?: return true
        default: return false
        }
    }
}
