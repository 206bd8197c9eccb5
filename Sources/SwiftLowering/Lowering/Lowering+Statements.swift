import SwiftSyntax

extension Lowering {
    /// Lowers statements into a scope of their own.
    func block(_ items: CodeBlockItemListSyntax) -> [Statement] { inScope { statements(items) } }

    /// Lowers statements into the scope that is open.
    func statements(_ items: CodeBlockItemListSyntax) -> [Statement] {
        for item in items {
            if case .decl(let declaration) = item.item, let function = declaration.as(FunctionDeclSyntax.self) {
                let name = function.name.identifierText
                if scopes[scopes.count - 1][name]?.function != nil {
                    tell(
                        Refusal(
                            "Functions of one name inside of a function are not understood: give them other names.",
                            at: function.name), at: function)
                }
                scopes[scopes.count - 1][name] = Local(js: .name(fresh(name)), type: .void, function: function)
            }
            if case .decl(let declaration) = item.item, let nominal = declarations.local(declaration) {
                scopes[scopes.count - 1][nominal.name] = Local(
                    js: .undefined, type: .metatype(.nominal(nominal.number)), nominal: nominal)
            }
        }
        showLocalTypes()
        return statements(Array(items).functionsBehindTheirVariables[...])
    }

    /// As `statements`, where the functions and types among them are declared: of nodes that stay in their file, for a list that was
    /// made anew is in none.
    func statements(_ items: ArraySlice<CodeBlockItemSyntax>) -> [Statement] {
        var lowered: [Statement] = []
        for (index, item) in zip(items.indices, items) {
            do {
                if case .stmt(let statement) = item.item, let deferred = statement.as(DeferStmtSyntax.self) {
                    // The statements behind it are done first, however they end.
                    let rest = statements(items[(index + 1)...])
                    return lowered + [.finally(rest, self.deferred(deferred.body.statements))]
                }
                lowered += try statement(item.item)
            } catch {
                tell(error, at: item)
                declareRefused(item.item)
            }
        }
        return lowered
    }

    /// The statements of a `defer`, which observers of an initializer's properties hear of.
    private func deferred(_ items: CodeBlockItemListSyntax) -> [Statement] {
        let made = context.madeType
        context.madeType = nil
        defer { context.madeType = made }
        return block(items)
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
            scopes[scopes.count - 1][name.identifier.identifierText] = Local(
                js: .undefined, type: .any, isRefused: true)
        }
    }

    private func statement(_ item: CodeBlockItemSyntax.Item) throws -> [Statement] {
        switch item {
        case .decl(let declaration): return try self.declaration(declaration)
        case .stmt(let statement): return try self.statement(statement)
        case .expr(let value): return try expressionStatement(value)
        @unknown default: throw Refusal("This is not understood.", at: item)
        }
    }

    private func expressionStatement(_ value: ExprSyntax) throws -> [Statement] {
        if let conditional = value.as(IfExprSyntax.self) { return try [ifStatement(conditional)] }
        if let choice = value.as(SwitchExprSyntax.self) { return try [switchStatement(choice, label: nil)] }
        if let attempt = value.as(TryExprSyntax.self), attempt.questionOrExclamationMark == nil {
            return try expressionStatement(attempt.expression)
        }
        return [.marked(mark(value), .expression(try expression(value, nil, isDiscarded: true).js))]
    }

    private func statement(_ statement: StmtSyntax) throws -> [Statement] {
        if let wrapped = statement.as(ExpressionStmtSyntax.self) { return try expressionStatement(wrapped.expression) }
        if let answer = statement.as(ReturnStmtSyntax.self) { return try returnStatement(answer) }
        if let guarded = statement.as(GuardStmtSyntax.self) { return try guardStatement(guarded) }
        if let labelled = statement.as(LabeledStmtSyntax.self) { return try labelledStatement(labelled) }
        if let loop = try loop(statement, label: nil) { return loop }
        if let leave = statement.as(BreakStmtSyntax.self) {
            let name = leave.label?.identifierText
            if let block = context.labelledBlocks.last(where: { $0.name == name }) { return [.leave(block.js)] }
            guard let exit = context.exits.last(where: { name == nil || $0.name == name }) else {
                throw Refusal("‘break’ has nothing to leave.", at: leave)
            }
            return [.leave(exit.js)]
        }
        if let next = statement.as(ContinueStmtSyntax.self) {
            let name = next.label?.identifierText
            guard let exit = context.exits.last(where: { $0.isLoop && (name == nil || $0.name == name) }) else {
                throw Refusal("‘continue’ has no loop.", at: next)
            }
            return [.next(exit.js)]
        }
        if let thrown = statement.as(ThrowStmtSyntax.self) {
            let value = try coerced(thrown.expression, to: .error)
            return [.marked(mark(thrown), .fail(.runtime("thrown", value)))]
        }
        if let attempt = statement.as(DoStmtSyntax.self) { return try [doStatement(attempt)] }
        throw Refusal("This statement is not understood.", at: statement)
    }

    private func labelledStatement(_ labelled: LabeledStmtSyntax) throws -> [Statement] {
        let label = labelled.label.identifierText
        if let loop = try loop(labelled.statement, label: label) { return loop }
        if let wrapped = labelled.statement.as(ExpressionStmtSyntax.self),
            let choice = wrapped.expression.as(SwitchExprSyntax.self)
        {
            return try [switchStatement(choice, label: label)]
        }
        let exit = fresh("block")
        context.labelledBlocks.append((label, exit))
        defer { context.labelledBlocks.removeLast() }
        return try [.labelled(exit, .block(statement(labelled.statement)))]
    }

    private func returnStatement(_ answer: ReturnStmtSyntax) throws -> [Statement] {
        if context.isInitializer {
            return [.give(answer.expression?.is(NilLiteralExprSyntax.self) ?? false ? .null : .this)]
        }
        guard let value = answer.expression else {
            if !context.isResultKnown { (context.result, context.isResultKnown) = (.void, true) }
            return [.give(nil)]
        }
        if context.isResultKnown, context.result == .void {
            let discarded = try expression(value, nil, isDiscarded: true)
            return [.marked(mark(answer), .expression(discarded.js)), .give(nil)]
        }
        let known = context.isResultKnown ? context.result : nil
        let lowered = try expression(value, known)
        if known == nil {
            (context.result, context.isResultKnown) = (
                context.givesOptional ? lowered.type.optional : lowered.type, true
            )
        }
        return [.marked(mark(answer), .give(try keep(lowered, as: known, at: value)))]
    }

    private func ifStatement(_ conditional: IfExprSyntax) throws -> Statement {
        try choice(conditional, { block($0) }, { [try ifStatement($0)] })
    }

    /// A choice, with what its bodies are, and the one behind ‘else if’.
    func choice(
        _ conditional: IfExprSyntax, _ body: (CodeBlockItemListSyntax) throws -> [Statement],
        _ next: (IfExprSyntax) throws -> [Statement]
    ) throws -> Statement {
        // Behind ‘else’ the names that the conditions bind are not there.
        let (names, test, first) = try inScope {
            let (names, test) = try conditions(conditional.conditions)
            return (names, test, try body(conditional.body.statements))
        }
        let other: [Statement]
        switch conditional.elseBody {
        case .ifExpr(let conditional): other = try next(conditional)
        case .codeBlock(let block): other = try body(block.statements)
        case nil: other = []
        @unknown default: throw Refusal("This is not understood.", at: conditional)
        }
        // A block keeps the names from those of the same name around.
        let whole = Statement.conditional(test, first, other)
        return names.isEmpty ? whole : .block(names + [whole])
    }

    private func guardStatement(_ guarded: GuardStmtSyntax) throws -> [Statement] {
        // Behind ‘else’ the names that the conditions bind are not there.
        let body = block(guarded.body.statements)
        let (names, test) = try conditions(guarded.conditions)
        return names + [.conditional(test.negated, body + [.expression(.runtime("unreachable"))])]
    }

    // MARK: Errors

    private func doStatement(_ attempt: DoStmtSyntax) throws -> Statement {
        let body = block(attempt.body.statements)
        guard !attempt.catchClauses.isEmpty else { return .block(body) }
        let caught = fresh("caught")
        let exit = fresh("do")
        let error = JavaScript.name(caught)
        var clauses: [Statement] = [.conditional(.runtime("isThrown", error).negated, [.fail(error)])]
        var isWhole = false
        for clause in attempt.catchClauses {
            scopes.append([:])
            defer { scopes.removeLast() }
            var names: [Statement] = []
            if clause.catchItems.isEmpty { names.append(.constant(declare("error", .error), error.field("value"))) }
            let matches = try clause.catchItems.map { item in
                try caughtBy(item, Lowered(error.field("value"), .error, isSimple: true), of: clause)
            }
            let tests = matches.compactMap(\.test)
            if tests.count < matches.count || matches.isEmpty { isWhole = true }
            let test = tests.count < matches.count ? nil : JavaScript.joined(tests, .or)
            names += matches.flatMap(\.declarations)
            clauses.append(
                .block(names + [.conditional(test ?? .bool(true), block(clause.body.statements) + [.leave(exit)])]))
        }
        if !isWhole { clauses.append(.fail(error)) }
        return .labelled(exit, .block([.attempt(body, caught: caught, clauses)]))
    }

    /// The test that a pattern behind ‘catch’ makes of an error.
    private func caughtBy(_ item: CatchItemSyntax, _ error: Lowered, of clause: CatchClauseSyntax) throws -> Match {
        var parts: [Match] = []
        if let node = item.pattern {
            let found = try pattern(node, error)
            guard clause.catchItems.count < 2 || found.names.isEmpty else {
                throw Refusal(
                    "Several patterns behind ‘catch’ that bind names are not understood: write a clause for each.",
                    at: clause)
            }
            parts.append(found)
        }
        if let condition = item.whereClause?.condition {
            parts.append(Match(test: try expression(condition, .bool).js))
        }
        return .all(parts)
    }
}

extension [CodeBlockItemSyntax] {
    /// The items, with each function moved behind the variables that it uses and that are declared further down.
    ///
    /// Nothing calls it before: the compiler sees to that. Behind a `defer` it would be in another block.
    fileprivate var functionsBehindTheirVariables: Self {
        var items = self
        var index = 0
        while index < items.count {
            defer { index += 1 }
            guard case .decl(let declaration) = items[index].item,
                let function = declaration.as(FunctionDeclSyntax.self),
                let last = items.indices.last(where: { other in
                    other > index && items[other].declaredNames.contains { function.mentions($0) }
                }), !items[index...last].contains(where: { $0.item.is(DeferStmtSyntax.self) })
            else { continue }
            items.insert(items.remove(at: index), at: last)
            index -= 1
        }
        return items
    }
}

extension CodeBlockItemSyntax {
    /// The names of variables that it declares where it stands.
    var declaredNames: [String] {
        guard case .decl(let declaration) = item, let variable = declaration.as(VariableDeclSyntax.self) else {
            return []
        }
        return variable.bindings.flatMap(\.pattern.names)
    }
}

extension PatternSyntax {
    fileprivate var names: [String] {
        if let name = self.as(IdentifierPatternSyntax.self) { return [name.identifier.identifierText] }
        return self.as(TuplePatternSyntax.self)?.elements.flatMap(\.pattern.names) ?? []
    }
}

extension SyntaxProtocol {
    fileprivate func mentions(_ name: String) -> Bool {
        holds { $0.as(DeclReferenceExprSyntax.self)?.baseName.identifierText == name }
    }
}
