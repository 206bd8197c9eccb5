import SwiftSyntax

extension Lowering {
    /// Makes a value of a type.
    func made(_ type: SwiftType, _ arguments: [Argument], _ expected: SwiftType?, at node: some SyntaxProtocol) throws
        -> Lowered
    {
        switch type {
        case .nominal(let number), .model(let number):
            return try make(declarations.nominals[number], arguments, expected, at: node)
        case .list(let element) where arguments.isEmpty:
            return Lowered(.runtime("newList", descriptor(element)), type)
        case .named("RealmProperty"), .named("RealmOptional"):
            // An object takes only its value.
            guard let first = arguments.first else { return Lowered(.null, .optional(.any)) }
            return try coerce(expression(first.node, nil), to: .optional(.any), at: first.node)
        case .array where arguments.isEmpty: return Lowered(.array([]), type, isFresh: true)
        case .set where arguments.isEmpty: return Lowered(.runtime("setOf", .array([])), type, isFresh: true)
        case .dictionary where arguments.isEmpty:
            return Lowered(.runtime("dictionaryOf", .array([])), type, isFresh: true)
        case .object: throw Refusal("In a migration objects are made by ‘migration.create(_:value:)’ alone.", at: node)
        case .array(let element) where arguments.count == 1 && arguments[0].label == nil:
            let value = try expression(arguments[0].node, nil)
            let items = try iterated(value, at: arguments[0].node)
            let wanted: SwiftType = element.hasVariables ? items.element : element
            return try coerce(
                Lowered(items.js, .array(items.element), isStored: value.isStored, isFresh: value.isFresh),
                to: .array(wanted), at: node)
        case .set(let element) where arguments.count == 1 && arguments[0].label == nil:
            let items = try iterated(
                try expression(arguments[0].node, element.hasVariables ? nil : .array(element)), at: arguments[0].node)
            return Lowered(.runtime("setOf", items.js), .set(items.element))
        default: break
        }
        if let found = try libraryCall(
            library.initializers(type), Lowered(.undefined, type), arguments, expected, at: node)
        {
            return found
        }
        for key in extensionNames(type) {
            if let candidate = declarations.extensions[key]?.initializers.first(where: {
                labels(of: $0.signature.parameterClause, fit: arguments)
            }) {
                let signature = try extensionMaker(candidate, of: type, key)
                return try call(signature, of: nil, bind(arguments, to: signature.parameters, at: node), at: node)
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

    /// Lowers a call of a function of the library; a literal is of the type that the result is wanted in, of its own, or a `Double`.
    private func lower(
        _ entry: Library.Entry, _ base: Lowered?, _ arguments: [Argument], _ expected: SwiftType?,
        at node: some SyntaxProtocol,
        baseNode: ExprSyntax?
    ) throws -> Lowered? {
        let plain = { (variables: [String: SwiftType]) in
            try self.lower(entry, base, arguments, variables, at: node, baseNode: baseNode)
        }
        if let known = try emptyResult(of: entry, arguments, expected) { return try plain(known) }
        if let known = closureResult(of: entry, arguments, expected) {
            // Else as the closure's own statements tell it.
            if case .success(let found) = attempt({ try plain(known) }), found.value != nil { return take(found) }
        }
        guard let name = literalVariable(of: entry, arguments) else { return try plain([:]) }
        var wanted: [String: SwiftType] = [:]
        if let expected, entry.result.unwrapped.match(expected.unwrapped, &wanted), let type = wanted[name],
            type.unwrapped.isNumber
        {
            // Else as a type of its own.
            if case .success(let found) = attempt({ try plain([name: type]) }), found.value != nil {
                return take(found)
            }
        }
        do { return try trying { try plain([:]) } } catch {
            for type in [SwiftType.double, .float, .named("Decimal")] {
                var allowed: [String: SwiftType] = [:]
                guard SwiftType.variable(name).match(type, &allowed) else { continue }
                if case .success(let found) = attempt({ try plain([name: type]) }), found.value != nil {
                    return take(found)
                }
            }
            throw error
        }
    }

    /// The type of an empty collection that a result begins with: the one that is wanted of it.
    private func emptyResult(
        of entry: Library.Entry, _ arguments: [Argument], _ expected: SwiftType?
    ) throws -> [String: SwiftType]? {
        guard entry.name == "reduce", case .variable(let name) = entry.result, let first = arguments.first?.node,
            emptyCollection(first) != nil
        else { return nil }
        // The closure may say it, where the place does not.
        let closure = arguments.last?.node.as(ClosureExprSyntax.self)?.signature?.parameterClause
        let written = closure?.as(ClosureParameterClauseSyntax.self)?.parameters.first?.type
        guard let wanted = try expected?.unwrapped ?? written.map({ try type($0) }), !wanted.hasVariables else {
            return nil
        }
        return [name: wanted]
    }

    /// The types that the wanted result tells of a call whose closure has several statements, or gives a literal: these don't tell what
    /// they give.
    private func closureResult(of entry: Library.Entry, _ arguments: [Argument], _ expected: SwiftType?) -> [String:
        SwiftType]?
    {
        guard let wanted = expected?.unwrapped, !wanted.hasVariables, entry.result.hasVariables,
            arguments.contains(where: { isOfStatements($0.node) })
        else { return nil }
        var found: [String: SwiftType] = [:]
        return entry.result.unwrapped.match(wanted, &found) && !found.isEmpty ? found : nil
    }

    private func isOfStatements(_ node: ExprSyntax) -> Bool {
        guard let statements = node.as(ClosureExprSyntax.self)?.statements, let first = statements.first else {
            return false
        }
        var only: ExprSyntax?
        if case .expr(let value) = first.item { only = value }
        if case .stmt(let statement) = first.item { only = statement.as(ExpressionStmtSyntax.self)?.expression }
        if statements.count > 1 { return true }
        return only.map { $0.is(IfExprSyntax.self) || $0.is(SwitchExprSyntax.self) || takesType($0) } ?? false
    }

    /// Whether an expression is a literal whose type the place tells, or a closure in it gives one.
    private func takesType(_ node: ExprSyntax) -> Bool {
        if isLiteral(node) { return true }
        if let ternary = node.as(TernaryExprSyntax.self) {
            return takesType(ternary.thenExpression) || takesType(ternary.elseExpression)
        }
        guard let call = node.as(FunctionCallExprSyntax.self), call.calledExpression.is(MemberAccessExprSyntax.self)
        else {
            return false
        }
        return Argument.all(call).contains { isOfStatements($0.node) }
    }

    /// The variable that a whole number's literal stands for, where the result is of it.
    private func literalVariable(of entry: Library.Entry, _ arguments: [Argument]) -> String? {
        guard let first = entry.parameters?.first, case .variable(let name) = first.type,
            let argument = arguments.first,
            !argument.isTrailing, isNumberLiteral(argument.node),
            entry.result.replacing([name: .double]) != entry.result
        else { return nil }
        return name
    }

    private func lower(
        _ entry: Library.Entry, _ base: Lowered?, _ arguments: [Argument], _ known: [String: SwiftType],
        at node: some SyntaxProtocol,
        baseNode: ExprSyntax?
    ) throws -> Lowered? {
        var variables = known
        if let receiver = entry.receiver {
            guard let base else { return nil }
            // A generic type without its arguments takes them from those of the call.
            if !base.type.hasVariables { guard receiver.match(base.type, &variables) else { return nil } }
        }
        let calls = self.calls
        try CheckedText.checkExpression(of: entry, arguments) { declarations.texts(of: $0) }
        try CheckedText.checkWeeks(entry, arguments)
        try CheckedText.checkPlaces(of: entry.parameters, arguments)
        var values: [JavaScript] = []
        var places = BoundArguments()
        var rest = arguments[...]
        for parameter in entry.parameters ?? [] {
            if parameter.isVariadic {
                var items: [JavaScript] = []
                while let next = rest.first, next.label == nil {
                    items.append(try argument(next.node, parameter.type, &variables, of: entry))
                    rest = rest.dropFirst()
                }
                values.append(.array(items))
                continue
            }
            guard let next = rest.first,
                next.isTrailing ? parameter.isFunction : next.label == parameter.label
            else {
                guard parameter.isOptional else { return nil }
                values.append(.undefined)
                continue
            }
            rest = rest.dropFirst()
            if case .reference(let type) = parameter.type {
                let place = try self.place(next.node)
                guard type.match(place.type, &variables) else { return nil }
                try places.add(place, in: self, at: next.node)
                values.append(places.values.removeLast())
                continue
            }
            values.append(try argument(next.node, parameter.type, &variables, of: entry))
        }
        guard rest.isEmpty else { return nil }
        if entry.receiver == .named("JSONDecoder") || entry.receiver == .named("JSONEncoder"),
            let coded = variables["T"]
        {
            try prepareCoding(of: coded, at: node)
        }
        if let ordered = variables["O"], !isOrdered(ordered) { return nil }
        var result = entry.result.replacing(variables)
        if result.hasVariables { return nil }
        if case .iterator(.optional) = result {
            throw Refusal("An iterator of optional values is not understood: a nil would be its end.", at: node)
        }
        if let base { result = try lazily(result, entry, base.type, at: node) }
        return try changed(entry, base, values, places, variables, result, arguments, since: calls, at: node, baseNode)
    }

    /// The call of a function of the library, and what becomes of the value that it is called of.
    private func changed(
        _ entry: Library.Entry, _ base: Lowered?, _ values: [JavaScript], _ places: BoundArguments,
        _ variables: [String: SwiftType], _ result: SwiftType, _ arguments: [Argument], since calls: Int,
        at node: some SyntaxProtocol, _ baseNode: ExprSyntax?
    ) throws -> Lowered {
        let type = base?.type ?? .void
        switch entry.change {
        case .none:
            let value = base.map { calledWhile($0, baseNode, arguments, since: calls) }
            let mayBePart = value.map { mayHoldPart(of: $0.type, result) } ?? false
            let js = filled(entry, value?.js ?? .undefined, values, variables, type).marked(mark(node))
            var made = Lowered(
                finished(js, places.finish), result, isStored: mayBePart && base?.isStored ?? false, isFresh: !mayBePart
            )
            made.isView = entry.isView
            return made
        case .inPlace:
            guard let place = base?.place, place.write != nil || base?.isStored ?? false else {
                throw Self.keptNowhere(node)
            }
            let open = try opened(place, at: node)
            let js = filled(entry, open.read, values, variables, type).marked(mark(node))
            return Lowered(
                sequence(open.setup, finished(js, open.finish, mayThrow: hasClosure(arguments))), result,
                isFresh: entry.name != "insert")
        case .placed:
            guard let place = base?.place, place.write != nil else { throw Self.keptNowhere(node) }
            let open = try opened(place, at: node)
            let js = try filled(entry, cell(open, at: node), values, variables, type).marked(mark(node))
            return Lowered(
                sequence(open.setup, finished(js, open.finish, mayThrow: hasClosure(arguments))), result, isFresh: true)
        case .assigned:
            guard let place = base?.place, let write = place.write else { throw Self.keptNowhere(node) }
            let value = write(filled(entry, place.read, values, variables, type))
            return Lowered(.sequence(place.setup + [value] + place.finish.map(\.js)), .void)
        }
    }

    private func hasClosure(_ arguments: [Argument]) -> Bool {
        arguments.contains { $0.node.is(ClosureExprSyntax.self) }
    }

    /// The value that a function of the library is called of, which stays what it is while its closures run.
    private func calledWhile(_ base: Lowered, _ node: ExprSyntax?, _ arguments: [Argument], since calls: Int) -> Lowered
    {
        guard base.isStored, !base.isFresh, isCopied(base.type) else { return base }
        let closures = arguments.filter { $0.node.is(ClosureExprSyntax.self) }
        if closures.isEmpty { return self.calls > calls ? unchanged(base) : base }
        let search = ChangeSearch(node?.rootName, besides: nil) { [self] in
            library.changes($0) || declarations.mutatingNames.contains($0)
        }
        for closure in closures { search.walk(closure.node) }
        if search.hasFound { return unchanged(base) }
        guard self.calls > calls, case .array = base.type else { return base }
        var copy = base
        copy.js = base.js.method("slice")
        return copy
    }

    /// An argument of a function of the library, which tells what the variables of its type stand for.
    private func argument(
        _ node: ExprSyntax, _ type: SwiftType, _ variables: inout [String: SwiftType], of entry: Library.Entry
    ) throws -> JavaScript {
        if let text = CheckedText(type) {
            try text.check(node)
            return try argument(node, text.type, &variables, of: entry)
        }
        // A type as it is written tells a variable, also where it could be no value.
        if case .metatype(let inner) = type, let member = node.as(MemberAccessExprSyntax.self),
            member.declName.baseName.text == "self", let base = member.base, let named = try namedType(base),
            inner.match(named, &variables)
        {
            return descriptor(named)
        }
        let wanted = type.replacing(variables)
        var value = try argumentValue(node, wanted, of: entry)
        // A part of a Data, of which the function asks for no indices.
        if type == .named("Data"), value.isView, value.type == .slice(.int("UInt8")) {
            value = Lowered(.runtime("data", value.js), type, isFresh: true)
        }
        // Any sequence is taken where the tables have an array.
        if case .array = wanted, let items = sequenceView(value) { value = items }
        if wanted.hasVariables {
            if case .function(let taken, let result) = wanted, case .function(let types, let given) = value.type {
                if !result.match(given, &variables) {
                    // A closure that gives no optional, where one is wanted.
                    guard result.isOptional, result.unwrapped.match(given.unwrapped, &variables) else {
                        throw Refusal("The closure gives ‘\(spelled(given))’, which does not fit here.", at: node)
                    }
                }
                let closed = taken.map { $0.replacing(variables) }
                guard closed != types, !closed.contains(where: \.hasVariables) else { return value.js }
                return try coerce(value, to: .function(closed, given), at: node).js
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

    private func argumentValue(_ node: ExprSyntax, _ wanted: SwiftType, of entry: Library.Entry) throws -> Lowered {
        if let closure = node.as(ClosureExprSyntax.self) {
            return try self.closure(closure, wanted, isBorrowed: !entry.result.hasItems)
        }
        return try expression(node, wanted.hasVariables && !isFunction(wanted) && !wanted.isContainer ? nil : wanted)
    }

    private func isFunction(_ type: SwiftType) -> Bool { if case .function = type { true } else { false } }

    /// A template with its values.
    func filled(
        _ entry: Library.Entry, _ base: JavaScript, _ values: [JavaScript], _ variables: [String: SwiftType],
        _ type: SwiftType
    ) -> JavaScript {
        entry.template.filled { place in
            switch place {
            case .value: return base
            case .argument(let number): return values.indices.contains(number) ? values[number] : .undefined
            case .type(let name):
                let described = name == "R" ? type : variables[name] ?? .any
                describes(described)
                return descriptor(described)
            }
        }
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
