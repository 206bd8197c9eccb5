import SwiftSyntax

extension Lowering {
    /// Makes a value of a type.
    func made(_ type: SwiftType, _ call: Call) throws -> Lowered {
        switch type {
        case .nominal(let number), .model(let number):
            return try make(declarations.nominals[number], call)
        case .list(let element) where call.arguments.isEmpty:
            return Lowered(.runtime("newList", descriptor(element)), type)
        case .named("RealmProperty"), .named("RealmOptional"):
            // An object takes only its value.
            guard let first = call.arguments.first else { return Lowered(.null, .optional(.any)) }
            return try coerce(expression(first.node, nil), to: .optional(.any), at: first.node)
        case .array where call.arguments.isEmpty: return Lowered(.array([]), type, ownership: .moved)
        case .set where call.arguments.isEmpty: return Lowered(.runtime("setOf", .array([])), type, ownership: .moved)
        case .dictionary where call.arguments.isEmpty:
            return Lowered(.runtime("dictionaryOf", .array([])), type, ownership: .moved)
        case .object:
            throw Refusal("In a migration objects are made by ‘migration.create(_:value:)’ alone.", at: call.node)
        case .array(let element) where call.onlyUnlabelled != nil:
            let value = try expression(call.arguments[0].node, nil)
            var items = try iterated(value, at: call.arguments[0].node)
            // Nothing is left of the indices that a slice has of the whole.
            if case .slice = value.type { items.js = value.js.method("slice") }
            let wanted: SwiftType = element.hasVariables ? items.element : element
            return try coerce(value.made(items.js, .array(items.element)), to: .array(wanted), at: call.node)
        case .set(let element) where call.onlyUnlabelled != nil:
            let items = try iterated(
                try expression(call.arguments[0].node, element.hasVariables ? nil : .array(element)),
                at: call.arguments[0].node)
            return Lowered(.runtime("setOf", items.js), .set(items.element))
        default: break
        }
        if let found = try libraryCall(library.initializers(type), Lowered(.undefined, type), call) { return found }
        for key in extensionNames(type) {
            if let candidate = declarations.extensions[key]?.initializers.first(where: {
                labels(of: $0.signature.parameterClause, fit: call)
            }) {
                let signature = try extensionMaker(candidate, of: type, key)
                return try invoke(signature, of: nil, bind(call, to: signature.parameters), at: call.node)
            }
        }
        throw unmade(spelled(type), call)
    }

    func unmade(_ type: String, _ call: Call) -> Refusal {
        Refusal(
            "‘\(type)’ can't be made of these values here: convert them, or add the file that declares how.",
            at: call.node)
    }

    /// Tries the library's functions of a name, one after the other.
    func libraryCall(_ entries: [Library.Entry], _ base: Lowered?, _ call: Call) throws -> Lowered? {
        let before = wantsPlainElements
        wantsPlainElements = call.wantsPlainElements
        defer { wantsPlainElements = before }
        var refusal: (any Error)?
        var fitting = entries.filter { $0.fits(call.arguments) }
        if call.name == "pow", isWholePower(of: call.arguments), !(call.expected?.unwrapped.isFloating ?? false) {
            fitting.removeAll { $0.result.isFloating }
        }
        // A power of whole literals is a Decimal wherever one is taken.
        if call.arguments.contains(where: { isWholePower($0.node) }), !(call.expected?.unwrapped.isFloating ?? false) {
            let decimals = fitting.filter { $0.parameters?.first?.type == .named("Decimal") }
            fitting = decimals + fitting.filter { $0.parameters?.first?.type != .named("Decimal") }
        }
        if fitting.count == 1, let only = fitting.first { return try lower(only, base, call) }
        if ["flatMap", "reduce"].contains(call.name), let found = strictly(fitting, base, call) { return found }
        for entry in fitting {
            do {
                let found = try attempt { try lower(entry, base, call) }.get()
                if found.value != nil { return take(found) }
            } catch let error as Refusal where error.node == nil {
                throw error
            } catch { refusal = refusal ?? error }
        }
        if let refusal { throw refusal }
        return nil
    }

    /// The first of several functions of a name that takes a call's closure as it is: it may give an optional, or take one.
    ///
    /// What `reduce` begins with is taken for an optional where it can be nothing else.
    private func strictly(_ entries: [Library.Entry], _ base: Lowered?, _ call: Call) -> Lowered? {
        let before = isStrict
        isStrict = true
        defer { isStrict = before }
        let found = entries.lazy.compactMap { [self] entry in
            try? attempt { try lower(entry, base, call) }.get()
        }.filter { $0.value != nil }
        let plain = call.name == "reduce" ? found.first { $0.value?.type.isOptional == false } : nil
        return (plain ?? found.first).flatMap { take($0) }
    }

    /// Lowers a call of a function of the library; a literal is of the type that the result is wanted in, of its own, or a `Double`.
    private func lower(_ entry: Library.Entry, _ base: Lowered?, _ call: Call) throws -> Lowered? {
        let plain = { [self] (variables: [String: SwiftType]) in try lower(entry, base, call, variables) }
        if let known = try emptyResult(of: entry, call) { return try plain(known) }
        // Where that does not fit, as the closure's own statements tell it.
        if let known = closureResult(of: entry, call), let found = ifMade({ try plain(known) }) { return found }
        guard let name = literalVariable(of: entry, call.arguments) else { return try plain([:]) }
        var wanted: [String: SwiftType] = [:]
        // Where that does not fit, as a type of its own.
        if let expected = call.expected, entry.result.unwrapped.match(expected.unwrapped, &wanted),
            let type = wanted[name], type.unwrapped.isNumber, let found = ifMade({ try plain([name: type]) })
        {
            return found
        }
        do { return try trying { try plain([:]) } } catch {
            for type in [SwiftType.double, .float, .named("Decimal")] {
                var allowed: [String: SwiftType] = [:]
                guard SwiftType.variable(name).match(type, &allowed) else { continue }
                if let found = ifMade({ try plain([name: type]) }) { return found }
            }
            throw error
        }
    }

    /// The type of an empty collection that a result begins with: the one that is wanted of it.
    private func emptyResult(of entry: Library.Entry, _ call: Call) throws -> [String: SwiftType]? {
        guard entry.name == "reduce", case .variable(let name) = entry.result, let first = call.arguments.first?.node,
            emptyCollection(first) != nil
        else { return nil }
        // The closure may say it, where the place does not.
        let closure = call.arguments.last?.node.as(ClosureExprSyntax.self)?.signature?.parameterClause
        let written = closure?.as(ClosureParameterClauseSyntax.self)?.parameters.first?.type
        guard let wanted = try call.expected?.unwrapped ?? written.map({ try type($0) }), !wanted.hasVariables else {
            return nil
        }
        return [name: wanted]
    }

    /// The types that the wanted result tells of a call whose closure has several statements, or gives a literal: these don't tell what
    /// they give.
    private func closureResult(of entry: Library.Entry, _ call: Call) -> [String: SwiftType]? {
        guard let wanted = call.expected?.unwrapped, !wanted.hasVariables, entry.result.hasVariables,
            call.arguments.contains(where: { isOfStatements($0.node) })
        else { return nil }
        var found: [String: SwiftType] = [:]
        return entry.result.unwrapped.match(wanted, &found) && !found.isEmpty ? found : nil
    }

    private func isOfStatements(_ node: ExprSyntax) -> Bool {
        guard let statements = node.as(ClosureExprSyntax.self)?.statements else { return false }
        if statements.count > 1 { return true }
        return statements.onlyExpression.map {
            $0.is(IfExprSyntax.self) || $0.is(SwitchExprSyntax.self) || takesType($0)
        } ?? false
    }

    /// Whether an expression is a literal whose type the place tells, or a closure in it gives one.
    private func takesType(_ node: ExprSyntax) -> Bool {
        if isLiteral(node) { return true }
        if let ternary = node.as(TernaryExprSyntax.self) {
            return takesType(ternary.thenExpression) || takesType(ternary.elseExpression)
        }
        guard let call = node.as(FunctionCallExprSyntax.self), call.calledExpression.is(MemberAccessExprSyntax.self)
        else { return false }
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
        _ entry: Library.Entry, _ base: Lowered?, _ call: Call, _ known: [String: SwiftType]
    ) throws -> Lowered? {
        var variables = known
        if let receiver = entry.receiver {
            guard let base else { return nil }
            // A generic type without its arguments takes them from those of the call.
            if !base.type.hasVariables { guard receiver.match(base.type, &variables) else { return nil } }
        }
        let calls = self.calls
        try CheckedText.checkExpression(of: entry, call.arguments) { declarations.texts(of: $0) }
        try CheckedText.checkWeeks(entry, call.arguments)
        try CheckedText.checkPlaces(of: entry.parameters, call.arguments)
        guard let bound = try bind(call, to: entry, &variables) else { return nil }
        if [.named("JSONDecoder"), .named("JSONEncoder")].contains(entry.receiver), let coded = variables["T"] {
            try prepareCoding(of: coded, at: call.node)
        }
        if let ordered = variables["O"], !isOrdered(ordered) { return nil }
        var result = try self.result(of: entry, variables, at: call.node)
        if result.hasVariables { return nil }
        if case .iterator(.optional) = result {
            throw Refusal("An iterator of optional values is not understood: a nil would be its end.", at: call.node)
        }
        if let base { result = try lazily(result, entry, base.type, at: call.node) }
        let type = base?.type ?? .void
        return try changed(entry, base, result, bound, call, since: calls) { [self] value, arguments in
            filled(entry, value, arguments, variables, type)
        }
    }

    /// The type of what a function or a property of the library gives.
    ///
    /// - Throws: where that is an optional of an optional.
    func result(
        of entry: Library.Entry, _ variables: [String: SwiftType], at node: some SyntaxProtocol
    ) throws -> SwiftType {
        if case .optional(.variable(let name)) = entry.result, variables[name]?.isOptional == true,
            !Self.isUnwrappedTwice(Syntax(node))
        {
            throw Self.optionalOfOptional(node)
        }
        return entry.result.replacing(variables)
    }

    /// Whether `??` stands behind an expression, so that it does not matter which of two optionals is nil.
    static func isUnwrappedTwice(_ node: Syntax) -> Bool {
        if let choice = node.parent?.as(InfixOperatorExprSyntax.self), choice.leftOperand.id == node.id,
            choice.operator.spelling == "??", choice.rightOperand.is(NilLiteralExprSyntax.self)
        {
            return true
        }
        guard let outer = node.parent?.as(OptionalChainingExprSyntax.self) else { return false }
        return outer.parent?.is(OptionalChainingExprSyntax.self) ?? false
    }

    static func optionalOfOptional(_ node: some SyntaxProtocol) -> Refusal {
        Refusal(
            "An optional of an optional is not understood, as a nil would be taken for another: unwrap the values first, or write ‘?? nil’ behind it.",
            at: node)
    }

    /// The arguments of a call as a function of the library takes them, which tell what its variables stand for; nil where it takes
    /// others.
    private func bind(
        _ call: Call, to entry: Library.Entry, _ variables: inout [String: SwiftType]
    ) throws -> BoundArguments? {
        var (bound, rest) = (BoundArguments(), call.arguments[...])
        for parameter in entry.parameters ?? [] {
            if parameter.isVariadic {
                var items: [JavaScript] = []
                while let next = rest.first, next.label == nil {
                    items.append(try argument(next.node, parameter.type, &variables, of: entry))
                    rest = rest.dropFirst()
                }
                bound.values.append(.array(items))
                continue
            }
            guard let next = rest.first, next.isTrailing ? parameter.isFunction : next.label == parameter.label else {
                guard parameter.isOptional else { return nil }
                bound.values.append(.undefined)
                continue
            }
            rest = rest.dropFirst()
            if case .reference(let type) = parameter.type {
                let place = try self.place(next.node)
                guard type.match(place.type, &variables) else { return nil }
                try bound.add(place, in: self, at: next.node)
            } else {
                bound.values.append(try argument(next.node, parameter.type, &variables, of: entry))
            }
        }
        return rest.isEmpty ? bound : nil
    }

    /// The call of a function of the library, and what becomes of the value that it is called of.
    ///
    /// - Parameter fill: the call of a value, or of its place, with arguments.
    private func changed(
        _ entry: Library.Entry, _ base: Lowered?, _ result: SwiftType, _ bound: BoundArguments, _ call: Call,
        since calls: Int, _ fill: (JavaScript, [JavaScript]) -> JavaScript
    ) throws -> Lowered {
        var bound = bound
        guard entry.change != .none else {
            let value = base.map { calledWhile($0, call, since: calls) }
            let mayBePart = value.map { mayHoldPart(of: $0.type, result) } ?? false
            var (js, setup) = (value?.js ?? .undefined, [JavaScript]())
            if self.calls > calls, !entry.template.takesValueFirst {
                let held = temporary()
                (setup, js) = ([held.assigned(js)], held)
            }
            bound.values.insert(js, at: 0)
            js = called(bound) { fill($0[0], Array($0[1...])).marked(mark(call.node)) }
            // A closure that the function calls may change more than the app's functions do.
            if isChanged(by: call) { self.calls += 1 }
            var made = Lowered(
                sequence(setup, js), result,
                ownership: mayBePart ? base?.ownership.ofPart ?? .shared : .moved)
            made.isView = entry.isView
            return made
        }
        bound.isCalling = self.calls > calls
        self.calls += 1
        let isObject = entry.change == .inPlace && base?.ownership == .borrowed
        guard let place = base?.place, place.write != nil || isObject else { throw Self.keptNowhere(call.node) }
        if entry.change == .assigned, let write = place.write {
            bound.surround(by: place)
            let js = called(bound, isReading: true, mayThrow: false) { write(fill(place.read, $0)) }
            return Lowered(sequence(place.setup, js), .void)
        }
        let open = try opened(place, at: call.node)
        bound.surround(by: open)
        let value = entry.change == .placed ? try cell(open, at: call.node) : open.read
        let js = called(bound, isReading: true, mayThrow: call.hasClosure) { fill(value, $0).marked(mark(call.node)) }
        return Lowered(
            sequence(open.setup, js), result,
            ownership: entry.change == .placed || entry.name != "insert" ? .moved : .shared)
    }

    /// The value that a function of the library is called of, which stays what it is while its closures run.
    private func calledWhile(_ base: Lowered, _ call: Call, since calls: Int) -> Lowered {
        guard base.ownership == .borrowed, isCopied(base.type) else { return base }
        let closures = call.arguments.map(\.node).filter { $0.is(ClosureExprSyntax.self) }
        if closures.isEmpty { return self.calls > calls ? unchanged(base) : base }
        if closures.contains(where: { changes(call.base?.rootName, in: $0) }) { return unchanged(base) }
        guard self.calls > calls, case .array = base.type else { return base }
        var copy = base
        copy.js = .runtime("copySlice", base.js)
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
        if wanted.isOptional, !wanted.hasVariables { try mustStayPlain(node) }
        var value = try argumentValue(node, wanted, of: entry)
        if entry.showsValues, type == .any || wanted.hasVariables { try mustHaveText(value.type, at: node) }
        // A part of a Data, of which the function asks for no indices.
        if type == .named("Data"), value.isView, value.type == .slice(.int("UInt8")) {
            value = Lowered(.runtime("data", value.js), type, ownership: .moved)
        }
        // Any sequence is taken where the tables have an array.
        if case .array = wanted, let items = sequenceView(value) { value = items }
        if wanted.hasVariables {
            if case .function(let taken, let result) = wanted, case .function(let types, let given) = value.type {
                if !result.match(given, &variables) {
                    // A closure that gives no optional, where one is wanted.
                    guard result.isOptional, result.unwrapped.match(given.unwrapped, &variables) else {
                        throw Refusal(
                            "The closure gives ‘\(spelled(given))’, which does not fit here: convert it.", at: node)
                    }
                }
                let closed = taken.map { $0.replacing(variables) }
                guard closed != types, !closed.contains(where: \.hasVariables) else { return value.js }
                return try coerce(value, to: .function(closed, given), at: node).js
            }
            if !wanted.match(value.type, &variables) {
                guard wanted.isOptional, wanted.unwrapped.match(value.type, &variables) else {
                    throw Refusal(
                        "A value of the type ‘\(spelled(value.type))’ does not fit here: convert it.", at: node)
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
        // Each is worked out once, in its order, wherever the line has it.
        var (parameters, given): ([JavaScript], [JavaScript]) = ([], [])
        func once(_ value: JavaScript, _ place: Template.Place) -> JavaScript {
            guard !value.isReusable, !entry.template.deferred.contains(place) else { return value }
            parameters.append(.name("$\(given.count)"))
            given.append(value)
            return parameters[parameters.count - 1]
        }
        var (base, values) = (base, values)
        let isRepeated = entry.template.repeated.contains { place in
            switch place {
            case .value: !base.isReusable
            case .argument(let number): values.indices.contains(number) && !values[number].isReusable
            case .type: false
            }
        }
        if isRepeated {
            (base, values) = (once(base, .value), values.enumerated().map { once($0.element, .argument($0.offset)) })
        }
        let line = entry.template.filled { place in
            switch place {
            case .value: return base
            case .argument(let number): return values.indices.contains(number) ? values[number] : .undefined
            case .type(let name):
                let described = name == "R" ? type : variables[name] ?? .any
                describes(described)
                return descriptor(described)
            }
        }
        return given.isEmpty ? line : .call(.arrow(parameters, line), given)
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

extension Call {
    /// Whether its place takes a collection whose elements are no optionals.
    fileprivate var wantsPlainElements: Bool {
        let steps = node.ancestors.prefix { $0.is(MemberAccessExprSyntax.self) || $0.is(FunctionCallExprSyntax.self) }
        let names = steps.compactMap { $0.as(MemberAccessExprSyntax.self)?.declName.baseName.text }
        return switch expected?.unwrapped {
        case .array(let element)?, .set(let element)?, .dictionary(_, let element)?: !element.isOptional
        default: names.contains("joined")
        }
    }
}
