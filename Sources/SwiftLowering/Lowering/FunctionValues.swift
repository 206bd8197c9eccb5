import SwiftSyntax

/// Methods and initializers where a function is wanted: `names.forEach(rename)`, `texts.map(Size.init(text:))`.
extension Lowering {
    /// A function that makes a call with the values that it is given, and of the value that it was made with.
    ///
    /// - Returns: nil where there is nothing to call.
    private func function(
        of types: [SwiftType], _ labels: [String?], _ receiver: Lowered?, at node: some SyntaxProtocol,
        _ call: (Lowered?, [Argument]) throws -> Lowered?
    ) throws -> Lowered? {
        let inner = context.inner()
        var (scope, names, arguments): ([String: Local], [JavaScript], [Argument]) = ([:], [], [])
        for (index, type) in types.enumerated() {
            let (name, js) = ("argument\(index)", JavaScript.name(fresh("argument")))
            scope[name] = Self.local(js, type)
            names.append(js)
            let reference = ExprSyntax(DeclReferenceExprSyntax(baseName: .identifier(name)))
            arguments.append(Argument(label: labels.indices.contains(index) ? labels[index] : nil, node: reference))
        }
        let holder = JavaScript.name(fresh("of"))
        let held = receiver.map { Lowered(holder, $0.type, ownership: $0.ownership.ofPart, isSimple: true) }
        let made: (steps: [Statement], type: SwiftType)?
        do {
            made = try inFunction(inner, scopes: scopes + [scope]) {
                guard let value = try call(held, arguments) else { return nil }
                let last: Statement =
                    try value.type == .void ? .expression(value.js) : .give(keep(value, as: nil, at: node))
                return (withTemporaries([last]), value.type)
            }
        } catch let refusal as Refusal {
            // The arguments stand in no file.
            throw refusal.node == nil ? refusal : Refusal(refusal.message, at: node)
        }
        guard let made else { return nil }
        let js = JavaScript.closure(names, made.steps)
        let type = SwiftType.function(types, made.type)
        guard let receiver else { return Lowered(js, type) }
        let kept = try keep(receiver, as: nil, at: node, isFixed: true)
        return Lowered(JavaScript.arrow([holder], js).called([kept]), type)
    }

    /// The types that a function takes: those that are wanted, or those of the only one of its name.
    private func types(_ expected: SwiftType?, _ only: [Parameter]?) -> [SwiftType]? {
        if let only { return only.map { $0.isReference ? .reference($0.type) : $0.type } }
        guard case .function(let types, _)? = expected?.unwrapped, !types.contains(where: \.hasVariables) else {
            return nil
        }
        return types
    }

    /// A method of a value, as a function; nil where it has none of the name.
    func method(
        _ name: String, of receiver: Lowered, _ expected: SwiftType?, _ labels: DeclNameArgumentsSyntax?,
        at node: some SyntaxProtocol
    ) throws -> Lowered? {
        let members: [(owner: FunctionContext.Owner, members: Members)] =
            appType(receiver.type).map { type in
                lineage(of: type).map { (owner(of: Syntax($0.node), in: $0, for: type), $0.members) }
            }
            ?? extensionNames(receiver.type).compactMap { name in
                declarations.extensions[name].map { (.library(receiver.type, name), $0) }
            }
        let isOfApp = appType(receiver.type) != nil
        func candidates(of members: Members) -> [FunctionDeclSyntax] {
            members.functions(name, isStatic: false).filter { isOfApp || mayHave($0, receiver.type) }
        }
        let found = members.first { !candidates(of: $0.members).isEmpty }
        var candidates = found.map { candidates(of: $0.members) } ?? []
        if let labels { candidates = candidates.filter { $0.labels == Self.labels(labels) } }
        guard !candidates.isEmpty || !library.methods(name).isEmpty else { return nil }
        var only: [Parameter]?
        if candidates.count == 1, candidates[0].genericParameterClause == nil {
            only = try parameters(candidates[0].signature.parameterClause, in: found?.owner)
        }
        guard let types = types(expected, only) else { return nil }
        let wanted = candidates.first { $0.labels.count == types.count }?.labels ?? labels.map { Self.labels($0) } ?? []
        if candidates.contains(where: { $0.modifiers.has(.mutating) }) { return nil }
        return try function(of: types, wanted, receiver, at: node) { held, arguments in
            guard let held else { return nil }
            let base = ExprSyntax(DeclReferenceExprSyntax(baseName: .identifier("argument0")))
            return try calledOfValue(held, Call(name, arguments, of: base, at: node))
        }
    }

    /// A function of the library, as a value; nil where there is none of the name.
    func libraryFunction(_ name: String, _ expected: SwiftType?, at node: some SyntaxProtocol) throws -> Lowered? {
        guard library.hasFunction(name), let types = types(expected, nil) else { return nil }
        return try function(of: types, [], nil, at: node) { _, arguments in
            try libraryCall(library.functions(name), nil, Call(name, arguments, at: node))
        }
    }

    /// An initializer of a type, as a function; nil where what it takes can't be told.
    func initializer(
        of type: SwiftType, _ expected: SwiftType?, _ labels: DeclNameArgumentsSyntax?, at node: some SyntaxProtocol
    ) throws -> Lowered? {
        var (wanted, only): ([String?], [Parameter]?) = (labels.map { Self.labels($0) } ?? [], nil)
        if let nominal = appType(type) {
            let fitting = nominal.members.initializers.filter { labels == nil || $0.labels == wanted }
            if fitting.count == 1 {
                wanted = fitting[0].labels
                only = try within(nominal) { try parameters(fitting[0].signature.parameterClause) }
            } else if nominal.members.initializers.isEmpty, nominal.kind == .enumeration,
                let raw = nominal.inheritedNames.first.flatMap(SwiftType.scalar)
            {
                wanted = ["rawValue"]
                only = [Parameter(label: "rawValue", name: "_", type: raw)]
            } else if fitting.isEmpty, nominal.kind == .structure, labels == nil {
                wanted = storedProperties(of: nominal).map(\.name)
            }
        }
        guard let types = types(expected, only) else { return nil }
        return try function(of: types, wanted, nil, at: node) { _, arguments in
            try made(type, Call("init", arguments, at: node))
        }
    }

    private static func labels(_ names: DeclNameArgumentsSyntax) -> [String?] {
        names.arguments.map { $0.name.text == "_" ? nil : $0.name.identifierText }
    }
}

extension InitializerDeclSyntax {
    /// The labels of its parameters; nil where one has none.
    var labels: [String?] {
        signature.parameterClause.parameters.map {
            $0.firstName.identifierText == "_" ? nil : $0.firstName.identifierText
        }
    }
}
