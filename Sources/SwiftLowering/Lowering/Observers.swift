import SwiftSyntax

/// Properties with `willSet` and `didSet`.
extension Lowering {
    /// The property of a superclass that one takes the place of.
    private func overridden(_ variable: VariableDeclaration, in owner: Nominal) -> (VariableDeclaration, Nominal)? {
        guard variable.declaration.modifiers.has(.override), let parent = declarations.superclass(of: owner) else {
            return nil
        }
        return property(variable.name, of: parent)
    }

    /// Whether a subclass has a property of the same name.
    func isOverridden(_ name: String, below nominal: Nominal) -> Bool {
        nominal.kind == .classType
            && declarations.nominals.contains { other in
                other !== nominal && other.kind == .classType && isKind(other, of: nominal)
                    && other.members.variable(name, isStatic: false) != nil
            }
    }

    /// Whether a property does more than take the value that it is given.
    func isObserved(_ variable: VariableDeclaration, in owner: Nominal) -> Bool {
        variable.hasObservers || overridden(variable, in: owner) != nil
    }

    /// The function that gives a property with observers its value.
    func observer(of variable: VariableDeclaration, in nominal: Nominal, _ type: SwiftType) throws -> JavaScript {
        let key = FunctionKey(variable.binding.id, in: .nominal(nominal))
        if let known = signatures[key] { return known.js }
        let name = fresh("set_" + variable.name)
        signatures[key] = Signature(name: name, parameters: [], result: .void)
        let (field, value) = (JavaScript.this.field(fieldName(variable.name)), JavaScript.name("value"))
        var (before, change) = (field, field.assigned(value))
        if let (other, owner) = overridden(variable, in: nominal) {
            // The superclass's comes between what is done before and behind it.
            if other.isComputed {
                let (getter, setter) = try accessors(other, in: .nominal(owner), type)
                before = getter.called([.this])
                change = setter?.called([.this, value]) ?? .runtime("refuse")
            } else if isObserved(other, in: owner) {
                change = try observer(of: other, in: owner, type).called([.this, value])
            }
        }
        let list: AccessorDeclListSyntax
        if case .accessors(let found)? = variable.binding.accessorBlock?.accessors { list = found } else { list = [] }
        later { [self, before, change] in
            let first = observed(list, .willSet, "newValue", value, variable, nominal, type)
            let last = observed(list, .didSet, "oldValue", .name("before"), variable, nominal, type)
            emit(
                .function(
                    name, [.this, value], [.constant("before", before)] + first + [.expression(change)] + last))
        }
        return .name(name)
    }

    /// The function that is called behind a change in the place itself: of a property with a `didSet` alone, which asks for no old
    /// value.
    func plainObserver(of variable: VariableDeclaration, in nominal: Nominal, _ type: SwiftType) throws -> JavaScript? {
        guard overridden(variable, in: nominal) == nil,
            case .accessors(let list)? = variable.binding.accessorBlock?.accessors, list.count == 1,
            let only = list.first, only.accessorSpecifier.tokenKind == .keyword(.didSet), only.parameters == nil,
            let body = only.body,
            !body.tokens(viewMode: .sourceAccurate).contains(where: { $0.identifierText == "oldValue" })
        else { return nil }
        let key = FunctionKey(only.id, in: .nominal(nominal))
        if let known = signatures[key] { return known.js }
        let name = fresh("did_" + variable.name)
        signatures[key] = Signature(name: name, parameters: [], result: .void)
        later { [self] in
            emit(
                .function(
                    name, [.this], observed(list, .didSet, "oldValue", .undefined, variable, nominal, type)))
        }
        return .name(name)
    }

    /// A call of what an observer does; nothing where there is none.
    private func observed(
        _ list: AccessorDeclListSyntax, _ keyword: Keyword, _ standard: String, _ value: JavaScript,
        _ variable: VariableDeclaration, _ nominal: Nominal, _ type: SwiftType
    ) -> [Statement] {
        guard let accessor = list.first(where: { $0.accessorSpecifier.tokenKind == .keyword(keyword) }),
            let statements = accessor.body?.statements
        else { return [] }
        let inner = FunctionContext(
            result: .void, selfValue: Lowered(.this, nominalType(nominal), isStored: true, isSelf: true),
            owner: .nominal(nominal), observed: variable.name)
        return inFunction(inner) {
            let name = declare(accessor.parameters?.name.identifierText ?? standard, type)
            return [.expression(JavaScript.closure([.name(name)], body(statements)).called([value]))]
        }
    }
}
