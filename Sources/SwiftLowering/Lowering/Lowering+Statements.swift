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
                if scopes[scopes.count - 1][name]?.function != nil {
                    tell(
                        Refusal(
                            "Functions of one name inside of a function are not understood: give them other names.",
                            at: function.name), at: function)
                }
                scopes[scopes.count - 1][name] = Local(js: fresh(name), type: .void, function: function)
            }
            if case .decl(let declaration) = item.item, let nominal = declarations.local(declaration) {
                scopes[scopes.count - 1][nominal.name] = Local(
                    js: "", type: .metatype(.nominal(nominal.number)), nominal: nominal)
            }
        }
        showLocalTypes()
        var lines: [String] = []
        for (index, item) in items.enumerated() {
            do {
                if case .stmt(let statement) = item.item, let deferred = statement.as(DeferStmtSyntax.self) {
                    // The statements behind it are done first, however they end.
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
    func statements(_ list: CodeBlockItemListSyntax, originals: [CodeBlockItemSyntax]) -> String {
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
            _ = declare(name.identifier.identifierText, .refused)
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
        // A type was declared with the scope that it stands in.
        if let local = declarations.local(declaration) {
            guard !isInGeneric else {
                throw Refusal(
                    "A type inside of a generic function is not understood: move it out of it.", at: declaration)
            }
            let isUnknown =
                parents(of: local).contains { $0.kind != .protocolType }
                || local.kind == .enumeration && !parents(of: local).isEmpty
            guard !isUnknown else {
                throw Refusal(
                    "An enumeration inside of a function that conforms to a protocol of the app, or a class with a superclass, is not "
                        + "understood: move it out of it.", at: declaration)
            }
            return ""
        }
        throw Refusal("This declaration is not understood inside of a function: move it out of it.", at: declaration)
    }

    /// Has the types of the functions around see one another.
    private func showLocalTypes() {
        let types = scopes.reduce(into: [String: Nominal]()) { found, scope in
            for (name, local) in scope { if let nominal = local.nominal { found[name] = nominal } }
        }
        for nominal in types.values { nominal.visible = types }
    }

    private func localVariable(_ binding: PatternBindingSyntax, _ declaration: VariableDeclSyntax) throws -> String {
        try mustBePlain(declaration.attributes)
        if declaration.modifiers.has(.weak) {
            throw Refusal(
                "When an object that a weak variable names goes away is not known here: write it without ‘weak’.",
                at: declaration)
        }
        let isVariable = declaration.bindingSpecifier.tokenKind == .keyword(.var)
        let annotated: SwiftType? = try declaration.annotation(of: binding).map { try self.type($0.type) }
        if case .accessors(let list)? = binding.accessorBlock?.accessors, let start = binding.initializer {
            return try localObserved(binding, list, start.value, annotated)
        }
        guard binding.accessorBlock == nil else { return try localComputed(binding, annotated) }
        guard let start = binding.initializer else {
            guard let annotated, let name = binding.pattern.as(IdentifierPatternSyntax.self) else {
                throw Refusal("A variable without a value needs a type.", at: binding)
            }
            let none = isVariable && annotated.isOptional ? " = null" : ""
            return "let \(declare(name.identifier.identifierText, annotated, isVariable: true))\(none);"
        }
        let initializer: ExprSyntax = start.value
        let value = try expression(initializer, annotated)
        let known = annotated.flatMap { $0.hasVariables ? nil : $0 }
        let found: SwiftType = known ?? value.type
        if case .optional(.undetermined) = found { throw Refusal("‘nil’ needs a type here.", at: initializer) }
        let kept = try keep(value, as: known, at: initializer, isFixed: !isVariable)
        let names = try bind(binding.pattern, to: kept, found, isVariable: isVariable)
        if value.isView, annotated == nil, let name = binding.pattern.as(IdentifierPatternSyntax.self) {
            scopes[scopes.count - 1][name.identifier.identifierText]?.isView = true
        }
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
        if let binding = pattern.as(ValueBindingPatternSyntax.self) {
            let isOwn = binding.bindingSpecifier.tokenKind == .keyword(.var)
            let value = isOwn && isCopied(type) ? copied(js, type) : js
            return try bind(binding.pattern, to: value, type, isVariable: isOwn)
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
        (inner.selfForm, inner.isSelfConstant) = (context.selfForm, context.isSelfConstant)
        inner.typeArguments = context.typeArguments
        return try inFunction(inner, scopes: scopes + [[:]]) {
            try functionText(signature, function.body?.statements, at: function, name: local.js)
        }
    }

    /// The signature of a function inside of a function.
    func localSignature(_ function: FunctionDeclSyntax, _ local: Local) throws -> Signature {
        let key = FunctionKey(function.id, in: context.owner, context.typeArguments)
        if let known = signatures[key] { return known }
        try mustBePlain(function.attributes)
        if function.genericParameterClause != nil {
            throw Refusal(
                "A generic function inside of a function is not understood: move it out of it.", at: function.name)
        }
        let signature = Signature(
            js: local.js, parameters: try parameters(function.signature.parameterClause),
            result: try function.signature.returnClause.map { try type($0.type) } ?? .void, owner: nil,
            mayThrow: function.signature.effectSpecifiers?.throwsClause != nil)
        signatures[key] = signature
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
            let exit = fresh("block")
            context.labelledBlocks.append((label, exit))
            defer { context.labelledBlocks.removeLast() }
            return "\(exit): {\n\(try self.statement(labelled.statement))\n}"
        }
        if let loop = try loop(statement, label: nil) { return loop }
        if let leave = statement.as(BreakStmtSyntax.self) {
            let name = leave.label?.identifierText
            if let block = context.labelledBlocks.last(where: { $0.name == name }) { return "break \(block.js);" }
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
        (context.result, context.isResultKnown) = (context.givesOptional ? lowered.type.optional : lowered.type, true)
        return mark(answer) + "return (\(try keep(lowered, as: nil, at: value)));"
    }

    private func ifStatement(_ conditional: IfExprSyntax) throws -> String {
        let outer = scopes
        defer { scopes = outer }
        scopes.append([:])
        let (names, test) = try conditions(conditional.conditions)
        let body = block(conditional.body.statements)
        // Behind ‘else’ the names that the conditions bind are not there.
        scopes = outer
        var text = "if (\(test)) {\n\(body)\n}"
        switch conditional.elseBody {
        case .ifExpr(let next): text += " else {\n\(try ifStatement(next))\n}"
        case .codeBlock(let body): text += " else {\n\(block(body.statements))\n}"
        case nil: break
        @unknown default: throw Refusal("This is not understood.", at: conditional)
        }
        // A block keeps the names from those of the same name around.
        return names.isEmpty ? text : "{\n\(names)\n\(text)\n}"
    }

    private func guardStatement(_ guarded: GuardStmtSyntax) throws -> String {
        // Behind ‘else’ the names that the conditions bind are not there.
        let body = block(guarded.body.statements)
        let (names, test) = try conditions(guarded.conditions)
        return "\(names)\nif (!(\(test))) {\n\(body)\n$.unreachable();\n}"
    }

    /// The name that a pattern gives a value, `_` where it gives none; nil of a pattern of another kind.
    private func boundName(_ pattern: PatternSyntax) -> String? {
        let isDiscarded =
            pattern.as(ExpressionPatternSyntax.self)?.expression.is(DiscardAssignmentExprSyntax.self) ?? false
        if isDiscarded || pattern.is(WildcardPatternSyntax.self) { return "_" }
        return pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText
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
                let bound = try optionalBinding(binding)
                names += bound.names
                tests += bound.tests
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
        return (names.joined(separator: " "), tests.isEmpty ? "true" : tests.joined(separator: " && "))
    }

    /// `let x = y` in a condition: a name, and a test whether there is a value.
    private func optionalBinding(_ binding: OptionalBindingConditionSyntax) throws -> (names: [String], tests: [String])
    {
        guard let name = boundName(binding.pattern) else { return try tupleBinding(binding) }
        if context.selfValue == nil, name == "self" || binding.initializer?.value.spelling == "self",
            let owner = ownerType
        {
            // The instance that the block belongs to is not here; its methods are.
            if name != "self" {
                scopes[scopes.count - 1][name] = Local(
                    js: try metatype(owner, at: binding).js, type: .metatype(owner))
            }
            return ([], [])
        }
        let isVariable = binding.bindingSpecifier.tokenKind == .keyword(.var)
        let value: Lowered
        if let initializer = binding.initializer?.value {
            let annotated: SwiftType? = try binding.typeAnnotation.map { try self.type($0.type) }
            let lowered = try expression(initializer, annotated?.optional)
            value = Lowered(try keep(lowered, as: nil, at: initializer, isFixed: !isVariable), lowered.type)
        } else {
            value = try reference(name, at: binding.pattern)
        }
        // An object that is captured weakly is there as long as the script runs.
        if case .nominal = value.type, (binding.initializer?.value.spelling ?? name) == "self" {
            return name == "self" ? ([], []) : (["const \(declare(name, value.type)) = \(value.js);"], [])
        }
        guard value.type.isOptional || value.type == .any || value.type == .stub else {
            throw Refusal("‘if let’ takes an optional, and this is ‘\(spelled(value.type))’.", at: binding)
        }
        if name == "_" { return ([], [mark(binding) + "(\(value.js)) != null"]) }
        let js = declare(name, value.type.unwrapped, isVariable: isVariable)
        return (["let \(js);"], [mark(binding) + "(\(js) = \(value.js)) != null"])
    }

    /// `let (x, y) = z` in a condition.
    private func tupleBinding(_ binding: OptionalBindingConditionSyntax) throws -> (names: [String], tests: [String]) {
        guard let initializer = binding.initializer?.value else {
            throw Refusal("This pattern is not understood here.", at: binding.pattern)
        }
        let annotated = try binding.typeAnnotation.map { try self.type($0.type) }
        let value = try expression(initializer, annotated?.optional)
        guard case .optional(let inner) = value.type else {
            throw Refusal("‘if let’ takes an optional, and this is ‘\(spelled(value.type))’.", at: binding)
        }
        let isVariable = binding.bindingSpecifier.tokenKind == .keyword(.var)
        let subject = fresh("subject")
        let kept = try keep(value, as: nil, at: initializer, isFixed: !isVariable)
        let (names, test) = try pattern(
            binding.pattern, Lowered(subject, inner, isSimple: true), binds: isVariable ? .variable : .constant)
        return (["let \(subject);"] + names, [mark(binding) + "(\(subject) = \(kept)) != null", test])
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
            for item in clause.catchItems {
                var parts: [String] = []
                if let node = item.pattern {
                    let (bound, test) = try pattern(node, error)
                    guard clause.catchItems.count < 2 || bound.isEmpty else {
                        throw Refusal(
                            "Several patterns behind ‘catch’ that bind names are not understood: write a clause for each.",
                            at: clause)
                    }
                    names += bound
                    parts.append(test)
                }
                if let condition = item.whereClause?.condition { parts.append(try expression(condition, .bool).js) }
                tests.append(parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " && ")))")
            }
            if tests.allSatisfy({ $0 == "true" }) { isWhole = true }
            let test = tests.isEmpty ? "true" : tests.joined(separator: " || ")
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
}
