import SwiftSyntax

/// Static members of classes, named by the type that the code is called of: `Self.name`, `type(of: self).name`.
extension Lowering {
    /// Whether an expression names the type that the code is called of, which may be a subclass.
    func isDynamicType(_ node: ExprSyntax) -> Bool {
        if let call = node.as(FunctionCallExprSyntax.self) {
            return call.calledExpression.trimmedDescription == "type"
                && call.arguments.first?.expression.trimmedDescription == "self"
        }
        // In code of a protocol it is the type that the code was made for.
        if case .library? = context.owner { return false }
        let name = node.as(DeclReferenceExprSyntax.self)?.baseName.text
        return name == "Self" || name == "self" && context.selfValue == nil && lookUp("self") == nil
    }

    /// Refuses a member of the class that the code stands in where a subclass has another one: the type that the code is called of
    /// tells which is meant.
    func mustNotBeOverridden(_ name: String, at node: some SyntaxProtocol) throws {
        guard let owner = appType(ownerType), owner.kind == .classType else { return }
        // Members that a protocol gives the class may ask for any of its own.
        let isGiven = !lineage(of: owner).contains { $0.kind == .classType && $0.members.hasStatic(name) }
        guard
            let other = subclasses(of: owner).first(where: {
                $0.members.hasStatic(name) || isGiven && $0.members.hasStatics
            })
        else { return }
        throw Refusal(
            "Which ‘\(name)’ is meant is not known here, as ‘\(other.path)’ has one of its own: name the class before it.",
            at: node)
    }

    /// Refuses a class as a value, or an object made of it, where the type that the code is called of may be a subclass.
    func mustBeOneClass(_ type: SwiftType, at node: some SyntaxProtocol) throws {
        guard let nominal = appType(type), nominal.kind == .classType,
            !(node.parent?.is(MemberAccessExprSyntax.self) ?? false),
            let other = subclasses(of: nominal).first
        else { return }
        throw Refusal(
            "Whether ‘\(nominal.path)’ or ‘\(other.path)’ is meant is not known here: name the class.", at: node)
    }

    /// A static property of the class that an object is of; nil where that is not told by an object, or no subclass has its own.
    func staticOfObject(_ name: String, at node: some SyntaxProtocol) throws -> Lowered? {
        guard let (this, owner) = try objectWithStatic(name),
            let found = lineage(of: owner).lazy.compactMap({ $0.members.variable(name, isStatic: true) }).first
        else { return nil }
        let type = try inFunction(FunctionContext(owner: .nominal(owner))) { try self.type(of: found) }
        let key = "static " + name
        try ofAllTypes { [self] in
            for concrete in concreteTypes(of: owner) where dispatched.insert("\(concrete.number).\(key)").inserted {
                guard let value = try staticMember(name, of: concrete), value.type == type else {
                    throw Refusal("‘\(name)’ of ‘\(concrete.path)’ has another type than it stands for.", at: node)
                }
                addMethod(key, .arrow([.this], value.js), to: descriptor(.nominal(concrete.number)))
            }
        }
        return Lowered(runtime("called", at: node, this.js, .text(key), .array([])), type, ownership: .borrowed)
    }

    /// A call of a static function of the class that an object is of; nil as above.
    func staticOfObject(calledBy call: Call) throws -> Lowered? {
        guard let (this, owner) = try objectWithStatic(call.name),
            let found = function(call.name, of: owner), found.genericParameterClause == nil,
            found.signature.parameterClause.parameters.allSatisfy({ $0.defaultValue == nil })
        else { return nil }
        let asked = try signature(of: found, in: .nominal(owner), isStatic: true)
        let key = "static \(call.name)"
        try ofAllTypes { [self] in
            for concrete in concreteTypes(of: owner) where dispatched.insert("\(concrete.number).\(key)").inserted {
                let own = try function(call.name, of: concrete).map {
                    try signature(of: $0, in: .nominal(concrete), isStatic: true)
                }
                guard let own, gives(own.result, as: asked.result),
                    own.parameters.map(\.type) == asked.parameters.map(\.type)
                else {
                    throw Refusal(
                        "‘\(call.name)’ of ‘\(concrete.path)’ has other types than the one that it stands for.",
                        at: call.node)
                }
                let values = JavaScript.spread(.name("values"))
                addMethod(
                    key, .arrow([.this, values], own.js.called([values])), to: descriptor(.nominal(concrete.number)))
            }
        }
        return try invoke(asked, of: nil, bind(call, to: asked.parameters), at: call.node) { values in
            .runtime("called", this.js, .text(key), .array(values))
        }
    }

    /// The only static function of a name that a class has, itself or by a superclass.
    private func function(_ name: String, of nominal: Nominal) -> FunctionDeclSyntax? {
        let classes = lineage(of: nominal).filter { $0.kind == .classType }
        let all = classes.lazy.map { $0.members.functions(name, isStatic: true) }.first { !$0.isEmpty }
        return all?.count == 1 ? all?.first : nil
    }

    /// The object that the code is called of, and its class, where subclasses override a static member of a name.
    private func objectWithStatic(_ name: String) throws -> (Lowered, Nominal)? {
        guard let this = context.selfValue, case .nominal(let owner)? = context.owner, owner.kind == .classType
        else { return nil }
        let others = subclasses(of: owner).filter { $0.members.hasStatic(name) }
        guard !others.isEmpty, others.allSatisfy({ $0.members.overridesStatic(name) }) else { return nil }
        return (this, owner)
    }
}

extension Members {
    fileprivate var hasStatics: Bool {
        variables.contains(where: \.isStatic) || functions.contains { $0.modifiers.isStatic }
    }

    /// Whether all static members of a name take the place of a superclass's, as private ones do not.
    fileprivate func overridesStatic(_ name: String) -> Bool {
        variables.allSatisfy { $0.name != name || !$0.isStatic || $0.declaration.modifiers.has(.override) }
            && functions(name, isStatic: true).allSatisfy { $0.modifiers.has(.override) }
    }

    fileprivate func hasStatic(_ name: String) -> Bool {
        variable(name, isStatic: true) != nil || !functions(name, isStatic: true).isEmpty
    }
}
