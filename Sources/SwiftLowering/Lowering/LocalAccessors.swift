import SwiftSyntax

/// Variables of functions that run code where they are read or given a value.
extension Lowering {
    /// One that is worked out each time it is read.
    func localComputed(_ binding: PatternBindingSyntax, _ type: SwiftType?) throws -> [Statement] {
        guard let type, let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText,
            let block = binding.accessorBlock, let getter = block.getter
        else { throw Refusal("A local variable with accessors is not understood: write a function.", at: binding) }
        let (read, write, setter) = (fresh(name), fresh("set_" + name), block.accessor(.set))
        scopes[scopes.count - 1][name] = Local(
            js: JavaScript.name(read).called([]), type: type, isVariable: setter != nil, isComputed: true,
            setter: setter == nil ? nil : .name(write))
        let reader = inside(type) { JavaScript.closure([], body(getter)) }
        let writer = inside(.void) { taking(setter, "newValue", type) }
        return [.constant(read, reader)] + (writer.map { [.constant(write, $0)] } ?? [])
    }

    /// A lazy one, whose value is made when it is read first.
    func localLazy(_ binding: PatternBindingSyntax, _ start: ExprSyntax, _ annotated: SwiftType?) throws -> [Statement]
    {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText else {
            throw Refusal("A lazy variable with a pattern is not understood: give it a name.", at: binding)
        }
        let (held, read, write) = (fresh(name), fresh("lazy_" + name), fresh("set_" + name))
        let holder = JavaScript.name(held)
        let (type, reader) = try inside(.void) {
            let value = try expression(start, annotated)
            let type = annotated ?? value.type
            let made = holder.assigned(try keep(value, as: type, at: start))
            let isMissing = JavaScript.binary(.equal, holder, .undefined)
            let steps = withTemporaries([.conditional(isMissing, [.expression(made)]), .give(holder)])
            return (type, JavaScript.closure([], steps))
        }
        scopes[scopes.count - 1][name] = Local(
            js: JavaScript.name(read).called([]), type: type, isVariable: true, isComputed: true, isLazy: true,
            setter: .name(write))
        let writer = JavaScript.closure([.name("value")], [.expression(holder.assigned(.name("value")))])
        return [.variables([held]), .constant(read, reader), .constant(write, writer)]
    }

    /// One with `willSet` or `didSet`.
    func localObserved(
        _ binding: PatternBindingSyntax, _ block: AccessorBlockSyntax, _ start: ExprSyntax, _ annotated: SwiftType?
    ) throws -> [Statement] {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText else {
            throw Refusal("A local variable with accessors is not understood: write a function.", at: binding)
        }
        let value = try expression(start, annotated)
        let type = annotated ?? value.type
        let kept = try keep(value, as: type, at: start)
        let js = declare(name, type, isVariable: true)
        let write = fresh("set_" + name)
        let call = { [self] (keyword: Keyword, standard: String, given: String) -> [Statement] in
            let observer = inside(.void) { taking(block.accessor(keyword), standard, type) }
            return observer.map { [.expression($0.called([.name(given)]))] } ?? []
        }
        // Nobody observes the value that the observers give it themselves.
        let steps =
            [.constant("before", .name(js))] + call(.willSet, "newValue", "value")
            + [.expression(JavaScript.name(js).assigned(.name("value")))] + call(.didSet, "oldValue", "before")
        scopes[scopes.count - 1][name]?.setter = .name(write)
        return [.variable(js, kept), .constant(write, .closure([.name("value")], steps))]
    }

    /// A function of one value that runs the body of an accessor; nil where there is none.
    func taking(_ accessor: AccessorDeclSyntax?, _ standard: String, _ type: SwiftType) -> JavaScript? {
        guard let accessor, let statements = accessor.body?.statements else { return nil }
        let name = declare(accessor.parameters?.name.identifierText ?? standard, type)
        return .closure([.name(name)], body(statements))
    }

    /// Runs a body in a function that stands in this one.
    private func inside<Result>(_ result: SwiftType, _ body: () throws -> Result) rethrows -> Result {
        try inFunction(context.inner(result: result), scopes: scopes + [[:]], body)
    }
}
