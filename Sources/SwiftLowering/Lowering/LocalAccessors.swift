import SwiftSyntax

/// Variables of functions that run code where they are read or given a value.
extension Lowering {
    /// One that is worked out each time it is read.
    func localComputed(_ binding: PatternBindingSyntax, _ type: SwiftType?) throws -> [Statement] {
        guard let type, let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText,
            let block = binding.accessorBlock
        else { throw Refusal("A local variable with accessors is not understood.", at: binding) }
        let (read, write) = (fresh(name), fresh("set_" + name))
        var (getter, setter): (CodeBlockItemListSyntax?, AccessorDeclSyntax?)
        switch block.accessors {
        case .getter(let body): getter = body
        case .accessors(let list):
            getter = list.first { $0.accessorSpecifier.tokenKind == .keyword(.get) }?.body?.statements
            setter = list.first { $0.accessorSpecifier.tokenKind == .keyword(.set) }
        @unknown default: break
        }
        guard let getter else { throw Refusal("A local variable with accessors is not understood.", at: binding) }
        scopes[scopes.count - 1][name] = Local(
            js: JavaScript.name(read).called([]), type: type, isVariable: setter != nil, isComputed: true,
            setter: setter == nil ? nil : .name(write))
        let reader = inside(type) { JavaScript.closure([], body(getter)) }
        guard let setter, let body = setter.body?.statements else { return [.constant(read, reader)] }
        return [.constant(read, reader), .constant(write, taking(setter, "newValue", type, body))]
    }

    /// One with `willSet` or `didSet`.
    func localObserved(
        _ binding: PatternBindingSyntax, _ list: AccessorDeclListSyntax, _ start: ExprSyntax, _ annotated: SwiftType?
    ) throws -> [Statement] {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText else {
            throw Refusal("A local variable with accessors is not understood.", at: binding)
        }
        let value = try expression(start, annotated)
        let type = annotated ?? value.type
        let kept = try keep(value, as: type, at: start)
        let js = declare(name, type, isVariable: true)
        let write = fresh("set_" + name)
        func call(_ keyword: Keyword, _ standard: String, _ given: String) -> [Statement] {
            guard let accessor = list.first(where: { $0.accessorSpecifier.tokenKind == .keyword(keyword) }),
                let body = accessor.body?.statements
            else { return [] }
            return [.expression(taking(accessor, standard, type, body).called([.name(given)]))]
        }
        // Nobody observes the value that the observers give it themselves.
        let steps =
            [.constant("before", .name(js))] + call(.willSet, "newValue", "value")
            + [.expression(JavaScript.name(js).assigned(.name("value")))] + call(.didSet, "oldValue", "before")
        scopes[scopes.count - 1][name]?.setter = .name(write)
        return [.variable(js, kept), .constant(write, .closure([.name("value")], steps))]
    }

    /// A function of one value that runs the body of an accessor.
    private func taking(
        _ accessor: AccessorDeclSyntax, _ standard: String, _ type: SwiftType, _ statements: CodeBlockItemListSyntax
    ) -> JavaScript {
        inside(.void) {
            let name = declare(accessor.parameters?.name.identifierText ?? standard, type)
            return .closure([.name(name)], body(statements))
        }
    }

    /// Runs a body in a function that stands in this one.
    private func inside<Result>(_ result: SwiftType, _ body: () throws -> Result) rethrows -> Result {
        try inFunction(context.inner(result: result), scopes: scopes + [[:]], body)
    }
}
