import SwiftSyntax

extension Lowering {
    /// The types of a generic function's parameters in a call; none for any other function.
    ///
    /// Its body is lowered once for each list of types, as if it were written for them.
    func typeArguments(
        of function: FunctionDeclSyntax, for call: Call, in owner: FunctionContext.Owner?
    ) throws -> [String: SwiftType] {
        guard let clause = function.genericParameterClause else { return [:] }
        let names = clause.parameters.map(\.name.identifierText)
        let parameters = try openParameters(of: function, names, in: owner)
        let types: [String: SwiftType]
        do { types = try told(names, by: standsFor(parameters, call.arguments), at: call.node) } catch {
            // The place may tell more than the arguments, where it wants a value of one type alone.
            let wanted = try wantedTypes(of: function, names, call.expected, in: owner)
            guard !wanted.isEmpty else { throw error }
            types = try told(names, by: standsFor(parameters, call.arguments, wanted), at: call.node)
        }
        for name in names { try mustBeTold(name, of: function, for: call, parameters) }
        return Self.floating(types, function)
    }

    /// Refuses a call of which the compiler takes a parameter for `Any?`, as the place wants it and only literals tell of another type.
    ///
    /// That makes a difference where the body asks for values of the type.
    private func mustBeTold(
        _ name: String, of function: FunctionDeclSyntax, for call: Call, _ parameters: [Parameter]
    ) throws {
        guard wantedAsAny.contains(call.node.id), let result = function.signature.returnClause?.type,
            [name, name + "?"].contains(result.spelling),
            function.body?.tokens(viewMode: .sourceAccurate).contains(where: { $0.text == name }) == true
        else { return }
        var rest = call.arguments[...]
        for parameter in parameters {
            guard let next = rest.first, parameter.takes(next) else { continue }
            rest = rest.dropFirst()
            let isOpen = parameter.type.unwrapped == .variable(Self.variable(name))
            guard !isOpen || isLiteral(next.node) || next.node.isTextOrFlag else { return }
        }
        throw Refusal(
            "The compiler takes ‘\(name)’ for ‘Any?’ here, as literals tell it no type: write ‘as String’, or the type that is meant, behind the literal.",
            at: call.node)
    }

    /// The types that names stand for, of which integer literals are floating numbers where no others can be meant.
    static func floating(
        _ types: [String: SwiftType], _ declaration: some WithGenericParametersSyntax
    ) -> [String: SwiftType] {
        let names = (declaration.genericParameterClause?.floatingNames ?? []).union(
            declaration.genericWhereClause?.floatingNames ?? [])
        return types.reduce(into: types) { types, told in
            if case .int = told.value, names.contains(told.key) { types[told.key] = .double }
        }
    }

    /// The types that the names of a generic function stand for, by the type that is wanted of its result.
    private func wantedTypes(
        of function: FunctionDeclSyntax, _ names: [String], _ expected: SwiftType?, in owner: FunctionContext.Owner?
    ) throws -> [String: SwiftType] {
        guard let expected, !isOpen(expected), let clause = function.signature.returnClause else { return [:] }
        let open = Dictionary(names.map { ($0, SwiftType.variable(Self.variable($0))) }, uniquingKeysWith: { $1 })
        let result = try inFunction(FunctionContext(owner: owner, typeArguments: open)) { try type(clause.type) }
        var found: [String: SwiftType] = [:]
        guard match(result, expected, &found) else { return [:] }
        // A value of such a type may be made of one of another type.
        let isSure = found.values.allSatisfy { type in
            !type.isOptional && type != .any && appType(type)?.kind != .protocolType
                && appType(type)?.kind != .classType
        }
        return isSure ? found : [:]
    }

    /// The parameters of a generic function, with variables for what is not told yet.
    func openParameters(
        of function: FunctionDeclSyntax, _ names: [String], in owner: FunctionContext.Owner?
    ) throws -> [Parameter] {
        let open = names.map { ($0, SwiftType.variable(Self.variable($0))) }
        return try parameters(function.signature.parameterClause, in: owner, Dictionary(open, uniquingKeysWith: { $1 }))
    }

    /// The types that the variables of some parameters stand for, as the arguments tell them.
    func standsFor(
        _ parameters: [Parameter], _ arguments: [Argument], _ known: [String: SwiftType] = [:]
    ) throws -> [String: SwiftType] {
        var found = known
        var rest = arguments[...]
        for parameter in parameters {
            guard let next = rest.first, parameter.takes(next) || parameter.isVariadic && next.label == parameter.label
            else {
                continue
            }
            guard !parameter.isVariadic else {
                try match(parameter, variadic: &rest, &found)
                continue
            }
            rest = rest.dropFirst()
            var wanted = replaced(parameter.type, found)
            if parameter.isDeferred, case .function(_, let result) = wanted { wanted = result }
            guard isOpen(wanted) else { continue }
            var expected: SwiftType?
            if case .function = wanted { expected = wanted }
            let given = try argumentType(next.node, expected)
            guard match(wanted, given, &found) || wanted.isOptional && match(wanted.unwrapped, given, &found) else {
                throw Refusal("A value of the type ‘\(spelled(given))’ does not fit here: convert it.", at: next.node)
            }
        }
        return found
    }

    /// Takes the arguments of a parameter that takes several.
    private func match(
        _ parameter: Parameter, variadic rest: inout ArraySlice<Argument>, _ found: inout [String: SwiftType]
    ) throws {
        var isFirst = true
        while let next = rest.first, !next.isTrailing, next.label == (isFirst ? parameter.label : nil) {
            (isFirst, rest) = (false, rest.dropFirst())
            guard case .array(let element) = replaced(parameter.type, found), isOpen(element) else { continue }
            let given = try argumentType(next.node, nil)
            guard match(element, given, &found) else {
                throw Refusal("A value of the type ‘\(spelled(given))’ does not fit here: convert it.", at: next.node)
            }
        }
    }

    /// The types that names stand for.
    func told(_ names: [String], by found: [String: SwiftType], at node: some SyntaxProtocol) throws -> [String:
        SwiftType]
    {
        var types: [String: SwiftType] = [:]
        for name in names {
            guard let type = found[Self.variable(name)], !isOpen(type) else {
                throw Refusal(
                    "The type ‘\(name)’ does not follow from the arguments here: write a function for the types that are meant.",
                    at: node)
            }
            guard type.depth < Self.genericDepth else {
                throw Refusal(
                    "The type ‘\(name)’ nests ever deeper: the function calls itself with other types.", at: node
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
        let key = FunctionKey(node.id, in: context.owner, context.typeArguments)
        if expected == nil, let known = argumentTypes[key] { return known }
        let type = try typeAlone(of: node, expected).get()
        if expected == nil, Syntax(node).root.is(SourceFileSyntax.self) { argumentTypes[key] = type }
        return type
    }

    /// The variable that a parameter's name is while it is looked for: none of the library's.
    static func variable(_ name: String) -> String { "parameter " + name }
}

extension ExprSyntax {
    /// Whether it is a literal of a text or a flag.
    fileprivate var isTextOrFlag: Bool {
        self.is(StringLiteralExprSyntax.self) || self.is(BooleanLiteralExprSyntax.self)
    }
}

extension GenericParameterClauseSyntax {
    /// The parameters that are bound to be floating numbers.
    var floatingNames: Set<String> {
        let bound = parameters.filter { $0.inheritedType?.isFloatingProtocol == true }.map(\.name.identifierText)
        return Set(bound).union(genericWhereClause?.floatingNames ?? [])
    }
}

extension GenericWhereClauseSyntax {
    /// The types that have to be floating numbers.
    var floatingNames: Set<String> {
        Set(
            requirements.compactMap { requirement in
                guard case .conformanceRequirement(let bound) = requirement.requirement,
                    bound.rightType.isFloatingProtocol
                else { return nil }
                return bound.leftType.trimmedDescription
            })
    }
}

extension TypeSyntax {
    fileprivate var isFloatingProtocol: Bool { ["FloatingPoint", "BinaryFloatingPoint"].contains(trimmedDescription) }
}
