import SwiftSyntax

extension Lowering {
    func number(_ node: ExprSyntax, _ expected: SwiftType?, sign: String) throws -> Lowered {
        let wanted = expected?.unwrapped
        if let wanted, [.named("Decimal"), .named("NSDecimalNumber")].contains(wanted) {
            let value = try number(node, nil, sign: sign)
            let name = value.type.isFloating ? "decimalOfDouble" : "decimalOfInteger"
            return Lowered(.runtime(name, value.js), wanted)
        }
        if wanted == .named("NSNumber") {
            let value = try number(node, nil, sign: sign)
            return Lowered(.runtime("nsNumber", value.js, descriptor(value.type)), .named("NSNumber"))
        }
        let unreadable = Refusal("This number can't be read.", at: node)
        if let literal = node.as(FloatLiteralExprSyntax.self) {
            let text = sign + literal.literal.text.filter { $0 != "_" }
            guard let value = Double(text) else { throw unreadable }
            if wanted == .float { return Lowered(.number(Double(Float(text) ?? Float(value))), .float) }
            return Lowered(.number(value), .double)
        }
        guard let (digits, base) = LiteralValue.integerText(node) else { throw unreadable }
        if let wanted, wanted.isFloating {
            let text = base == 10 ? sign + digits : "\(sign)\(Int64(digits, radix: base) ?? 0)"
            guard let value = Double(text) else { throw unreadable }
            return Lowered(.number(wanted == .float ? Double(Float(value)) : value), wanted)
        }
        let whole = wanted.flatMap { $0.isInteger ? $0 : nil }
        if let unsigned = UInt64(digits, radix: base), sign.isEmpty, unsigned > Int64.max {
            return Lowered(.constant("\(unsigned)n"), whole ?? .int("UInt64"))
        }
        guard let value = Int64(sign + digits, radix: base) else {
            throw Refusal("This number is out of range.", at: node)
        }
        return Lowered(.integer(value), whole ?? .integer)
    }

    /// A value of a type of the app that a literal makes; nil where none is wanted.
    func ownLiteral(_ node: ExprSyntax, _ expected: SwiftType?) throws -> Lowered? {
        guard let nominal = appType(expected?.unwrapped), nominal.kind != .protocolType else { return nil }
        let (name, items): (String, [ExprSyntax])
        switch node.kind {
        case .stringLiteralExpr: (name, items) = ("stringLiteral", [node])
        case .integerLiteralExpr: (name, items) = ("integerLiteral", [node])
        case .floatLiteralExpr: (name, items) = ("floatLiteral", [node])
        case .booleanLiteralExpr: (name, items) = ("booleanLiteral", [node])
        case .arrayExpr:
            (name, items) = ("arrayLiteral", node.as(ArrayExprSyntax.self)?.elements.map(\.expression) ?? [])
        default: return nil
        }
        guard nominal.members.initializers.contains(where: { $0.labels == [name] }) else { return nil }
        let arguments = items.enumerated().map { Argument(label: $0 == 0 ? name : nil, node: $1) }
        return try make(nominal, Call("init", arguments, at: node))
    }

    /// Whether an expression is made of literals alone, and takes the type that it is wanted in.
    func isLiteral(_ node: ExprSyntax) -> Bool {
        switch node.kind {
        case .integerLiteralExpr: return true
        case .tupleExpr: return node.inParentheses.map(isLiteral) ?? false
        case .prefixOperatorExpr:
            return node.as(PrefixOperatorExprSyntax.self).map { isLiteral($0.expression) } ?? false
        case .infixOperatorExpr:
            guard let infix = node.as(InfixOperatorExprSyntax.self) else { return false }
            return isLiteral(infix.leftOperand) && isLiteral(infix.rightOperand)
        case .nilLiteralExpr, .arrayExpr, .dictionaryExpr: return true
        case .floatLiteralExpr: return true
        case .memberAccessExpr: return node.as(MemberAccessExprSyntax.self)?.base == nil
        case .functionCallExpr:
            guard let call = node.as(FunctionCallExprSyntax.self) else { return false }
            return isLiteral(call.calledExpression) || isWholePower(node)
        default: return false
        }
    }

    /// Whether an expression is a power of whole literals, of which the compiler makes a `Decimal` where no other type is wanted.
    func isWholePower(_ node: ExprSyntax) -> Bool {
        if let infix = node.as(InfixOperatorExprSyntax.self) {
            return isWholePower(infix.leftOperand) || isWholePower(infix.rightOperand)
        }
        if let prefix = node.as(PrefixOperatorExprSyntax.self) { return isWholePower(prefix.expression) }
        if let inner = node.inParentheses { return isWholePower(inner) }
        guard let call = node.as(FunctionCallExprSyntax.self) else { return false }
        switch call.calledExpression.spelling {
        case "pow": return isWholePower(of: Argument.all(call))
        case "abs": return call.arguments.first.map { isWholePower($0.expression) } ?? false
        default: return false
        }
    }

    func isWholePower(of arguments: [Argument]) -> Bool {
        arguments.count == 2 && arguments.allSatisfy { isNumberLiteral($0.node) && !hasFraction($0.node) }
    }

    /// Whether an expression is made of literals of numbers alone.
    func isNumberLiteral(_ node: ExprSyntax) -> Bool {
        if [.integerLiteralExpr, .floatLiteralExpr].contains(node.kind) { return true }
        if let prefix = node.as(PrefixOperatorExprSyntax.self) { return isNumberLiteral(prefix.expression) }
        if let infix = node.as(InfixOperatorExprSyntax.self) {
            return isNumberLiteral(infix.leftOperand) && isNumberLiteral(infix.rightOperand)
        }
        return node.inParentheses.map(isNumberLiteral) ?? isWholePower(node)
    }

    func hasFraction(_ node: ExprSyntax) -> Bool {
        node.tokens(viewMode: .sourceAccurate).contains { if case .floatLiteral = $0.tokenKind { true } else { false } }
    }

    func string(_ literal: StringLiteralExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        var parts: [JavaScript] = []
        var plain = ""
        for segment in literal.segments {
            switch segment {
            case .stringSegment(let part):
                guard
                    let text = LiteralValue.unescaped(part.content.text, pounds: literal.openingPounds?.text.count ?? 0)
                else {
                    throw Refusal("This text can't be read.", at: part)
                }
                plain += text
                if !text.isEmpty { parts.append(.text(text)) }
            case .expressionSegment(let part):
                // A log's ‘privacy’ changes nothing here.
                guard let only = part.expressions.first, only.label == nil,
                    part.expressions.dropFirst().allSatisfy({ $0.label?.text == "privacy" })
                else { throw Refusal("This interpolation is not understood: make the text before it.", at: part) }
                let value = try valued(expression(only.expression, nil), at: part)
                try mustBeShowable(value, at: part)
                try mustHaveText(value.type, at: part)
                parts.append(shown(value))
            @unknown default: throw Refusal("This text can't be read.", at: literal)
            }
        }
        var text = Lowered(.infix(.plus, [.text("")] + parts), .string)
        if literal.segments.allSatisfy({ $0.is(StringSegmentSyntax.self) }) {
            if expected?.unwrapped == .character, plain.count == 1 { return Lowered(.text(plain), .character) }
            if expected?.unwrapped == .named("UnicodeScalar"), plain.unicodeScalars.count == 1 {
                return Lowered(.text(plain), .named("UnicodeScalar"))
            }
            text = Lowered(.text(plain), .string)
        }
        return expected?.unwrapped == .substring ? try coerce(text, to: .substring, at: literal) : text
    }

    /// Refuses to show a view of a collection, which shows what it is made of and not its elements.
    func mustBeShowable(_ value: Lowered, at node: some SyntaxProtocol) throws {
        if value.type.unwrapped.hasItems {
            throw Refusal("This sequence is not understood as a value of any type: make an ‘Array’ of it.", at: node)
        }
        guard value.isView else { return }
        throw Refusal("How this sequence is shown is not understood: make an ‘Array’ of it.", at: node)
    }

    /// The text of a value in an interpolation.
    func shown(_ value: Lowered) -> JavaScript {
        describes(value.type)
        return switch value.type {
        case .string, .character, .int, .bool: value.js
        case .substring: value.js.field("text")
        default: .runtime("show", value.js, descriptor(value.type))
        }
    }

    func tuple(_ tuple: TupleExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        if tuple.elements.isEmpty { return Lowered(.undefined, .void) }
        if let inner = ExprSyntax(tuple).inParentheses { return try expression(inner, expected) }
        var wanted: [SwiftType?] = tuple.elements.map { _ in nil }
        if case .tuple(let types)? = expected?.unwrapped, types.count == wanted.count { wanted = types.map(\.type) }
        var parts: [JavaScript] = []
        var types: [SwiftType.Element] = []
        for (index, element) in tuple.elements.enumerated() {
            let value = try expression(element.expression, wanted[index])
            parts.append(try keep(value, as: wanted[index], at: element))
            types.append(SwiftType.Element(label: element.label?.identifierText, type: wanted[index] ?? value.type))
        }
        if case .tuple(let known)? = expected?.unwrapped, known.count == types.count { types = known }
        return Lowered(.array(parts), .tuple(types), ownership: .moved)
    }

    func array(_ array: ArrayExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        if case .named(let name)? = expected?.unwrapped, SwiftType.optionSetNames.contains(name) {
            let options = SwiftType.named(name)
            let bits = try array.elements.map { try coerced($0.expression, to: options) }
            return Lowered(JavaScript.joined(bits, .bitOr) ?? .integer(0), options)
        }
        if let wanted = expected?.unwrapped, let found = try options(array, of: wanted) { return found }
        var wanted: SwiftType?
        switch expected?.unwrapped {
        case .array(let type)?, .list(let type)?, .slice(let type)?, .set(let type)?:
            wanted = type.hasVariables ? nil : type
        default: break
        }
        guard let (element, values) = try parts(array.elements.map(\.expression), of: wanted) else {
            throw Refusal("The type of an empty array can't be told here: write it.", at: array)
        }
        switch expected?.unwrapped {
        case .set?: return Lowered(.runtime("setOf", .array(values)), .set(element), ownership: .moved)
        case .slice?: return Lowered(.array(values), .slice(element), ownership: .moved)
        default: return Lowered(.array(values), .array(element), ownership: .moved)
        }
    }

    /// The elements, the keys or the values of a literal, and their type; nil where there are none to tell it.
    private func parts(_ nodes: [ExprSyntax], of wanted: SwiftType?) throws -> (SwiftType, [JavaScript])? {
        guard let wanted else { return try elements(nodes).map { ($0.type, $0.values) } }
        return (wanted, try nodes.map { try kept($0, as: wanted) })
    }

    /// The elements of a literal, each lowered once but where another one's type tells its own, and the type that they have in
    /// common; nil where there are none.
    private func elements(_ nodes: [ExprSyntax]) throws -> (type: SwiftType, values: [JavaScript])? {
        var type: SwiftType?
        var hasNil = false
        var numbers: Set<SwiftType> = []
        var found: [Lowered?] = nodes.map { _ in nil }
        // Cases may also stand before the one that has it.
        let isFirst = nodes.first.map(isImplicit) ?? false
        let named = isFirst ? nodes.first { !isImplicit($0) }.flatMap { typeAlone(of: $0).success } : nil
        let own = literalType(among: nodes)
        for (index, node) in nodes.enumerated() where emptyCollection(node) == nil {
            if node.is(NilLiteralExprSyntax.self) {
                hasNil = true
                continue
            }
            // A case is named without its type behind one that has it.
            let value = try expression(
                node, isImplicit(node) ? type ?? numbers.first ?? named : Self.isPlain(node) ? own : nil)
            found[index] = value
            // A literal takes the type of the others.
            if isNumberLiteral(node), numbers != [.double] { numbers = [value.type] }
            if isNumberLiteral(node) { continue }
            type = try type.map { try common($0, value.type, nodes) } ?? value.type
        }
        if let number = numbers.first {
            let takesNumber = type.map {
                $0.unwrapped.isFloating || $0.unwrapped == .named("Decimal")
                    || $0.unwrapped.isInteger && number != .double
            }
            type = takesNumber == true ? type : try type.map { try common($0, number, nodes) } ?? number
        }
        // An empty collection takes its type from the others, where one of theirs can be its own.
        for node in nodes where emptyCollection(node) != nil {
            guard let known = type else {
                type = try expression(node, nil).type
                continue
            }
            if typeAlone(of: node, known).success == nil { type = .any }
        }
        guard var whole = type else { return nil }
        if whole.unwrapped.isFloating, let power = nodes.first(where: isWholePower) {
            throw Refusal(
                "The compiler takes this power for a ‘Decimal’ beside the other values: write the type of the collection.",
                at: power)
        }
        if hasNil { whole = whole.optional }
        let values = try zip(nodes, found).map { node, value in
            if let value, value.type == whole || whole.unwrapped == .any || !isLiteral(node) {
                return try keep(value, as: whole, at: node)
            }
            return try kept(node, as: whole)
        }
        return (whole, values)
    }

    /// Whether a member or a call has no type before its dot.
    private func isImplicit(_ node: ExprSyntax) -> Bool {
        if let member = node.as(MemberAccessExprSyntax.self) { return member.base.map(isImplicit) ?? true }
        return node.as(FunctionCallExprSyntax.self).map { isImplicit($0.calledExpression) } ?? false
    }

    /// The type that literals among elements take from another one: a character, or a type of the app that literals make.
    func literalType(among nodes: [ExprSyntax]) -> SwiftType? {
        guard nodes.contains(where: Self.isPlain),
            let other = nodes.first(where: { !Self.isPlain($0) && !isLiteral($0) }),
            let type = typeAlone(of: other).success?.unwrapped
        else { return nil }
        let labels = Set(appType(type)?.members.initializers.compactMap { $0.labels.first } ?? [])
        return type == .character || !labels.isDisjoint(with: Self.literalLabels) ? type : nil
    }

    private static let literalLabels: Set<String?> = [
        "stringLiteral", "integerLiteral", "floatLiteral", "booleanLiteral", "arrayLiteral",
    ]

    /// Whether an expression is a literal that may make a value of a type of the app.
    static func isPlain(_ node: ExprSyntax) -> Bool {
        [.stringLiteralExpr, .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .arrayExpr].contains(
            node.kind)
    }

    /// The type of a collection with elements of two types.
    func common(_ known: SwiftType, _ found: SwiftType, _ nodes: [ExprSyntax]) throws -> SwiftType {
        if known == found { return known }
        if [known, found].allSatisfy({ $0 == .string || $0 == .substring }) { return .substring }
        if known.isNumber, found.isNumber, nodes.allSatisfy({ isLiteral($0) }) { return .double }
        if known.unwrapped == found.unwrapped { return known.optional }
        switch (known, found) {
        case (.array(let first), .array(let second)): return .array(try common(first, second, nodes))
        case (.dictionary(let key, let first), .dictionary(let other, let second)) where key == other:
            return .dictionary(key, try common(first, second, nodes))
        case (.nominal(let first), .nominal(let second)):
            var parent: Nominal? = declarations.nominals[first]
            while let type = parent, !isKind(declarations.nominals[second], of: type) {
                parent = declarations.superclass(of: type)
            }
            return parent.map { nominalType($0) } ?? .any
        default: return .any
        }
    }

    /// The value of `[]` and `[:]` where one of any type is wanted; nil for every other expression.
    func emptyCollection(_ node: ExprSyntax) -> Lowered? {
        if let array = node.as(ArrayExprSyntax.self), array.elements.isEmpty {
            return Lowered(.array([]), .array(.any), ownership: .moved)
        }
        if let dictionary = node.as(DictionaryExprSyntax.self), case .colon = dictionary.content {
            return Lowered(.runtime("dictionaryOf", .array([])), .dictionary(.any, .any), ownership: .moved)
        }
        return nil
    }

    func dictionary(_ dictionary: DictionaryExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        var wanted: (SwiftType, SwiftType)?
        if case .dictionary(let key, let value)? = expected?.unwrapped, !key.hasVariables, !value.hasVariables {
            wanted = (key, value)
        }
        guard case .elements(let elements) = dictionary.content, !elements.isEmpty else {
            guard let wanted else {
                throw Refusal("The type of an empty dictionary can't be told here: write it.", at: dictionary)
            }
            return Lowered(.runtime("dictionaryOf", .array([])), .dictionary(wanted.0, wanted.1), ownership: .moved)
        }
        let (key, keys) = try parts(elements.map(\.key), of: wanted?.0) ?? (.string, [])
        let (value, values) = try parts(elements.map(\.value), of: wanted?.1) ?? (.any, [])
        let parts = zip(keys, values).map { JavaScript.array([$0, $1]) }
        return Lowered(
            runtime("dictionaryOf", at: dictionary, .array(parts)), .dictionary(key, value), ownership: .moved)
    }
}
