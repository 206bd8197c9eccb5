import SwiftSyntax

extension Lowering {
    /// What the parameters of a generic function stand for in a call; nothing of any other function.
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
            let given = try trying { try expression(next.node, expected) }.type
            guard wanted.match(given, &found) || wanted.isOptional && wanted.unwrapped.match(given, &found) else {
                throw Refusal("A value of the type ‘\(spelled(given))’ does not fit here.", at: next.node)
            }
        }
        var types: [String: SwiftType] = [:]
        for name in names {
            guard let type = found[Self.variable(name)], !type.hasVariables else {
                throw Refusal("What ‘\(name)’ stands for can't be told from the arguments here.", at: node)
            }
            types[name] = type
        }
        return types
    }

    /// The variable that a parameter's name is while it is looked for: none of the library's.
    private static func variable(_ name: String) -> String { "parameter " + name }
}
