import SwiftSyntax

extension Lowering {
    /// Makes a value of a type.
    func made(_ type: SwiftType, _ arguments: [Argument], _ expected: SwiftType?, at node: some SyntaxProtocol) throws
        -> Lowered
    {
        switch type {
        case .nominal(let number), .model(let number):
            return try make(declarations.nominals[number], arguments, at: node)
        case .list(let element) where arguments.isEmpty:
            return Lowered("$.newList(\(descriptor(element)))", type)
        case .named("RealmProperty"), .named("RealmOptional"):
            // What an object takes of it is its value.
            guard let first = arguments.first else { return Lowered("null", .optional(.any)) }
            return try coerce(expression(first.node, nil), to: .optional(.any), at: first.node)
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
                let signature = try extensionMaker(candidate, of: type, key)
                let values = try bind(arguments, to: signature.parameters, at: node)
                return Lowered("\(mark(node))\(signature.js)(\(values.joined(separator: ", ")))", signature.result)
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

    func lower(
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
        if entry.receiver == .named("JSONDecoder") || entry.receiver == .named("JSONEncoder"),
            let coded = variables["T"]
        {
            try prepareCoding(of: coded, at: node)
        }
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
        // A type as it is written tells a variable, also where it could be no value.
        if case .metatype(let inner) = type, let member = node.as(MemberAccessExprSyntax.self),
            member.declName.baseName.text == "self", let base = member.base, let named = try namedType(base),
            inner.match(named, &variables)
        {
            return descriptor(named)
        }
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
