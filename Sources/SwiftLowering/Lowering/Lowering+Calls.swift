import SwiftSyntax

extension Lowering {
    func call(_ node: FunctionCallExprSyntax, _ expected: SwiftType?, isDiscarded: Bool) throws -> Lowered {
        let arguments = Argument.all(node)
        let callee = node.calledExpression
        if let reference = callee.as(DeclReferenceExprSyntax.self) {
            return try called(reference.baseName.identifierText, arguments, expected, at: node)
        }
        if let member = callee.as(MemberAccessExprSyntax.self) {
            return try calledMember(member, arguments, expected, at: node)
        }
        if let type = try? typeExpression(callee) { return try made(type, arguments, expected, at: node) }
        // A chain that goes on behind an optional function.
        let function = try postfix(callee, nil)
        return try apply(function, arguments, at: node)
    }

    /// Types whose arguments may be left out where they are made.
    private static let generics: [String: SwiftType] = [
        "Array": .array(.variable("T")), "Set": .set(.variable("T")),
        "Dictionary": .dictionary(.variable("K"), .variable("V")),
    ]

    private func apply(_ function: Lowered, _ arguments: [Argument], at node: some SyntaxProtocol) throws -> Lowered {
        if function.type == .stub { return stubbed(arguments) }
        guard case .function(let types, let result) = function.type.unwrapped else {
            throw Refusal("A value of the type ‘\(spelled(function.type))’ can't be called.", at: node)
        }
        let parameters = types.map { Parameter(label: nil, name: "_", type: $0) }
        let plain = arguments.map { Argument(label: nil, node: $0.node, isTrailing: $0.isTrailing) }
        return Lowered(
            "\(mark(node))(\(function.js))(\(try bind(plain, to: parameters, at: node).joined(separator: ", ")))",
            result)
    }

    /// A call that does nothing, but for what its arguments do.
    private func stubbed(_ arguments: [Argument]) -> Lowered {
        let lowered = arguments.compactMap { argument -> String? in
            guard !argument.node.is(ClosureExprSyntax.self),
                let value = try? trying({ try expression(argument.node, nil) }),
                value.type != .stub
            else { return nil }
            return value.isSimple ? nil : value.js
        }
        return Lowered(lowered.isEmpty ? "undefined" : "(\((lowered + ["undefined"]).joined(separator: ", ")))", .stub)
    }

    // MARK: By name

    private func called(
        _ name: String, _ arguments: [Argument], _ expected: SwiftType?, at node: FunctionCallExprSyntax
    ) throws -> Lowered {
        if let local = lookUp(name) {
            if let function = local.function {
                let signature = try localSignature(function, local)
                let values = try bind(arguments, to: signature.parameters, at: node)
                return Lowered("\(mark(node))\(signature.js)(\(values.joined(separator: ", ")))", signature.result)
            }
            if case .variable("refused") = local.type { throw Refusal.known }
            return try apply(
                Lowered(local.isReference ? "\(local.js).v" : local.js, local.type, isSimple: true), arguments, at: node
            )
        }
        if name == "type", arguments.first?.label == "of" { throw Refusal("‘type(of:)’ is not understood.", at: node) }
        if let found = try calledImplicitly(name, arguments, at: node) { return found }
        if let candidates = declarations.functions[name],
            let found = try overloaded(candidates, arguments, nil, isStatic: false, receiver: nil, at: node)
        {
            return found
        }
        if name == "Optional", arguments.count == 1, arguments[0].label == nil {
            let value = try expression(arguments[0].node, expected?.unwrapped)
            return Lowered(value.js, value.type.optional)
        }
        if let generic = Self.generics[name], declarations.types[name] == nil {
            return try made(generic, arguments, expected, at: node)
        }
        if let nominal = nominal(named: name), declarations.realmBase(of: nominal) == "EmbeddedObject",
            arguments.count == 1,
            arguments[0].label == "value"
        {
            // An embedded object is a value until it is assigned.
            return try coerce(expression(arguments[0].node, nil), to: .any, at: arguments[0].node)
        }
        if let type = try? typeExpression(ExprSyntax(DeclReferenceExprSyntax(baseName: .identifier(name)))),
            name.first?.isUppercase ?? false
        {
            return try made(type, arguments, expected, at: node)
        }
        if program.stubs.contains(name) { return stubbed(arguments) }
        if let found = try libraryCall(library.functions(name), nil, arguments, expected, at: node) { return found }
        if declarations.variables[name] != nil { return try apply(reference(name, at: node), arguments, at: node) }
        if let local = try? reference(name, at: node), case .function = local.type {
            return try apply(local, arguments, at: node)
        }
        if library.hasFunction(name) {
            throw Refusal("‘\(name)’ with these arguments is not understood.", at: node)
        }
        throw unknown(name, at: node.calledExpression)
    }

    /// A method of the type that the code stands in.
    private func calledImplicitly(_ name: String, _ arguments: [Argument], at node: FunctionCallExprSyntax) throws
        -> Lowered?
    {
        guard let owner = context.owner else { return nil }
        switch owner {
        case .nominal(let start):
            if let value = context.selfValue,
                let found = try overloaded(
                    start.members.functions(name, isStatic: false), arguments, owner, isStatic: false, receiver: value,
                    at: node)
            {
                return found
            }
            // A block of an instance's method: what it calls of the instance is the app's, without the instance.
            if context.selfValue == nil,
                let found = try overloaded(
                    start.members.functions(name, isStatic: false), arguments, owner, isStatic: true, receiver: nil,
                    at: node)
            {
                return found
            }
            var scope: Nominal? = start
            while let type = scope {
                if let found = try overloaded(
                    type.members.functions(name, isStatic: true), arguments, .nominal(type), isStatic: true,
                    receiver: nil, at: node)
                {
                    return found
                }
                scope = type.parent
            }
            return nil
        case .library(let type, let key):
            guard let members = declarations.extensions[key] else { return nil }
            if let value = context.selfValue,
                let found = try overloaded(
                    members.functions(name, isStatic: false), arguments, owner, isStatic: false, receiver: value,
                    at: node)
            {
                return found
            }
            if let found = try overloaded(
                members.functions(name, isStatic: true), arguments, owner, isStatic: true, receiver: nil, at: node)
            {
                return found
            }
            guard let value = context.selfValue, value.type == type else { return nil }
            let this = ExprSyntax(DeclReferenceExprSyntax(baseName: .keyword(.self)))
            return try calledOfValue(value, this, name, arguments, nil, at: node)
        }
    }

    /// A call of one of several functions of a name.
    private func overloaded(
        _ candidates: [FunctionDeclSyntax], _ arguments: [Argument], _ owner: FunctionContext.Owner?, isStatic: Bool,
        receiver: Lowered?, at node: some SyntaxProtocol
    ) throws -> Lowered? {
        let fitting = candidates.filter { labels(of: $0.signature.parameterClause, fit: arguments) }
        var refusal: (any Error)?
        for candidate in fitting {
            do {
                let signature = try self.signature(of: candidate, in: owner, isStatic: isStatic)
                if signature.isMutating, let receiver, !receiver.isStored {
                    throw Refusal("A value that is kept nowhere can't be changed.", at: node)
                }
                let bindArguments = { try self.bind(arguments, to: signature.parameters, at: node) }
                let values = try fitting.count == 1 ? bindArguments() : trying(bindArguments)
                let all = (receiver.map { [$0.js] } ?? []) + values
                return Lowered(
                    "\(mark(node))\(signature.js)(\(all.joined(separator: ", ")))", signature.result, isFresh: true)
            } catch { refusal = refusal ?? error }
        }
        if let refusal { throw refusal }
        return nil
    }

    // MARK: Of a type, of a value

    private func calledMember(
        _ member: MemberAccessExprSyntax, _ arguments: [Argument], _ expected: SwiftType?,
        at node: FunctionCallExprSyntax
    ) throws -> Lowered {
        let name = member.declName.baseName.identifierText
        guard let baseNode = member.base else {
            guard let wanted = expected?.unwrapped else {
                throw Refusal("The type of ‘.\(name)’ can't be told here.", at: node)
            }
            if name == "init" { return try made(wanted, arguments, expected, at: node) }
            return try calledOfType(wanted, name, arguments, expected, at: node)
        }
        if name == "className", arguments.isEmpty, let found = try className(baseNode) { return found }
        if let reference = baseNode.as(DeclReferenceExprSyntax.self) {
            let outer = reference.baseName.identifierText
            if outer == "super" { throw Refusal("‘super’ is not understood.", at: node) }
            if outer == "self", name == "init", context.isInitializer, case .nominal(let number)? = ownerType {
                let value = try make(declarations.nominals[number], arguments, at: node)
                return declarations.nominals[number].kind == .enumeration
                    ? Lowered("(self = \(value.js))", .void) : Lowered("$.assignSelf(self, \(value.js))", .void)
            }
            if program.stubs.contains(outer) || program.stubs.contains("\(outer).\(name)"), lookUp(outer) == nil {
                return stubbed(arguments)
            }
            if ["Foundation", "Swift", "RealmSwift"].contains(outer) {
                return try called(name, arguments, expected, at: node)
            }
            // `self.log(…)` in a block of an instance: the method, without the instance.
            if outer == "self", context.selfValue == nil, let found = try calledImplicitly(name, arguments, at: node) {
                return found
            }
        }
        if let optional = baseNode.as(OptionalChainingExprSyntax.self),
            optional.expression.trimmedDescription == "self",
            context.selfValue == nil, lookUp("self") == nil, let found = try calledImplicitly(name, arguments, at: node)
        {
            return found
        }
        if let nominal = nominal(baseNode), declarations.realmBase(of: nominal) != nil,
            let found = try overloaded(
                nominal.members.functions(name, isStatic: true), arguments, .nominal(nominal), isStatic: true,
                receiver: nil,
                at: node)
        {
            return found
        }
        if let type = try? typeExpression(baseNode) {
            if name == "init" { return try made(type, arguments, expected, at: node) }
            return try calledOfType(type, name, arguments, expected, at: node)
        }
        let base = try library.changes(name) ? mutable(baseNode) : postfix(baseNode, nil)
        if base.type == .stub { return stubbed(arguments) }
        if case .metatype(let type) = base.type, type == ownerType, context.selfValue == nil,
            let found = try calledImplicitly(name, arguments, at: node)
        {
            return found
        }
        if case .metatype(let type) = base.type { return try calledOfType(type, name, arguments, expected, at: node) }
        if let found = try calledOfValue(base, baseNode, name, arguments, expected, at: node) { return found }
        throw Refusal(
            "‘\(spelled(base.type))’ has no ‘\(name)’ with these arguments that is understood here.",
            at: member.declName)
    }

    /// `Dog.className()`: the name of the class in the realm.
    private func className(_ node: ExprSyntax) throws -> Lowered? {
        let path = node.trimmedDescription.split(separator: ".").map(String.init)
        let found = path.count == 1 ? nominal(named: path[0]) : declarations.nominal(path: path)
        if let found {
            guard declarations.realmBase(of: found) != nil else { return nil }
            return Lowered(quoted(found.realmName), .string, isSimple: true)
        }
        guard let name = path.last, lookUp(path[0]) == nil, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        else {
            return nil
        }
        if program.stubs.contains(path[0]) { return nil }
        // A class that no file declares has its own name, unless the realm has none of it.
        return Lowered("\(mark(node))$.className(\(quoted(name)))", .string)
    }

    private func calledOfType(
        _ type: SwiftType, _ name: String, _ arguments: [Argument], _ expected: SwiftType?, at node: some SyntaxProtocol
    ) throws -> Lowered {
        if case .nominal(let number) = type {
            var scope: Nominal? = declarations.nominals[number]
            while let nominal = scope {
                if let element = nominal.members.cases.first(where: { $0.name.identifierText == name }),
                    element.parameterClause != nil
                {
                    return try makeCase(element, of: nominal, arguments, at: node)
                }
                if let found = try overloaded(
                    nominal.members.functions(name, isStatic: true), arguments, .nominal(nominal), isStatic: true,
                    receiver: nil, at: node)
                {
                    return found
                }
                scope = declarations.superclass(of: nominal)
            }
        }
        if case .object = type, name == "className", arguments.isEmpty {
            throw Refusal("The class is not known here.", at: node)
        }
        for key in extensionNames(type) {
            let candidates = declarations.extensions[key]?.functions(name, isStatic: true) ?? []
            if let found = try overloaded(
                candidates, arguments, .library(type, key), isStatic: true, receiver: nil, at: node)
            {
                return found
            }
        }
        let entries = library.statics(name).filter { $0.parameters != nil }
        if let found = try libraryCall(entries, Lowered("", type), arguments, expected, at: node) { return found }
        if let value = try memberOfType(type, name, at: node), case .function = value.type {
            return try apply(value, arguments, at: node)
        }
        throw Refusal("‘\(spelled(type))’ has no ‘\(name)’ with these arguments that is understood here.", at: node)
    }

    private func makeCase(
        _ element: EnumCaseElementSyntax, of nominal: Nominal, _ arguments: [Argument], at node: some SyntaxProtocol
    ) throws -> Lowered {
        let types = try caseTypes(element, of: nominal)
        let labels = (element.parameterClause?.parameters ?? []).map { $0.firstName?.identifierText }
        let parameters = zip(labels, types).map { Parameter(label: $0 == "_" ? nil : $0, name: "_", type: $1) }
        let values = try bind(arguments, to: parameters, at: node)
        return Lowered(
            "$.made(\(descriptor(.nominal(nominal.number))), \(quoted(element.name.identifierText)), [\(values.joined(separator: ", "))])",
            .nominal(nominal.number))
    }

    private func calledOfValue(
        _ base: Lowered, _ baseNode: ExprSyntax, _ name: String, _ arguments: [Argument], _ expected: SwiftType?,
        at node: some SyntaxProtocol
    ) throws -> Lowered? {
        if case .variable("refused") = base.type { throw Refusal.known }
        if case .nominal(let number) = base.type {
            let nominal = declarations.nominals[number]
            if let found = try overloaded(
                nominal.members.functions(name, isStatic: false), arguments, .nominal(nominal), isStatic: false,
                receiver: base, at: node)
            {
                return found
            }
            if let value = try memberOfValue(base, name, at: node), case .function = value.type {
                return try apply(value, arguments, at: node)
            }
        }
        if case .tuple = base.type, let value = try memberOfValue(base, name, at: node) {
            return try apply(value, arguments, at: node)
        }
        for key in extensionNames(base.type) {
            let candidates = declarations.extensions[key]?.functions(name, isStatic: false) ?? []
            if let found = try overloaded(
                candidates, arguments, .library(base.type, key), isStatic: false, receiver: base, at: node)
            {
                return found
            }
        }
        if base.type == .object, let found = try calledOfObject(base, name, arguments, at: node) { return found }
        let entries = library.methods(name)
        if let found = try libraryCall(entries, base, arguments, expected, at: node, baseNode: baseNode) {
            return found
        }
        if let view = sequenceView(base),
            let found = try libraryCall(entries.filter { $0.change == .none }, view, arguments, expected, at: node)
        {
            return found
        }
        if base.type.isOptional {
            let inner = Lowered("\(mark(node))$.unwrap(\(base.js))", base.type.unwrapped, isStored: base.isStored)
            return try calledOfValue(inner, baseNode, name, arguments, expected, at: node)
        }
        return nil
    }

    private func calledOfObject(_ base: Lowered, _ name: String, _ arguments: [Argument], at node: some SyntaxProtocol)
        throws -> Lowered?
    {
        switch (name, arguments.map(\.label)) {
        case ("value", ["forKey"]), ("value", ["forKeyPath"]):
            if name == "value", arguments[0].label == "forKeyPath",
                LiteralValue.string(arguments[0].node)?.contains(".") ?? true
            {
                throw Refusal("A path of keys is not understood: ask for one key behind the other.", at: node)
            }
            return try property(base, arguments[0].node, at: node)
        case ("setValue", [nil, "forKey"]):
            let value = try coerce(
                expression(arguments[0].node, .optional(.any)), to: .optional(.any), at: arguments[0].node)
            let key = try coerce(expression(arguments[1].node, .string), to: .string, at: arguments[1].node)
            return Lowered("\(mark(node))$.setProperty(\(base.js), \(key.js), \(value.js))", .void)
        default: return nil
        }
    }

    // MARK: The library

    /// Makes a value of a type.
    func made(_ type: SwiftType, _ arguments: [Argument], _ expected: SwiftType?, at node: some SyntaxProtocol) throws
        -> Lowered
    {
        switch type {
        case .nominal(let number): return try make(declarations.nominals[number], arguments, at: node)
        case .array where arguments.isEmpty: return Lowered("[]", type)
        case .set where arguments.isEmpty: return Lowered("$.setOf([])", type)
        case .dictionary where arguments.isEmpty: return Lowered("$.dictionaryOf([])", type)
        case .object: throw Refusal("In a migration objects are made by ‘migration.create(_:value:)’ alone.", at: node)
        case .array(let element) where arguments.count == 1 && arguments[0].label == nil:
            let value = try expression(arguments[0].node, nil)
            let items = try iterated(value, at: arguments[0].node)
            let wanted: SwiftType = element.hasVariables ? items.element : element
            return try coerce(Lowered(items.js, .array(items.element)), to: .array(wanted), at: node)
        case .set(let element) where arguments.count == 1 && arguments[0].label == nil:
            let items = try iterated(
                try expression(arguments[0].node, element.hasVariables ? nil : .array(element)), at: arguments[0].node)
            return Lowered("$.setOf(\(items.js))", .set(items.element))
        default: break
        }
        if let found = try libraryCall(library.initializers(type), Lowered("", type), arguments, expected, at: node) {
            return found
        }
        for key in extensionNames(type) {
            if let candidate = declarations.extensions[key]?.initializers.first(where: {
                labels(of: $0.signature.parameterClause, fit: arguments)
            }) {
                throw Refusal(
                    "Initializers of an extension of ‘\(spelled(type))’ are not understood: write a function.",
                    at: candidate)
            }
        }
        throw Refusal("‘\(spelled(type))’ can't be made of these values here.", at: node)
    }

    /// Tries the library's functions of a name, one after the other.
    func libraryCall(
        _ entries: [Library.Entry], _ base: Lowered?, _ arguments: [Argument], _ expected: SwiftType?,
        at node: some SyntaxProtocol, baseNode: ExprSyntax? = nil
    ) throws -> Lowered? {
        var refusal: (any Error)?
        let fitting = entries.filter { $0.fits(arguments) }
        if fitting.count == 1, let only = fitting.first {
            return try lower(only, base, arguments, expected, at: node, baseNode: baseNode)
        }
        for entry in fitting {
            do {
                let lowered = try trying {
                    try self.lower(entry, base, arguments, expected, at: node, baseNode: baseNode)
                }
                if let lowered { return lowered }
            } catch let error as Refusal where error.node == nil {
                throw error
            } catch { refusal = refusal ?? error }
        }
        if let refusal { throw refusal }
        return nil
    }

    private func lower(
        _ entry: Library.Entry, _ base: Lowered?, _ arguments: [Argument], _ expected: SwiftType?,
        at node: some SyntaxProtocol,
        baseNode: ExprSyntax?
    ) throws -> Lowered? {
        var variables: [String: SwiftType] = [:]
        if let receiver = entry.receiver {
            guard let base else { return nil }
            // A generic type without its arguments takes them from those of the call.
            if !base.type.hasVariables { guard receiver.match(base.type, &variables) else { return nil } }
        }
        if !entry.isPlainResult, let expected, entry.result.hasVariables {
            var wanted = variables
            if entry.result.unwrapped.match(expected.unwrapped, &wanted), entry.infersFromResult { variables = wanted }
        }
        var values: [String] = []
        var rest = arguments[...]
        for parameter in entry.parameters ?? [] {
            if parameter.isVariadic {
                var items: [String] = []
                while let next = rest.first, next.label == nil {
                    items.append(try argument(next.node, parameter.type, &variables))
                    rest = rest.dropFirst()
                }
                values.append("[\(items.joined(separator: ", "))]")
                continue
            }
            guard let next = rest.first, next.label == parameter.label || next.isTrailing else {
                guard parameter.isOptional else { return nil }
                values.append("undefined")
                continue
            }
            rest = rest.dropFirst()
            values.append(try argument(next.node, parameter.type, &variables))
        }
        guard rest.isEmpty else { return nil }
        let result = entry.result.replacing(variables)
        if result.hasVariables { return nil }
        let type = base?.type ?? .void
        switch entry.change {
        case .none:
            if entry.result == .void || entry.name == "append" {}
            return Lowered(
                "\(mark(node))"
                    + filled(entry, base?.js ?? "", values, variables, type, isSimple: base?.isSimple ?? true), result)
        case .inPlace:
            guard let base, base.isStored else {
                throw Refusal("A value that is kept nowhere can't be changed: keep it in a variable first.", at: node)
            }
            return Lowered(
                "\(mark(node))" + filled(entry, base.js, values, variables, type, isSimple: base.isSimple), result)
        case .assigned:
            guard let baseNode else { return nil }
            let place = try self.place(baseNode)
            let value = filled(entry, place.read, values, variables, type, isSimple: true)
            return Lowered("(\((place.setup + [place.write(value)]).joined(separator: ", ")))", .void)
        }
    }

    /// An argument of a function of the library, which tells what the variables of its type stand for.
    private func argument(_ node: ExprSyntax, _ type: SwiftType, _ variables: inout [String: SwiftType]) throws
        -> String
    {
        let wanted = type.replacing(variables)
        let value = try expression(
            node, wanted.hasVariables && !isFunction(wanted) && !wanted.isContainer ? nil : wanted)
        if wanted.hasVariables {
            if case .function(_, let result) = wanted, case .function(_, let given) = value.type {
                if !result.match(given, &variables) {
                    // A closure that gives no optional, where one is wanted.
                    guard result.isOptional, result.unwrapped.match(given.unwrapped, &variables) else {
                        throw Refusal("The closure gives ‘\(spelled(given))’, which does not fit here.", at: node)
                    }
                }
                return value.js
            }
            if !wanted.match(value.type, &variables) {
                guard wanted.isOptional, wanted.unwrapped.match(value.type, &variables) else {
                    throw Refusal("A value of the type ‘\(spelled(value.type))’ does not fit here.", at: node)
                }
            }
            return try keep(value, as: nil, at: node)
        }
        return try keep(value, as: wanted, at: node)
    }

    private func isFunction(_ type: SwiftType) -> Bool { if case .function = type { true } else { false } }

    /// A template with its values.
    func filled(
        _ entry: Library.Entry, _ base: String, _ values: [String], _ variables: [String: SwiftType], _ type: SwiftType,
        isSimple: Bool = false
    ) -> String {
        var text = ""
        var rest = entry.template[...]
        while let index = rest.firstIndex(where: { $0 == "@" || $0 == "#" || $0 == "%" }) {
            text += rest[..<index]
            let next = rest.index(after: index)
            switch rest[index] {
            case "@":
                text += base
                rest = rest[next...]
            case "#":
                let digits = rest[next...].prefix { $0.isNumber }
                if let number = Int(digits), values.indices.contains(number - 1) {
                    text += values[number - 1]
                } else {
                    text += "undefined"
                }
                rest = rest[digits.endIndex...]
            default:
                let name = String(rest[next...].prefix(1))
                text += name == "R" ? descriptor(type) : descriptor(variables[name] ?? .any)
                rest = rest[next...].dropFirst()
            }
        }
        return text + rest
    }
}

extension SwiftType {
    /// Whether a literal may tell a part of the type.
    var isContainer: Bool {
        switch self {
        case .array(let type), .set(let type), .optional(let type): !type.hasVariables
        default: false
        }
    }
}
