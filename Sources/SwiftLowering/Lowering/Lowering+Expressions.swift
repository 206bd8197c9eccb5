import SwiftScripts
import SwiftSyntax

extension Lowering {
    /// Lowers an expression.
    ///
    /// - Parameters:
    ///   - expected: the type that the place wants; literals and members without a type take it.
    ///   - isDiscarded: whether nobody looks at the value.
    func expression(_ node: ExprSyntax, _ expected: SwiftType?, isDiscarded: Bool = false) throws -> Lowered {
        // What becomes of a value of the type Any is seen when it is one.
        let expected = expected == .any || expected == .optional(.any) ? nil : expected
        switch node.kind {
        case .memberAccessExpr, .functionCallExpr, .subscriptCallExpr, .forceUnwrapExpr, .optionalChainingExpr:
            return try chain(node, expected, isDiscarded: isDiscarded)
        default: return try primary(node, expected, isDiscarded: isDiscarded)
        }
    }

    /// A chain of members, calls and subscripts: where one `?` in it finds nil, all of it is nil.
    private func chain(_ node: ExprSyntax, _ expected: SwiftType?, isDiscarded: Bool) throws -> Lowered {
        context.chains.append([])
        let value: Lowered
        do {
            value = try postfix(node, expected, isDiscarded: isDiscarded)
        } catch {
            context.chains.removeLast()
            throw error
        }
        let tests = context.chains.removeLast()
        guard !tests.isEmpty else { return value }
        let head = tests.map { "(\($0)) == null ? null : " }.joined()
        var whole = Lowered(
            "(\(head)\(value.js))", value.type == .stub ? .stub : value.type.optional, isStored: value.isStored)
        if let raw = value.raw { whole.raw = Lowered.Raw(js: "(\(head)\(raw.js))", object: raw.object, key: raw.key) }
        return whole
    }

    /// A part of a chain.
    func postfix(_ node: ExprSyntax, _ expected: SwiftType?, isDiscarded: Bool = false) throws -> Lowered {
        if let parameter = try parameter(node) { return parameter }
        if let optional = node.as(OptionalChainingExprSyntax.self) {
            let base = try postfix(optional.expression, nil)
            if base.type == .stub { return base }
            // A type with ‘!’, or one that is never nil by what is known here.
            guard base.type.isOptional || base.type == .any else { return base }
            if base.isSimple {
                context.chains[context.chains.count - 1].append(base.js)
                return Lowered(base.js, base.type.unwrapped, isStored: base.isStored, isSimple: true)
            }
            let holder = temporary()
            context.chains[context.chains.count - 1].append("\(holder) = \(base.js)")
            return Lowered(holder, base.type.unwrapped, isStored: base.isStored, isSimple: true)
        }
        if let forced = node.as(ForceUnwrapExprSyntax.self) {
            let base = try postfix(forced.expression, expected?.optional)
            if base.type == .stub || !base.type.isOptional { return base }
            return Lowered("\(mark(forced))$.unwrap(\(base.js))", base.type.unwrapped, isStored: base.isStored)
        }
        if let member = node.as(MemberAccessExprSyntax.self) { return try self.member(member, expected) }
        if let call = node.as(FunctionCallExprSyntax.self) {
            return try self.call(call, expected, isDiscarded: isDiscarded)
        }
        if let access = node.as(SubscriptCallExprSyntax.self) { return try subscripted(access) }
        return try primary(node, expected, isDiscarded: isDiscarded)
    }

    /// The value that the settings give a name, or a path of names.
    private func parameter(_ node: ExprSyntax) throws -> Lowered? {
        guard !program.parameters.isEmpty, node.is(MemberAccessExprSyntax.self) || node.is(DeclReferenceExprSyntax.self)
        else {
            return nil
        }
        let path = node.trimmedDescription.filter { !"!?() \n".contains($0) }
        guard let value = program.parameters[path], path.contains(".") || lookUp(path) == nil else { return nil }
        switch value {
        case .int(let number): return Lowered(integer(number), .integer, isSimple: true)
        case .double(let number): return Lowered("\(number)", .double, isSimple: true)
        case .bool(let flag): return Lowered("\(flag)", .bool, isSimple: true)
        case .string(let text): return Lowered(quoted(text), .string, isSimple: true)
        }
    }

    private func primary(_ node: ExprSyntax, _ expected: SwiftType?, isDiscarded: Bool) throws -> Lowered {
        switch node.kind {
        case .integerLiteralExpr, .floatLiteralExpr: return try number(node, expected, sign: "")
        case .booleanLiteralExpr: return Lowered(node.trimmedDescription, .bool, isSimple: true)
        case .nilLiteralExpr:
            return Lowered(
                "null",
                expected.map { $0.isOptional ? $0 : .optional(.variable("nil")) } ?? .optional(.variable("nil")),
                isSimple: true)
        default: break
        }
        if let text = node.as(StringLiteralExprSyntax.self) { return try string(text, expected) }
        if let reference = node.as(DeclReferenceExprSyntax.self) {
            if case .binaryOperator(let symbol) = reference.baseName.tokenKind {
                return try operatorFunction(symbol, expected, at: node)
            }
            if let parameter = try parameter(node) { return parameter }
            return try self.reference(reference.baseName.identifierText, at: node, labels: reference.argumentNames)
        }
        if let tuple = node.as(TupleExprSyntax.self) { return try self.tuple(tuple, expected) }
        if let array = node.as(ArrayExprSyntax.self) { return try self.array(array, expected) }
        if let dictionary = node.as(DictionaryExprSyntax.self) { return try self.dictionary(dictionary, expected) }
        if let infix = node.as(InfixOperatorExprSyntax.self) { return try self.infix(infix, expected) }
        if let prefix = node.as(PrefixOperatorExprSyntax.self) { return try self.prefix(prefix, expected) }
        if let ternary = node.as(TernaryExprSyntax.self) { return try self.ternary(ternary, expected) }
        if let cast = node.as(AsExprSyntax.self) { return try self.cast(cast, expected) }
        if let test = node.as(IsExprSyntax.self) {
            let value = try expression(test.expression, nil)
            return Lowered("$.is(\(boxed(value)), \(descriptor(try type(test.type))))", .bool)
        }
        if let attempt = node.as(TryExprSyntax.self) {
            return try self.attempt(attempt, expected, isDiscarded: isDiscarded)
        }
        if let closure = node.as(ClosureExprSyntax.self) { return try self.closure(closure, expected) }
        if let path = node.as(KeyPathExprSyntax.self) { return try keyPath(path, expected) }
        if let macro = node.as(MacroExpansionExprSyntax.self) { return try self.macro(macro) }
        if let conditional = node.as(IfExprSyntax.self) { return try valueOf(ExprSyntax(conditional), expected) }
        if let choice = node.as(SwitchExprSyntax.self) { return try valueOf(ExprSyntax(choice), expected) }
        if let specialized = node.as(GenericSpecializationExprSyntax.self),
            let type = try? typeExpression(ExprSyntax(specialized))
        {
            return Lowered("undefined", .metatype(type))
        }
        if let inout_ = node.as(InOutExprSyntax.self) { return try expression(inout_.expression, expected) }
        throw Refusal("This expression is not understood.", at: node)
    }

    // MARK: Literals

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
    private func isLiteral(_ node: ExprSyntax) -> Bool {
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

    private func isNumberLiteral(_ node: ExprSyntax) -> Bool {
        [.integerLiteralExpr, .floatLiteralExpr, .infixOperatorExpr].contains(node.kind) && isLiteral(node)
    }

    private func hasFraction(_ node: ExprSyntax) -> Bool {
        node.tokens(viewMode: .sourceAccurate).contains { if case .floatLiteral = $0.tokenKind { true } else { false } }
    }

    private func string(_ literal: StringLiteralExprSyntax, _ expected: SwiftType?) throws -> Lowered {
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
                guard part.expressions.count == 1, let only = part.expressions.first else {
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

    private func tuple(_ tuple: TupleExprSyntax, _ expected: SwiftType?) throws -> Lowered {
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

    private func array(_ array: ArrayExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        var wanted: SwiftType?
        var isSet = false
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
        for node in nodes {
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

    private func dictionary(_ dictionary: DictionaryExprSyntax, _ expected: SwiftType?) throws -> Lowered {
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

    // MARK: Names

    /// What a name stands for.
    func reference(_ name: String, at node: some SyntaxProtocol, labels: DeclNameArgumentsSyntax? = nil) throws
        -> Lowered
    {
        if name == "self" {
            if let value = context.selfValue { return value }
            if let type = ownerType { return Lowered("undefined", .metatype(type)) }
        }
        if let local = lookUp(name) {
            if case .variable("refused") = local.type { throw Refusal.known }
            if let function = local.function {
                let signature = try localSignature(function, local)
                return Lowered(
                    signature.js, .function(signature.parameters.map(\.type), signature.result), isSimple: true)
            }
            return Lowered(
                local.isReference ? "\(local.js).v" : local.js, local.type,
                isStored: local.isVariable || local.isReference,
                isSimple: true)
        }
        if name.hasPrefix("$"), let number = Int(name.dropFirst()), number < context.anonymous.count {
            context.usedAnonymous = max(context.usedAnonymous, number + 1)
            let local = context.anonymous[number]
            return Lowered(
                local.isReference ? "\(local.js).v" : local.js, local.type, isStored: local.isReference, isSimple: true)
        }
        if let member = try implicitMember(name, at: node) { return member }
        if let local = try surrounding(name) {
            return Lowered(local.js, local.type, isStored: local.isVariable, isSimple: true)
        }
        if let variable = declarations.variables[name] { return try global(variable, in: nil) }
        if let function = declarations.functions[name]?.first {
            let signature = try self.signature(of: function, in: nil, isStatic: false)
            return Lowered(signature.js, .function(signature.parameters.map(\.type), signature.result), isSimple: true)
        }
        if program.stubs.contains(name) { return Lowered("undefined", .stub, isSimple: true) }
        if let type = try? typeNamed(name) { return Lowered("undefined", .metatype(type)) }
        throw unknown(name, at: node)
    }

    func unknown(_ name: String, at node: some SyntaxProtocol) -> Refusal {
        Refusal(
            "‘\(name)’ is declared by no file: add the file that declares it, name it in the stubs if its calls may do "
                + "nothing, or give its value in the parameters.", at: node)
    }

    private func typeNamed(_ name: String) throws -> SwiftType? {
        if let nominal = nominal(named: name) { return nominalType(nominal) }
        return SwiftType.scalar(name)
    }

    /// A member of the type that the code stands in, named without it.
    private func implicitMember(_ name: String, at node: some SyntaxProtocol) throws -> Lowered? {
        guard let owner = context.owner else { return nil }
        if let value = context.selfValue, let found = try memberOfValue(value, name, at: node) { return found }
        switch owner {
        case .nominal(let start):
            var scope: Nominal? = start
            while let type = scope {
                if let found = try staticMember(name, of: type) { return found }
                scope = type.parent
            }
            return nil
        case .library(_, let extended):
            guard let variable = declarations.extensions[extended]?.variable(name, isStatic: true) else { return nil }
            return try global(variable, in: owner)
        }
    }

    /// A constant of the code around the block.
    private func surrounding(_ name: String) throws -> Local? {
        for list in surroundings.reversed() {
            for item in list {
                guard case .decl(let declaration) = item.item, let variable = declaration.as(VariableDeclSyntax.self)
                else {
                    continue
                }
                for found in VariableDeclaration.all(variable)
                where found.name == name && declarations.variables[name] == nil {
                    if let known = surrounded[found.binding.id] { return known }
                    let value = try global(found, in: context.owner)
                    let local = Local(js: value.js, type: value.type)
                    surrounded[found.binding.id] = local
                    return local
                }
            }
        }
        return nil
    }

    /// A global variable or a static one.
    func global(_ variable: VariableDeclaration, in owner: FunctionContext.Owner?) throws -> Lowered {
        if let known = globals[variable.binding.id] { return known }
        let inner = FunctionContext()
        inner.owner = owner
        let js = fresh(variable.name)
        if variable.isComputed, let getter = variable.getter {
            let type = try inFunction(inner, scopes: [[:]]) { try self.type(of: variable) }
            let value = Lowered("\(js)()", type)
            globals[variable.binding.id] = value
            inner.result = type
            later { [self] in
                let body = inFunction(inner, scopes: [[:]]) { bodyText(getter) }
                emit("function \(js)() {\n\(body)\n}")
            }
            return value
        }
        let annotation: TypeAnnotationSyntax? = variable.binding.typeAnnotation
        let annotated: SwiftType? = try inFunction(inner, scopes: [[:]]) { () throws -> SwiftType? in
            guard let annotation else { return nil }
            return try self.type(annotation.type)
        }
        guard let clause: InitializerClauseSyntax = variable.binding.initializer else {
            throw Refusal("‘\(variable.name)’ has no value here: give it in the parameters.", at: variable.binding)
        }
        if let annotated {
            globals[variable.binding.id] = Lowered("\(js).v", annotated, isStored: !variable.isConstant, isSimple: true)
        }
        let found: Lowered = try inFunction(inner, scopes: [[:]]) { () throws -> Lowered in
            let lowered = try expression(clause.value, annotated)
            let kept = try keep(lowered, as: annotated, at: clause.value)
            return Lowered("\(temporaries(of: context))return (\(kept));", annotated ?? lowered.type)
        }
        emit("const \(js) = $.lazy(() => {\n\(found.js)\n});")
        let value = Lowered("\(js).v", found.type, isStored: !variable.isConstant, isSimple: true)
        globals[variable.binding.id] = value
        return value
    }

    // MARK: Operators

    private func ternary(_ node: TernaryExprSyntax, _ expected: SwiftType?) throws -> Lowered {
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

    private func prefix(_ node: PrefixOperatorExprSyntax, _ expected: SwiftType?) throws -> Lowered {
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
    private func range(_ type: SwiftType) -> String {
        type == .integer || type == .int("Int64") ? "" : ", \(descriptor(type))"
    }

    private func infix(_ node: InfixOperatorExprSyntax, _ expected: SwiftType?) throws -> Lowered {
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
            let test = try equality(left, right, at: node)
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
    private func operatorFunction(_ symbol: String, _ expected: SwiftType?, at node: ExprSyntax) throws -> Lowered {
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

    // MARK: Casts

    private func cast(_ node: AsExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        let target: SwiftType = try self.type(node.type)
        guard let form = node.questionOrExclamationMark?.text else {
            let value = try expression(node.expression, target)
            return try coerce(value, to: target, at: node)
        }
        let value = try expression(node.expression, nil)
        if value.type == .stub { throw Refusal("A stub gives no value.", at: node) }
        let inner = target.unwrapped
        let isForced = form == "!" && !target.isOptional
        let place = mark(node)
        if let raw = value.raw {
            let simple = ["String", "Int", "Double", "Bool"].first { inner == SwiftType.scalar($0) }
            if let simple {
                return Lowered(
                    "\(place)$.\(isForced ? "force" : "maybe")\(simple)(\(raw.js), \(raw.object), \(raw.key))",
                    isForced ? inner : .optional(inner))
            }
        }
        let js = value.type == .optional(.any) ? value.js : boxed(value)
        if isForced { return Lowered("\(place)$.force(\(js), \(descriptor(inner)))", inner) }
        // ‘as! T?’ of what is something else than nil or a T is a failure; ‘as?’ is nil.
        if form == "!" { return Lowered("\(place)$.forceOptional(\(js), \(descriptor(inner)))", .optional(inner)) }
        return Lowered("$.maybe(\(js), \(descriptor(inner)))", .optional(inner))
    }

    private func attempt(_ node: TryExprSyntax, _ expected: SwiftType?, isDiscarded: Bool) throws -> Lowered {
        switch node.questionOrExclamationMark?.text {
        case "?":
            let value = try expression(node.expression, expected?.unwrapped, isDiscarded: isDiscarded)
            return Lowered("$.tryMaybe(() => (\(value.js)))", value.type.optional)
        case "!":
            let value = try expression(node.expression, expected)
            return Lowered("\(mark(node))$.tryForced(() => (\(value.js)))", value.type)
        default: return try expression(node.expression, expected, isDiscarded: isDiscarded)
        }
    }

    private func keyPath(_ node: KeyPathExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        guard case .function(let parameters, _)? = expected, parameters.count == 1 else {
            throw Refusal("A key path is understood where a function is wanted.", at: node)
        }
        let js = fresh("root")
        var value = Lowered(js, parameters[0], isSimple: true)
        for component in node.components {
            guard case .property(let property) = component.component,
                let found = try memberOfValue(value, property.declName.baseName.identifierText, at: component)
            else { throw Refusal("This key path is not understood.", at: node) }
            value = found
        }
        return Lowered("(\(js) => (\(value.js)))", .function(parameters, value.type))
    }

    private func macro(_ node: MacroExpansionExprSyntax) throws -> Lowered {
        let place = declarations.file(of: node).place(of: node)
        switch node.macroName.text {
        case "line": return Lowered("\(place.line)", .integer, isSimple: true)
        case "column": return Lowered("\(place.column)", .integer, isSimple: true)
        case "file", "fileID", "filePath":
            return Lowered(quoted(declarations.files[place.file].name), .string, isSimple: true)
        case "function": return Lowered(quoted("migration"), .string, isSimple: true)
        case "keyPath":
            let path = node.arguments.first?.expression.trimmedDescription ?? ""
            let names = path.split(separator: ".").drop { $0.first?.isUppercase ?? false }
            return Lowered(quoted(names.joined(separator: ".")), .string, isSimple: true)
        default: throw Refusal("‘#\(node.macroName.text)’ is not understood.", at: node)
        }
    }

    /// The value of an `if` or a `switch`.
    private func valueOf(_ node: ExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        let before = (context.result, context.isResultKnown)
        (context.result, context.isResultKnown) = (expected, expected != nil)
        defer { (context.result, context.isResultKnown) = before }
        let text = try resultText(node)
        return Lowered("(() => {\n\(text)\n})()", context.result ?? .void)
    }

    /// Statements that return the value of an `if`, a `switch` or any other expression.
    func resultText(_ node: ExprSyntax) throws -> String {
        if let conditional = node.as(IfExprSyntax.self) {
            scopes.append([:])
            defer { scopes.removeLast() }
            let (names, test) = try conditions(conditional.conditions)
            let body = try resultBody(conditional.body.statements)
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
        if !context.isResultKnown, value.type != .never { (context.result, context.isResultKnown) = (value.type, true) }
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
