import SwiftSyntax

extension Lowering {
    /// The value of an `if` or a `switch`.
    func valueOf(_ node: ExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        let before = (context.result, context.isResultKnown)
        (context.result, context.isResultKnown) = (expected, expected != nil)
        defer { (context.result, context.isResultKnown) = before }
        let steps = try resultStatements(node)
        return Lowered(JavaScript.closure([], steps).called([]), context.result ?? .void, ownership: .moved)
    }

    /// Statements that return the value of an `if`, a `switch` or any other expression.
    func resultStatements(_ node: ExprSyntax) throws -> [Statement] {
        if let conditional = node.as(IfExprSyntax.self) {
            return [try choice(conditional, { try resultBody($0) }, { try resultStatements(ExprSyntax($0)) })]
        }
        if let choice = node.as(SwitchExprSyntax.self) {
            // Every case is a function's end: what a case of one expression gives is returned.
            returning = true
            return try [switchStatement(choice, label: nil)]
        }
        if context.result == .void { return [.expression(try expression(node, nil, isDiscarded: true).js)] }
        let value = try expression(node, context.isResultKnown ? context.result : nil)
        if !context.isResultKnown, value.type == .never { context.neverEnds = true }
        if !context.isResultKnown, value.type != .never {
            (context.result, context.isResultKnown) = (context.givesOptional ? value.type.optional : value.type, true)
        }
        let kept = try keep(value, as: value.type == .never ? nil : context.result, at: node)
        return [.marked(mark(node), .give(kept))]
    }

    func resultBody(_ items: CodeBlockItemListSyntax) throws -> [Statement] {
        try inScope { try items.onlyExpression.map { try resultStatements($0) } ?? statements(items) }
    }
}

extension CodeBlockItemListSyntax {
    /// The expression that is all there is; nil of other statements.
    var onlyExpression: ExprSyntax? {
        guard count == 1, let item = first?.item else { return nil }
        if case .expr(let value) = item { return value }
        if case .stmt(let statement) = item { return statement.as(ExpressionStmtSyntax.self)?.expression }
        return nil
    }
}
