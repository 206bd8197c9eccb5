import SwiftSyntax

extension Lowering {
    /// The types of a generic function's parameters in a call; none for any other function.
    ///
    /// Its body is lowered once for each list of types, as if it were written for them.
    func typeArguments(
        of function: FunctionDeclSyntax, for arguments: [Argument], in owner: FunctionContext.Owner?,
        at node: some SyntaxProtocol
    ) throws -> [String: SwiftType] {
        guard let clause = function.genericParameterClause else { return [:] }
        let names = clause.parameters.map(\.name.identifierText)
        let inner = FunctionContext()
        inner.owner = owner
        for name in names { inner.typeArguments[name] = .variable(Self.variable(name)) }
        let parameters = try inFunction(inner, scopes: [[:]]) {
            try self.parameters(function.signature.parameterClause)
        }
        var found: [String: SwiftType] = [:]
        var rest = arguments[...]
        for parameter in parameters {
            guard !parameter.isVariadic, let next = rest.first, next.label == parameter.label || next.isTrailing else {
                continue
            }
            rest = rest.dropFirst()
            let wanted = parameter.type.replacing(found)
            guard wanted.hasVariables else { continue }
            var expected: SwiftType?
            if case .function = wanted { expected = wanted }
            let given = try argumentType(next.node, expected)
            guard wanted.match(given, &found) || wanted.isOptional && wanted.unwrapped.match(given, &found) else {
                throw Refusal("A value of the type ‘\(spelled(given))’ does not fit here.", at: next.node)
            }
        }
        var types: [String: SwiftType] = [:]
        for name in names {
            guard let type = found[Self.variable(name)], !type.hasVariables else {
                throw Refusal("What ‘\(name)’ stands for can't be told from the arguments here.", at: node)
            }
            guard type.depth < Self.genericDepth else {
                throw Refusal(
                    "What ‘\(name)’ stands for nests ever deeper: the function calls itself with other types.", at: node
                )
            }
            types[name] = type
        }
        return types
    }

    /// How deep the types may nest that a generic function is called with.
    private static let genericDepth = 24

    /// The type of an argument, which is found once.
    private func argumentType(_ node: ExprSyntax, _ expected: SwiftType?) throws -> SwiftType {
        let key = FunctionKey(node.id, context.typeArguments)
        if expected == nil, let known = argumentTypes[key] { return known }
        let type = try trying { try expression(node, expected) }.type
        if expected == nil, Syntax(node).root.is(SourceFileSyntax.self) { argumentTypes[key] = type }
        return type
    }

    /// The variable that a parameter's name is while it is looked for: none of the library's.
    private static func variable(_ name: String) -> String { "parameter " + name }
}
