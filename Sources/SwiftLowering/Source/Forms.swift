import SwiftSyntax

/// A range as it is written: `1..<5`, `...5`, `1...`, `...`.
struct RangeForm {
    var from: ExprSyntax?
    var to: ExprSyntax?
    var isClosed: Bool
    /// The end, where it has one alone.
    var onlyEnd: ExprSyntax? { from == nil ? to : to == nil ? from : nil }
}

extension ExprSyntax {
    /// The range that the expression is by its form; nil of every other one.
    var rangeForm: RangeForm? {
        if let inner = inParentheses { return inner.rangeForm }
        let (from, symbol, to): (ExprSyntax?, String, ExprSyntax?)
        if let infix = self.as(InfixOperatorExprSyntax.self) {
            (from, symbol, to) = (infix.leftOperand, infix.operator.spelling, infix.rightOperand)
        } else if let prefix = self.as(PrefixOperatorExprSyntax.self) {
            (from, symbol, to) = (nil, prefix.operator.text, prefix.expression)
        } else if let postfix = self.as(PostfixOperatorExprSyntax.self) {
            (from, symbol, to) = (postfix.expression, postfix.operator.text, nil)
        } else if let whole = self.as(DeclReferenceExprSyntax.self) {
            (from, symbol, to) = (nil, whole.baseName.text, nil)
        } else {
            return nil
        }
        return ["..<", "..."].contains(symbol)
            ? RangeForm(from: from, to: to, isClosed: symbol == "..." && to != nil) : nil
    }

    /// The expression that stands in parentheses; nil of every other one.
    var inParentheses: ExprSyntax? {
        guard let tuple = self.as(TupleExprSyntax.self), tuple.elements.count == 1 else { return nil }
        return tuple.elements.first?.expression
    }
}

extension AccessorBlockSyntax {
    /// The code that gives the value.
    var getter: CodeBlockItemListSyntax? {
        if case .getter(let items) = accessors { items } else { accessor(.get)?.body?.statements }
    }

    func accessor(_ keyword: Keyword) -> AccessorDeclSyntax? {
        guard case .accessors(let list) = accessors else { return nil }
        return list.first { $0.accessorSpecifier.tokenKind == .keyword(keyword) }
    }
}
