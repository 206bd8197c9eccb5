import SwiftSyntax

/// Looks for code that changes a variable: assignments to it and to its parts, `&`, and methods that may change their value.
final class ChangeSearch: SyntaxVisitor {
    private let name: String?
    private let besides: SyntaxIdentifier?
    private let mayChange: (String) -> Bool
    private(set) var hasFound = false

    /// - Parameters:
    ///   - name: that of the variable; nil where any is meant.
    ///   - besides: the closure that is not looked into.
    ///   - mayChange: whether a method of a name may change what it is called of.
    init(_ name: String?, besides: SyntaxIdentifier?, mayChange: @escaping (String) -> Bool) {
        (self.name, self.besides, self.mayChange) = (name, besides, mayChange)
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        node.id == besides ? .skipChildren : .visitChildren
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.is(AssignmentExprSyntax.self) || isCompound(node.operator), isPart(node.leftOperand) {
            hasFound = true
        }
        return .visitChildren
    }

    override func visit(_ node: InOutExprSyntax) -> SyntaxVisitorContinueKind {
        if isPart(node.expression) { hasFound = true }
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if let member = node.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base, isPart(base),
            mayChange(member.declName.baseName.identifierText)
        {
            hasFound = true
        }
        return .visitChildren
    }

    private func isCompound(_ node: ExprSyntax) -> Bool {
        guard let symbol = node.as(BinaryOperatorExprSyntax.self)?.operator.text, symbol.hasSuffix("=") else {
            return false
        }
        return !["==", "!=", "<=", ">=", "===", "!==", "~="].contains(symbol)
    }

    /// Whether an expression is the variable or a part of it.
    private func isPart(_ node: ExprSyntax) -> Bool {
        if name == nil { return true }
        if let name = node.as(DeclReferenceExprSyntax.self) { return name.baseName.identifierText == self.name }
        if let member = node.as(MemberAccessExprSyntax.self) { return member.base.map(isPart) ?? false }
        if let access = node.as(SubscriptCallExprSyntax.self) { return isPart(access.calledExpression) }
        if let forced = node.as(ForceUnwrapExprSyntax.self) { return isPart(forced.expression) }
        if let optional = node.as(OptionalChainingExprSyntax.self) { return isPart(optional.expression) }
        if let tuple = node.as(TupleExprSyntax.self) { return tuple.elements.contains { isPart($0.expression) } }
        return false
    }
}

extension ExprSyntax {
    /// The variable that a path of members and subscripts begins with; of `self` the property.
    var rootName: String? {
        if let name = self.as(DeclReferenceExprSyntax.self) { return name.baseName.identifierText }
        if let member = self.as(MemberAccessExprSyntax.self) {
            let name = member.declName.baseName.identifierText
            guard let base = member.base else { return name }
            return base.rootName.map { $0 == "self" ? name : $0 }
        }
        if let access = self.as(SubscriptCallExprSyntax.self) { return access.calledExpression.rootName }
        if let call = self.as(FunctionCallExprSyntax.self) { return call.calledExpression.rootName }
        if let forced = self.as(ForceUnwrapExprSyntax.self) { return forced.expression.rootName }
        if let optional = self.as(OptionalChainingExprSyntax.self) { return optional.expression.rootName }
        return nil
    }
}
