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
    private static let generics: [String: SwiftType] = [
        "Array": .array(.variable("T")), "Set": .set(.variable("T")),
        "Dictionary": .dictionary(.variable("K"), .variable("V")),
    ]

    func apply(_ function: Lowered, _ arguments: [Argument], at node: some SyntaxProtocol) throws -> Lowered {
        if function.type == .stub { return try stubbed(arguments) }
        guard case .function(let types, let result) = function.type.unwrapped else {
            throw Refusal("A value of the type ‘\(spelled(function.type))’ can't be called.", at: node)
        }
        let parameters = types.map { Parameter(label: nil, name: "_", type: $0) }
        let plain = arguments.map { Argument(label: nil, node: $0.node, isTrailing: $0.isTrailing) }
        return Lowered(
            "\(mark(node))(\(function.js))(\(try bind(plain, to: parameters, at: node).joined(separator: ", ")))",
            result)
    }

    // MARK: By name

    func called(
        _ name: String, _ arguments: [Argument], _ expected: SwiftType?, at node: FunctionCallExprSyntax
    ) throws -> Lowered {
        if let local = lookUp(name), local.nominal == nil {
            if let function = local.function {
                let signature = try localSignature(function, local)
                let values = try bind(arguments, to: signature.parameters, at: node)
                return Lowered("\(mark(node))\(signature.js)(\(values.joined(separator: ", ")))", signature.result)
            }
            if case .variable("refused") = local.type { throw Refusal.known }
            return try apply(
                Lowered(local.isReference ? "\(local.js).v" : local.js, local.type, isSimple: true), arguments, at: node
            )
        }
        if program.stubs.contains(name) { return try stubbed(arguments) }
        if name == "type", arguments.first?.label == "of" { throw Refusal("‘type(of:)’ is not understood.", at: node) }
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
        if let local = try? reference(name, at: node), case .function = local.type {
            return try apply(local, arguments, at: node)
        }
        if library.hasFunction(name) {
            throw Refusal("‘\(name)’ with these arguments is not understood.", at: node)
        }
        throw unknown(name, at: node.calledExpression)
    }

    /// A method of the type that the code stands in.
    func calledImplicitly(_ name: String, _ arguments: [Argument], at node: FunctionCallExprSyntax) throws
        -> Lowered?
    {
        guard let owner = context.owner else { return nil }
        switch owner {
        case .nominal(let start):
            if let value = context.selfValue,
                let found = try calledOfNominal(start, value, name, arguments, at: node)
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
        case .library(let type, let key):
            guard let members = declarations.extensions[key] else { return nil }
            if let value = context.selfValue,
                let found = try overloaded(
                    members.functions(name, isStatic: false), arguments, owner, isStatic: false, receiver: value,
                    at: node)
            {
                return found
            }
            if let found = try overloaded(
                members.functions(name, isStatic: true), arguments, owner, isStatic: true, receiver: nil, at: node)
            {
                return found
            }
            guard let value = context.selfValue, value.type == type else { return nil }
            let this = ExprSyntax(DeclReferenceExprSyntax(baseName: .keyword(.self)))
            return try calledOfValue(value, this, name, arguments, nil, at: node)
        }
    }

    /// A call of one of several functions of a name.
    func overloaded(
        _ candidates: [FunctionDeclSyntax], _ arguments: [Argument], _ owner: FunctionContext.Owner?, isStatic: Bool,
        receiver: Lowered?, at node: some SyntaxProtocol
    ) throws -> Lowered? {
        let fitting = candidates.filter { labels(of: $0.signature.parameterClause, fit: arguments) }
        if fitting.count > 1, !context.typeArguments.isEmpty {
            throw Refusal("Which of several functions a generic one calls is not known here.", at: node)
        }
        var refusal: (any Error)?
        for candidate in fitting {
            do {
                let types = try typeArguments(of: candidate, for: arguments, in: owner, at: node)
                let signature = try self.signature(of: candidate, in: owner, isStatic: isStatic, types)
                if signature.isMutating, let receiver, !receiver.isStored {
                    throw Refusal("A value that is kept nowhere can't be changed.", at: node)
                }
                let bindArguments = { try self.bind(arguments, to: signature.parameters, at: node) }
                let values = try fitting.count == 1 ? bindArguments() : trying(bindArguments)
                let all = (receiver.map { [$0.js] } ?? []) + values
                return Lowered(
                    "\(mark(node))\(signature.js)(\(all.joined(separator: ", ")))", signature.result, isFresh: true)
            } catch { refusal = refusal ?? error }
        }
        if let refusal { throw refusal }
        return nil
    }
}
