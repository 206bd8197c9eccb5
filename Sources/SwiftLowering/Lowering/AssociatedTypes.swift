import SwiftSyntax

/// Types that a protocol leaves to those that conform to it: each tells them by an alias, or by the members that the protocol asks for.
extension Lowering {
    /// The type that a name of a protocol's stands for in one that conforms to it; nil where it is none of an associated type, or not told.
    func associatedType(_ name: String, of type: SwiftType?) throws -> SwiftType? {
        guard let nominal = appType(type) else { return nil }
        let key = AssociatedName(number: nominal.number, name: name)
        if let known = associated[key] { return known }
        guard nominal.kind != .protocolType else { return nil }
        for owner in lineage(of: nominal) where owner.kind == .protocolType && owner.associatedTypes.contains(name) {
            if let alias = nominal.typealiases[name] { return try within(nominal) { try self.type(alias) } }
            if let nested = nominal.nested[name] { return nominalType(nested) }
            // The types of the own members must not ask for the name again.
            guard openedAssociated.insert(key).inserted else { return nil }
            defer { openedAssociated.remove(key) }
            if let found = try told(name, by: owner, in: nominal) {
                associated[key] = found
                return found
            }
        }
        return nil
    }

    /// The type that the members of one that a protocol asks for give one of its names.
    private func told(_ name: String, by owner: Nominal, in nominal: Nominal) throws -> SwiftType? {
        var inner = FunctionContext(owner: .nominal(owner))
        for other in owner.associatedTypes { inner.typeArguments[other] = .variable(Self.variable(other)) }
        var found: [String: SwiftType] = [:]
        for asked in owner.members.variables where asked.getter == nil && !asked.isStatic {
            // A requirement of the protocol that is not understood tells nothing of the type.
            guard let wanted = attempt({ try inFunction(inner) { try type(of: asked) } }).success?.value,
                isOpen(wanted),
                let (variable, holder) = property(asked.name, of: nominal), holder.kind != .protocolType
            else { continue }
            _ = match(wanted, try fieldType(variable, of: holder), &found)
        }
        for asked in owner.members.functions where asked.body == nil && asked.genericParameterClause == nil {
            let own = lineage(of: nominal).filter { $0.kind != .protocolType }.flatMap { type in
                type.members.functions(asked.name.identifierText, isStatic: asked.modifiers.isStatic)
            }
            guard let function = own.first(where: { $0.labels == asked.labels }) else { continue }
            let wanted = attempt { try inFunction(inner) { try types(of: asked) } }.success?.value
            let given = try within(nominal) { try types(of: function) }
            for (left, right) in zip(wanted ?? [], given) where isOpen(left) { _ = match(left, right, &found) }
        }
        return found[Self.variable(name)]
    }

    /// The types of a function's parameters and of its result.
    private func types(of function: FunctionDeclSyntax) throws -> [SwiftType] {
        try parameters(function.signature.parameterClause).map(\.type)
            + [function.signature.returnClause.map { try type($0.type) } ?? .void]
    }
}

/// A name that a protocol leaves to a type.
struct AssociatedName: Hashable {
    var number: Int
    var name: String
}
