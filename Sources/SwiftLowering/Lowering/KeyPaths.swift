import SwiftSyntax

/// Key paths: functions that read what they lead to, and places where they are written.
extension Lowering {
    /// A key path: the function that reads what it leads to.
    func keyPath(_ node: KeyPathExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        var start = try node.root.map { try type($0) }
        if start == nil, case .function(let parameters, _)? = expected?.unwrapped, parameters.count == 1 {
            start = parameters[0]
        }
        guard let start, !isOpen(start) else {
            throw Refusal("Which type this key path begins at can't be told here: write it behind the ‘\\’.", at: node)
        }
        let root = JavaScript.name(fresh("root"))
        var value = Lowered(root, start, ownership: .borrowed, isSimple: true)
        for component in node.components {
            guard case .property(let property) = component.component else {
                throw Refusal("This key path is not understood: write a closure, as in ‘{ $0.name }’.", at: node)
            }
            let name = property.declName.baseName.identifierText
            if name == "self" { continue }
            guard let found = try memberOfValue(value, name, at: component) else {
                throw Refusal("This key path is not understood: write a closure, as in ‘{ $0.name }’.", at: node)
            }
            value = found
        }
        let kept = try keep(value, as: nil, at: node)
        return Lowered(.arrow([root], kept), .function([start], value.type))
    }

    /// `place[keyPath: path]`, of a place that is found before the path and read behind it; nil of every other subscript.
    func followedBehindPath(_ node: SubscriptCallExprSyntax) throws -> Lowered? {
        guard let only = node.arguments.first, only.label?.text == "keyPath" else { return nil }
        var base = try forced(place(node.calledExpression), at: node)
        if hasIdentity(base.type) { base = read(base) }
        let path = try expression(only.expression, .function([base.type], .undetermined))
        guard case .function([base.type], let result) = path.type else { return nil }
        let holder = temporary()
        let steps = base.setup + [holder.assigned(path.js)] + base.begin
        return Lowered(
            sequence(steps, holder.called([base.read]).marked(mark(node))), result, ownership: .moved)
    }

    /// `value[keyPath: path]`; nil of every other subscript.
    func followed(_ node: SubscriptCallExprSyntax, from value: Lowered) throws -> Lowered? {
        guard node.arguments.count == 1, let only = node.arguments.first, only.label?.text == "keyPath" else {
            return nil
        }
        let calls = self.calls
        let path = try expression(only.expression, .function([value.type], .undetermined))
        guard case .function(let roots, let result) = path.type, roots.count == 1 else {
            throw Refusal("This key path is not understood: name what it leads to.", at: only)
        }
        let root = try coerce(value, to: roots[0], at: node)
        // The value is found before the path, which JavaScript works out first.
        var setup: [JavaScript] = []
        let whole = self.calls > calls ? held(root, &setup) : root.js
        return Lowered(sequence(setup, path.js.called([whole]).marked(mark(node))), result, ownership: .moved)
    }

    /// The place that `value[keyPath: \.part]` names; nil of every other subscript.
    func followedPlace(_ node: SubscriptCallExprSyntax, from base: Place) throws -> Place? {
        guard node.arguments.count == 1, let only = node.arguments.first, only.label?.text == "keyPath" else {
            return nil
        }
        guard let path = only.expression.as(KeyPathExprSyntax.self) else {
            throw Refusal(
                "A value is changed through a key path here where that is written in the brackets: name the property, or give a closure.",
                at: only)
        }
        return try path.components.reduce(base) { place, component in
            guard case .property(let property) = component.component,
                let part = try memberPlace(of: place, property.declName.baseName.identifierText, at: component)
            else {
                throw Refusal("A value can't be changed through this key path here: name the property.", at: component)
            }
            return part
        }
    }
}
