import SwiftSyntax

extension Lowering {
    func loop(_ statement: StmtSyntax, label: String?) throws -> [Statement]? {
        let exit = fresh("loop")
        if let loop = statement.as(WhileStmtSyntax.self) {
            return try inScope {
                let (names, test) = try conditions(loop.conditions)
                let body = inExit(label, exit, isLoop: true) { block(loop.body.statements) }
                let turn = names + [.conditional(test.negated, [.leave(exit)])] + body
                return [.labelled(exit, names.isEmpty ? .loop(test, body) : .loop(nil, turn))]
            }
        }
        if let loop = statement.as(RepeatStmtSyntax.self) {
            let body = inExit(label, exit, isLoop: true) { block(loop.body.statements) }
            return [.labelled(exit, .repeated(body, try expression(loop.condition, .bool).js))]
        }
        return try statement.as(ForStmtSyntax.self).map { try forLoop($0, label, exit) }
    }

    func inExit(_ name: String?, _ js: String, isLoop: Bool, _ body: () -> [Statement]) -> [Statement] {
        context.exits.append((name, js, isLoop))
        defer { context.exits.removeLast() }
        return body()
    }

    /// `1...`: the numbers from one on.
    private func endless(_ node: ExprSyntax) throws -> Lowered? {
        guard let form = node.rangeForm, form.to == nil, let from = form.from else { return nil }
        let start = try expression(from, .integer)
        guard start.type == .integer else { return nil }
        return Lowered(.array([start.js, .constant("Infinity")]), .closedRange(.integer))
    }

    private func forLoop(_ loop: ForStmtSyntax, _ label: String?, _ exit: String) throws -> [Statement] {
        let annotated = try loop.typeAnnotation.map { try type($0.type) }
        let wanted = loop.sequence.is(ArrayExprSyntax.self) ? annotated.map { SwiftType.array($0) } : nil
        let given = try endless(loop.sequence) ?? expression(loop.sequence, wanted)
        let sequence = try ownSequence(given, at: loop.sequence) ?? given
        if sequence.type == .stub { return try loopOverStub(loop) }
        let (items, element) = try iterated(sequence, of: loop)
        guard annotated == nil || annotated == element else {
            throw Refusal(
                "The elements are of the type ‘\(spelled(element))’: write the conversion out.", at: loop.pattern)
        }
        scopes.append([:])
        defer { scopes.removeLast() }
        let item = fresh("item")
        var turn: [Statement] = []
        let skip = { (test: JavaScript) in Statement.conditional(test.negated, [.next(exit)]) }
        if loop.caseKeyword != nil {
            let found = try pattern(loop.pattern, Lowered(.name(item), element))
            turn = found.declarations + (found.test.map { [skip($0)] } ?? [])
        } else {
            turn = try bindItem(loop.pattern, .name(item), element)
        }
        if let condition = loop.whereClause?.condition { turn.append(skip(try expression(condition, .bool).js)) }
        turn += inExit(label, exit, isLoop: true) { block(loop.body.statements) }
        let place = mark(loop.sequence)
        switch sequence.type {
        case .lazy, .iterator:
            return [.labelled(exit, .each(item, sequence.js.method("items").marked(place), turn))]
        case .range(.int), .closedRange(.int):
            let (range, number) = (fresh("range"), JavaScript.name(item + "$"))
            let isClosed = if case .closedRange = sequence.type { true } else { false }
            let head = Statement.loop(
                first: .variable(item + "$", JavaScript.name(range)[0]),
                .binary(isClosed ? .atMost : .less, number, JavaScript.name(range)[1]),
                next: number.assigned(.runtime("next", number)), [.constant(item, number)] + turn)
            return [.constant(range, sequence.js.marked(place)), .labelled(exit, head)]
        default:
            let (list, index) = (fresh("items"), fresh("i"))
            let head = Statement.loop(
                first: .variable(index, .integer(0)),
                .binary(.less, .name(index), JavaScript.name(list).field("length")),
                next: .unary("++", .name(index)), [.constant(item, JavaScript.name(list)[.name(index)])] + turn)
            return [.constant(list, items.marked(place)), .labelled(exit, head)]
        }
    }

    /// The items of a loop, which stay what they are when its body changes the collection.
    private func iterated(_ sequence: Lowered, of loop: ForStmtSyntax) throws -> (js: JavaScript, element: SwiftType) {
        let (items, element) = try iterated(sequence, at: loop.sequence)
        guard sequence.ownership == .borrowed, isCopied(element), mayChange(loop) else { return (items, element) }
        return (copied(items, .array(element)), element)
    }

    /// Whether the body of a loop may change the collection: that of a local variable it names itself.
    private func mayChange(_ loop: ForStmtSyntax) -> Bool {
        let name = loop.sequence.rootName
        let isLocal = name.flatMap { lookUp($0) }.map { $0.function == nil } ?? false
        if changes(isLocal ? name : nil, in: loop.body) { return true }
        // A function that is called may change it.
        return loop.body.calls { [self] in
            lookUp($0) != nil || !isLocal && declarations.declaresFunction($0)
        }
    }

    /// The names of an item; a variable is a copy.
    private func bindItem(_ pattern: PatternSyntax, _ item: JavaScript, _ element: SwiftType) throws -> [Statement] {
        guard let binding = pattern.as(ValueBindingPatternSyntax.self) else {
            return try bind(pattern, to: item, element, isVariable: false)
        }
        let isVariable = binding.bindingSpecifier.tokenKind == .keyword(.var)
        let js = isVariable && isCopied(element) ? copied(item, element) : item
        return try bind(binding.pattern, to: js, element, isVariable: isVariable)
    }

    /// A loop over what a stub gives: however many there are, stubs alone are called, and nothing is done.
    private func loopOverStub(_ loop: ForStmtSyntax) throws -> [Statement] {
        scopes.append([:])
        defer { scopes.removeLast() }
        _ = try bind(loop.pattern, to: .undefined, .stub, isVariable: false)
        for item in loop.body.statements {
            var lowered = Lowered(.undefined, .void)
            if case .expr(let value) = item.item { lowered = try expression(value, nil, isDiscarded: true) }
            guard lowered.type == .stub, lowered.isSimple else {
                throw Refusal(
                    "A stub gives no value, and this is done for each of its values: add the file that declares it.",
                    at: item)
            }
        }
        return []
    }

    /// The elements of a sequence as an array of JavaScript that nobody else changes, and their type.
    func iterated(_ sequence: Lowered, at node: some SyntaxProtocol) throws -> (js: JavaScript, element: SwiftType) {
        if let found = iterated(ofLibrary: sequence) { return found }
        if let own = try ownSequence(sequence, at: node) { return try iterated(own, at: node) }
        throw Refusal(
            "A value of the type ‘\(spelled(sequence.type))’ can't be gone through here: make an ‘Array’ of what it holds.",
            at: node)
    }

    /// The elements of a sequence of the library; nil of every other value.
    func iterated(ofLibrary sequence: Lowered) -> (js: JavaScript, element: SwiftType)? {
        switch sequence.type {
        case .array(let type):
            return (sequence.ownership == .borrowed ? sequence.js.method("slice") : sequence.js, type)
        case .slice(let type):
            return (sequence.ownership == .borrowed ? .runtime("copySlice", sequence.js) : sequence.js, type)
        case .lazy(let type, _), .iterator(let type):
            return (JavaScript.name("Array").method("from", sequence.js.method("items")), type)
        case .set(let type): return (.runtime("elements", sequence.js), type)
        case .list(let type):
            return (.runtime("listItems", sequence.js, descriptor(type)), type)
        case .realmSet(let type):
            return (.runtime("realmSetItems", sequence.js, descriptor(type)), type)
        case .realmMap(let type):
            return (.runtime("realmMapEntries", sequence.js, descriptor(type)), .entry(.string, type))
        case .dictionary(let key, let value):
            return (.runtime("entries", sequence.js), .entry(key, value))
        case .string: return (.runtime("characters", sequence.js), .character)
        case .substring: return (.runtime("characters", sequence.js.field("text")), .character)
        case .range(let type), .closedRange(let type):
            return (.runtime("rangeItems", sequence.js, .bool(sequence.type == .range(type))), type)
        case .named("Data"): return (.runtime("bytes", sequence.js), .int("UInt8"))
        case .named("Schema"): return (.runtime("schemaClasses", sequence.js), .named("ObjectSchema"))
        default: return nil
        }
    }
}
