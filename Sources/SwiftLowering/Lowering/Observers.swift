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

    /// Refuses a property that takes the place of a superclass's and is changed in its own observers, which are called again then.
    func mustNotOverride(_ variable: VariableDeclaration, in owner: Nominal, at node: some SyntaxProtocol) throws {
        guard overridden(variable, in: owner) != nil else { return }
        throw Refusal(
            "‘\(variable.name)’ takes the place of a superclass's property, and is changed in its own observer: that is not "
                + "understood here.", at: node)
    }

    /// Whether a subclass has a property of the same name.
    func isOverridden(_ name: String, below nominal: Nominal) -> Bool {
        subclasses(of: nominal).contains { $0.members.variable(name, isStatic: false) != nil }
    }

    /// Whether a property does more than take the value that it is given.
    func isObserved(_ variable: VariableDeclaration, in owner: Nominal) -> Bool {
        variable.hasObservers || overridden(variable, in: owner) != nil
    }

    /// The function that gives a property with observers its value.
    func observer(of variable: VariableDeclaration, in nominal: Nominal, _ type: SwiftType) throws -> JavaScript {
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
        let key = FunctionKey(variable.binding.id, in: .nominal(nominal))
        return once(key, "set_" + variable.name, FunctionContext(), at: variable.binding) {
            [self, before, change] name in
            let first = observed(variable, .willSet, "newValue", value, nominal, type)
            let last = observed(variable, .didSet, "oldValue", .name("before"), nominal, type)
            return .function(
                name, [.this, value], [.constant("before", before)] + first + [.expression(change)] + last)
        }
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
        return once(
            FunctionKey(only.id, in: .nominal(nominal)), "did_" + variable.name, FunctionContext(), at: only
        ) { [self] in .function($0, [.this], observed(variable, .didSet, "oldValue", .undefined, nominal, type)) }
    }

    /// A call of what an observer does; nothing where there is none.
    private func observed(
        _ variable: VariableDeclaration, _ keyword: Keyword, _ standard: String, _ value: JavaScript,
        _ nominal: Nominal, _ type: SwiftType
    ) -> [Statement] {
        let inner = FunctionContext(
            result: .void, selfValue: .this(nominalType(nominal)),
            owner: .nominal(nominal), observed: variable.name)
        let observer = inFunction(inner) { taking(variable.binding.accessorBlock?.accessor(keyword), standard, type) }
        return observer.map { [.expression($0.called([value]))] } ?? []
    }
}
