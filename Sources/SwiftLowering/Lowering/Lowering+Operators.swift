import SwiftSyntax

extension Lowering {
    func ternary(_ node: TernaryExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        let test = try expression(node.condition, .bool).js
        var (first, second) = (node.thenExpression, node.elseExpression)
        let swaps = expected == nil && isLiteral(first) && !isLiteral(second)
        if swaps { (first, second) = (second, first) }
        var left = try expression(first, expected)
        var right = try expression(second, expected ?? (left.type == .optional(.variable("nil")) ? nil : left.type))
        if left.type == .optional(.variable("nil")) { left = Lowered("null", right.type.optional) }
        if right.type == .optional(.variable("nil")) { right = Lowered("null", left.type.optional) }
        var type = expected ?? left.type
        if expected == nil, left.type != right.type {
            type = left.type.unwrapped == right.type.unwrapped ? left.type.optional : .any
        }
        if type.hasVariables { type = left.type }
        let (a, b) = (try keep(left, as: type, at: first), try keep(right, as: type, at: second))
        return Lowered("((\(test)) ? \(swaps ? b : a) : \(swaps ? a : b))", type)
    }

    func prefix(_ node: PrefixOperatorExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        switch node.operator.text {
        case "!":
            return Lowered("!(\(try coerce(expression(node.expression, .bool), to: .bool, at: node).js))", .bool)
        case "-":
            if [.integerLiteralExpr, .floatLiteralExpr].contains(node.expression.kind) {
                return try number(node.expression, expected, sign: "-")
            }
            let value = try expression(node.expression, expected)
            if value.type.isFloating { return Lowered("(-(\(value.js)))", value.type) }
            guard value.type.isInteger else { break }
            return Lowered("\(mark(node))$.sub(0, \(value.js)\(range(value.type)))", value.type)
        case "+": return try expression(node.expression, expected)
        case "~":
            let value = try expression(node.expression, expected)
            guard value.type.isInteger else { break }
            return Lowered("$.not(\(value.js), \(descriptor(value.type)))", value.type)
        case "..<", "...":
            let bound = try expression(node.expression, .integer)
            return Lowered("[null, \(bound.js), \(node.operator.text == "...")]", .named("PartialRange"))
        default: break
        }
        throw Refusal("The operator ‘\(node.operator.text)’ is not understood here.", at: node)
    }

    /// The bounds of a whole number's type, as the last argument of an operation; nothing for `Int`.
    func range(_ type: SwiftType) -> String {
        type == .integer || type == .int("Int64") ? "" : ", \(descriptor(type))"
    }

    func infix(_ node: InfixOperatorExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        if node.operator.is(AssignmentExprSyntax.self) { return try assignment(node) }
        guard let symbol = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
            throw Refusal("This operator is not understood.", at: node)
        }
        switch symbol {
        case "&&", "||":
            let left = try coerce(expression(node.leftOperand, .bool), to: .bool, at: node.leftOperand)
            let right = try coerce(expression(node.rightOperand, .bool), to: .bool, at: node.rightOperand)
            return Lowered("((\(left.js)) \(symbol) (\(right.js)))", .bool)
        case "??": return try orElse(node, expected)
        case "==", "!=":
            let (left, right) = try operands(node, nil)
            if let custom = try customOperator(symbol, left, right, at: node) { return custom }
            // Whether there is a value is asked of every optional, also of those whose values can't be compared.
            let value = node.rightOperand.is(NilLiteralExprSyntax.self) ? left : right
            let isNil =
                node.rightOperand.is(NilLiteralExprSyntax.self) || node.leftOperand.is(NilLiteralExprSyntax.self)
            let test = try isNil && value.type != .stub ? "(\(value.js)) == null" : equality(left, right, at: node)
            return Lowered(symbol == "==" ? "(\(test))" : "!(\(test))", .bool)
        case "===", "!==":
            let (left, right) = try operands(node, nil)
            return Lowered("\(symbol == "===" ? "" : "!")$.same(\(left.js), \(right.js))", .bool)
        case "<", ">", "<=", ">=":
            let (left, right) = try operands(node, nil)
            if let custom = try customOperator(symbol, left, right, at: node) { return custom }
            return try comparison(symbol, left, right, at: node)
        case "..<", "...":
            let (left, right) = try operands(node, rangeElement(expected))
            let type = left.type
            guard type.isNumber || [.string, .character, .named("Date"), .named("StringIndex")].contains(type),
                type == right.type
            else { break }
            let name = symbol == "..<" ? "range" : "closedRange"
            return Lowered(
                "\(mark(node))$.\(name)(\(left.js), \(right.js))", symbol == "..<" ? .range(type) : .closedRange(type))
        case "~=":
            let right = try expression(node.rightOperand, nil)
            let subject = Lowered(temporary(), right.type, isSimple: true)
            let range = try expression(node.leftOperand, nil)
            switch range.type {
            case .range:
                return Lowered("((\(subject.js) = \(right.js)), $.contains(\(range.js), \(subject.js), false))", .bool)
            case .closedRange:
                return Lowered("((\(subject.js) = \(right.js)), $.contains(\(range.js), \(subject.js), true))", .bool)
            default: return Lowered(try equality(range, right, at: node), .bool)
            }
        default: break
        }
        if symbol.hasSuffix("="), let operation = symbol.dropLast().isEmpty ? nil : String(symbol.dropLast()) {
            return try compound(node, operation)
        }
        let (left, right) = try operands(node, expected)
        if let custom = try customOperator(symbol, left, right, at: node) { return custom }
        return try arithmetic(symbol, left, right, at: node)
    }

    /// An operator where a function is wanted: `reduce(0, +)`.
    func operatorFunction(_ symbol: String, _ expected: SwiftType?, at node: ExprSyntax) throws -> Lowered {
        guard case .function(let types, _)? = expected, types.count == 2, !types.contains(where: \.hasVariables) else {
            throw Refusal("The operator ‘\(symbol)’ is not understood here.", at: node)
        }
        let (left, right) = (Lowered("a", types[0], isSimple: true), Lowered("b", types[1], isSimple: true))
        let value: Lowered
        switch symbol {
        case "<", ">", "<=", ">=": value = try comparison(symbol, left, right, at: node)
        case "==": value = Lowered(try equality(left, right, at: node), .bool)
        default: value = try arithmetic(symbol, left, right, at: node)
        }
        return Lowered("((a, b) => \(value.js))", .function(types, value.type))
    }

    private func rangeElement(_ expected: SwiftType?) -> SwiftType? {
        switch expected?.unwrapped {
        case .range(let type)?, .closedRange(let type)?: type
        default: nil
        }
    }

    /// Both sides; literals take the type of the other side.
    private func operands(_ node: InfixOperatorExprSyntax, _ expected: SwiftType?) throws -> (Lowered, Lowered) {
        let (left, right) = (node.leftOperand, node.rightOperand)
        if isLiteral(left), isLiteral(right) {
            var wanted = expected
            if !(expected?.unwrapped.isFloating ?? false), hasFraction(left) || hasFraction(right) { wanted = .double }
            return (try expression(left, wanted?.unwrapped), try expression(right, wanted?.unwrapped))
        }
        if isLiteral(left) {
            let second = try expression(right, expected)
            return (try expression(left, second.type), second)
        }
        let first = try expression(left, expected)
        // What is added to a date is a number of seconds.
        let wanted: SwiftType = first.type == .named("Date") && isNumberLiteral(right) ? .double : first.type
        return (first, try expression(right, wanted))
    }

    private func orElse(_ node: InfixOperatorExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        let left = try expression(node.leftOperand, expected?.optional)
        if left.type == .stub { throw Refusal("A stub gives no value.", at: node) }
        guard left.type.isOptional || left.type == .any else { return left }
        let inner = left.type.unwrapped
        let wanted: SwiftType? = inner == .any ? expected?.unwrapped : inner
        let right = try expression(node.rightOperand, wanted == .any ? nil : wanted)
        if right.type == .never { return Lowered("(\(left.js) ?? \(right.js))", inner) }
        let type: SwiftType
        if case .variable("nil") = right.type.unwrapped {
            type = inner.optional
        } else {
            type = right.type.isOptional ? inner.optional : inner
        }
        let kept = try keep(right, as: type, at: node.rightOperand)
        return Lowered("(\(left.js) ?? \(kept))", type, isStored: left.isStored)
    }

    private func comparison(_ symbol: String, _ left: Lowered, _ right: Lowered, at node: some SyntaxProtocol) throws
        -> Lowered
    {
        var right = right
        if left.type != right.type { right = try coerce(right, to: left.type, at: node) }
        switch left.type {
        case .int, .double, .float, .named("StringIndex"): return Lowered("(\(left.js) \(symbol) \(right.js))", .bool)
        case .string, .character, .named("Date"), .named("Decimal128"), .tuple:
            return Lowered("($.order(\(left.js), \(right.js)) \(symbol) 0)", .bool)
        default:
            throw Refusal("Values of the type ‘\(spelled(left.type))’ can't be put in order here.", at: node)
        }
    }

    /// An operator that a type of the app declares.
    private func customOperator(_ symbol: String, _ left: Lowered, _ right: Lowered, at node: some SyntaxProtocol)
        throws -> Lowered?
    {
        for type in [left.type, right.type] {
            guard case .nominal(let number) = type.unwrapped else { continue }
            let nominal = declarations.nominals[number]
            var wanted = symbol
            var swaps = false
            var negates = false
            if nominal.members.functions(symbol, isStatic: true).isEmpty {
                // What Comparable and Equatable make of one operator.
                switch symbol {
                case ">": (wanted, swaps) = ("<", true)
                case "<=": (wanted, swaps, negates) = ("<", true, true)
                case ">=": (wanted, negates) = ("<", true)
                default: continue
                }
            }
            guard let function = nominal.members.functions(wanted, isStatic: true).first else { continue }
            let signature = try self.signature(of: function, in: .nominal(nominal), isStatic: true)
            guard signature.parameters.count == 2, left.type == signature.parameters[0].type || swaps else { continue }
            let (a, b) = swaps ? (right, left) : (left, right)
            let first = try coerce(a, to: signature.parameters[0].type, at: node).js
            let second = try coerce(b, to: signature.parameters[1].type, at: node).js
            return Lowered("\(negates ? "!" : "")\(signature.js)(\(first), \(second))", signature.result)
        }
        return nil
    }

    func arithmetic(_ symbol: String, _ left: Lowered, _ right: Lowered, at node: some SyntaxProtocol) throws -> Lowered
    {
        let type = left.type
        func operation(_ name: String) -> Lowered {
            Lowered("\(mark(node))$.\(name)(\(left.js), \(right.js)\(range(type)))", type)
        }
        if case .int = type, type == right.type || symbol == "<<" || symbol == ">>" {
            switch symbol {
            case "+": return operation("add")
            case "-": return operation("sub")
            case "*": return operation("mul")
            case "/": return operation("div")
            case "%": return operation("rem")
            case "&+", "&-", "&*", "&", "|", "^", "<<", ">>":
                return Lowered("$.bits(\(quoted(symbol)), \(left.js), \(right.js), \(descriptor(type)))", type)
            default: break
            }
        }
        if type.isFloating, type == right.type, ["+", "-", "*", "/"].contains(symbol) {
            let js = "(\(left.js) \(symbol) \(right.js))"
            return Lowered(type == .float ? "$.fround\(js)" : js, type)
        }
        switch (symbol, type, right.type) {
        case ("+", .string, .string), ("+", .string, .character): return Lowered("(\(left.js) + \(right.js))", .string)
        case ("+", .array(let element), .array(let other)):
            let converted = element == other ? right : try coerce(right, to: type, at: node)
            let js = converted.isStored ? try keep(converted, as: nil, at: node) : converted.js
            return Lowered("\(try keep(left, as: nil, at: node)).concat(\(js))", type)
        case ("+", .list(let element), .array):
            let items = try coerce(right, to: .array(element), at: node).js
            return Lowered("\(mark(node))$.listPlus(\(left.js), \(items), \(descriptor(element)))", type)
        case ("+", .named("Date"), .double): return Lowered("$.dateByAdding(\(left.js), \(right.js))", type)
        case ("-", .named("Date"), .double): return Lowered("$.dateByAdding(\(left.js), -(\(right.js)))", type)
        case (_, .optional, _), (_, _, .optional):
            let (a, b) = (
                try coerce(left, to: type.unwrapped, at: node), try coerce(right, to: right.type.unwrapped, at: node)
            )
            return try arithmetic(symbol, a, b, at: node)
        default: break
        }
        throw Refusal("‘\(symbol)’ of ‘\(spelled(type))’ and ‘\(spelled(right.type))’ is not understood.", at: node)
    }
}
