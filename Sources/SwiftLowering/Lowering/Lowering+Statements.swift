import SwiftSyntax

extension Lowering {
    /// Lowers statements into a block of their own, without its braces.
    func block(_ items: CodeBlockItemListSyntax) -> String {
        scopes.append([:])
        defer { scopes.removeLast() }
        return statements(items)
    }

    /// Lowers statements into the scope that is open.
    func statements(_ items: CodeBlockItemListSyntax) -> String {
        for item in items {
            if case .decl(let declaration) = item.item, let function = declaration.as(FunctionDeclSyntax.self) {
                let name = function.name.identifierText
                scopes[scopes.count - 1][name] = Local(js: fresh(name), type: .void, function: function)
            }
        }
        var lines: [String] = []
        for (index, item) in items.enumerated() {
            do {
                if case .stmt(let statement) = item.item, let deferred = statement.as(DeferStmtSyntax.self) {
                    // What comes behind it is done first, however it ends.
                    let rest = statements(
                        CodeBlockItemListSyntax(items.dropFirst(index + 1)),
                        originals: Array(items.dropFirst(index + 1)))
                    lines.append("try {\n\(rest)\n} finally {\n\(block(deferred.body.statements))\n}")
                    return lines.joined(separator: "\n")
                }
                lines.append(try statement(item.item))
            } catch {
                tell(error, at: item)
                declareRefused(item.item)
            }
        }
        return lines.joined(separator: "\n")
    }

    /// As `statements`, of nodes that stay in their file: a list that was made anew is in none.
    private func statements(_ list: CodeBlockItemListSyntax, originals: [CodeBlockItemSyntax]) -> String {
        var lines: [String] = []
        for (index, item) in originals.enumerated() {
            do {
                if case .stmt(let statement) = item.item, let deferred = statement.as(DeferStmtSyntax.self) {
                    let rest = statements(list, originals: Array(originals.dropFirst(index + 1)))
                    lines.append("try {\n\(rest)\n} finally {\n\(block(deferred.body.statements))\n}")
                    return lines.joined(separator: "\n")
                }
                lines.append(try statement(item.item))
            } catch {
                tell(error, at: item)
                declareRefused(item.item)
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Names of a declaration that was refused: what uses them is not told again.
    private func declareRefused(_ item: CodeBlockItemSyntax.Item) {
        var patterns: [PatternSyntax] = []
        switch item {
        case .decl(let declaration):
            patterns = declaration.as(VariableDeclSyntax.self)?.bindings.map(\.pattern) ?? []
        case .stmt(let statement):
            for condition in statement.as(GuardStmtSyntax.self)?.conditions ?? [] {
                if case .optionalBinding(let binding) = condition.condition { patterns.append(binding.pattern) }
            }
        case .expr: break
        @unknown default: break
        }
        for pattern in patterns {
            guard let name = pattern.as(IdentifierPatternSyntax.self) else { continue }
            _ = declare(name.identifier.identifierText, .variable("refused"))
        }
    }

    private func statement(_ item: CodeBlockItemSyntax.Item) throws -> String {
        switch item {
        case .decl(let declaration): return try self.declaration(declaration)
        case .stmt(let statement): return try self.statement(statement)
        case .expr(let value): return try expressionStatement(value)
        @unknown default: throw Refusal("This is not understood.", at: item)
        }
    }

    private func expressionStatement(_ value: ExprSyntax) throws -> String {
        if let conditional = value.as(IfExprSyntax.self) { return try ifStatement(conditional) }
        if let choice = value.as(SwitchExprSyntax.self) { return try switchStatement(choice, label: nil) }
        if let attempt = value.as(TryExprSyntax.self), attempt.questionOrExclamationMark == nil {
            return try expressionStatement(attempt.expression)
        }
        return mark(value) + (try expression(value, nil, isDiscarded: true)).js + ";"
    }

    // MARK: Declarations

    private func declaration(_ declaration: DeclSyntax) throws -> String {
        if let variable = declaration.as(VariableDeclSyntax.self) {
            return try variable.bindings.map { try self.localVariable($0, variable) }.joined(separator: "\n")
        }
        if let function = declaration.as(FunctionDeclSyntax.self) { return try localFunction(function) }
        if let conditional = declaration.as(IfConfigDeclSyntax.self) {
            guard case .statements(let items)? = conditional.active(declarations.conditions)?.elements else {
                return ""
            }
            return statements(items)
        }
        throw Refusal("This declaration is not understood inside of a function: move it out of it.", at: declaration)
    }

    private func localVariable(_ binding: PatternBindingSyntax, _ declaration: VariableDeclSyntax) throws -> String {
        let isVariable = declaration.bindingSpecifier.tokenKind == .keyword(.var)
        let annotated: SwiftType? = try binding.typeAnnotation.map { try self.type($0.type) }
        guard binding.accessorBlock == nil else {
            throw Refusal("A local variable with accessors is not understood.", at: binding)
        }
        guard let start = binding.initializer else {
            guard let annotated, let name = binding.pattern.as(IdentifierPatternSyntax.self) else {
                throw Refusal("A variable without a value needs a type.", at: binding)
            }
            let none = isVariable && annotated.isOptional ? " = null" : ""
            return "let \(declare(name.identifier.identifierText, annotated, isVariable: true))\(none);"
        }
        let initializer: ExprSyntax = start.value
        let value = try expression(initializer, annotated)
        let found: SwiftType = annotated ?? value.type
        if case .optional(.variable("nil")) = found { throw Refusal("‘nil’ needs a type here.", at: initializer) }
        let kept = try keep(value, as: annotated, at: initializer, isFixed: !isVariable)
        let names = try bind(binding.pattern, to: kept, found, isVariable: isVariable)
        return mark(binding) + names
    }

    /// Declares the names of a pattern without conditions, and gives them their values.
    func bind(_ pattern: PatternSyntax, to js: String, _ type: SwiftType, isVariable: Bool) throws -> String {
        if let name = pattern.as(IdentifierPatternSyntax.self) {
            return "let \(declare(name.identifier.identifierText, type, isVariable: isVariable)) = \(js);"
        }
        if pattern.is(WildcardPatternSyntax.self) { return js + ";" }
        if let tuple = pattern.as(TuplePatternSyntax.self), case .tuple(let elements) = type,
            elements.count == tuple.elements.count
        {
            let whole = fresh("tuple")
            var lines = ["const \(whole) = \(js);"]
            for (index, element) in tuple.elements.enumerated() {
                lines.append(
                    try bind(element.pattern, to: "\(whole)[\(index)]", elements[index].type, isVariable: isVariable))
            }
            return lines.joined(separator: " ")
        }
        if let typed = pattern.as(ExpressionPatternSyntax.self), typed.expression.is(DiscardAssignmentExprSyntax.self) {
            return js + ";"
        }
        throw Refusal("This pattern is not understood here.", at: pattern)
    }

    private func localFunction(_ function: FunctionDeclSyntax) throws -> String {
        guard let local = lookUp(function.name.identifierText) else { throw Refusal.known }
        let signature = try localSignature(function, local)
        let inner = FunctionContext()
        (inner.owner, inner.selfValue, inner.result) = (context.owner, context.selfValue, signature.result)
        return try inFunction(inner, scopes: scopes + [[:]]) {
            try functionText(signature, function.body?.statements, at: function, name: local.js)
        }
    }

    /// The signature of a function inside of a function.
    func localSignature(_ function: FunctionDeclSyntax, _ local: Local) throws -> Signature {
        if let known = signatures[function.id] { return known }
        let signature = Signature(
            js: local.js, parameters: try parameters(function.signature.parameterClause),
            result: try function.signature.returnClause.map { try type($0.type) } ?? .void, owner: nil)
        signatures[function.id] = signature
        return signature
    }

    // MARK: Statements

    private func statement(_ statement: StmtSyntax) throws -> String {
        if let wrapped = statement.as(ExpressionStmtSyntax.self) { return try expressionStatement(wrapped.expression) }
        if let answer = statement.as(ReturnStmtSyntax.self) { return try returnStatement(answer) }
        if let guarded = statement.as(GuardStmtSyntax.self) { return try guardStatement(guarded) }
        if let labelled = statement.as(LabeledStmtSyntax.self) {
            let label = labelled.label.identifierText
            if let loop = try self.loop(labelled.statement, label: label) { return loop }
            if let wrapped = labelled.statement.as(ExpressionStmtSyntax.self),
                let choice = wrapped.expression.as(SwitchExprSyntax.self)
            {
                return try switchStatement(choice, label: label)
            }
            throw Refusal("A label is understood before a loop and a switch.", at: labelled)
        }
        if let loop = try loop(statement, label: nil) { return loop }
        if let leave = statement.as(BreakStmtSyntax.self) {
            let name = leave.label?.identifierText
            guard let exit = context.exits.last(where: { name == nil || $0.name == name }) else {
                throw Refusal("‘break’ has nothing to leave.", at: leave)
            }
            return "break \(exit.js);"
        }
        if let next = statement.as(ContinueStmtSyntax.self) {
            let name = next.label?.identifierText
            guard let exit = context.exits.last(where: { $0.isLoop && (name == nil || $0.name == name) }) else {
                throw Refusal("‘continue’ has no loop.", at: next)
            }
            return "continue \(exit.js);"
        }
        if let thrown = statement.as(ThrowStmtSyntax.self) {
            let value = try expression(thrown.expression, .error)
            return mark(thrown) + "throw $.thrown(\(try coerce(value, to: .error, at: thrown.expression).js));"
        }
        if let attempt = statement.as(DoStmtSyntax.self) { return try doStatement(attempt) }
        throw Refusal("This statement is not understood.", at: statement)
    }

    private func returnStatement(_ answer: ReturnStmtSyntax) throws -> String {
        if context.isInitializer {
            return answer.expression?.is(NilLiteralExprSyntax.self) ?? false ? "return null;" : "return self;"
        }
        guard let value = answer.expression else {
            if !context.isResultKnown { (context.result, context.isResultKnown) = (.void, true) }
            return "return;"
        }
        if context.isResultKnown, let result = context.result {
            if result == .void {
                return mark(answer) + (try expression(value, nil, isDiscarded: true)).js + "; return;"
            }
            let lowered = try expression(value, result)
            return mark(answer) + "return (\(try keep(lowered, as: result, at: value)));"
        }
        let lowered = try expression(value, nil)
        (context.result, context.isResultKnown) = (lowered.type, true)
        return mark(answer) + "return (\(try keep(lowered, as: nil, at: value)));"
    }

    private func ifStatement(_ conditional: IfExprSyntax) throws -> String {
        scopes.append([:])
        defer { scopes.removeLast() }
        let (names, test) = try conditions(conditional.conditions)
        let body = block(conditional.body.statements)
        var text = "if (\(test)) {\n\(body)\n}"
        switch conditional.elseBody {
        case .ifExpr(let next):
            scopes.append([:])
            let lowered = try ifStatement(next)
            scopes.removeLast()
            text += " else {\n\(lowered)\n}"
        case .codeBlock(let body): text += " else {\n\(block(body.statements))\n}"
        case nil: break
        @unknown default: throw Refusal("This is not understood.", at: conditional)
        }
        // A block keeps the names from those of the same name around.
        return names.isEmpty ? text : "{\n\(names)\n\(text)\n}"
    }

    private func guardStatement(_ guarded: GuardStmtSyntax) throws -> String {
        let (names, test) = try conditions(guarded.conditions)
        return "\(names)\nif (!(\(test))) {\n\(block(guarded.body.statements))\n$.unreachable();\n}"
    }

    /// Conditions as one test; the names that they bind are declared in the scope that is open, before the test.
    func conditions(_ list: ConditionElementListSyntax) throws -> (names: String, test: String) {
        var names: [String] = []
        var tests: [String] = []
        for element in list {
            switch element.condition {
            case .expression(let value):
                tests.append(mark(value) + "(\(try expression(value, .bool).js))")
            case .optionalBinding(let binding):
                guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText else {
                    throw Refusal("This pattern is not understood here.", at: binding.pattern)
                }
                if context.selfValue == nil, name == "self" || binding.initializer?.value.trimmedDescription == "self",
                    let owner = ownerType
                {
                    // The instance that the block belongs to is not here; its methods are.
                    if name != "self" {
                        scopes[scopes.count - 1][name] = Local(js: "undefined", type: .metatype(owner))
                    }
                    continue
                }
                let value: Lowered
                if let initializer = binding.initializer?.value {
                    let annotated: SwiftType? = try binding.typeAnnotation.map { try self.type($0.type) }
                    let lowered = try expression(initializer, annotated?.optional)
                    let isFixed = binding.bindingSpecifier.tokenKind != .keyword(.var)
                    value = Lowered(try keep(lowered, as: nil, at: initializer, isFixed: isFixed), lowered.type)
                } else {
                    value = try reference(name, at: binding.pattern)
                }
                guard value.type.isOptional || value.type == .any || value.type == .stub else {
                    throw Refusal("‘if let’ takes an optional, and this is ‘\(spelled(value.type))’.", at: binding)
                }
                let isVariable = binding.bindingSpecifier.tokenKind == .keyword(.var)
                if name == "_" {
                    tests.append(mark(binding) + "(\(value.js)) != null")
                } else {
                    let js = declare(name, value.type.unwrapped, isVariable: isVariable)
                    names.append("let \(js);")
                    tests.append(mark(binding) + "(\(js) = \(value.js)) != null")
                }
            case .matchingPattern(let match):
                let value = try expression(match.initializer.value, nil)
                let subject = fresh("subject")
                names.append("let \(subject);")
                let (bound, test) = try pattern(match.pattern, Lowered(subject, value.type, isSimple: true))
                names += bound
                tests.append(
                    mark(match) + "((\(subject) = \(try keep(value, as: nil, at: match, isFixed: true))), \(test))")
            case .availability: tests.append("true")
            @unknown default: throw Refusal("This condition is not understood.", at: element)
            }
        }
        return (names.joined(separator: " "), tests.joined(separator: " && "))
    }

    // MARK: Loops

    private func loop(_ statement: StmtSyntax, label: String?) throws -> String? {
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

    private func inExit(_ name: String?, _ js: String, isLoop: Bool, _ body: () -> String) -> String {
        context.exits.append((name, js, isLoop))
        defer { context.exits.removeLast() }
        return body()
    }

    private func forLoop(_ loop: ForStmtSyntax, label: String?) throws -> String {
        let sequence = try expression(loop.sequence, nil)
        let (items, element) = try iterated(sequence, at: loop.sequence)
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
            names = [try bind(loop.pattern, to: item, element, isVariable: false)]
        }
        if let test { names.append("if (!(\(test))) continue;") }
        if let condition = loop.whereClause?.condition {
            names.append("if (!(\(try expression(condition, .bool).js))) continue;")
        }
        let body = inExit(label, exit, isLoop: true) { block(loop.body.statements) }
        let head: String
        if case .range(.int) = sequence.type {
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

    /// The elements of a sequence as an array of JavaScript that nobody else changes, and their type.
    func iterated(_ sequence: Lowered, at node: some SyntaxProtocol) throws -> (js: String, element: SwiftType) {
        switch sequence.type {
        case .array(let type): return (sequence.isStored ? "(\(sequence.js)).slice()" : sequence.js, type)
        case .set(let type): return ("$.elements(\(sequence.js))", type)
        case .list(let type):
            return ("$.listItems(\(sequence.js), \(descriptor(type)))", type)
        case .dictionary(let key, let value):
            return (
                "$.entries(\(sequence.js))",
                .tuple([SwiftType.Element(label: "key", type: key), SwiftType.Element(label: "value", type: value)])
            )
        case .string: return ("$.characters(\(sequence.js))", .character)
        case .range(let type), .closedRange(let type):
            return ("$.rangeItems(\(sequence.js), \(sequence.type == .range(type)))", type)
        case .named("Data"): return ("$.bytes(\(sequence.js))", .int("UInt8"))
        case .named("Schema"): return ("$.schemaClasses(\(sequence.js))", .named("ObjectSchema"))
        case .variable("refused"): throw Refusal.known
        default:
            throw Refusal("A value of the type ‘\(spelled(sequence.type))’ can't be gone through here.", at: node)
        }
    }

    // MARK: Errors

    private func doStatement(_ attempt: DoStmtSyntax) throws -> String {
        let body = block(attempt.body.statements)
        guard !attempt.catchClauses.isEmpty else { return "{\n\(body)\n}" }
        let caught = fresh("caught")
        let exit = fresh("do")
        var lines: [String] = []
        var isWhole = false
        for clause in attempt.catchClauses {
            scopes.append([:])
            defer { scopes.removeLast() }
            let error = Lowered("\(caught).value", .error, isSimple: true)
            var tests: [String] = []
            var names: [String] = []
            if clause.catchItems.isEmpty {
                names.append("const \(declare("error", .error)) = \(caught).value;")
            }
            guard clause.catchItems.count < 2 else {
                throw Refusal(
                    "Several patterns behind ‘catch’ are not understood: write a clause for each.", at: clause)
            }
            for item in clause.catchItems {
                if let node = item.pattern {
                    let (bound, test) = try pattern(node, error)
                    names += bound
                    tests.append(test)
                }
                if let condition = item.whereClause?.condition { tests.append(try expression(condition, .bool).js) }
            }
            if tests.allSatisfy({ $0 == "true" }) { isWhole = true }
            let test = tests.isEmpty ? "true" : tests.joined(separator: " && ")
            lines.append(
                "{ \(names.joined(separator: " ")) if (\(test)) {\n\(block(clause.body.statements))\nbreak \(exit);\n} }"
            )
        }
        if !isWhole { lines.append("throw \(caught);") }
        return """
            \(exit): { try {
            \(body)
            } catch (\(caught)) {
            if (!$.isThrown(\(caught))) throw \(caught);
            \(lines.joined(separator: "\n"))
            } }
            """
    }

    // MARK: Switch

    func switchStatement(_ choice: SwitchExprSyntax, label: String?) throws -> String {
        // Of a switch inside of one nobody takes the value.
        let isReturned = returning
        returning = false
        let subject = try expression(choice.subject, nil)
        let js = fresh("subject")
        let exit = fresh("switch")
        var lines = [
            "const \(js) = \(mark(choice.subject))\(try keep(subject, as: nil, at: choice.subject, isFixed: true));"
        ]
        let cases = choice.cases.flatMap { element -> [SwitchCaseSyntax] in
            switch element {
            case .switchCase(let found): return [found]
            case .ifConfigDecl(let conditional):
                guard case .switchCases(let list)? = conditional.active(declarations.conditions)?.elements else {
                    return []
                }
                return list.compactMap { $0.as(SwitchCaseSyntax.self) }
            @unknown default: return []
            }
        }
        let falls = cases.contains { $0.statements.last?.item.is(FallThroughStmtSyntax.self) ?? false }
        let flag = fresh("falls")
        if falls { lines.append("let \(flag) = false;") }
        for found in cases {
            scopes.append([:])
            defer { scopes.removeLast() }
            var (names, test) = try caseTest(found, Lowered(js, subject.type, isSimple: true))
            if falls { test = "\(flag) || \(test)" }
            var items = Array(found.statements)
            let goesOn = items.last?.item.is(FallThroughStmtSyntax.self) ?? false
            if goesOn { items.removeLast() }
            let body = inExit(label, exit, isLoop: false) {
                scopes.append([:])
                defer { scopes.removeLast() }
                if isReturned {
                    do { return try resultBody(found.statements) } catch {
                        tell(error, at: found)
                        return ""
                    }
                }
                return goesOn ? statements(found.statements, originals: items) : statements(found.statements)
            }
            lines.append("{ \(names) if (\(test)) {\n\(body)\n\(goesOn ? "\(flag) = true;" : "break \(exit);")\n} }")
        }
        lines.append("$.unreachable();")
        return "\(exit): {\n\(lines.joined(separator: "\n"))\n}"
    }

    private func caseTest(_ found: SwitchCaseSyntax, _ subject: Lowered) throws -> (names: String, test: String) {
        guard case .case(let label) = found.label else { return ("", "true") }
        var names: [String] = []
        var tests: [String] = []
        for item in label.caseItems {
            let (bound, test) = try pattern(item.pattern, subject)
            if label.caseItems.count > 1, !bound.isEmpty {
                throw Refusal("Several patterns that bind names are not understood: write a case for each.", at: item)
            }
            names += bound
            let condition = try item.whereClause.map { " && (\(try expression($0.condition, .bool).js))" } ?? ""
            tests.append("(\(test)\(condition))")
        }
        return (names.joined(separator: " "), tests.joined(separator: " || "))
    }
}
