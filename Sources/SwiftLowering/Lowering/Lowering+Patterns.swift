import SwiftSyntax

extension Lowering {
    /// A pattern as a test of a value; the names that it binds are declared before the test.
    func pattern(
        _ node: PatternSyntax, _ subject: Lowered, binds: Binding? = nil
    ) throws -> (names: [String], test: String) {
        if node.is(WildcardPatternSyntax.self) { return ([], "true") }
        if let binding = node.as(ValueBindingPatternSyntax.self) {
            let isVariable = binding.bindingSpecifier.tokenKind == .keyword(.var)
            return try pattern(binding.pattern, subject, binds: isVariable ? .variable : .constant)
        }
        if let name = node.as(IdentifierPatternSyntax.self) {
            return bindName(name.identifier.identifierText, subject, binds)
        }
        if let tuple = node.as(TuplePatternSyntax.self) {
            return try elements(tuple.elements.map(\.pattern), subject, at: node) { try pattern($0, $1, binds: binds) }
        }
        if let typed = node.as(IsTypePatternSyntax.self) {
            let type = try castType(typed.type)
            return ([], "$.is(\(boxed(subject)), \(descriptor(type)))")
        }
        if let value = node.as(ExpressionPatternSyntax.self) {
            return try pattern(value.expression, subject, binds: binds)
        }
        throw Refusal("This pattern is not understood.", at: node)
    }

    /// Whether the names of a pattern are constants or variables.
    enum Binding { case constant, variable }

    private func bindName(_ name: String, _ subject: Lowered, _ binds: Binding?) -> (names: [String], test: String) {
        let js = declare(name, subject.type, isVariable: binds == .variable)
        let isCopy = binds == .variable && isCopied(subject.type)
        let value = isCopy ? copied(subject.js, subject.type) : subject.js
        return (["let \(js);"], "((\(js) = \(value)), true)")
    }

    func elements<Node: SyntaxProtocol>(
        _ nodes: [Node], _ subject: Lowered, at node: some SyntaxProtocol,
        _ lower: (Node, Lowered) throws -> (names: [String], test: String)
    ) throws -> (names: [String], test: String) {
        if nodes.count == 1 { return try lower(nodes[0], subject) }
        guard case .tuple(let types) = subject.type, types.count == nodes.count else {
            throw Refusal(
                "The pattern has \(nodes.count) parts, and the value is ‘\(spelled(subject.type))’.", at: node)
        }
        var names: [String] = []
        var tests: [String] = []
        for (index, part) in nodes.enumerated() {
            let found = try lower(part, Lowered("\(subject.js)[\(index)]", types[index].type, isSimple: true))
            names += found.names
            tests.append(found.test)
        }
        return (names, tests.joined(separator: " && "))
    }

    func pattern(
        _ value: ExprSyntax, _ subject: Lowered, binds: Binding?
    ) throws -> (names: [String], test: String) {
        if let inner = value.as(PatternExprSyntax.self) { return try pattern(inner.pattern, subject, binds: binds) }
        if value.is(DiscardAssignmentExprSyntax.self) { return ([], "true") }
        if value.is(NilLiteralExprSyntax.self) { return ([], "\(subject.js) == null") }
        if binds != nil, let name = value.as(DeclReferenceExprSyntax.self) {
            return bindName(name.baseName.identifierText, subject, binds)
        }
        if let optional = value.as(OptionalChainingExprSyntax.self) {
            let inner = try pattern(
                optional.expression, Lowered(subject.js, subject.type.unwrapped, isSimple: true), binds: binds)
            return (inner.names, "\(subject.js) != null && \(inner.test)")
        }
        if let cast = value.as(AsExprSyntax.self) {
            let type = try castType(cast.type)
            let found = fresh("cast")
            let inner = try pattern(cast.expression, Lowered(found, type, isSimple: true), binds: binds)
            return (
                ["let \(found);"] + inner.names,
                "((\(found) = $.cast(\(boxed(subject)), \(descriptor(type)))) !== undefined) && \(inner.test)"
            )
        }
        if let tuple = value.as(TupleExprSyntax.self) {
            return try elements(tuple.elements.map(\.expression), subject, at: value) {
                try pattern($0, $1, binds: binds)
            }
        }
        if let member = value.as(MemberAccessExprSyntax.self),
            let found = try casePattern(member, [], subject, binds: binds)
        {
            return found
        }
        if let call = value.as(FunctionCallExprSyntax.self),
            let member = call.calledExpression.as(MemberAccessExprSyntax.self),
            let found = try casePattern(member, call.arguments.map(\.expression), subject, binds: binds)
        {
            return found
        }
        if subject.type.unwrapped == .any, !subject.type.isOptional {
            throw Refusal("A value of the type ‘Any’ is matched by ‘is’ and ‘as’ alone.", at: value)
        }
        if let found = try partialRange(value, subject) { return found }
        let lowered = try expression(value, subject.type.unwrapped)
        if let custom = try declaredOperator("~=", lowered, subject, at: value) { return ([], custom.js) }
        switch lowered.type {
        case .range, .closedRange:
            let text =
                "$.contains(\(lowered.js), \(subject.js), \({ if case .closedRange = lowered.type { "true" } else { "false" } }()))"
            return ([], subject.type.isOptional ? "\(subject.js) != null && \(text)" : text)
        default: return ([], try equality(subject, lowered, at: value))
        }
    }

    /// `..<5`, `5...`, `...5`.
    private func partialRange(_ value: ExprSyntax, _ subject: Lowered) throws -> (names: [String], test: String)? {
        if let prefix = value.as(PrefixOperatorExprSyntax.self), ["..<", "..."].contains(prefix.operator.text) {
            let bound = try expression(prefix.expression, subject.type)
            return ([], "\(subject.js) \(prefix.operator.text == "..<" ? "<" : "<=") \(bound.js)")
        }
        if let postfix = value.as(PostfixOperatorExprSyntax.self), postfix.operator.text == "..." {
            let bound = try expression(postfix.expression, subject.type)
            return ([], "\(subject.js) >= \(bound.js)")
        }
        return nil
    }

    /// A case of an enumeration; nil where the member is none.
    private func casePattern(
        _ member: MemberAccessExprSyntax, _ arguments: [ExprSyntax], _ subject: Lowered, binds: Binding?
    ) throws -> (names: [String], test: String)? {
        let name = member.declName.baseName.identifierText
        var type = subject.type.unwrapped
        var isCast = false
        if let base = member.base {
            guard let named = try namedType(base), case .nominal = named else { return nil }
            isCast = type == .any || type == .error
            type = named
        } else if subject.type.isOptional, name == "none", arguments.isEmpty {
            return ([], "\(subject.js) == null")
        } else if subject.type.isOptional, name == "some", arguments.isEmpty {
            return ([], "\(subject.js) != null")
        } else if subject.type.isOptional, name == "some", arguments.count == 1 {
            let inner = try pattern(
                arguments[0], Lowered(subject.js, subject.type.unwrapped, isSimple: true), binds: binds)
            return (inner.names, "\(subject.js) != null && \(inner.test)")
        }
        guard case .nominal(let number) = type else { return nil }
        let nominal = declarations.nominals[number]
        guard nominal.kind == .enumeration,
            let element = nominal.members.cases.first(where: { $0.name.identifierText == name })
        else { return nil }
        var test = "\(subject.js).tag === \(quoted(name))"
        if isCast { test = "$.is(\(subject.js), \(descriptor(type))) && " + test }
        if subject.type.isOptional { test = "\(subject.js) != null && " + test }
        guard !arguments.isEmpty else { return ([], test) }
        let types = try caseTypes(element, of: nominal)
        var names: [String] = []
        var tests = [test]
        guard arguments.count == types.count else {
            throw Refusal("The case has \(types.count) values, and the pattern \(arguments.count).", at: member)
        }
        for (index, argument) in arguments.enumerated() {
            let found = try pattern(
                argument, Lowered("\(subject.js).values[\(index)]", types[index], isSimple: true), binds: binds)
            names += found.names
            tests.append(found.test)
        }
        return (names, tests.joined(separator: " && "))
    }
}
