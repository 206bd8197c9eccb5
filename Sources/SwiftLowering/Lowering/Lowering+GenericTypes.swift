import SwiftSyntax

/// Generic types of the app: each list of types that one is used with makes a type of its own, whose members have the same source.
extension Lowering {
    /// A generic type with what its parameters stand for.
    func specialized(_ template: Nominal, _ arguments: [SwiftType], at node: some SyntaxProtocol) throws -> Nominal {
        guard arguments.count == template.generics.count else {
            throw Refusal("‘\(template.path)’ takes \(template.generics.count) types.", at: node)
        }
        guard arguments.allSatisfy({ $0.depth < Self.typeDepth && nesting(of: $0) < Self.typeDepth }) else {
            throw Refusal("The types that ‘\(template.path)’ is used with nest ever deeper.", at: node)
        }
        let made = declarations.specialized(template, arguments)
        if made.shownPath == nil { made.shownPath = arguments.contains(where: isOpen) ? nil : qualifiedName(of: made) }
        return made
    }

    private static let typeDepth = 12

    /// How many generic types stand in each other.
    private func nesting(of type: SwiftType) -> Int {
        guard let nominal = appType(type.unwrapped) else { return 0 }
        return (nominal.arguments.map { nesting(of: $0) }.max() ?? -1) + 1
    }

    /// The type that is meant by a generic one's name: the one that the place wants, or what the arguments of a call tell.
    ///
    /// - Parameter parameters: those of the function that makes a value, for types as they are told.
    func specialized(_ template: Nominal, _ call: Call, _ parameters: () throws -> [Parameter]?) throws -> Nominal {
        if let nominal = appType(call.expected?.unwrapped), nominal.template === template { return nominal }
        var inner = FunctionContext(owner: .nominal(template))
        for name in template.generics { inner.typeArguments[name] = .variable(Self.variable(name)) }
        guard let wanted = try inFunction(inner, parameters) else {
            throw Refusal(
                "The types that ‘\(template.path)’ is used with can't be told here: write them behind its name.",
                at: call.node)
        }
        var types = try told(template.generics, by: standsFor(wanted, call.arguments), at: call.node)
        if let declaration = template.node.asProtocol(WithGenericParametersSyntax.self) {
            types = Self.floating(types, declaration)
        }
        return try specialized(template, template.generics.compactMap { types[$0] }, at: call.node)
    }

    /// The type of which an initializer of a generic one makes a value.
    func specialized(_ template: Nominal, madeOf call: Call) throws -> Nominal {
        try specialized(template, call) {
            let fitting = template.members.initializers.filter {
                labels(of: $0.signature.parameterClause, fit: call)
            }
            if fitting.count > 1 {
                throw Refusal(
                    "The types of ‘\(template.path)’ do not follow from one of several initializers: write them.",
                    at: call.node)
            }
            if let only = fitting.first { return try self.parameters(only.signature.parameterClause) }
            guard template.kind == .structure else { return nil }
            return try storedProperties(of: template).filter { !$0.isLazy }.map { field in
                Parameter(
                    label: field.name, name: field.name, type: try type(of: field),
                    defaultValue: field.binding.initializer?.value)
            }
        }
    }

    /// The type of which a case or a static function of a generic one is called.
    func specialized(_ template: Nominal, calledBy call: Call) throws -> Nominal {
        try specialized(template, call) {
            if let element = template.members.cases.first(where: { $0.name.identifierText == call.name }) {
                return try caseParameters(element, of: template)
            }
            let fitting = template.members.functions(call.name, isStatic: true).filter {
                labels(of: $0.signature.parameterClause, fit: call) && $0.genericParameterClause == nil
            }
            guard let only = fitting.first, fitting.count == 1 else { return nil }
            return try self.parameters(only.signature.parameterClause)
        }
    }

    // MARK: Types that are not told yet

    /// Whether a type holds names that stand for types.
    func isOpen(_ type: SwiftType) -> Bool {
        if type.hasVariables { return true }
        return type.contains { part in
            guard let nominal = appType(part) else { return false }
            return nominal.arguments.contains { isOpen($0) }
        }
    }

    /// The type with what its names stand for.
    func replaced(_ type: SwiftType, _ found: [String: SwiftType]) -> SwiftType { type.replacing(found) }

    /// As `SwiftType.match`, also where the names stand in types of the app.
    func match(_ wanted: SwiftType, _ given: SwiftType, _ found: inout [String: SwiftType]) -> Bool {
        switch (wanted, given) {
        case (.nominal(let left), .nominal(let right)) where left != right:
            let (one, other) = (declarations.nominals[left], declarations.nominals[right])
            guard let template = one.template, template === other.template else { return false }
            for (left, right) in zip(one.arguments, other.arguments) {
                guard match(left, right, &found) else { return false }
            }
            return true
        case (.array(let left), .array(let right)), (.optional(let left), .optional(let right)),
            (.set(let left), .set(let right)):
            return match(left, right, &found)
        case (.dictionary(let key, let value), .dictionary(let otherKey, let otherValue)):
            return match(key, otherKey, &found) && match(value, otherValue, &found)
        case (.function(let left, let result), .function(let right, let otherResult)) where left.count == right.count:
            for (left, right) in zip(left, right) { guard match(left, right, &found) else { return false } }
            return match(result, otherResult, &found)
        default: return wanted.match(given, &found)
        }
    }

    // MARK: Names

    /// The name of a type as the compiler's program shows it inside of a collection, its module aside.
    private func qualifiedName(of made: Nominal) -> String {
        let names = made.arguments.map { qualifiedName(of: $0) }
        let path = made.parent.map { "\($0.path).\(made.name)" } ?? made.name
        return "\(path)<\(names.joined(separator: ", "))>"
    }

    private func qualifiedName(of type: SwiftType) -> String {
        switch type {
        case .int, .double, .float, .bool, .string, .character, .substring: "Swift.\(spelled(type))"
        case .optional(let wrapped): "Swift.Optional<\(qualifiedName(of: wrapped))>"
        case .array(let element): "Swift.Array<\(qualifiedName(of: element))>"
        case .set(let element): "Swift.Set<\(qualifiedName(of: element))>"
        case .dictionary(let key, let value): "Swift.Dictionary<\(qualifiedName(of: key)), \(qualifiedName(of: value))>"
        case .named(let name) where ["Date", "Data", "URL", "UUID"].contains(name): "Foundation.\(name)"
        default: spelled(type)
        }
    }
}
