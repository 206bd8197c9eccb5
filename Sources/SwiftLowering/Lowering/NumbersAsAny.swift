import SwiftSyntax

/// A number's literal beside another value, where `Any` is wanted: it does not always take that value's type.
extension Lowering {
    /// A choice where `Any` is wanted and a literal is one of the two, or both are of two types; nil of any other.
    func choiceAsAny(_ node: ExprSyntax) throws -> Lowered? {
        let node = node.inParentheses ?? node
        if let choice = node.as(TernaryExprSyntax.self) {
            let literals = [choice.thenExpression, choice.elseExpression].filter(isNumberLiteral)
            let isOneType = literals.count == 2 && hasFraction(literals[0]) == hasFraction(literals[1])
            guard !literals.isEmpty, !isOneType else { return nil }
            return try ternary(choice, .any)
        }
        guard let choice = node.as(InfixOperatorExprSyntax.self), choice.operator.trimmedDescription == "??",
            isNumberLiteral(choice.rightOperand)
        else { return nil }
        let left = try expression(choice.leftOperand, nil)
        let type = left.type.unwrapped
        guard left.type.isOptional, type.isNumber,
            type != (hasFraction(choice.rightOperand) ? .double : .integer)
        else { return try orElse(choice, left, nil) }
        switch freedom(ofOptional: choice.leftOperand) {
        case .fixed: return try orElse(choice, left, nil)
        case .free:
            // The compiler takes the optional for one of `Any`, and the literal for what it is alone.
            let other = try coerce(expression(choice.rightOperand, nil), to: .any, at: choice.rightOperand)
            let holder = temporary()
            return Lowered(
                .conditional(holder.assigned(left.js).isNil, other.js, boxed(Lowered(holder, type))), .any)
        case .unknown:
            throw Refusal(
                """
                The compiler may take this literal for a number of another type than ‘\(spelled(type))’, as the value \
                is one of ‘Any’ here: keep the value in a constant of the type ‘\(spelled(type))’ before.
                """, at: choice.rightOperand)
        }
    }

    /// Whether the compiler may take an optional for one of another type than its parts say.
    private enum Freedom {
        case fixed
        case free
        case unknown
    }

    private func freedom(ofOptional node: ExprSyntax) -> Freedom {
        if let inner = node.inParentheses { return freedom(ofOptional: inner) }
        // A `?` makes an optional of what stands at its end, unless that is one already.
        if isChained(node),
            case .success(let end) = attempt({ try collectingTests { try postfix(node, nil) }.value.type }),
            !end.value.isOptional
        {
            return .free
        }
        if let call = node.as(FunctionCallExprSyntax.self), let closure = call.onlyClosure,
            let member = call.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base,
            member.declName.baseName.text == "map", case .success(.optional) = typeAlone(of: base)
        {
            return closure.signature?.returnClause == nil ? .free : .fixed
        }
        return mayBeFree(node) ? .unknown : .fixed
    }

    /// Whether the type of a value may follow from its place.
    private func mayBeFree(_ node: ExprSyntax) -> Bool {
        if let inner = node.inParentheses { return mayBeFree(inner) }
        if let chained = node.as(OptionalChainingExprSyntax.self) { return mayBeFree(chained.expression) }
        if let forced = node.as(ForceUnwrapExprSyntax.self) { return mayBeFree(forced.expression) }
        if let access = node.as(SubscriptCallExprSyntax.self) { return mayBeFree(access.calledExpression) }
        if node.is(ArrayExprSyntax.self) || node.is(DictionaryExprSyntax.self) { return true }
        if let member = node.as(MemberAccessExprSyntax.self) { return member.base.map(mayBeFree) ?? false }
        guard let call = node.as(FunctionCallExprSyntax.self) else { return false }
        let member = call.calledExpression.as(MemberAccessExprSyntax.self)
        let name = member?.declName.baseName.text ?? call.calledExpression.trimmedDescription
        if declarations.genericNames.contains(name) { return true }
        switch name {
        case "map", "flatMap", "compactMap", "mapValues", "compactMapValues":
            return call.onlyClosure.map { $0.signature?.returnClause == nil } ?? false
        // Their values have an order, which those of `Any` have not.
        case "max", "min": return false
        default: return member?.base.map(mayBeFree) ?? false
        }
    }
}

extension FunctionCallExprSyntax {
    /// The closure that is its only argument.
    fileprivate var onlyClosure: ClosureExprSyntax? {
        if arguments.isEmpty { return trailingClosure }
        return arguments.count == 1 ? arguments.first?.expression.as(ClosureExprSyntax.self) : nil
    }
}
