import SwiftSyntax

extension Lowering {
    func call(_ node: FunctionCallExprSyntax, _ expected: SwiftType?, isDiscarded: Bool) throws -> Lowered {
        let arguments = Argument.all(node)
        let callee = node.calledExpression
        if let reference = callee.as(DeclReferenceExprSyntax.self) {
            return try called(reference.baseName.identifierText, arguments, expected, at: node)
        }
        if let member = callee.as(MemberAccessExprSyntax.self) {
            return try calledMember(member, arguments, expected, at: node)
        }
        if let type = try namedType(callee) { return try made(type, arguments, expected, at: node) }
        // A chain that goes on behind an optional function.
        let function = try postfix(callee, nil)
        return try apply(function, arguments, at: node)
    }

    /// Types whose arguments may be left out where they are made.
    static let generics: [String: SwiftType] = [
        "Array": .array(.variable("T")), "Set": .set(.variable("T")),
        "Dictionary": .dictionary(.variable("K"), .variable("V")),
    ]

    func apply(_ function: Lowered, _ arguments: [Argument], at node: some SyntaxProtocol) throws -> Lowered {
        if function.type == .stub { return try stubbed(arguments) }
        if case .nominal(let number) = function.type,
            let found = try calledOfNominal(
                declarations.nominals[number], function, "callAsFunction", arguments, at: node)
        {
            return found
        }
        guard case .function(let types, let result) = function.type.unwrapped else {
            throw Refusal("A value of the type ‘\(spelled(function.type))’ can't be called.", at: node)
        }
        let parameters = types.map { type in
            if case .reference(let inner) = type {
                return Parameter(label: nil, name: "_", type: inner, isReference: true)
            }
            return Parameter(label: nil, name: "_", type: type)
        }
        let plain = arguments.map { Argument(label: nil, node: $0.node, isTrailing: $0.isTrailing) }
        let signature = Signature(name: "", parameters: parameters, result: result, mayThrow: true)
        return try call(signature, of: nil, bind(plain, to: parameters, at: node), at: node) {
            function.js.called($0)
        }
    }

    // MARK: By name

    func called(
        _ name: String, _ arguments: [Argument], _ expected: SwiftType?, at node: FunctionCallExprSyntax
    ) throws -> Lowered {
        if let local = lookUp(name), local.nominal == nil {
            if let function = local.function {
                let signature = try localSignature(function, local)
                return try call(signature, of: nil, bind(arguments, to: signature.parameters, at: node), at: node)
            }
            if local.isRefused { throw Refusal.known }
            return try apply(
                Lowered(local.value, local.type, isSimple: true), arguments, at: node
            )
        }
        if program.stubs.contains(name) { return try stubbed(arguments) }
        if name == "type", arguments.first?.label == "of" { return try typeOf(arguments[0].node, at: node) }
        if let found = try calledImplicitly(name, arguments, at: node) { return found }
        if let candidates = declarations.functions[name],
            let found = try overloaded(candidates, arguments, nil, isStatic: false, receiver: nil, at: node)
        {
            return found
        }
        if name == "Optional", arguments.count == 1, arguments[0].label == nil {
            let value = try expression(arguments[0].node, expected?.unwrapped)
            return Lowered(value.js, value.type.optional)
        }
        if let generic = Self.generics[name], declarations.types[name] == nil {
            return try made(generic, arguments, expected, at: node)
        }
        if let found = try madeResult(name, arguments, expected, at: node) { return found }
        if name == "List", arguments.isEmpty, case .list? = expected?.unwrapped, declarations.types[name] == nil {
            return try made(expected?.unwrapped ?? .any, arguments, expected, at: node)
        }
        if let type = try namedType(ExprSyntax(DeclReferenceExprSyntax(baseName: .identifier(name)))),
            name.first?.isUppercase ?? false
        {
            return try made(type, arguments, expected, at: node)
        }
        if let found = try libraryCall(library.functions(name), nil, arguments, expected, at: node) { return found }
        if declarations.variables[name] != nil { return try apply(reference(name, at: node), arguments, at: node) }
        let isLibrary = library.hasFunction(name)
        let value: Lowered
        do { value = try reference(name, at: node.calledExpression) } catch {
            guard isLibrary else { throw error }
            throw Refusal("‘\(name)’ with these arguments is not understood.", at: node)
        }
        if case .function = value.type { return try apply(value, arguments, at: node) }
        guard isLibrary else { throw unknown(name, at: node.calledExpression) }
        throw Refusal("‘\(name)’ with these arguments is not understood.", at: node)
    }

    /// `type(of:)`: the type of a value of one of the app's, which can be shown.
    private func typeOf(_ value: ExprSyntax, at node: some SyntaxProtocol) throws -> Lowered {
        let value = try expression(value, nil)
        guard case .nominal(let number) = value.type, declarations.nominals[number].typeArguments.isEmpty else {
            throw Refusal("‘type(of:)’ is not understood.", at: node)
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
    func calledImplicitly(_ name: String, _ arguments: [Argument], at node: FunctionCallExprSyntax) throws
        -> Lowered?
    {
        guard let owner = context.owner else { return nil }
        switch owner {
        case .nominal(let start):
            if let value = placedSelf,
                let found = try calledOfNominal(start, value, name, arguments, at: node)
                    ?? calledOfOptions(value, name, arguments, at: node)
            {
                return found
            }
            // A block of an instance's method: what it calls of the instance is the app's, without the instance.
            if context.selfValue == nil,
                let found = try overloaded(
                    start.members.functions(name, isStatic: false), arguments, owner, isStatic: true, receiver: nil,
                    at: node)
            {
                return found
            }
            var scope: Nominal? = start
            while let type = scope {
                if let found = try overloaded(
                    type.members.functions(name, isStatic: true), arguments, .nominal(type), isStatic: true,
                    receiver: nil, at: node)
                {
                    return found
                }
                scope = declarations.superclass(of: type) ?? type.parent
            }
            return nil
        case .library(.nominal(let number), _):
            if let value = placedSelf,
                let found = try calledOfValue(value, Self.selfNode, name, arguments, nil, at: node)
            {
                return found
            }
            return try calledStatically(declarations.nominals[number], name, arguments, at: node)
        case .library(let type, let key):
            guard let members = declarations.extensions[key] else { return nil }
            if let value = placedSelf,
                let found = try calledOfExtension(
                    members.functions(name, isStatic: false), arguments, owner, value, at: node,
                    besides: {
                        library.functions(name).contains { $0.fits(arguments) }
                            ? nil : try calledOfLibrary(value, Self.selfNode, name, arguments, nil, at: node)
                    })
            {
                return found
            }
            if let found = try overloaded(
                members.functions(name, isStatic: true), arguments, owner, isStatic: true, receiver: nil, at: node)
            {
                return found
            }
            guard let value = placedSelf, value.type == type else { return nil }
            return try calledOfValue(value, Self.selfNode, name, arguments, nil, at: node)
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

    /// Whether a closure among the arguments changes something while the function runs.
    func isChanged(by arguments: [Argument]) -> Bool {
        arguments.contains { argument in
            guard argument.node.is(ClosureExprSyntax.self) else { return false }
            let search = ChangeSearch(nil, besides: nil) { [self] in
                library.changes($0) || declarations.mutatingNames.contains($0)
            }
            search.walk(argument.node)
            return search.hasFound
        }
    }

    /// The value as it is now.
    func unchanged(_ value: Lowered) -> Lowered {
        guard value.isStored, !value.isFresh, isCopied(value.type) else { return value }
        var copy = value
        copy.js = copied(value.js, value.type)
        return copy
    }

    /// A call of one of several functions of a name.
    func overloaded(
        _ candidates: [FunctionDeclSyntax], _ arguments: [Argument], _ owner: FunctionContext.Owner?, isStatic: Bool,
        receiver: Lowered?, at node: some SyntaxProtocol
    ) throws -> Lowered? {
        let fitting = candidates.filter { labels(of: $0.signature.parameterClause, fit: arguments) }
        if fitting.count > 1, isInGeneric {
            throw Refusal("Which of several functions a generic one calls is not known here.", at: node)
        }
        guard fitting.count > 1 else {
            guard let only = fitting.first else { return nil }
            let types = try typeArguments(of: only, for: arguments, in: owner, at: node)
            let signature = try self.signature(of: only, in: owner, isStatic: isStatic, types)
            return try call(
                signature, bind(arguments, to: signature.parameters, at: node), arguments, receiver, at: node)
        }
        let overloads = try taking(fitting, arguments, at: node) { candidate in
            let types = try typeArguments(of: candidate, for: arguments, in: owner, at: node)
            let parameters = try self.parameters(candidate.signature.parameterClause, in: owner, types)
            return ((candidate, types), parameters, isGeneric: !types.isEmpty)
        }
        let best = try preferred(overloads, arguments, at: node)
        let bound = take(best.bound)
        let signature = try self.signature(of: best.function.0, in: owner, isStatic: isStatic, best.function.1)
        return try call(signature, bound, arguments, receiver, at: node)
    }

    private func call(
        _ signature: Signature, _ bound: BoundArguments, _ arguments: [Argument], _ receiver: Lowered?,
        at node: some SyntaxProtocol
    ) throws -> Lowered {
        let value = receiver.map { isChanged(by: arguments) ? unchanged($0) : $0 }
        return try call(signature, of: value, bound, at: node)
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
