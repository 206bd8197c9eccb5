import SwiftSyntax

extension Lowering {
    /// The value that a name stands for.
    func reference(
        _ name: String, at node: some SyntaxProtocol, labels: DeclNameArgumentsSyntax? = nil,
        _ expected: SwiftType? = nil
    ) throws -> Lowered {
        if name == "self" {
            if let value = context.selfValue { return value }
            if let type = ownerType {
                try mustBeOneClass(type, at: node)
                return try metatype(type, at: node)
            }
        }
        if let local = lookUp(name), local.nominal == nil {
            if local.isRefused { throw Refusal.known }
            if local.isComputed {
                calls += 1
                let ownership: Ownership = local.isLazy ? .borrowed : .moved
                return Lowered(local.js.marked(mark(node)), local.type, ownership: ownership)
            }
            if let function = local.function {
                let signature = try localSignature(function, local)
                return Lowered(signature.js, signature.type, isSimple: true)
            }
            var value = Lowered(
                local.value, local.type,
                ownership: local.isVariable || local.isReference ? .borrowed : .shared,
                isSimple: true)
            value.isView = local.isView
            return value
        }
        // The settings for a name count more than a file that declares it.
        if program.stubs.contains(name) { return Lowered(.undefined, .stub) }
        if name.hasPrefix("$"), let number = Int(name.dropFirst()), number < context.anonymous.count {
            let local = context.anonymous[number]
            return Lowered(local.value, local.type, ownership: local.isReference ? .borrowed : .shared, isSimple: true)
        }
        if let member = try implicitMember(name, at: node) { return member }
        if let value = context.selfValue, declarations.variables[name] == nil,
            let found = try method(name, of: value, expected, labels, at: node)
        {
            return found
        }
        if let local = try surrounding(name, at: node) {
            return Lowered(local.js, local.type, ownership: local.isVariable ? .borrowed : .shared, isSimple: true)
        }
        if let variable = declarations.variables[name] { return try global(variable, in: nil) }
        if let function = declarations.functions[name]?.first {
            let signature = try self.signature(of: function, in: nil, isStatic: false)
            return Lowered(signature.js, signature.type, isSimple: true)
        }
        if let type = try knownType(name) { return try metatype(type, at: node) }
        if let found = try libraryFunction(name, expected, at: node) { return found }
        throw unknown(name, at: node)
    }

    func unknown(_ name: String, at node: some SyntaxProtocol) -> Refusal {
        let isBehind = node.ancestors.contains {
            $0.as(CodeBlockItemListSyntax.self)?.contains { $0.declaredNames.contains(name) } ?? false
        }
        if isBehind {
            return Refusal("‘\(name)’ is used here before it is declared: declare it before this.", at: node)
        }
        return Refusal(
            "‘\(name)’ is declared by no file: add the file that declares it, name it in the stubs if its calls may do "
                + "nothing, or give its value in the parameters.", at: node)
    }

    /// A member of the type that the code stands in, named without it.
    private func implicitMember(_ name: String, at node: some SyntaxProtocol) throws -> Lowered? {
        guard let owner = context.owner else { return nil }
        if let value = context.selfValue, let found = try memberOfValue(value, name, at: node) { return found }
        if let found = try instanceConstant(name) { return found }
        switch owner {
        case .nominal(let start):
            for type in start.andAround {
                guard let found = try staticMember(name, of: type) else { continue }
                if type === start { try mustNotBeOverridden(name, at: node) }
                return found
            }
            return nil
        case .library(let type, let extended):
            if case .nominal = type { return try memberOfType(type, name, at: node) }
            guard let variable = declarations.extensions[extended]?.variable(name, isStatic: true) else { return nil }
            return try global(variable, in: owner)
        }
    }

    /// A property of the instance that a block belongs to, where it is the same in every instance; nil of any other.
    func instanceConstant(_ name: String) throws -> Lowered? {
        guard context.selfValue == nil, !context.isStatic, case .nominal(let nominal)? = context.owner,
            let variable = nominal.members.variable(name, isStatic: false),
            variable.isComputed || variable.isConstant && variable.binding.initializer != nil,
            !isOverridden(name, below: nominal)
        else { return nil }
        return try global(variable, in: context.owner)
    }

    /// A constant of the code around the block, or a variable that nothing but the block changes: what it begins with is what the
    /// block finds, and what the block gives it nobody sees.
    private func surrounding(_ name: String, at node: some SyntaxProtocol) throws -> Local? {
        for list in surroundings.reversed() {
            for item in list {
                guard case .decl(let declaration) = item.item, let variable = declaration.as(VariableDeclSyntax.self)
                else { continue }
                for found in VariableDeclaration.all(variable)
                where found.name == name && declarations.variables[name] == nil {
                    if let known = surrounded[found.binding.id] { return known }
                    if !found.isConstant, isChanged(name, in: list) {
                        throw Refusal(
                            "‘\(name)’ is changed outside of the block: give its value in the parameters.", at: node)
                    }
                    let value = try global(found, in: context.owner)
                    let local = Local(js: value.js, type: value.type, isVariable: value.ownership == .borrowed)
                    surrounded[found.binding.id] = local
                    return local
                }
            }
        }
        return nil
    }

    /// Whether code around the block changes a variable of its own.
    private func isChanged(_ name: String, in list: CodeBlockItemListSyntax) -> Bool {
        let search = ChangeSearch(name, besides: blockNode) { [self] in
            library.changes($0) || declarations.declaresFunction($0)
        }
        search.walk(list)
        return search.hasFound
    }

    private func withoutValue(_ variable: VariableDeclaration, in owner: FunctionContext.Owner?) -> Refusal {
        if case .nominal(let nominal)? = owner, nominal.kind == .protocolType {
            return Refusal(
                "‘\(variable.name)’ is what ‘\(nominal.path)’ asks of types: of which type it is meant is not known here. Name the "
                    + "type before it, or make it a property of values.", at: variable.binding)
        }
        return Refusal("‘\(variable.name)’ has no value here: give it in the parameters.", at: variable.binding)
    }

    /// A global variable or a static one.
    func global(_ variable: VariableDeclaration, in owner: FunctionContext.Owner?) throws -> Lowered {
        let key = FunctionKey(variable.binding.id, in: owner)
        if let known = globals[key] { return known }
        try mustBePlain(variable.declaration.attributes)
        let inner = FunctionContext(owner: owner)
        if variable.isComputed, let body = variable.getter {
            let type = try inFunction(inner) { try self.type(of: variable) }
            let getter = once(
                key, variable.name,
                FunctionContext(result: type, owner: owner, isStatic: owner != nil && variable.isStatic),
                at: variable.binding
            ) { [self] in .function($0, [], self.body(body)) }
            var value = Lowered(getter.called([]), type)
            if owner == nil || variable.isStatic { value.computed = (variable, owner) }
            globals[key] = value
            return value
        }
        let js = fresh(variable.name)
        let held = JavaScript.name(js).field("v")
        if variable.hasObservers {
            throw Refusal(
                "A global or static property with ‘didSet’ or ‘willSet’ is not understood: do it where the value is set.",
                at: variable.binding)
        }
        let annotated = try inFunction(inner) { try variable.annotation.map { try self.type($0.type) } }
        guard let clause: InitializerClauseSyntax = variable.binding.initializer else {
            throw withoutValue(variable, in: owner)
        }
        guard opened.insert(key).inserted else {
            throw Refusal("The value of ‘\(variable.name)’ needs itself.", at: variable.binding)
        }
        defer { opened.remove(key) }
        let ownership: Ownership = variable.isConstant ? .shared : .borrowed
        if let annotated { globals[key] = Lowered(held, annotated, ownership: ownership, isSimple: true) }
        let (steps, type) = try inFunction(inner) { () throws -> ([Statement], SwiftType) in
            let lowered = try expression(clause.value, annotated)
            let kept = try keep(lowered, as: annotated, at: clause.value)
            return (withTemporaries([.give(kept)]), annotated ?? lowered.type)
        }
        emit(.constant(js, .runtime("lazy", .closure([], steps))))
        let value = Lowered(held, type, ownership: ownership, isSimple: true)
        globals[key] = value
        return value
    }
}
