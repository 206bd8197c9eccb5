import SwiftSyntax

/// Operators that the app declares.
extension Lowering {
    /// A prefix operator that the app declares; nil where it declares none for the value.
    func ownPrefix(_ node: PrefixOperatorExprSyntax) throws -> Lowered? {
        let symbol = node.operator.text
        guard declarations.hasPrefix(symbol), !isLiteral(node.expression) || !["-", "+", "~"].contains(symbol),
            // The library's operator lowers the value again, and tells a refusal.
            case .success(let attempt) = attempt({ try expression(node.expression, nil) })
        else { return nil }
        let value = take(attempt)
        for (function, owner) in operators(symbol, of: [value.type])
        where function.modifiers.has(.prefix) && function.genericParameterClause == nil {
            let signature = try self.signature(of: function, in: owner, isStatic: true)
            guard let type = signature.parameters.first?.type, signature.parameters.count == 1 else { continue }
            let given =
                try type == value.type || !isLiteral(node.expression) ? value : expression(node.expression, type)
            guard takes(type, given.type) else { continue }
            let kept = try keep(given, as: type, at: node, isFixed: true)
            return try invoke(signature, of: nil, BoundArguments(values: [kept]), at: node) {
                signature.js.called([$0[0]])
            }
        }
        return nil
    }

    /// The number that an operator of the app takes beside a value of one of its types, where there is a literal; nil where several are.
    func numberBeside(_ type: SwiftType, _ symbol: String, _ literal: ExprSyntax, isFirst: Bool) throws -> SwiftType? {
        guard case .nominal = type, isNumberLiteral(literal) || literal.is(PrefixOperatorExprSyntax.self) else {
            return nil
        }
        var found: Set<SwiftType> = []
        for (function, owner) in operators(symbol, of: [type]) where function.genericParameterClause == nil {
            let types = try self.signature(of: function, in: owner, isStatic: true).parameters.map(\.type)
            guard types.count == 2, takes(types[isFirst ? 1 : 0], type) else { continue }
            let other = types[isFirst ? 0 : 1]
            if other.isNumber { found.insert(other) }
        }
        return found.count == 1 ? found.first : nil
    }

    /// The functions of an operator, those of the types of its operands first.
    func operators(_ symbol: String, of types: [SwiftType]) -> [(FunctionDeclSyntax, FunctionContext.Owner?)] {
        var found: [(FunctionDeclSyntax, FunctionContext.Owner?)] = []
        for type in types {
            if type.isOptional {
                found += (declarations.extensions["Optional"]?.functions(symbol, isStatic: true) ?? [])
                    .map { ($0, .library(type, "Optional")) }
            }
            switch type.unwrapped {
            case .nominal(let number):
                for owner in lineage(of: declarations.nominals[number]) {
                    found += owner.members.functions(symbol, isStatic: true).filter { $0.body != nil }
                        .map { ($0, .nominal(owner)) }
                }
            case let extended:
                for key in extensionNames(extended) {
                    found += (declarations.extensions[key]?.functions(symbol, isStatic: true) ?? [])
                        .map { ($0, .library(extended, key)) }
                }
            }
        }
        return found + (declarations.functions[symbol] ?? []).map { ($0, nil) }
    }

    /// An operator that the app declares; nil where none is for values of these types.
    func customOperator(_ symbol: String, _ left: Lowered, _ right: Lowered, at node: some SyntaxProtocol) throws
        -> Lowered?
    {
        if let found = try declaredOperator(symbol, left, right, at: node) { return found }
        // Made of another one by Comparable and Equatable.
        switch symbol {
        case "!=": return negated(try declaredOperator("==", left, right, at: node))
        case ">": return try declaredOperator("<", right, left, at: node)
        case "<=": return negated(try declaredOperator("<", right, left, at: node))
        case ">=": return negated(try declaredOperator("<", left, right, at: node))
        default: return nil
        }
    }

    private func negated(_ value: Lowered?) -> Lowered? { value.map { Lowered($0.js.negated, .bool) } }

    func declaredOperator(_ symbol: String, _ left: Lowered, _ right: Lowered, at node: some SyntaxProtocol)
        throws -> Lowered?
    {
        var fitting: [(Signature, [SwiftType])] = []
        for (function, owner) in operators(symbol, of: [left.type, right.type]) {
            guard let arguments = try operatorTypes(of: function, in: owner, for: [left.type, right.type]) else {
                continue
            }
            let signature = try self.signature(of: function, in: owner, isStatic: true, arguments)
            let types = signature.parameters.map(\.type)
            guard types.count == 2, takes(types[0], left.type), takes(types[1], right.type) else { continue }
            fitting.append((signature, types))
        }
        let exact = fitting.filter { $0.1 == [left.type, right.type] }
        // The library's own operator takes them as they are, where an app's would wrap them.
        if exact.isEmpty, isOfLibrary(left.type), isOfLibrary(right.type) { return nil }
        if let (signature, types) = exact.first ?? fitting.first {
            if exact.isEmpty, Set(fitting.map(\.1)).count > 1 {
                throw Refusal(
                    "Which of several operators ‘\(symbol)’ is meant can't be told here: write a function.", at: node)
            }
            let values = try [
                keep(left, as: types[0], at: node, isFixed: true), keep(right, as: types[1], at: node, isFixed: true),
            ]
            return try invoke(signature, of: nil, BoundArguments(values: values), at: node)
        }
        return nil
    }

    /// The types that a generic operator's parameters stand for, by those of its operands; none of any other one, and nil where they
    /// don't tell them.
    func operatorTypes(
        of function: FunctionDeclSyntax, in owner: FunctionContext.Owner?, for operands: [SwiftType]
    ) throws -> [String: SwiftType]? {
        guard let clause = function.genericParameterClause else { return [:] }
        guard !operands.allSatisfy(isOfLibrary) || operands.contains(where: { $0.isContainerOfValues }) else {
            return nil
        }
        let names = clause.parameters.map(\.name.identifierText)
        let parameters = try openParameters(of: function, names, in: owner)
        guard parameters.count == operands.count || parameters.count == operands.count + 1 else { return nil }
        var found: [String: SwiftType] = [:]
        for (parameter, operand) in zip(parameters, operands) {
            guard match(parameter.type, operand, &found) else { return nil }
        }
        guard names.allSatisfy({ found[Self.variable($0)].map { !isOpen($0) } ?? false }) else { return nil }
        return try told(names, by: found, at: function)
    }

    /// Whether the library has operators of a type's values.
    private func isOfLibrary(_ type: SwiftType) -> Bool {
        switch type {
        case .int, .double, .float, .bool, .string, .substring, .character, .array, .named("Date"): true
        default: false
        }
    }

    /// Whether a function that takes values of one type takes those of another as they are.
    private func takes(_ wanted: SwiftType, _ given: SwiftType) -> Bool {
        if wanted == given || wanted == .optional(given) { return true }
        guard let nominal = appType(given.unwrapped), case .nominal(let target) = wanted.unwrapped else { return false }
        return wanted.isOptional == given.isOptional
            && isKind(nominal, of: declarations.nominals[target])
    }
}
