import SwiftSyntax

/// The places of properties of types.
extension Lowering {
    /// A static property that is computed, and can be set; nil of any other.
    func staticPlace(_ name: String, of type: SwiftType, _ value: Lowered) throws -> Place? {
        guard case .nominal(let number) = type, !value.isStored,
            let variable = declarations.nominals[number].members.variable(name, isStatic: true),
            let setter = try staticSetter(of: variable, in: .nominal(declarations.nominals[number]), value.type)
        else { return nil }
        return Place(type: value.type, read: value.js, write: { setter.called([$0]) }, isDirect: false)
    }

    /// The function that sets a computed global or static property; nil where it can be read alone.
    private func staticSetter(
        of variable: VariableDeclaration, in owner: FunctionContext.Owner?, _ type: SwiftType
    ) throws -> JavaScript? {
        guard variable.isComputed, let setter = variable.setter, let body = setter.body else { return nil }
        let key = FunctionKey(setter.id, in: owner)
        if let known = signatures[key] { return known.js }
        let name = fresh("set_" + variable.name)
        signatures[key] = Signature(name: name, parameters: [], result: .void)
        emitLater(FunctionContext(result: .void, owner: owner), at: setter) { [self] in
            let value = JavaScript.name(declare(setter.parameters?.name.identifierText ?? "newValue", type))
            return .function(name, [value], self.body(body.statements))
        }
        return .name(name)
    }
}
