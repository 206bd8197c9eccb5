import SwiftSyntax

/// Declarations inside of functions: variables, functions and types.
extension Lowering {
    func declaration(_ declaration: DeclSyntax) throws -> [Statement] {
        if let variable = declaration.as(VariableDeclSyntax.self) {
            return try variable.bindings.flatMap { try self.localVariable($0, variable) }
        }
        if let function = declaration.as(FunctionDeclSyntax.self) { return try [localFunction(function)] }
        if let conditional = declaration.as(IfConfigDeclSyntax.self) {
            guard case .statements(let items)? = conditional.active(declarations.conditions)?.elements else {
                return []
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
            return []
        }
        throw Refusal("This declaration is not understood inside of a function: move it out of it.", at: declaration)
    }

    /// Has the types of the functions around see one another.
    func showLocalTypes() {
        let types = scopes.reduce(into: [String: Nominal]()) { found, scope in
            for (name, local) in scope { if let nominal = local.nominal { found[name] = nominal } }
        }
        for nominal in types.values { nominal.visible = types }
    }

    private func localVariable(
        _ binding: PatternBindingSyntax, _ declaration: VariableDeclSyntax
    ) throws -> [Statement] {
        try mustBePlain(declaration.attributes)
        if declaration.modifiers.has(.weak) {
            throw Refusal(
                "When an object that a weak variable names goes away is not known here: write it without ‘weak’.",
                at: declaration)
        }
        let isVariable = declaration.bindingSpecifier.tokenKind == .keyword(.var)
        let annotated: SwiftType? = try declaration.annotation(of: binding).map { try self.type($0.type) }
        if let block = binding.accessorBlock, let start = binding.initializer {
            return try localObserved(binding, block, start.value, annotated)
        }
        guard binding.accessorBlock == nil else { return try localComputed(binding, annotated) }
        guard let start = binding.initializer else {
            guard let annotated, let name = binding.pattern.as(IdentifierPatternSyntax.self) else {
                throw Refusal("A variable without a value needs a type.", at: binding)
            }
            let js = declare(name.identifier.identifierText, annotated, isVariable: true)
            return [isVariable && annotated.isOptional ? .variable(js, .null) : .variables([js])]
        }
        if declaration.modifiers.has(.lazy) { return try localLazy(binding, start.value, annotated) }
        let initializer: ExprSyntax = start.value
        let value = try expression(initializer, annotated)
        let known = annotated.flatMap { $0.hasVariables ? nil : $0 }
        let found: SwiftType = known ?? value.type
        if case .optional(.undetermined) = found {
            throw Refusal("‘nil’ needs a type here: write it behind the name.", at: initializer)
        }
        let kept = try keep(value, as: known, at: initializer, isFixed: !isVariable)
        var steps = try bind(binding.pattern, to: kept, found, isVariable: isVariable)
        if value.isView, annotated == nil, let name = binding.pattern.as(IdentifierPatternSyntax.self) {
            scopes[scopes.count - 1][name.identifier.identifierText]?.isView = true
        }
        steps[0] = .marked(mark(binding), steps[0])
        return steps
    }

    /// Declares the names of a pattern without conditions, and gives them their values.
    func bind(_ pattern: PatternSyntax, to js: JavaScript, _ type: SwiftType, isVariable: Bool) throws -> [Statement] {
        if let name = pattern.as(IdentifierPatternSyntax.self) {
            return [.variable(declare(name.identifier.identifierText, type, isVariable: isVariable), js)]
        }
        if pattern.is(WildcardPatternSyntax.self) { return [.expression(js)] }
        if let tuple = pattern.as(TuplePatternSyntax.self), case .tuple(let elements) = type,
            elements.count == tuple.elements.count
        {
            let whole = fresh("tuple")
            return try zip(tuple.elements, elements).enumerated().reduce(into: [.constant(whole, js)]) { steps, part in
                let (index, (element, type)) = part
                steps += try bind(element.pattern, to: JavaScript.name(whole)[index], type.type, isVariable: isVariable)
            }
        }
        if let binding = pattern.as(ValueBindingPatternSyntax.self) {
            let isOwn = binding.bindingSpecifier.tokenKind == .keyword(.var)
            let value = isOwn && isCopied(type) ? copied(js, type) : js
            return try bind(binding.pattern, to: value, type, isVariable: isOwn)
        }
        if let typed = pattern.as(ExpressionPatternSyntax.self), typed.expression.is(DiscardAssignmentExprSyntax.self) {
            return [.expression(js)]
        }
        throw Refusal("This pattern is not understood here: bind the whole value, and take it apart then.", at: pattern)
    }

    private func localFunction(_ function: FunctionDeclSyntax) throws -> Statement {
        guard let local = lookUp(function.name.identifierText) else { throw Refusal.known }
        let signature = try localSignature(function, local)
        return try inFunction(context.inner(result: signature.result), scopes: scopes + [[:]]) {
            try declared(signature, function.body?.statements, at: function)
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
        guard let name = local.js.identifier else { throw Refusal.known }
        let signature = Signature(
            name: name, parameters: try parameters(function.signature.parameterClause),
            result: try function.signature.returnClause.map { try type($0.type) } ?? .void, owner: nil,
            mayThrow: function.signature.effectSpecifiers?.throwsClause != nil)
        signatures[key] = signature
        return signature
    }
}
