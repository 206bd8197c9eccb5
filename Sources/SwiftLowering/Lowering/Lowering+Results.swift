import SwiftSyntax

extension Lowering {
    /// The value of an `if` or a `switch`.
    func valueOf(_ node: ExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        let before = (context.result, context.isResultKnown)
        (context.result, context.isResultKnown) = (expected, expected != nil)
        defer { (context.result, context.isResultKnown) = before }
        let steps = try resultStatements(node)
        return Lowered(JavaScript.closure([], steps).called([]), context.result ?? .void, isFresh: true)
    }

    /// Statements that return the value of an `if`, a `switch` or any other expression.
    func resultStatements(_ node: ExprSyntax) throws -> [Statement] {
        if let conditional = node.as(IfExprSyntax.self) {
            let outer = scopes
            defer { scopes = outer }
            scopes.append([:])
            let (names, test) = try conditions(conditional.conditions)
            let body = try resultBody(conditional.body.statements)
            scopes = outer
            let rest: [Statement]
            switch conditional.elseBody {
            case .ifExpr(let next): rest = try resultStatements(ExprSyntax(next))
            case .codeBlock(let block): rest = try resultBody(block.statements)
            case nil: rest = []
            @unknown default: throw Refusal("This is not understood.", at: conditional)
            }
            return names + [.conditional(test, body)] + rest
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
        scopes.append([:])
        defer { scopes.removeLast() }
        return try items.onlyExpression.map { try resultStatements($0) } ?? statements(items)
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
