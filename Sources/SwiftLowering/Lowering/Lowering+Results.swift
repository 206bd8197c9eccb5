import SwiftSyntax

extension Lowering {
    /// The value of an `if` or a `switch`.
    func valueOf(_ node: ExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        let before = (context.result, context.isResultKnown)
        (context.result, context.isResultKnown) = (expected, expected != nil)
        defer { (context.result, context.isResultKnown) = before }
        let text = try resultText(node)
        return Lowered("(() => {\n\(text)\n})()", context.result ?? .void, isFresh: true)
    }

    /// Statements that return the value of an `if`, a `switch` or any other expression.
    func resultText(_ node: ExprSyntax) throws -> String {
        if let conditional = node.as(IfExprSyntax.self) {
            let outer = scopes
            defer { scopes = outer }
            scopes.append([:])
            let (names, test) = try conditions(conditional.conditions)
            let body = try resultBody(conditional.body.statements)
            scopes = outer
            let rest: String
            switch conditional.elseBody {
            case .ifExpr(let next): rest = try resultText(ExprSyntax(next))
            case .codeBlock(let block): rest = try resultBody(block.statements)
            case nil: rest = ""
            @unknown default: throw Refusal("This is not understood.", at: conditional)
            }
            return "\(names)\nif (\(test)) {\n\(body)\n}\n\(rest)"
        }
        if let choice = node.as(SwitchExprSyntax.self) { return try resultSwitch(choice) }
        if let thrown = context.result, thrown == .void {
            return (try expression(node, nil, isDiscarded: true)).js + ";"
        }
        let value = try expression(node, context.isResultKnown ? context.result : nil)
        if !context.isResultKnown, value.type == .never { context.neverEnds = true }
        if !context.isResultKnown, value.type != .never {
            (context.result, context.isResultKnown) = (context.givesOptional ? value.type.optional : value.type, true)
        }
        return mark(node) + "return (\(try keep(value, as: value.type == .never ? nil : context.result, at: node)));"
    }

    func resultBody(_ items: CodeBlockItemListSyntax) throws -> String {
        scopes.append([:])
        defer { scopes.removeLast() }
        guard items.count == 1, let item = items.first?.item else { return statements(items) }
        switch item {
        case .expr(let value): return try resultText(value)
        case .stmt(let statement):
            if let wrapped = statement.as(ExpressionStmtSyntax.self) { return try resultText(wrapped.expression) }
            return statements(items)
        case .decl: return statements(items)
        @unknown default: return statements(items)
        }
    }

    private func resultSwitch(_ choice: SwitchExprSyntax) throws -> String {
        // Every case is a function's end: what a case of one expression gives is returned.
        returning = true
        return try switchStatement(choice, label: nil)
    }
}
