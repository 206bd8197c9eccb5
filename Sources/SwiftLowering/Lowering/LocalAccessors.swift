import SwiftSyntax

/// Variables of functions that run code where they are read or given a value.
extension Lowering {
    /// One that is worked out each time it is read.
    func localComputed(_ binding: PatternBindingSyntax, _ type: SwiftType?) throws -> String {
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
            js: "\(read)()", type: type, isVariable: setter != nil, isComputed: true,
            setter: setter == nil ? nil : write)
        var text = "const \(read) = () => {\n\(inside(type) { bodyText(getter) })\n};"
        if let setter, let body = setter.body?.statements {
            text += "\nconst \(write) = \(taking(setter, "newValue", type, body));"
        }
        return text
    }

    /// One with `willSet` or `didSet`.
    func localObserved(
        _ binding: PatternBindingSyntax, _ list: AccessorDeclListSyntax, _ start: ExprSyntax, _ annotated: SwiftType?
    ) throws -> String {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText else {
            throw Refusal("A local variable with accessors is not understood.", at: binding)
        }
        let value = try expression(start, annotated)
        let type = annotated ?? value.type
        let kept = try keep(value, as: type, at: start)
        let js = declare(name, type, isVariable: true)
        let write = fresh("set_" + name)
        func call(_ keyword: Keyword, _ standard: String, _ given: String) -> String {
            guard let accessor = list.first(where: { $0.accessorSpecifier.tokenKind == .keyword(keyword) }),
                let body = accessor.body?.statements
            else { return "" }
            return "(\(taking(accessor, standard, type, body)))(\(given));\n"
        }
        // Nobody observes the value that the observers give it themselves.
        let text = """
            let \(js) = \(kept);
            const \(write) = value => {
            const before = \(js);
            \(call(.willSet, "newValue", "value"))\(js) = value;
            \(call(.didSet, "oldValue", "before"))};
            """
        scopes[scopes.count - 1][name]?.setter = write
        return text
    }

    /// A function of one value that runs the body of an accessor.
    private func taking(
        _ accessor: AccessorDeclSyntax, _ standard: String, _ type: SwiftType, _ body: CodeBlockItemListSyntax
    ) -> String {
        inside(.void) {
            let name = declare(accessor.parameters?.name.identifierText ?? standard, type)
            return "\(name) => {\n\(bodyText(body))\n}"
        }
    }

    /// Runs a body in a function that stands in this one.
    private func inside(_ result: SwiftType, _ body: () -> String) -> String {
        let inner = FunctionContext()
        (inner.owner, inner.selfValue, inner.result) = (context.owner, context.selfValue, result)
        (inner.selfForm, inner.isSelfConstant) = (context.selfForm, context.isSelfConstant)
        inner.typeArguments = context.typeArguments
        return inFunction(inner, scopes: scopes + [[:]], body)
    }
}
