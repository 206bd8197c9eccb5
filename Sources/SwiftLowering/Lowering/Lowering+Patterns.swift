import SwiftSyntax

/// The test that a pattern makes of a value, and the names that it binds.
struct Match {
    /// The names that it binds, which are declared before the test.
    var names: [String] = []
    /// Nil where every value matches.
    var test: JavaScript?

    /// The match of several parts, which are asked one after the other.
    static func all(_ parts: [Match]) -> Match {
        Match(names: parts.flatMap(\.names), test: .joined(parts.compactMap(\.test), .and))
    }

    var declarations: [Statement] { names.map { .variables([$0]) } }
    var condition: JavaScript { test ?? .bool(true) }
}

extension Lowering {
    /// A pattern as a test of a value.
    func pattern(_ node: PatternSyntax, _ subject: Lowered, binds: Binding? = nil) throws -> Match {
        if node.is(WildcardPatternSyntax.self) { return Match() }
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
            return Match(test: .runtime("is", castable(subject), descriptor(type)))
        }
        if let value = node.as(ExpressionPatternSyntax.self) {
            return try pattern(value.expression, subject, binds: binds)
        }
        throw Refusal("This pattern is not understood: compare the value behind ‘where’.", at: node)
    }

    /// Whether the names of a pattern are constants or variables.
    enum Binding { case constant, variable }

    private func bindName(_ name: String, _ subject: Lowered, _ binds: Binding?) -> Match {
        let js = declare(name, subject.type, isVariable: binds == .variable)
        let isCopy = binds == .variable && isCopied(subject.type)
        let value = isCopy ? copied(subject.js, subject.type) : subject.js
        return Match(names: [js], test: .sequence([JavaScript.name(js).assigned(value), .bool(true)]))
    }

    func elements<Node: SyntaxProtocol>(
        _ nodes: [Node], _ subject: Lowered, at node: some SyntaxProtocol,
        _ lower: (Node, Lowered) throws -> Match
    ) throws -> Match {
        if nodes.count == 1 { return try lower(nodes[0], subject) }
        guard case .tuple(let types) = subject.type, types.count == nodes.count else {
            throw Refusal(
                "The pattern has \(nodes.count) parts, and the value is ‘\(spelled(subject.type))’.", at: node)
        }
        return .all(
            try zip(nodes, types).enumerated().map { index, part in
                try lower(part.0, Lowered(subject.js[index], part.1.type, isSimple: true))
            })
    }

    func pattern(_ value: ExprSyntax, _ subject: Lowered, binds: Binding?) throws -> Match {
        if let inner = value.as(PatternExprSyntax.self) { return try pattern(inner.pattern, subject, binds: binds) }
        if value.is(DiscardAssignmentExprSyntax.self) { return Match() }
        if value.is(NilLiteralExprSyntax.self) { return Match(test: subject.js.isNil) }
        if binds != nil, let name = value.as(DeclReferenceExprSyntax.self) {
            return bindName(name.baseName.identifierText, subject, binds)
        }
        if let optional = value.as(OptionalChainingExprSyntax.self) {
            let wrapped = Lowered(subject.js, subject.type.unwrapped, isSimple: true)
            return try .all([Match(test: subject.js.isThere), pattern(optional.expression, wrapped, binds: binds)])
        }
        if let cast = value.as(AsExprSyntax.self) {
            let type = try castType(cast.type)
            let found = fresh("cast")
            let inner = try pattern(cast.expression, Lowered(.name(found), type), binds: binds)
            let value = JavaScript.runtime("cast", castable(subject), descriptor(type))
            return .all([
                Match(names: [found], test: .binary(.unequal, JavaScript.name(found).assigned(value), .undefined)),
                inner,
            ])
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
        if let custom = try declaredOperator("~=", lowered, subject, at: value) { return Match(test: custom.js) }
        switch lowered.type {
        case .range, .closedRange:
            let isThere = Match(test: subject.type.isOptional ? subject.js.isThere : nil)
            return .all([isThere, Match(test: contains(lowered, subject.js))])
        default: return Match(test: try equality(subject, lowered, at: value))
        }
    }

    /// Whether a range has a value.
    func contains(_ range: Lowered, _ value: JavaScript) -> JavaScript {
        let isClosed = if case .closedRange = range.type { true } else { false }
        return .runtime("contains", range.js, value, .bool(isClosed))
    }

    /// `..<5`, `5...`, `...5`.
    private func partialRange(_ value: ExprSyntax, _ subject: Lowered) throws -> Match? {
        guard let form = value.rangeForm, let end = form.onlyEnd else { return nil }
        let bound = try expression(end, subject.type).js
        return Match(test: .binary(form.from != nil ? .atLeast : form.isClosed ? .atMost : .less, subject.js, bound))
    }

    /// A case of an enumeration; nil where the member is none.
    private func casePattern(
        _ member: MemberAccessExprSyntax, _ arguments: [ExprSyntax], _ subject: Lowered, binds: Binding?
    ) throws -> Match? {
        let name = member.declName.baseName.identifierText
        let wrapped = Lowered(subject.js, subject.type.unwrapped, isSimple: true)
        var type = subject.type.unwrapped
        var isCast = false
        if let base = member.base {
            guard let named = try namedType(base), case .nominal = named else { return nil }
            isCast = type == .any || type == .error
            type = named
        } else if subject.type.isOptional, name == "none", arguments.isEmpty {
            return Match(test: subject.js.isNil)
        } else if subject.type.isOptional, name == "some", arguments.isEmpty {
            return Match(test: subject.js.isThere)
        } else if subject.type.isOptional, name == "some", arguments.count == 1 {
            return try .all([Match(test: subject.js.isThere), pattern(arguments[0], wrapped, binds: binds)])
        }
        if type == .named("AnyRealmValue"), member.base == nil, !subject.type.isOptional {
            return try mixedPattern(name, arguments, wrapped, binds: binds, at: member)
        }
        guard let nominal = appType(type) else { return nil }
        guard nominal.kind == .enumeration,
            let element = nominal.members.cases.first(where: { $0.name.identifierText == name })
        else { return nil }
        let tests = [
            subject.type.isOptional ? subject.js.isThere : nil,
            isCast ? .runtime("is", subject.js, descriptor(type)) : nil,
            .binary(.equal, subject.js.field("tag"), .text(name)),
        ]
        let whole = Match(test: .joined(tests.compactMap(\.self), .and))
        guard !arguments.isEmpty else { return whole }
        let types = try caseTypes(element, of: nominal)
        let values = subject.js.field("values")
        if let only = arguments.first, arguments.count == 1, types.count > 1 {
            // All values are matched as one tuple.
            let labels = try caseParameters(element, of: nominal).map(\.label)
            let tuple = SwiftType.tuple(zip(labels, types).map { SwiftType.Element(label: $0, type: $1) })
            return try .all([whole, pattern(only, Lowered(values, tuple, isSimple: true), binds: binds)])
        }
        guard arguments.count == types.count else {
            throw Refusal("The case has \(types.count) values, and the pattern \(arguments.count).", at: member)
        }
        let parts = try zip(arguments, types).enumerated().map { index, part in
            try pattern(part.0, Lowered(values[index], part.1, isSimple: true), binds: binds)
        }
        return .all([whole] + parts)
    }

    /// A case of a mixed value; nil where it has none of the name, or one that is not read by itself here.
    private func mixedPattern(
        _ name: String, _ arguments: [ExprSyntax], _ subject: Lowered, binds: Binding?, at node: some SyntaxProtocol
    ) throws -> Match? {
        if name == "none", arguments.isEmpty { return Match(test: subject.js.isNil) }
        guard arguments.count < 2, let value = try libraryProperty(subject, "\(name)Value", at: node) else {
            return nil
        }
        let found = fresh("value")
        let whole = Match(names: [found], test: JavaScript.name(found).assigned(value.js).isThere)
        guard let argument = arguments.first else { return whole }
        return try .all([
            whole, pattern(argument, Lowered(.name(found), value.type.unwrapped, isSimple: true), binds: binds),
        ])
    }
}
