import SwiftSyntax

extension Lowering {
    func ternary(_ node: TernaryExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        let test = try valued(expression(node.condition, .bool), at: node.condition).js
        var (first, second) = (node.thenExpression, node.elseExpression)
        let areLiterals = [first, second].map { isLiteral($0) || Self.isPlain($0) }
        let isEmpty = emptyCollection(first) != nil && emptyCollection(second) == nil
        let swaps = expected == nil && (areLiterals[0] && !areLiterals[1] || isEmpty)
        if swaps { (first, second) = (second, first) }
        var expected = expected
        if expected == nil, isNumberLiteral(first), isNumberLiteral(second), hasFraction(first) || hasFraction(second) {
            expected = .double
        }
        var left = try expression(first, expected)
        var right = try expression(second, expected ?? (left.type == .optional(.undetermined) ? nil : left.type))
        let isNil = [left.type, right.type].contains(.optional(.undetermined))
        if isNil, !wantsPlainElements {
            let (given, node) = left.type == .optional(.undetermined) ? (right, second) : (left, first)
            // The compiler leaves whole numbers what they are.
            if case .int = given.type.unwrapped {} else { try mustStayPlain(node) }
        }
        if left.type == .optional(.undetermined) { left = left.retyped(right.type.optional) }
        if right.type == .optional(.undetermined) { right = right.retyped(left.type.optional) }
        var type = (isNil ? expected?.optional : expected) ?? left.type
        if expected == nil, left.type != right.type {
            type = try common(left.type, right.type, [first, second])
        }
        if type.hasVariables { type = left.type }
        let (a, b) = (try coerce(left, to: type, at: first), try coerce(right, to: type, at: second))
        return Lowered(
            .conditional(test, swaps ? b.js : a.js, swaps ? a.js : b.js), type,
            ownership: max(left.ownership, right.ownership))
    }

    func prefix(_ node: PrefixOperatorExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        if let own = try ownPrefix(node) { return own }
        switch node.operator.text {
        case "!":
            return try Lowered(coerce(expression(node.expression, .bool), to: .bool, at: node).js.negated, .bool)
        case "-":
            if [.integerLiteralExpr, .floatLiteralExpr].contains(node.expression.kind) {
                return try number(node.expression, expected, sign: "-")
            }
            let value = try expression(node.expression, expected)
            if value.type.isFloating,
                node.expression.tokens(viewMode: .sourceAccurate).contains(where: { $0.text == "nan" })
            {
                throw Refusal("The sign of a number that is none is not known here.", at: node)
            }
            if value.type.isFloating { return Lowered(.unary("-", value.js), value.type) }
            if value.type == .named("Decimal") {
                return Lowered(
                    .runtime("decimalMinus", .runtime("decimalOfInteger", .integer(0)), value.js), value.type)
            }
            guard value.type.isInteger else { break }
            return Lowered(runtime("sub", at: node, [.integer(0), value.js] + range(value.type)), value.type)
        case "+": return try expression(node.expression, expected)
        case "~":
            let value = try expression(node.expression, expected)
            guard value.type.isInteger else { break }
            return Lowered(.runtime("not", value.js, descriptor(value.type)), value.type)
        case "..<", "...":
            let bound = try expression(node.expression, .integer)
            guard [.integer, .named("StringIndex")].contains(bound.type) else { break }
            return Lowered(
                .array([.null, bound.js, .bool(node.operator.text == "...")]),
                .named(bound.type == .integer ? "PartialRange" : "PartialTextRange"))
        default: break
        }
        throw Refusal("The operator ‘\(node.operator.text)’ is not understood here: write a function.", at: node)
    }

    /// The bounds of a whole number's type, as the last argument of an operation; nothing for `Int`.
    func range(_ type: SwiftType) -> [JavaScript] {
        type == .integer || type == .int("Int64") ? [] : [descriptor(type)]
    }

    /// Refuses an operator that may stand in another order than in the compiler's eyes.
    private func mustBePlaced(_ symbol: String, at node: some SyntaxProtocol) throws {
        guard declarations.unplacedOperators.contains(symbol) else { return }
        throw Refusal(
            "No file tells how strongly ‘\(symbol)’ binds beside other operators: give the file that declares it with "
                + "its precedence group, or put it in parentheses.", at: node)
    }

    private static func notUnderstood(_ node: ExprSyntax) -> String {
        node.is(ArrowExprSyntax.self)
            ? "A type of functions is not understood as a value: write it behind a name, as in ‘var all: [() -> Int] = []’."
            : "This operator is not understood: write a function."
    }

    func infix(_ node: InfixOperatorExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        if node.operator.is(AssignmentExprSyntax.self) { return try assignment(node) }
        guard let symbol = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
            throw Refusal(Self.notUnderstood(node.operator), at: node)
        }
        try mustBePlaced(symbol, at: node)
        switch symbol {
        case "&&", "||":
            let left = try coerce(expression(node.leftOperand, .bool), to: .bool, at: node.leftOperand)
            let right = try coerce(expression(node.rightOperand, .bool), to: .bool, at: node.rightOperand)
            return Lowered(.binary(symbol == "&&" ? .and : .or, left.js, right.js), .bool)
        case "??": return try orElse(node, expected)
        case "==", "!=":
            let (left, right) = try operands(node, nil)
            if let custom = try customOperator(symbol, left, right, at: node) { return custom }
            // Whether there is a value is asked of every optional, also of those whose values can't be compared.
            let value = node.rightOperand.is(NilLiteralExprSyntax.self) ? left : right
            let isNil =
                node.rightOperand.is(NilLiteralExprSyntax.self) || node.leftOperand.is(NilLiteralExprSyntax.self)
            if !isNil, left.type.isOptional != right.type.isOptional {
                try mustStayPlain(left.type.isOptional ? node.rightOperand : node.leftOperand)
            }
            let test = try isNil && value.type != .stub ? value.js.isNil : equality(left, right, at: node)
            return Lowered(symbol == "==" ? test : test.negated, .bool)
        case "===", "!==":
            let (left, right) = try operands(node, nil)
            let test = JavaScript.runtime("same", left.js, right.js)
            return Lowered(symbol == "===" ? test : test.negated, .bool)
        case "<", ">", "<=", ">=":
            let (left, right) = try operands(node, nil)
            if let custom = try customOperator(symbol, left, right, at: node) { return custom }
            return try comparison(symbol, left, right, at: node)
        case "..<", "...":
            let (left, right) = try operands(node, rangeElement(expected))
            let type = left.type
            guard isOrdered(type), type == right.type else { break }
            let name = symbol == "..<" ? "range" : "closedRange"
            return Lowered(
                runtime(name, at: node, left.js, right.js), symbol == "..<" ? .range(type) : .closedRange(type))
        case "~=":
            let right = try expression(node.rightOperand, nil)
            let subject = temporary()
            let range = try expression(node.leftOperand, nil)
            if let custom = try declaredOperator("~=", range, right, at: node) { return custom }
            switch range.type {
            case .range, .closedRange:
                return Lowered(.sequence([subject.assigned(right.js), contains(range, subject)]), .bool)
            default: return Lowered(try equality(range, right, at: node), .bool)
            }
        default: break
        }
        if symbol.hasSuffix("="), let operation = symbol.dropLast().isEmpty ? nil : String(symbol.dropLast()) {
            return try compound(node, operation)
        }
        let (left, right) = try operands(node, expected)
        if let custom = try customOperator(symbol, left, right, at: node) { return custom }
        return folded(try arithmetic(symbol, left, right, at: node), node)
    }

    /// An operation on literals, which the compiler works out itself.
    private func folded(_ value: Lowered, _ node: InfixOperatorExprSyntax) -> Lowered {
        guard value.type.isFloating, isNumberLiteral(node.leftOperand), isNumberLiteral(node.rightOperand) else {
            return value
        }
        return Lowered(.runtime("folded", value.js), value.type)
    }

    /// An operator where a function is wanted: `reduce(0, +)`.
    func operatorFunction(_ symbol: String, _ expected: SwiftType?, at node: ExprSyntax) throws -> Lowered {
        guard case .function(var types, _)? = expected, !types.contains(where: \.hasVariables) else {
            throw Refusal("The operator ‘\(symbol)’ is not understood here: write a closure.", at: node)
        }
        let taken = types
        let (a, b) = (JavaScript.name("a"), JavaScript.name("b"))
        var names = [a, b]
        // Both sides in a tuple: `zip(a, b).map(*)`.
        if types.count == 1, case .tuple(let parts) = types[0] { (types, names) = (parts.map(\.type), [.array(names)]) }
        guard types.count == 2 else {
            throw Refusal("The operator ‘\(symbol)’ is not understood here: write a closure.", at: node)
        }
        let (left, right) = (Lowered(a, types[0]), Lowered(b, types[1]))
        let value: Lowered
        switch symbol {
        case _ where try customOperator(symbol, left, right, at: node) != nil:
            value = try customOperator(symbol, left, right, at: node) ?? left
        case "<", ">", "<=", ">=": value = try comparison(symbol, left, right, at: node)
        case "==": value = Lowered(try equality(left, right, at: node), .bool)
        default: value = try arithmetic(symbol, left, right, at: node)
        }
        return Lowered(.arrow(names, value.js), .function(taken, value.type))
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
        let symbol = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text ?? ""
        if isLiteral(left), isLiteral(right) {
            var wanted = expected
            if !(expected?.unwrapped.isFloating ?? false) {
                if hasFraction(left) || hasFraction(right) {
                    wanted = .double
                } else if isWholePower(left) || isWholePower(right) {
                    wanted = .named("Decimal")
                }
            }
            return (try expression(left, wanted?.unwrapped), try expression(right, wanted?.unwrapped))
        }
        // How far is no number of the type that is moved.
        if ["<<", ">>", "&<<", "&>>"].contains(symbol) {
            let first = try expression(left, expected)
            return (first, try expression(right, nil))
        }
        if isLiteral(left) {
            let second = try expression(right, expected)
            let wanted = try numberBeside(second.type, symbol, left, isFirst: true) ?? second.type
            return (try expression(left, wanted), second)
        }
        if ["==", "!=", "<", "<=", ">", ">="].contains(symbol), Self.isPlain(left),
            let type = literalType(among: [left, right])
        {
            return (try expression(left, type), try expression(right, nil))
        }
        let calls = self.calls
        var first = try expression(left, expected)
        let own = self.calls
        // A number that is added to a date is one of seconds.
        let beside = isLiteral(right) ? try numberBeside(first.type, symbol, right, isFirst: false) : nil
        let wanted: SwiftType = first.type == .named("Date") && isNumberLiteral(right) ? .double : beside ?? first.type
        let second = try expression(right, wanted)
        // A call on the right side may change a value that the left one has read.
        if self.calls > max(calls, own) { first = unchanged(first) }
        return (first, second)
    }

    func orElse(_ node: InfixOperatorExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        try orElse(node, expression(node.leftOperand, expected?.optional), expected)
    }

    /// As `orElse`, of an optional that is lowered already.
    func orElse(_ node: InfixOperatorExprSyntax, _ left: Lowered, _ expected: SwiftType?) throws -> Lowered {
        let left = try valued(left, at: node)
        guard left.type.isOptional || left.type == .any else { return left }
        let inner = left.type.unwrapped
        let wanted: SwiftType? = inner == .any ? expected?.unwrapped : inner
        let right = try expression(node.rightOperand, wanted == .any ? nil : wanted)
        if right.type == .never { return Lowered(.binary(.orElse, left.js, right.js), inner) }
        let type: SwiftType
        if case .undetermined = right.type.unwrapped {
            type = inner.optional
        } else {
            type = right.type.isOptional ? inner.optional : inner
        }
        let other = try coerce(right, to: type, at: node.rightOperand)
        return Lowered(
            .binary(.orElse, left.js, other.js), type, ownership: max(left.ownership, right.ownership))
    }

    private func comparison(_ symbol: String, _ left: Lowered, _ right: Lowered, at node: some SyntaxProtocol) throws
        -> Lowered
    {
        let right = left.type == right.type ? right : try coerce(right, to: left.type, at: node)
        guard let compared = JavaScript.Operator(rawValue: symbol) else { throw Refusal.known }
        switch left.type {
        case .int, .double, .float, .named("StringIndex"): return Lowered(.binary(compared, left.js, right.js), .bool)
        case _ where isOrdered(left.type), .tuple:
            return Lowered(.binary(compared, .runtime("order", left.js, right.js), .integer(0)), .bool)
        default:
            throw Refusal(
                "Values of the type ‘\(spelled(left.type))’ can't be put in order here: compare what has one.", at: node
            )
        }
    }

    func arithmetic(_ symbol: String, _ left: Lowered, _ right: Lowered, at node: some SyntaxProtocol) throws -> Lowered
    {
        if symbol == "+", let first = textView(left) ?? (textView(right) == nil ? nil : left), first.type == .string {
            return try arithmetic(symbol, first, textView(right) ?? right, at: node)
        }
        if let number = numberArithmetic(symbol, left, right, at: node) { return number }
        let type = left.type
        switch (symbol, type, right.type) {
        case ("+", .string, .string), ("+", .string, .character):
            return Lowered(.binary(.plus, left.js, right.js), .string)
        case ("+", .array(let element), .array(let other)):
            let converted = element == other ? right : try coerce(right, to: type, at: node)
            // Elements that are no values of their own are the same in both.
            guard isCopied(element) else {
                return Lowered(left.js.method("concat", converted.js), type, ownership: .moved)
            }
            let first = try keep(left, as: nil, at: node)
            return Lowered(first.method("concat", try keep(converted, as: nil, at: node)), type, ownership: .moved)
        case ("+", .array(let element), .slice(let other)) where element == other:
            return Lowered(
                try keep(left, as: nil, at: node).method("concat", keep(right, as: nil, at: node)), type,
                ownership: .moved)
        case ("+", .slice(let element), .slice(let other)) where element == other,
            ("+", .slice(let element), .array(let other)) where element == other:
            let parts = try [left, right].map { try keep($0, as: nil, at: node) }
            return Lowered(.runtime("slicePlus", parts), type, ownership: .moved)
        case ("+", .list(let element), .array):
            let items = try coerce(right, to: .array(element), at: node).js
            return Lowered(runtime("listPlus", at: node, left.js, items, descriptor(element)), type)
        case ("+", .named("Data"), .named("Data")), ("+", .named("Data"), .array(.int("UInt8"))):
            return Lowered(.runtime("dataPlus", left.js, right.js), type, ownership: .moved)
        case (_, .named("Decimal128"), .named("Decimal128")) where ["+", "-", "*"].contains(symbol):
            return Lowered(runtime("decimalOf", at: node, .text(symbol), left.js, right.js), type)
        case (_, .named("Decimal"), .named("Decimal")):
            let names = ["+": "decimalSum", "-": "decimalMinus", "*": "decimalProduct", "/": "decimalQuotient"]
            guard let name = names[symbol] else { break }
            return operation(name, left, right, at: node)
        case ("+", .named("Date"), .double): return Lowered(.runtime("dateByAdding", left.js, right.js), type)
        case ("-", .named("Date"), .double):
            return Lowered(.runtime("dateByAdding", left.js, .unary("-", right.js)), type)
        case (_, .optional, _), (_, _, .optional):
            let (a, b) = (
                try coerce(left, to: type.unwrapped, at: node), try coerce(right, to: right.type.unwrapped, at: node)
            )
            return try arithmetic(symbol, a, b, at: node)
        default: break
        }
        let remedy =
            operators(symbol, of: [type, right.type]).isEmpty
            ? "convert one of them" : "call a function with a name, or write the types of a closure in it"
        throw Refusal(
            "‘\(symbol)’ of ‘\(spelled(type))’ and ‘\(spelled(right.type))’ is not understood: \(remedy).", at: node)
    }

    /// An operation on whole or binary numbers of one type; nil of any other.
    private func numberArithmetic(
        _ symbol: String, _ left: Lowered, _ right: Lowered, at node: some SyntaxProtocol
    ) -> Lowered? {
        let type = left.type
        if case .int = type, type == right.type || ["<<", ">>", "&<<", "&>>"].contains(symbol) {
            switch symbol {
            case "+": return operation("add", left, right, at: node)
            case "-": return operation("sub", left, right, at: node)
            case "*": return operation("mul", left, right, at: node)
            case "/": return operation("div", left, right, at: node)
            case "%": return operation("rem", left, right, at: node)
            case "&+", "&-", "&*", "&", "|", "^", "<<", ">>", "&<<", "&>>":
                return Lowered(.runtime("bits", .text(symbol), left.js, right.js, descriptor(type)), type)
            default: return nil
            }
        }
        guard type.isFloating, type == right.type, ["+", "-", "*", "/"].contains(symbol),
            let operation = JavaScript.Operator(rawValue: symbol)
        else { return nil }
        let js = JavaScript.binary(operation, left.js, right.js)
        return Lowered(type == .float ? .runtime("fround", js) : js, type)
    }

    /// An operation of the library, which may stop the script.
    private func operation(_ name: String, _ left: Lowered, _ right: Lowered, at node: some SyntaxProtocol) -> Lowered {
        Lowered(runtime(name, at: node, [left.js, right.js] + range(left.type)), left.type)
    }
}
