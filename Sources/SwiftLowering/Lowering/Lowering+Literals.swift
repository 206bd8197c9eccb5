import SwiftSyntax

extension Lowering {
    func number(_ node: ExprSyntax, _ expected: SwiftType?, sign: String) throws -> Lowered {
        let wanted = expected?.unwrapped
        if let literal = node.as(FloatLiteralExprSyntax.self) {
            let text = sign + literal.literal.text.filter { $0 != "_" }
            guard let value = Double(text) else { throw Refusal("This number can't be read.", at: node) }
            if wanted == .float { return Lowered("\(Double(Float(value)))", .float, isSimple: true) }
            return Lowered("\(value)", .double, isSimple: true)
        }
        guard let (digits, base) = LiteralValue.integerText(node) else {
            throw Refusal("This number can't be read.", at: node)
        }
        if wanted == .double || wanted == .float {
            guard let value = Double(base == 10 ? sign + digits : "\(sign)\(Int64(digits, radix: base) ?? 0)") else {
                throw Refusal("This number can't be read.", at: node)
            }
            return Lowered(wanted == .float ? "\(Double(Float(value)))" : "\(value)", wanted ?? .double, isSimple: true)
        }
        if let unsigned = UInt64(digits, radix: base), sign.isEmpty, unsigned > Int64.max {
            return Lowered(
                "\(unsigned)n", wanted?.isInteger == true ? wanted ?? .integer : .int("UInt64"), isSimple: true)
        }
        guard let value = Int64(sign + digits, radix: base) else {
            throw Refusal("This number is out of range.", at: node)
        }
        return Lowered(
            value < 0 ? "(\(integer(value)))" : integer(value),
            wanted?.isInteger == true ? wanted ?? .integer : .integer, isSimple: true)
    }

    /// Whether an expression is made of literals alone, and takes the type that it is wanted in.
    func isLiteral(_ node: ExprSyntax) -> Bool {
        switch node.kind {
        case .integerLiteralExpr: return true
        case .tupleExpr:
            guard let tuple = node.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first
            else { return false }
            return isLiteral(only.expression)
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
            return isLiteral(call.calledExpression)
        default: return false
        }
    }

    func isNumberLiteral(_ node: ExprSyntax) -> Bool {
        [.integerLiteralExpr, .floatLiteralExpr, .infixOperatorExpr].contains(node.kind) && isLiteral(node)
    }

    func hasFraction(_ node: ExprSyntax) -> Bool {
        node.tokens(viewMode: .sourceAccurate).contains { if case .floatLiteral = $0.tokenKind { true } else { false } }
    }

    func string(_ literal: StringLiteralExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        var parts: [String] = []
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
                if !text.isEmpty { parts.append(quoted(text)) }
            case .expressionSegment(let part):
                // A log's ‘privacy’ changes nothing here.
                guard let only = part.expressions.first, only.label == nil,
                    part.expressions.dropFirst().allSatisfy({ $0.label?.text == "privacy" })
                else {
                    throw Refusal("This interpolation is not understood: make the text before it.", at: part)
                }
                let value = try expression(only.expression, nil)
                if case .variable("refused") = value.type { throw Refusal.known }
                parts.append(shown(value))
            @unknown default: throw Refusal("This text can't be read.", at: literal)
            }
        }
        if expected?.unwrapped == .character, plain.count == 1, parts.count == 1 {
            return Lowered(parts.first ?? "\"\"", .character, isSimple: true)
        }
        if parts.count <= 1, literal.segments.allSatisfy({ if case .stringSegment = $0 { true } else { false } }) {
            return Lowered(parts.first ?? "\"\"", .string, isSimple: true)
        }
        return Lowered("(\"\" + \(parts.joined(separator: " + ")))", .string)
    }

    /// What an interpolation has of a value.
    func shown(_ value: Lowered) -> String {
        switch value.type {
        case .string, .character: value.js
        case .int, .bool: "(\(value.js))"
        default: "$.show(\(value.js), \(descriptor(value.type)))"
        }
    }

    func tuple(_ tuple: TupleExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        if tuple.elements.isEmpty { return Lowered("undefined", .void) }
        if tuple.elements.count == 1, let only = tuple.elements.first {
            var value = try expression(only.expression, expected)
            value.js = value.isSimple ? value.js : "(\(value.js))"
            return value
        }
        var wanted: [SwiftType?] = tuple.elements.map { _ in nil }
        if case .tuple(let types)? = expected?.unwrapped, types.count == wanted.count { wanted = types.map(\.type) }
        var parts: [String] = []
        var types: [SwiftType.Element] = []
        for (index, element) in tuple.elements.enumerated() {
            let value = try expression(element.expression, wanted[index])
            parts.append(try keep(value, as: wanted[index], at: element))
            types.append(SwiftType.Element(label: element.label?.identifierText, type: wanted[index] ?? value.type))
        }
        if case .tuple(let known)? = expected?.unwrapped, known.count == types.count { types = known }
        return Lowered("[\(parts.joined(separator: ", "))]", .tuple(types), isFresh: true)
    }

    func array(_ array: ArrayExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        var wanted: SwiftType?
        var isSet = false
        if case .named(let name)? = expected?.unwrapped, SwiftType.optionSetNames.contains(name) {
            let options = SwiftType.named(name)
            let bits = try array.elements.map { try coerce(expression($0.expression, options), to: options, at: $0).js }
            return Lowered("(\((bits + ["0"]).joined(separator: " | ")))", options)
        }
        switch expected?.unwrapped {
        case .array(let type)?: wanted = type
        case .list(let type)?: wanted = type
        case .set(let type)?: (wanted, isSet) = (type, true)
        case .any?: break
        default: break
        }
        if wanted == nil { wanted = try commonType(array.elements.map(\.expression)) }
        guard let element = wanted else { throw Refusal("The type of an empty array can't be told here.", at: array) }
        let parts = try array.elements.map { try keep(expression($0.expression, element), as: element, at: $0) }
        let js = "[\(parts.joined(separator: ", "))]"
        return isSet
            ? Lowered("$.setOf(\(js))", .set(element), isFresh: true) : Lowered(js, .array(element), isFresh: true)
    }

    /// The type that the elements of a literal have in common; nil where there are none.
    private func commonType(_ nodes: [ExprSyntax]) throws -> SwiftType? {
        var type: SwiftType?
        var hasNil = false
        // An empty collection takes its type from the others, where one of theirs can be its own.
        for node in nodes.filter({ emptyCollection($0) == nil }) + nodes.filter({ emptyCollection($0) != nil }) {
            if let known = type, emptyCollection(node) != nil {
                if (try? trying { try expression(node, known) }) == nil { type = .any }
                continue
            }
            if node.is(NilLiteralExprSyntax.self) {
                hasNil = true
                continue
            }
            let found = try trying { try expression(node, type) }.type
            guard let known = type else {
                type = found
                continue
            }
            if known == found { continue }
            if known.isNumber, found.isNumber, nodes.allSatisfy({ isLiteral($0) }) {
                type = .double
            } else if known.unwrapped == found.unwrapped {
                type = known.optional
            } else {
                type = .any
            }
        }
        return hasNil ? type?.optional : type
    }

    /// What `[]` and `[:]` are where a value of any type is wanted; nil of every other expression.
    func emptyCollection(_ node: ExprSyntax) -> Lowered? {
        if let array = node.as(ArrayExprSyntax.self), array.elements.isEmpty {
            return Lowered("[]", .array(.any), isFresh: true)
        }
        if let dictionary = node.as(DictionaryExprSyntax.self), case .colon = dictionary.content {
            return Lowered("$.dictionaryOf([])", .dictionary(.any, .any), isFresh: true)
        }
        return nil
    }

    func dictionary(_ dictionary: DictionaryExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        var wanted: (SwiftType, SwiftType)?
        if case .dictionary(let key, let value)? = expected?.unwrapped { wanted = (key, value) }
        guard case .elements(let elements) = dictionary.content, !elements.isEmpty else {
            guard let wanted else {
                throw Refusal("The type of an empty dictionary can't be told here.", at: dictionary)
            }
            return Lowered("$.dictionaryOf([])", .dictionary(wanted.0, wanted.1), isFresh: true)
        }
        let key = try wanted?.0 ?? commonType(elements.map(\.key)) ?? .string
        let value = try wanted?.1 ?? commonType(elements.map(\.value)) ?? .any
        let parts = try elements.map { element in
            let left = try keep(expression(element.key, key), as: key, at: element)
            return "[\(left), \(try keep(expression(element.value, value), as: value, at: element))]"
        }
        return Lowered(
            "\(mark(dictionary))$.dictionaryOf([\(parts.joined(separator: ", "))])", .dictionary(key, value),
            isFresh: true)
    }
}
