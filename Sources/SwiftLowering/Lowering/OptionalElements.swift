import SwiftSyntax

/// Elements of a collection's literal that a closure compares with an optional, or gives where one is wanted: the compiler takes them
/// for optionals, and so what the call gives.
extension Lowering {
    /// Refuses to take a closure's parameter for an optional where it is an element of a literal.
    func mustStayPlain(_ node: ExprSyntax) throws {
        guard let root = node.elementRoot else { return }
        let closures = node.ancestors.compactMap { $0.as(ClosureExprSyntax.self) }
        guard let closure = closures.first(where: { root.hasPrefix("$") || $0.names(root) }),
            closure.statements.count == 1, closure.isGivenToLiteral(isOnce: closure.uses(of: root) == 1),
            lookUp(root) != nil || root.hasPrefix("$"), let type = typeAlone(of: node).success,
            !type.isOptional, type != .any
        else { return }
        throw Self.elementAsOptional(node)
    }

    /// Refuses a function that takes an optional where it is given elements of a literal.
    func mustStayPlain(_ from: [SwiftType], _ to: [SwiftType], at node: some SyntaxProtocol) throws {
        guard zip(from, to).contains(where: { $0.isOptional && !$1.isOptional }),
            Syntax(node).isGivenToLiteral(isOnce: true)
        else {
            return
        }
        throw Self.elementAsOptional(node)
    }

    private static func elementAsOptional(_ node: some SyntaxProtocol) -> Refusal {
        Refusal(
            "The compiler takes the elements of this literal for optionals, as one is taken for an optional here: keep the literal in a "
                + "constant before.", at: node)
    }
}

extension ExprSyntax {
    /// The name that the expression is, or whose part of a tuple it is; nil of any other expression.
    fileprivate var elementRoot: String? {
        if let inner = inParentheses { return inner.elementRoot }
        if let name = self.as(DeclReferenceExprSyntax.self) { return name.baseName.identifierText }
        guard let member = self.as(MemberAccessExprSyntax.self), let base = member.base else { return nil }
        let name = member.declName.baseName.text
        return ["element", "key", "value", "offset"].contains(name) || Int(name) != nil ? base.elementRoot : nil
    }
}

extension ClosureExprSyntax {
    /// Whether a parameter of its own has a name.
    fileprivate func names(_ name: String) -> Bool {
        switch signature?.parameterClause {
        case .simpleInput(let list): list.contains { $0.name.identifierText == name }
        case .parameterClause(let clause):
            clause.parameters.contains { ($0.secondName ?? $0.firstName).identifierText == name && $0.type == nil }
        default: false
        }
    }
}

extension SyntaxProtocol {
    /// How often a name stands in it.
    fileprivate func uses(of name: String) -> Int {
        tokens(viewMode: .sourceAccurate).count { $0.text == name }
    }

    /// Whether it is an argument of a method of a collection's literal, or of what such methods give, whose result shows the elements.
    ///
    /// - Parameter isOnce: whether nothing else is made of an element than what takes it for an optional.
    fileprivate func isGivenToLiteral(isOnce: Bool) -> Bool {
        guard
            let call = ancestors.first(where: { $0.is(FunctionCallExprSyntax.self) })?.as(FunctionCallExprSyntax.self),
            let member = call.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base,
            !["contains", "allSatisfy", "firstIndex", "lastIndex", "count"].contains(member.declName.baseName.text),
            !isOnce || !["map", "flatMap", "compactMap", "forEach", "reduce"].contains(member.declName.baseName.text)
        else { return false }
        return base.holds { node in
            node.as(ArrayExprSyntax.self).map { !$0.elements.isEmpty } ?? node.is(DictionaryExprSyntax.self)
        }
    }
}
