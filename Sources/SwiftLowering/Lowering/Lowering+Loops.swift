import SwiftSyntax

extension Lowering {
    func loop(_ statement: StmtSyntax, label: String?) throws -> String? {
        if let loop = statement.as(WhileStmtSyntax.self) {
            let exit = fresh("loop")
            scopes.append([:])
            defer { scopes.removeLast() }
            let (names, test) = try conditions(loop.conditions)
            let body = inExit(label, exit, isLoop: true) { block(loop.body.statements) }
            return names.isEmpty
                ? "\(exit): while (\(test)) {\n\(body)\n}"
                : "\(exit): for (;;) {\n\(names)\nif (!(\(test))) break;\n\(body)\n}"
        }
        if let loop = statement.as(RepeatStmtSyntax.self) {
            let exit = fresh("loop")
            let body = inExit(label, exit, isLoop: true) { block(loop.body.statements) }
            return "\(exit): do {\n\(body)\n} while (\(try expression(loop.condition, .bool).js));"
        }
        guard let loop = statement.as(ForStmtSyntax.self) else { return nil }
        return try forLoop(loop, label: label)
    }

    func inExit(_ name: String?, _ js: String, isLoop: Bool, _ body: () -> String) -> String {
        context.exits.append((name, js, isLoop))
        defer { context.exits.removeLast() }
        return body()
    }

    /// `1...`: the numbers from one on.
    private func endless(_ node: ExprSyntax) throws -> Lowered? {
        guard let range = node.as(PostfixOperatorExprSyntax.self), range.operator.text == "..." else { return nil }
        let start = try expression(range.expression, .integer)
        guard start.type == .integer else { return nil }
        return Lowered("[\(start.js), Infinity]", .closedRange(.integer))
    }

    private func forLoop(_ loop: ForStmtSyntax, label: String?) throws -> String {
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
        let exit = fresh("loop")
        scopes.append([:])
        defer { scopes.removeLast() }
        let item = fresh("item")
        var names: [String] = []
        var test: String?
        if loop.caseKeyword != nil {
            let found = try pattern(loop.pattern, Lowered(item, element, isSimple: true))
            (names, test) = (found.names, found.test)
        } else {
            names = [try bindItem(loop.pattern, item, element)]
        }
        if let test { names.append("if (!(\(test))) continue;") }
        if let condition = loop.whereClause?.condition {
            names.append("if (!(\(try expression(condition, .bool).js))) continue;")
        }
        let body = inExit(label, exit, isLoop: true) { block(loop.body.statements) }
        let head: String
        if sequence.type.hasItems {
            head =
                "\(exit): for (const \(item) of \(mark(loop.sequence))(\(sequence.js)).items()) {"
        } else if case .range(.int) = sequence.type {
            let range = fresh("range")
            head =
                "const \(range) = \(mark(loop.sequence))\(sequence.js);\n\(exit): for (let \(item)$ = \(range)[0]; \(item)$ < \(range)[1]; \(item)$ = $.next(\(item)$)) { const \(item) = \(item)$;"
        } else if case .closedRange(.int) = sequence.type {
            let range = fresh("range")
            head =
                "const \(range) = \(mark(loop.sequence))\(sequence.js);\n\(exit): for (let \(item)$ = \(range)[0]; \(item)$ <= \(range)[1]; \(item)$ = $.next(\(item)$)) { const \(item) = \(item)$;"
        } else {
            let list = fresh("items")
            let index = fresh("i")
            head =
                "const \(list) = \(mark(loop.sequence))\(items);\n\(exit): for (let \(index) = 0; \(index) < \(list).length; \(index)++) { const \(item) = \(list)[\(index)];"
        }
        return "\(head)\n\(names.joined(separator: "\n"))\n\(body)\n}"
    }

    /// The items of a loop, which stay what they are when its body changes the collection.
    private func iterated(_ sequence: Lowered, of loop: ForStmtSyntax) throws -> (js: String, element: SwiftType) {
        let (items, element) = try iterated(sequence, at: loop.sequence)
        guard sequence.isStored, isCopied(element), mayChange(loop) else { return (items, element) }
        return (copied(items, .array(element)), element)
    }

    /// Whether the body of a loop may change the collection: that of a local variable it names itself.
    private func mayChange(_ loop: ForStmtSyntax) -> Bool {
        let name = loop.sequence.rootName
        let isLocal = name.flatMap { lookUp($0) }.map { $0.function == nil } ?? false
        let search = ChangeSearch(isLocal ? name : nil, besides: nil) { [self] in
            library.changes($0) || declarations.mutatingNames.contains($0)
        }
        search.walk(loop.body)
        if search.hasFound { return true }
        // A function that is called may change it.
        let callsOwn = CallSearch { [self] in
            isLocal
                ? lookUp($0)?.function != nil || lookUp($0) != nil
                : lookUp($0) != nil || declarations.declaresFunction($0)
        }
        callsOwn.walk(loop.body)
        return callsOwn.hasFound
    }

    /// The names of an item; a variable is a copy.
    private func bindItem(_ pattern: PatternSyntax, _ item: String, _ element: SwiftType) throws -> String {
        guard let binding = pattern.as(ValueBindingPatternSyntax.self) else {
            return try bind(pattern, to: item, element, isVariable: false)
        }
        let isVariable = binding.bindingSpecifier.tokenKind == .keyword(.var)
        let js = isVariable && isCopied(element) ? copied(item, element) : item
        return try bind(binding.pattern, to: js, element, isVariable: isVariable)
    }

    /// A loop over what a stub gives: however many there are, stubs alone are called, and nothing is done.
    private func loopOverStub(_ loop: ForStmtSyntax) throws -> String {
        scopes.append([:])
        defer { scopes.removeLast() }
        _ = try bind(loop.pattern, to: "undefined", .stub, isVariable: false)
        for item in loop.body.statements {
            var lowered = Lowered("", .void)
            if case .expr(let value) = item.item { lowered = try expression(value, nil, isDiscarded: true) }
            guard lowered.type == .stub, lowered.js == "undefined" else {
                throw Refusal(
                    "A stub gives no value, and this is done for each of its values: add the file that declares it.",
                    at: item)
            }
        }
        return ""
    }

    /// The elements of a sequence as an array of JavaScript that nobody else changes, and their type.
    func iterated(_ sequence: Lowered, at node: some SyntaxProtocol) throws -> (js: String, element: SwiftType) {
        switch sequence.type {
        case .array(let type): return (sequence.isStored ? "(\(sequence.js)).slice()" : sequence.js, type)
        case .slice(let type): return (sequence.isStored ? "(\(sequence.js)).slice()" : sequence.js, type)
        case .lazy(let type, _), .iterator(let type): return ("Array.from((\(sequence.js)).items())", type)
        case .set(let type): return ("$.elements(\(sequence.js))", type)
        case .list(let type):
            return ("$.listItems(\(sequence.js), \(descriptor(type)))", type)
        case .realmSet(let type):
            return ("$.realmSetItems(\(sequence.js), \(descriptor(type)))", type)
        case .realmMap(let type):
            return (
                "$.realmMapEntries(\(sequence.js), \(descriptor(type)))",
                .tuple([SwiftType.Element(label: "key", type: .string), SwiftType.Element(label: "value", type: type)])
            )
        case .dictionary(let key, let value):
            return (
                "$.entries(\(sequence.js))",
                .tuple([SwiftType.Element(label: "key", type: key), SwiftType.Element(label: "value", type: value)])
            )
        case .string: return ("$.characters(\(sequence.js))", .character)
        case .substring: return ("$.characters((\(sequence.js)).text)", .character)
        case .range(let type), .closedRange(let type):
            return ("$.rangeItems(\(sequence.js), \(sequence.type == .range(type)))", type)
        case .named("Data"): return ("$.bytes(\(sequence.js))", .int("UInt8"))
        case .named("Schema"): return ("$.schemaClasses(\(sequence.js))", .named("ObjectSchema"))
        case .refused: throw Refusal.known
        default:
            if let own = try ownSequence(sequence, at: node) { return try iterated(own, at: node) }
            throw Refusal("A value of the type ‘\(spelled(sequence.type))’ can't be gone through here.", at: node)
        }
    }
}
