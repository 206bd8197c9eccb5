import SwiftParser
import SwiftSyntax

extension Lowering {
    /// The type that an expression names; throws where it is none.
    func typeExpression(_ node: ExprSyntax) throws -> SwiftType {
        if let reference = node.as(DeclReferenceExprSyntax.self) {
            let name = reference.baseName.identifierText
            if name == "Self", let owner = ownerType { return owner }
            if program.stubs.contains(name) { throw Refusal.known }
            guard lookUp(name) == nil || nominal(named: name) != nil, name.first?.isUppercase ?? false else {
                throw Refusal.known
            }
            return try type(TypeSyntax(IdentifierTypeSyntax(name: .identifier(name))))
        }
        if let member = node.as(MemberAccessExprSyntax.self), let base = member.base {
            let name = member.declName.baseName.identifierText
            let outer = base.trimmedDescription
            if ["Foundation", "RealmSwift", "Swift"].contains(outer) {
                return try type(TypeSyntax(IdentifierTypeSyntax(name: .identifier(name))))
            }
            if outer == "String", name == "Encoding" { return .named("StringEncoding") }
            if outer == "Calendar", name == "Component" { return .named("CalendarComponent") }
            guard let nested = nominal(base)?.nested[name] else { throw Refusal.known }
            return nominalType(nested)
        }
        if let specialized = node.as(GenericSpecializationExprSyntax.self) {
            let arguments = try specialized.genericArgumentClause.arguments.compactMap { argument in
                try argument.argument.as(TypeSyntax.self).map { try type($0) }
            }
            let found = SwiftType.named(specialized.expression.trimmedDescription, arguments)
            if case .named = found { throw Refusal.known }
            return found
        }
        if let array = node.as(ArrayExprSyntax.self), array.elements.count == 1, let only = array.elements.first {
            return .array(try typeExpression(only.expression))
        }
        if let dictionary = node.as(DictionaryExprSyntax.self), case .elements(let list) = dictionary.content,
            list.count == 1,
            let only = list.first
        {
            return .dictionary(try typeExpression(only.key), try typeExpression(only.value))
        }
        if let optional = node.as(OptionalChainingExprSyntax.self) {
            return try typeExpression(optional.expression).optional
        }
        if let typed = node.as(TypeExprSyntax.self) { return try type(typed.type) }
        throw Refusal.known
    }

    /// The app's type that an expression names, model classes among them; nil where it names none.
    func nominal(_ node: ExprSyntax) -> Nominal? {
        if let reference = node.as(DeclReferenceExprSyntax.self) {
            let name = reference.baseName.identifierText
            if name == "Self", case .nominal(let owner) = context.owner { return owner }
            return lookUp(name) == nil ? nominal(named: name) : nil
        }
        guard let member = node.as(MemberAccessExprSyntax.self), let base = member.base else { return nil }
        return nominal(base)?.nested[member.declName.baseName.identifierText]
    }

    // MARK: Members

    func member(_ node: MemberAccessExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        let name = node.declName.baseName.identifierText
        guard let baseNode = node.base else { return try implicit(name, expected, at: node) }
        if name == "self", let type = try? typeExpression(baseNode) { return Lowered("undefined", .metatype(type)) }
        if name == "init", (try? typeExpression(baseNode)) != nil {
            // A function that makes a value: `map(String.init)`.
            let parsed = Parser.parse(source: "{ \(baseNode.trimmedDescription)($0) }").statements.first?.item
            if case .expr(let closure)? = parsed, let made = closure.as(ClosureExprSyntax.self) {
                return try self.closure(made, expected)
            }
        }
        if let nominal = nominal(baseNode), let found = try staticMember(name, of: nominal) { return found }
        if let type = try? typeExpression(baseNode) {
            if type.isOptional, name == "none" { return Lowered("null", type, isSimple: true) }
            if let found = try memberOfType(type, name, at: node) { return found }
            throw Refusal("‘\(spelled(type))’ has no ‘\(name)’ that is understood here.", at: node.declName)
        }
        // A module's name before one of its own.
        if let module = baseNode.as(DeclReferenceExprSyntax.self)?.baseName.text,
            ["Foundation", "Swift", "RealmSwift"].contains(module)
        {
            return try reference(name, at: node)
        }
        let base = try postfix(baseNode, nil)
        if base.type == .stub { return Lowered("undefined", .stub, isSimple: true) }
        if case .metatype(let type) = base.type, let found = try memberOfType(type, name, at: node) { return found }
        if let found = try memberOfValue(base, name, at: node) { return found }
        throw Refusal("‘\(spelled(base.type))’ has no ‘\(name)’ that is understood here.", at: node.declName)
    }

    private func implicit(_ name: String, _ expected: SwiftType?, at node: some SyntaxProtocol) throws -> Lowered {
        guard let wanted = expected else { throw Refusal("The type of ‘.\(name)’ can't be told here.", at: node) }
        if wanted.isOptional, name == "none" { return Lowered("null", wanted, isSimple: true) }
        if let found = try memberOfType(wanted.unwrapped, name, at: node) { return found }
        throw Refusal("‘\(spelled(wanted.unwrapped))’ has no ‘\(name)’ that is understood here.", at: node)
    }

    /// A static member, or a case of an enumeration.
    func memberOfType(_ type: SwiftType, _ name: String, at node: some SyntaxProtocol) throws -> Lowered? {
        if case .nominal(let number) = type { return try staticMember(name, of: declarations.nominals[number]) }
        for key in extensionNames(type) {
            if let variable = declarations.extensions[key]?.variable(name, isStatic: true) {
                return try global(variable, in: .library(type, key))
            }
        }
        for entry in library.statics(name) where entry.parameters == nil {
            var variables: [String: SwiftType] = [:]
            guard let receiver = entry.receiver, receiver.match(type, &variables) else { continue }
            return Lowered(filled(entry, "", [], variables, type), entry.result.replacing(variables), isSimple: false)
        }
        return nil
    }

    func staticMember(_ name: String, of nominal: Nominal) throws -> Lowered? {
        let type = nominalType(nominal)
        if let element = nominal.members.cases.first(where: { $0.name.identifierText == name }) {
            guard element.parameterClause == nil else {
                let types = try caseTypes(element, of: nominal)
                let names = types.indices.map { "x\($0)" }.joined(separator: ", ")
                return Lowered(
                    "((\(names)) => $.made(\(descriptor(type)), \(quoted(name)), [\(names)]))", .function(types, type))
            }
            return Lowered("\(descriptor(type)).cases.\(fieldName(name))", type, isSimple: true)
        }
        if nominal.kind == .enumeration, name == "allCases", nominal.members.variable(name, isStatic: true) == nil {
            return Lowered("\(descriptor(type)).all()", .array(type))
        }
        if let variable = nominal.members.variable(name, isStatic: true) {
            return try global(variable, in: .nominal(nominal))
        }
        if let function = nominal.members.functions(name, isStatic: true).first {
            let signature = try self.signature(of: function, in: .nominal(nominal), isStatic: true)
            return Lowered(signature.js, .function(signature.parameters.map(\.type), signature.result), isSimple: true)
        }
        if let parent = declarations.superclass(of: nominal) { return try staticMember(name, of: parent) }
        return nil
    }

    /// The names by which extensions may extend a type of the library.
    func extensionNames(_ type: SwiftType) -> [String] {
        switch type {
        case .array(let element): ["Array", "Collection", "Sequence", "[\(spelled(element))]"]
        case .set: ["Set", "Collection", "Sequence"]
        case .dictionary: ["Dictionary"]
        case .optional: ["Optional"]
        case .object: ["MigrationObject", "DynamicObject", "Object"]
        case .list: ["List"]
        case .string: ["String", "StringProtocol"]
        case .int(let name): [name, "BinaryInteger", "FixedWidthInteger"]
        default: [spelled(type)]
        }
    }

    /// A property of a value; nil where it has none of the name.
    func memberOfValue(_ base: Lowered, _ name: String, at node: some SyntaxProtocol) throws -> Lowered? {
        switch base.type {
        case .variable("refused"): throw Refusal.known
        case .stub: return Lowered("undefined", .stub, isSimple: true)
        case .tuple(let elements):
            guard let index = Int(name) ?? elements.firstIndex(where: { $0.label == name }),
                elements.indices.contains(index)
            else { return nil }
            return Lowered(
                "\(base.js)[\(index)]", elements[index].type, isStored: base.isStored, isSimple: base.isSimple)
        case .nominal(let number):
            let nominal = declarations.nominals[number]
            if let variable = nominal.members.variable(name, isStatic: false) {
                let type = try fieldType(variable, of: nominal)
                guard variable.isComputed else {
                    if variable.isLazy { throw Refusal("A lazy property is not understood.", at: node) }
                    return Lowered(
                        "\(base.js).\(fieldName(name))", type, isStored: base.isStored || nominal.kind == .classType)
                }
                let (getter, _) = try accessors(variable, in: .nominal(nominal), selfType: base.type, type)
                return Lowered("\(mark(node))\(getter)(\(base.js))", type)
            }
            if nominal.kind == .enumeration, name == "rawValue",
                let raw = nominal.inheritedNames.first.flatMap(SwiftType.scalar)
            {
                _ = descriptor(base.type)
                return Lowered("\(base.js).raw", raw)
            }
            if name == "hashValue" { return nil }
            if name == "localizedDescription" {
                return Lowered("$.show(\(base.js), \(descriptor(base.type)))", .string)
            }
        default: break
        }
        for key in extensionNames(base.type) {
            guard let variable = declarations.extensions[key]?.variable(name, isStatic: false), variable.isComputed
            else { continue }
            let owner = FunctionContext.Owner.library(base.type, key)
            let inner = FunctionContext()
            inner.owner = owner
            let type = try inFunction(inner, scopes: [[:]]) { try self.type(of: variable) }
            let (getter, _) = try accessors(variable, in: owner, selfType: base.type, type)
            return Lowered("\(mark(node))\(getter)(\(base.js))", type)
        }
        if let found = try libraryProperty(base, name, at: node) { return found }
        if let inner = sequenceView(base), let found = try libraryProperty(inner, name, at: node) { return found }
        // A type with ‘!’ is taken for what it wraps.
        if base.type.isOptional {
            return try memberOfValue(
                Lowered("\(mark(node))$.unwrap(\(base.js))", base.type.unwrapped, isStored: base.isStored), name,
                at: node)
        }
        return nil
    }

    private func libraryProperty(_ base: Lowered, _ name: String, at node: some SyntaxProtocol) throws -> Lowered? {
        for entry in library.properties(name) {
            var variables: [String: SwiftType] = [:]
            guard let receiver = entry.receiver, receiver.match(base.type, &variables) else { continue }
            return Lowered(
                mark(node) + "(" + filled(entry, base.js, [], variables, base.type, isSimple: base.isSimple) + ")",
                entry.result.replacing(variables))
        }
        return nil
    }

    /// A sequence as an array, which has all that sequences have.
    func sequenceView(_ base: Lowered) -> Lowered? {
        switch base.type {
        case .set, .dictionary, .list, .string, .range, .closedRange, .named("Data"):
            guard let (js, element) = try? iterated(base, at: declarations.files[0].tree) else { return nil }
            return Lowered(js, .array(element))
        default: return nil
        }
    }

    /// The functions that read and set a computed property.
    func accessors(
        _ variable: VariableDeclaration, in owner: FunctionContext.Owner, selfType: SwiftType, _ type: SwiftType
    ) throws -> (getter: String, setter: String?) {
        let key = variable.binding.id
        if let known = computed[key], selfType == known.selfType { return (known.getter, known.setter) }
        let (get, set) = (fresh("get_" + variable.name), variable.setter.map { _ in fresh("set_" + variable.name) })
        computed[key] = (get, set, selfType)
        guard let body = variable.getter else {
            throw Refusal("The property has no getter here.", at: variable.binding)
        }
        func context() -> FunctionContext {
            let inner = FunctionContext()
            inner.owner = owner
            inner.selfValue = Lowered("self", selfType, isStored: true, isSimple: true)
            return inner
        }
        later { [self] in
            let inner = context()
            inner.result = type
            let text = inFunction(inner, scopes: [[:]]) { bodyText(body) }
            emit("function \(get)(self) {\n\(text)\n}")
            guard let set, let setter = variable.setter, let body = setter.body else { return }
            let second = context()
            second.result = .void
            let name = setter.parameters?.name.identifierText ?? "newValue"
            let written = inFunction(second, scopes: [[:]]) { () -> String in
                let js = declare(name, type)
                return "function \(set)(self, \(js)) {\n\(bodyText(body.statements))\n}"
            }
            emit(written)
        }
        return (get, set)
    }

    // MARK: Subscripts

    func subscripted(_ node: SubscriptCallExprSyntax) throws -> Lowered {
        let base = try postfix(node.calledExpression, nil)
        if base.type == .stub { return Lowered("undefined", .stub, isSimple: true) }
        let arguments = Array(node.arguments)
        guard let first = arguments.first?.expression else {
            throw Refusal("This subscript is not understood.", at: node)
        }
        let place = mark(node)
        var value = base
        if base.type.isOptional {
            value = Lowered("\(place)$.unwrap(\(base.js))", base.type.unwrapped, isStored: base.isStored)
        }
        switch value.type {
        case .array(let element):
            if let part = try slice(first, value, at: node) { return Lowered(part, value.type) }
            let index = try coerce(expression(first, .integer), to: .integer, at: first)
            return Lowered("\(place)$.at(\(value.js), \(index.js))", element, isStored: value.isStored)
        case .dictionary(let key, let element):
            let name = try coerce(expression(first, key), to: key, at: first)
            if arguments.count == 2, arguments[1].label?.text == "default" {
                let fallback = try keep(
                    expression(arguments[1].expression, element), as: element, at: arguments[1].expression)
                return Lowered("(\(value.js).get(\(name.js)) ?? \(fallback))", element, isStored: value.isStored)
            }
            guard !element.isOptional else {
                throw Refusal("Optional values of a dictionary are not understood.", at: node)
            }
            return Lowered("\(value.js).get(\(name.js))", element.optional, isStored: value.isStored)
        case .string:
            if let part = try slice(first, value, at: node) { return Lowered(part, .string) }
            let index = try expression(first, .named("StringIndex"))
            guard index.type == .named("StringIndex") else { break }
            return Lowered("\(place)$.characterAt(\(value.js), \(index.js))", .character)
        case .list(let element):
            let index = try coerce(expression(first, .integer), to: .integer, at: first)
            return Lowered("\(place)$.listAt(\(value.js), \(index.js), \(descriptor(element)))", element)
        case .named("MigrationObject"): return try property(value, first, at: node)
        case .named("Data"):
            let index = try expression(first, .integer)
            guard index.type == .integer else { break }
            return Lowered("\(place)$.at(\(value.js), \(index.js))", .int("UInt8"))
        case .named("Schema"):
            return Lowered(
                "$.schemaClass(\(value.js), \(try coerce(expression(first, .string), to: .string, at: first).js))",
                .optional(.named("ObjectSchema")))
        case .named("ObjectSchema"):
            return Lowered(
                "$.schemaProperty(\(value.js), \(try coerce(expression(first, .string), to: .string, at: first).js))",
                .optional(.named("Property")))
        default: break
        }
        throw Refusal("A subscript of ‘\(spelled(base.type))’ is not understood here.", at: node)
    }

    /// A property of an object by its name.
    func property(_ object: Lowered, _ key: ExprSyntax, at node: some SyntaxProtocol) throws -> Lowered {
        let place = mark(node)
        var holder = object.js
        var head = ""
        if !object.isSimple {
            holder = temporary()
            head = "\(holder) = \(object.js), "
        }
        let name = try coerce(expression(key, .string), to: .string, at: key)
        let plain = LiteralValue.string(key).flatMap(Self.plainName)
        let raw = plain.map { "\(holder).\($0)" } ?? "$.rawProperty(\(holder), \(name.js))"
        var lowered = Lowered(
            "\(place)$.read(\(head.isEmpty ? raw : "(\(head)\(raw))"), \(holder), \(name.js))", .optional(.any))
        lowered.raw = Lowered.Raw(js: place + (head.isEmpty ? raw : "(\(head)\(raw))"), object: holder, key: name.js)
        return lowered
    }

    /// A part of an array or a text by a range; nil where the index is none.
    private func slice(_ index: ExprSyntax, _ base: Lowered, at node: some SyntaxProtocol) throws -> String? {
        let element: SwiftType = base.type == .string ? .named("StringIndex") : .integer
        let place = mark(node)
        if let prefix = index.as(PrefixOperatorExprSyntax.self), ["..<", "..."].contains(prefix.operator.text) {
            let bound = try expression(prefix.expression, element)
            return "\(place)$.slice(\(base.js), null, \(bound.js), \(prefix.operator.text == "..."))"
        }
        if let postfix = index.as(PostfixOperatorExprSyntax.self), postfix.operator.text == "..." {
            let bound = try expression(postfix.expression, element)
            return "\(place)$.slice(\(base.js), \(bound.js), null, false)"
        }
        if let infix = index.as(InfixOperatorExprSyntax.self),
            let symbol = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text,
            ["..<", "..."].contains(symbol)
        {
            let from = try expression(infix.leftOperand, element).js
            let to = try expression(infix.rightOperand, element).js
            return "\(place)$.slice(\(base.js), \(from), \(to), \(symbol == "..."))"
        }
        guard let found = try? trying({ try expression(index, nil) }) else { return nil }
        switch found.type {
        case .range(let type) where type == element: return "\(place)$.sliceRange(\(base.js), \(found.js), false)"
        case .closedRange(let type) where type == element: return "\(place)$.sliceRange(\(base.js), \(found.js), true)"
        default: return nil
        }
    }
}
