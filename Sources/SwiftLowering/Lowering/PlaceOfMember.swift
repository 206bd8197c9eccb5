import SwiftSyntax

/// The places of members: properties of values, of types, and parts of tuples.
extension Lowering {
    func memberPlace(_ member: MemberAccessExprSyntax) throws -> Place {
        let name = member.declName.baseName.identifierText
        guard let baseNode = member.base else { return valuePlace(try postfix(ExprSyntax(member), nil)) }
        if isDynamicType(baseNode) { try mustNotBeOverridden(name, at: member.declName) }
        if let type = try namedType(baseNode) {
            let value = try memberOfType(type, name, at: member)
            guard let value else { throw Refusal("‘\(spelled(type))’ has no ‘\(name)’ here.", at: member) }
            if let place = try staticPlace(value) { return place }
            guard value.ownership == .borrowed else { return valuePlace(value) }
            return Place(type: value.type, read: value.js, write: { value.js.assigned($0) }, isSimple: true)
        }
        if baseNode.is(SuperExprSyntax.self), let (parent, this) = superclass {
            guard let place = try storedPlace(ofNominal: parent, selfPlace(this), name, at: member) else {
                throw Refusal("‘super’ has no ‘\(name)’ here.", at: member)
            }
            return place
        }
        if context.selfValue == nil, baseNode.spelling == "self" || baseNode.is(SuperExprSyntax.self) {
            return valuePlace(try postfix(ExprSyntax(member), nil))
        }
        let base = try place(baseNode)
        if base.type == .stub { return Place(type: .any, read: .undefined, write: { $0 }) }
        if let place = try memberPlace(of: base, name, at: member) { return place }
        // A property that can be read alone.
        let value = Lowered(
            base.read, base.type, ownership: base.write != nil ? .borrowed : .shared, isSimple: base.isSimple)
        guard var found = try memberOfValue(value, name, at: member) else {
            guard appType(base.type) != nil else { throw missing(name, of: base.type, at: member) }
            throw Refusal(
                "‘\(spelled(base.type))’ has no ‘\(name)’ that can be assigned to here: declare it as ‘var’, or assign the whole value.",
                at: member)
        }
        found.js = sequence(base.setup + base.begin, found.js)
        return valuePlace(found)
    }

    /// A part of a place by its name; nil where it has none that can be given a value.
    func memberPlace(of base: Place, _ name: String, at node: some SyntaxProtocol) throws -> Place? {
        if base.type.isOptional { return try memberPlace(of: forced(base, at: node), name, at: node) }
        let base = hasIdentity(base.type) ? read(base) : base
        switch base.type {
        case .tuple(let elements):
            guard let index = Int(name) ?? elements.firstIndex(where: { $0.label == name }),
                elements.indices.contains(index)
            else { return nil }
            let open = try opened(base, at: node)
            return part(of: open, open.read[index], elements[index].type)
        case .nominal(let number):
            let nominal = declarations.nominals[number]
            return try memberPlace(ofNominal: nominal, base, name, at: node)
        case .object
        where !Self.objectMembers.contains(name)
            && !library.properties(name).contains(where: { $0.receiver == .object }):
            return propertyPlace(base.read, named: name, base.setup, at: node)
        case .model(let number):
            return try memberPlace(ofModel: declarations.nominals[number], base, name, at: node)
        default:
            if let place = try extensionPlace(base, name, at: node) { return place }
            guard
                let entry = library.properties(name).first(where: { entry in
                    var variables: [String: SwiftType] = [:]
                    return entry.isSettable && (entry.receiver?.match(base.type, &variables) ?? false)
                })
            else { return nil }
            let open = try opened(base, at: node)
            return part(of: open, open.read.field(name), entry.result)
        }
    }

    /// The place of an object, which is read where it is kept: a change of its parts puts nothing back there.
    func read(_ object: Place) -> Place {
        var place = object
        place.finish = []
        guard !object.isFixed, !object.isSelf else { return place }
        let holder = temporary()
        (place.setup, place.begin) = (object.setup + object.begin + [holder.assigned(object.read)], [])
        (place.read, place.isSimple, place.isFixed, place.isDirect) = (holder, true, true, true)
        (place.observed, place.write, place.held) = (nil, nil, nil)
        return place
    }

    /// A field of an object of JavaScript that holds the value of a place.
    private func part(of open: Place, _ js: JavaScript, _ type: SwiftType) -> Place {
        Place(
            type: type, read: js, setup: open.setup, begin: open.begin,
            write: open.write == nil && !isReference(open.type) ? nil : { js.assigned($0) },
            finish: open.finish, isSimple: open.isSimple, isConstant: open.isConstant && !hasIdentity(open.type))
    }

    private func isReference(_ type: SwiftType) -> Bool { if case .named = type { true } else { hasIdentity(type) } }

    /// Whether values of a type are objects that several places share.
    func hasIdentity(_ type: SwiftType) -> Bool {
        switch type {
        case .nominal(let number): declarations.nominals[number].kind == .classType
        case .object, .model, .list, .realmSet, .realmMap: true
        default: false
        }
    }

    private func memberPlace(
        ofNominal nominal: Nominal, _ base: Place, _ name: String, at node: some SyntaxProtocol
    ) throws -> Place? {
        try mustNotBeHidden(name, of: nominal, at: node)
        let isInside = base.isSelf && (isMade(name, nominal) || context.observed == name)
        if !isInside, let (type, isDirect) = try dynamicProperty(nominal, name, isSet: true, at: node) {
            let open = try opened(base, at: node)
            let get = runtime("called", at: node, open.read, .text("get " + name), .array([]))
            return Place(
                type: type, read: get, setup: open.setup, begin: open.begin,
                write: { self.runtime("called", at: node, open.read, .text("set " + name), .array([$0])) },
                finish: open.finish, isDirect: isDirect)
        }
        return try storedPlace(ofNominal: nominal, base, name, at: node)
    }

    /// The superclass of the type that the code stands in, and the object.
    var superclass: (Nominal, Lowered)? {
        guard case .nominal(let owner)? = context.owner, let this = context.selfValue,
            let parent = declarations.superclass(of: owner)
        else { return nil }
        return (parent, this)
    }

    /// The superclass whose static members code without an instance names by `super`.
    var superclassOfStatics: Nominal? {
        guard context.selfValue == nil, case .nominal(let owner)? = context.owner else { return nil }
        return declarations.superclass(of: owner)
    }

    /// A property that the type of the expression tells.
    private func storedPlace(
        ofNominal nominal: Nominal, _ base: Place, _ name: String, at node: some SyntaxProtocol
    ) throws -> Place? {
        guard let (variable, owner) = property(name, of: nominal) else { return nil }
        let type = try fieldType(variable, of: owner)
        if variable.isComputed {
            let (getter, setter) = try accessors(
                variable, in: self.owner(of: Syntax(variable.binding), in: owner, for: nominal), type)
            let isMutating = variable.setter?.modifier?.name.tokenKind != .keyword(.nonmutating)
            let isFixed = base.isConstant && !isShared(base.type) && isMutating
            return try computedPlace(base, type, getter, isFixed ? nil : setter, at: node)
        }
        let open = try opened(base, at: node)
        let js = open.read.field(fieldName(of: variable))
        var place = part(of: open, js, type)
        if variable.isLazy {
            guard !variable.hasObservers else {
                throw Refusal("Observers of a lazy property are not understood.", at: variable.binding)
            }
            let reader = try lazyReader(of: variable, in: owner, type, at: node)
            (place.read, place.isSimple) = (reader.called([open.read]).marked(mark(node)), false)
            return place
        }
        if base.isSelf, context.observed == name { try mustNotOverride(variable, in: owner, at: node) }
        let isHere = base.isSelf && (isMade(name, owner) || context.observed == name)
        if isObserved(variable, in: owner), !isHere, place.write != nil {
            let observed = try observer(of: variable, in: owner, type)
            place.write = { observed.called([open.read, $0]).marked(self.mark(node)) }
            place.isDirect = false
            if let did = try plainObserver(of: variable, in: owner, type) {
                place.observed = Finish(js: did.called([open.read]), isAlways: false)
            }
        }
        return place
    }

    /// Whether the code is an initializer that gives a property its first value.
    private func isMade(_ name: String, _ nominal: Nominal) -> Bool {
        context.madeType === nominal
            && !(nominal.members.variable(name, isStatic: false)?.declaration.modifiers.has(.override) ?? false)
    }

    private func computedPlace(
        _ base: Place, _ type: SwiftType, _ getter: JavaScript, _ setter: JavaScript?, at node: some SyntaxProtocol
    ) throws -> Place {
        guard let setter else {
            return valuePlace(
                Lowered(
                    sequence(base.setup + base.begin, getter.called([base.read]).marked(mark(node))), type,
                    ownership: .moved))
        }
        let open = try opened(base, at: node)
        let place = mark(node)
        let receiver =
            open.write == nil && isInPlace(open.type) || open.type.isObject ? open.read : try receiver(open, at: node)
        return Place(
            type: type, read: getter.called([open.read]).marked(place), setup: open.setup, begin: open.begin,
            write: { setter.called([receiver, $0]).marked(place) }, finish: open.finish, isDirect: false)
    }

    /// A computed property of an extension of a library's type, and its functions.
    func extensionProperty(
        _ name: String, of base: SwiftType
    ) throws -> (type: SwiftType, getter: JavaScript, setter: JavaScript?)? {
        try mustBeOne(base, at: declarations.files[0].trees[0]) {
            $0.variable(name, isStatic: false).map { [Syntax($0.binding)] } ?? []
        }
        for key in extensionNames(base) {
            guard let members = declarations.extensions[key],
                let variable = members.variables.first(where: {
                    $0.name == name && !$0.isStatic && $0.isComputed && mayHave($0.binding, base)
                })
            else { continue }
            let owner = FunctionContext.Owner.library(base, key)
            let type = try inFunction(FunctionContext(owner: owner)) { try self.type(of: variable) }
            let (getter, setter) = try accessors(variable, in: owner, type)
            return (type, getter, setter)
        }
        return nil
    }

    private func extensionPlace(_ base: Place, _ name: String, at node: some SyntaxProtocol) throws -> Place? {
        guard let found = try extensionProperty(name, of: base.type) else { return nil }
        return try computedPlace(base, found.type, found.getter, found.setter, at: node)
    }

    /// A property of an object that belongs to no realm yet: what it is made with.
    private func memberPlace(
        ofModel nominal: Nominal, _ base: Place, _ name: String, at node: some SyntaxProtocol
    ) throws -> Place? {
        var owner: Nominal? = nominal
        while let type = owner, type.members.variable(name, isStatic: false) == nil {
            owner = declarations.superclass(of: type)
        }
        guard let owner, let variable = owner.members.variable(name, isStatic: false), !variable.isComputed,
            nominal.members.functions("propertiesMapping", isStatic: true).isEmpty
        else { return nil }
        return Place(
            type: .optional(.any), read: .runtime("refuse"), setup: base.setup,
            write: { .runtime("setMember", base.read, .text(name), $0) }, isDirect: false)
    }

    /// The place of a computed global or static property that can be set; nil of any other value.
    func staticPlace(_ value: Lowered) throws -> Place? {
        guard let (variable, owner) = value.computed,
            let setter = try staticSetter(of: variable, in: owner, value.type)
        else { return nil }
        return Place(type: value.type, read: value.js, write: { setter.called([$0]) }, isDirect: false)
    }

    /// The function that sets a computed global or static property; nil where it can be read alone.
    private func staticSetter(
        of variable: VariableDeclaration, in owner: FunctionContext.Owner?, _ type: SwiftType
    ) throws -> JavaScript? {
        guard let setter = variable.setter, let body = setter.body else { return nil }
        return once(
            FunctionKey(setter.id, in: owner), "set_" + variable.name, FunctionContext(result: .void, owner: owner),
            at: setter
        ) { [self] name in
            let value = JavaScript.name(declare(setter.parameters?.name.identifierText ?? "newValue", type))
            return .function(name, [value], self.body(body.statements))
        }
    }
}
