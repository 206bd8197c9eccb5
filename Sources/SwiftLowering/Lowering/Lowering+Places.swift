import SwiftSyntax

/// A place that a value can be put into.
struct Place {
    var read: String
    var type: SwiftType
    /// What has to be worked out before, once.
    var setup: [String] = []
    var write: (String) -> String
    /// The same for texts and truth values, where they need no look.
    var writePlain: ((String) -> String)?

    init(
        read: String, type: SwiftType, setup: [String] = [], writePlain: ((String) -> String)? = nil,
        write: @escaping (String) -> String
    ) {
        (self.read, self.type, self.setup, self.writePlain, self.write) = (read, type, setup, writePlain, write)
    }
}

extension Lowering {
    func assignment(_ node: InfixOperatorExprSyntax) throws -> Lowered {
        if node.leftOperand.is(DiscardAssignmentExprSyntax.self) {
            return Lowered(try expression(node.rightOperand, nil, isDiscarded: true).js, .void)
        }
        if let tuple = node.leftOperand.as(TupleExprSyntax.self), tuple.elements.count > 1 {
            return try tupleAssignment(tuple, node.rightOperand)
        }
        return try inChain {
            let place = try self.place(node.leftOperand)
            let value = try expression(node.rightOperand, place.type)
            if let copied = try copyOfProperty(node, value) { return Lowered(sequence(place.setup, copied), .void) }
            if let plain = place.writePlain, [.string, .bool].contains(value.type.unwrapped) {
                return Lowered(sequence(place.setup, plain(value.js)), .void)
            }
            let kept = try keep(value, as: place.type, at: node.rightOperand)
            return Lowered(sequence(place.setup, place.write(kept)), .void)
        }
    }

    /// A property of an object that is given another object's as it is, without a look at its type.
    private func copyOfProperty(_ node: InfixOperatorExprSyntax, _ value: Lowered) throws -> String? {
        guard let raw = value.raw, let access = node.leftOperand.as(SubscriptCallExprSyntax.self) else { return nil }
        let (object, key) = try objectAndKey(access)
        guard let object, let key else { return nil }
        return "\(mark(node))$.copyProperty(\(object), \(key), \(raw.js), \(raw.object), \(raw.key))"
    }

    /// Where a chain of `?` before the `=` finds nil, nothing is done.
    private func inChain(_ body: () throws -> Lowered) throws -> Lowered {
        context.chains.append([])
        let lowered: Lowered
        do { lowered = try body() } catch {
            context.chains.removeLast()
            throw error
        }
        let tests = context.chains.removeLast()
        guard !tests.isEmpty else { return lowered }
        return Lowered("(" + tests.map { "(\($0)) == null ? null : " }.joined() + "(\(lowered.js)))", .void)
    }

    private func sequence(_ setup: [String], _ last: String) -> String {
        setup.isEmpty ? last : "(\(setup.joined(separator: ", ")), \(last))"
    }

    private func tupleAssignment(_ tuple: TupleExprSyntax, _ value: ExprSyntax) throws -> Lowered {
        let places = try tuple.elements.map { element -> Place? in
            element.expression.is(DiscardAssignmentExprSyntax.self) ? nil : try place(element.expression)
        }
        let types = places.map { SwiftType.Element(label: nil, type: $0?.type ?? .any) }
        let expected: SwiftType? = places.contains { $0 == nil } ? nil : .tuple(types)
        let lowered = try expression(value, expected)
        guard case .tuple(let given) = lowered.type, given.count == places.count else {
            throw Refusal("The value is no tuple of \(places.count).", at: value)
        }
        let holder = temporary()
        var steps = ["\(holder) = \(try keep(lowered, as: nil, at: value))"]
        for (index, place) in places.enumerated() {
            guard let place else { continue }
            steps += place.setup
            steps.append(
                place.write(try coerce(Lowered("\(holder)[\(index)]", given[index].type), to: place.type, at: value).js)
            )
        }
        return Lowered("(\(steps.joined(separator: ", ")))", .void)
    }

    func compound(_ node: InfixOperatorExprSyntax, _ symbol: String) throws -> Lowered {
        try inChain {
            let place = try self.place(node.leftOperand)
            if case .array(let element) = place.type, symbol == "+" {
                let value = try expression(node.rightOperand, place.type)
                let list: String
                if value.type == place.type {
                    list = try keep(value, as: nil, at: node.rightOperand)
                } else {
                    let items = try iterated(value, at: node.rightOperand)
                    list = try coerce(
                        Lowered(items.js, .array(items.element)), to: .array(element), at: node.rightOperand
                    ).js
                }
                return Lowered(sequence(place.setup, "$.appendAll(\(place.read), \(list))"), .void)
            }
            let wanted =
                symbol == "<<" || symbol == ">>" ? .integer : place.type == .named("Date") ? .double : place.type
            let right = try expression(node.rightOperand, wanted)
            let result = try arithmetic(symbol, Lowered(place.read, place.type), right, at: node)
            return Lowered(sequence(place.setup, place.write(result.js)), .void)
        }
    }

    /// The place that an expression names.
    func place(_ node: ExprSyntax) throws -> Place {
        if let inout_ = node.as(InOutExprSyntax.self) { return try place(inout_.expression) }
        if let tuple = node.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
            return try place(only.expression)
        }
        if let reference = node.as(DeclReferenceExprSyntax.self) { return try namedPlace(reference) }
        if let member = node.as(MemberAccessExprSyntax.self) { return try memberPlace(member) }
        if let access = node.as(SubscriptCallExprSyntax.self) { return try subscriptPlace(access) }
        if let forced = node.as(ForceUnwrapExprSyntax.self) {
            let inner = try place(forced.expression)
            return Place(read: "$.unwrap(\(inner.read))", type: inner.type.unwrapped, setup: inner.setup) {
                "($.unwrap(\(inner.read)), \(inner.write($0)))"
            }
        }
        if let optional = node.as(OptionalChainingExprSyntax.self) {
            let inner = try place(optional.expression)
            context.chains[context.chains.count - 1].append(inner.read)
            return Place(read: inner.read, type: inner.type.unwrapped, setup: inner.setup, write: inner.write)
        }
        throw Refusal("Nothing can be assigned to this.", at: node)
    }

    private func namedPlace(_ reference: DeclReferenceExprSyntax) throws -> Place {
        let name = reference.baseName.identifierText
        if name == "self", let value = context.selfValue {
            if context.isInitializer, case .nominal(let number) = value.type,
                declarations.nominals[number].kind == .enumeration
            {
                return Place(read: "self", type: value.type) { "self = \($0)" }
            }
            if context.isInitializer, case .library = context.owner {
                return Place(read: "self", type: value.type) { "self = \($0)" }
            }
            return Place(read: "self", type: value.type) { "$.assignSelf(self, \($0))" }
        }
        if let local = lookUp(name) {
            if case .variable("refused") = local.type { throw Refusal.known }
            let js = local.isReference ? "\(local.js).v" : local.js
            return Place(read: js, type: local.type) { "\(js) = \($0)" }
        }
        if let value = context.selfValue, let place = try memberPlace(of: value, name, at: reference) { return place }
        let value = try self.reference(name, at: reference)
        guard value.isStored else { throw Refusal("Nothing can be assigned to ‘\(name)’ here.", at: reference) }
        return Place(read: value.js, type: value.type) { "\(value.js) = \($0)" }
    }

    private func memberPlace(_ member: MemberAccessExprSyntax) throws -> Place {
        let name = member.declName.baseName.identifierText
        guard let baseNode = member.base else { throw Refusal("Nothing can be assigned to this.", at: member) }
        if let type = try namedType(baseNode), case .nominal(let number) = type,
            let value = try staticMember(name, of: declarations.nominals[number])
        {
            guard value.isStored else { throw Refusal("Nothing can be assigned to ‘\(name)’ here.", at: member) }
            return Place(read: value.js, type: value.type) { "\(value.js) = \($0)" }
        }
        let base = try postfix(baseNode, nil)
        if base.type == .stub { return Place(read: "undefined", type: .any) { "(\($0))" } }
        if let place = try memberPlace(of: base, name, at: member) { return place }
        throw Refusal("‘\(spelled(base.type))’ has no ‘\(name)’ that can be assigned to here.", at: member)
    }

    private func memberPlace(of base: Lowered, _ name: String, at node: some SyntaxProtocol) throws -> Place? {
        switch base.type.unwrapped {
        case .tuple(let elements):
            guard let index = Int(name) ?? elements.firstIndex(where: { $0.label == name }),
                elements.indices.contains(index)
            else { return nil }
            return Place(read: "\(base.js)[\(index)]", type: elements[index].type) { "\(base.js)[\(index)] = \($0)" }
        case .nominal(let number):
            let nominal = declarations.nominals[number]
            if nominal.kind == .protocolType || isOverridden(name, below: nominal) {
                throw Refusal("A property that the value's own type tells can only be read here.", at: node)
            }
            guard let (variable, owner) = property(name, of: nominal) else { return nil }
            let type = try fieldType(variable, of: owner)
            if nominal.kind == .structure, !base.isStored {
                throw Refusal(
                    "A part of a value that is kept nowhere can't be changed: keep it in a variable first.", at: node)
            }
            guard variable.isComputed else {
                let holder = base.type.isOptional ? "$.unwrap(\(base.js))" : base.js
                let js = "\(holder).\(fieldName(of: variable))"
                if variable.isLazy {
                    let reader = try lazyReader(of: variable, in: owner, type, at: node)
                    return Place(read: "\(reader)(\(holder))", type: type) { "\(js) = \($0)" }
                }
                let isDirect = base.js == "self" && (context.madeType === owner || context.observed == name)
                if variable.hasObservers, !isDirect {
                    let observed = try observer(of: variable, in: owner, type)
                    return Place(read: js, type: type) { "\(observed)(\(holder), \($0))" }
                }
                return Place(read: js, type: type) { "\(js) = \($0)" }
            }
            let (getter, setter) = try accessors(
                variable, in: .nominal(owner), selfType: nominalType(owner), type)
            guard let setter else { throw Refusal("‘\(name)’ can only be read.", at: node) }
            return Place(read: "\(getter)(\(base.js))", type: type) { "\(setter)(\(base.js), \($0))" }
        case .object
        where !Self.objectMembers.contains(name)
            && !library.properties(name).contains(where: { $0.receiver == .object }):
            let object = base.type.isOptional ? "$.unwrap(\(base.js))" : base.js
            return propertyPlace(object, named: name, [], at: node)
        case .model(let number):
            return try memberPlace(ofModel: declarations.nominals[number], base, name, at: node)
        default:
            guard
                let entry = library.properties(name).first(where: { entry in
                    var variables: [String: SwiftType] = [:]
                    return entry.isSettable && (entry.receiver?.match(base.type.unwrapped, &variables) ?? false)
                })
            else { return nil }
            let js = base.type.isOptional ? "$.unwrap(\(base.js))" : base.js
            return Place(read: "\(js).\(name)", type: entry.result) { "\(js).\(name) = \($0)" }
        }
    }

    /// Whether a subclass has a property of the same name.
    func isOverridden(_ name: String, below nominal: Nominal) -> Bool {
        nominal.kind == .classType
            && declarations.nominals.contains { other in
                other !== nominal && other.kind == .classType && isKind(other, of: nominal)
                    && other.members.variable(name, isStatic: false) != nil
            }
    }

    /// The function that gives a property with observers its value.
    private func observer(of variable: VariableDeclaration, in nominal: Nominal, _ type: SwiftType) throws -> String {
        let key = FunctionKey(variable.binding.id)
        if let known = signatures[key] { return known.js }
        let js = fresh("set_" + variable.name)
        signatures[key] = Signature(js: js, parameters: [], result: .void)
        guard case .accessors(let list)? = variable.binding.accessorBlock?.accessors else { return js }
        later { [self] in
            func body(_ keyword: Keyword, _ standard: String, _ value: String) -> String {
                guard let accessor = list.first(where: { $0.accessorSpecifier.tokenKind == .keyword(keyword) }),
                    let statements = accessor.body?.statements
                else { return "" }
                let inner = FunctionContext()
                (inner.owner, inner.result, inner.observed) = (.nominal(nominal), .void, variable.name)
                inner.selfValue = Lowered("self", nominalType(nominal), isStored: true, isSimple: true)
                return inFunction(inner, scopes: [[:]]) {
                    let name = declare(accessor.parameters?.name.identifierText ?? standard, type)
                    return "(\(name) => {\n\(bodyText(statements))\n})(\(value));\n"
                }
            }
            let field = "self.\(fieldName(variable.name))"
            let before = isCopied(type) ? "$.copy(\(field))" : field
            emit(
                "function \(js)(self, value) {\nconst before = \(before);\n\(body(.willSet, "newValue", "value"))"
                    + "\(field) = value;\n\(body(.didSet, "oldValue", "before"))}")
        }
        return js
    }

    /// A property of an object that belongs to no realm yet: what it is made with.
    private func memberPlace(
        ofModel nominal: Nominal, _ base: Lowered, _ name: String, at node: some SyntaxProtocol
    ) throws -> Place? {
        var owner: Nominal? = nominal
        while let type = owner, type.members.variable(name, isStatic: false) == nil {
            owner = declarations.superclass(of: type)
        }
        guard let owner, let variable = owner.members.variable(name, isStatic: false), !variable.isComputed,
            nominal.members.functions("propertiesMapping", isStatic: true).isEmpty
        else { return nil }
        return Place(read: "$.refuse()", type: .optional(.any)) {
            "$.setMember(\(base.js), \(self.quoted(name)), \($0))"
        }
    }

    /// The object and the name of a property, where a subscript is one of an object with a plain name.
    func objectAndKey(_ access: SubscriptCallExprSyntax) throws -> (object: String?, key: String?) {
        guard access.arguments.count == 1, let only = access.arguments.first, only.label == nil,
            let name = LiteralValue.string(only.expression)
        else { return (nil, nil) }
        context.chains.append([])
        defer { context.chains.removeLast() }
        let before = context.temporaries
        let base = try postfix(access.calledExpression, nil)
        context.temporaries = before
        guard base.type.unwrapped == .object else { return (nil, nil) }
        return (base.js, quoted(name))
    }

    private func subscriptPlace(_ access: SubscriptCallExprSyntax) throws -> Place {
        let base = try mutable(access.calledExpression)
        if base.type == .stub { return Place(read: "undefined", type: .any) { "(\($0))" } }
        let arguments = Array(access.arguments)
        guard let first = arguments.first?.expression else {
            throw Refusal("This subscript is not understood.", at: access)
        }
        var setup: [String] = []
        func held(_ value: Lowered) -> String {
            if value.isSimple { return value.js }
            let holder = temporary()
            setup.append("\(holder) = \(value.js)")
            return holder
        }
        switch base.type.unwrapped {
        case .array(let element):
            let collection = held(
                Lowered(
                    base.type.isOptional ? "$.unwrap(\(base.js))" : base.js, base.type,
                    isSimple: base.isSimple && !base.type.isOptional))
            let index = held(try coerce(expression(first, .integer), to: .integer, at: first))
            let place = mark(access)
            return Place(read: "\(place)$.at(\(collection), \(index))", type: element, setup: setup) {
                "\(place)$.setAt(\(collection), \(index), \($0))"
            }
        case .dictionary(let key, let value):
            let collection = held(
                Lowered(
                    base.type.isOptional ? "$.unwrap(\(base.js))" : base.js, base.type,
                    isSimple: base.isSimple && !base.type.isOptional))
            let name = held(try coerce(expression(first, key), to: key, at: first))
            if arguments.count == 2, arguments[1].label?.text == "default" {
                let fallback = try keep(
                    expression(arguments[1].expression, value), as: value, at: arguments[1].expression)
                return Place(read: "(\(collection).get(\(name)) ?? \(fallback))", type: value, setup: setup) {
                    "\(collection).set(\(name), \($0))"
                }
            }
            return Place(read: "\(collection).get(\(name))", type: value.optional, setup: setup) {
                "\(collection).put(\(name), \($0))"
            }
        case .named("MigrationObject"):
            let object = held(
                Lowered(
                    base.type.isOptional ? "$.unwrap(\(base.js))" : base.js, base.type,
                    isSimple: base.isSimple && !base.type.isOptional))
            return try propertyPlace(object, first, setup, at: access)
        case .list(let element):
            let index = held(try coerce(expression(first, .integer), to: .integer, at: first))
            return Place(read: "$.listAt(\(base.js), \(index), \(descriptor(element)))", type: element, setup: setup) {
                "$.setListAt(\(base.js), \(index), \($0))"
            }
        case .realmMap(let element):
            let map = held(base)
            let key = held(try coerce(expression(first, .string), to: .string, at: first))
            let wrapped = element.unwrapped
            return Place(
                read: "$.realmMapAt(\(map), \(key), \(descriptor(wrapped)))", type: wrapped.optional, setup: setup
            ) { "$.setRealmMapAt(\(map), \(key), \($0) == null ? null : \(self.descriptor(wrapped)).boxed(\($0)))" }
        case .named("Data"):
            let index = held(try expression(first, .integer))
            return Place(read: "$.at(\(base.js), \(index))", type: .int("UInt8"), setup: setup) {
                "$.setAt(\(base.js), \(index), \($0))"
            }
        default: throw Refusal("Nothing can be assigned to a part of ‘\(spelled(base.type))’ here.", at: access)
        }
    }

    private func propertyPlace(_ object: String, _ key: ExprSyntax, _ setup: [String], at node: some SyntaxProtocol)
        throws -> Place
    {
        let place = mark(node)
        guard let name = LiteralValue.string(key), Self.plainName(name) != nil else {
            let key = try coerce(expression(key, .string), to: .string, at: key)
            return Place(read: "\(place)$.property(\(object), \(key.js))", type: .optional(.any), setup: setup) {
                "\(place)$.setProperty(\(object), \(key.js), \($0))"
            }
        }
        return propertyPlace(object, named: name, setup, at: node)
    }

    private func propertyPlace(
        _ object: String, named name: String, _ setup: [String], at node: some SyntaxProtocol
    ) -> Place {
        let place = mark(node)
        let key = quoted(name)
        return Place(
            read: "\(place)$.property(\(object), \(key))", type: .optional(.any), setup: setup,
            writePlain: Self.plainName(name).map { plain in { "\(place)\(object).\(plain) = \($0)" } },
            write: { "\(place)$.setProperty(\(object), \(key), \($0))" })
    }

    /// A name that may stand behind a dot, and that no object has of its own.
    static func plainName(_ name: String) -> String? {
        let reserved: Set<String> = [
            "_key", "isValid", "objectSchema", "keys", "entries", "isSame", "toJSON", "constructor", "toString",
            "valueOf",
            "toLocaleString", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "prototype",
        ]
        guard let first = name.utf8.first, !reserved.contains(name), !name.hasPrefix("__"), first > 0x39,
            name.utf8.allSatisfy({
                ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || $0 == 0x5F
            })
        else { return nil }
        return name
    }

    /// A collection whose parts are changed where they are.
    func mutable(_ node: ExprSyntax) throws -> Lowered {
        if let access = node.as(SubscriptCallExprSyntax.self), access.arguments.count == 2,
            access.arguments.last?.label?.text == "default", let first = access.arguments.first,
            let last = access.arguments.last
        {
            let base = try mutable(access.calledExpression)
            if case .dictionary(let key, let value) = base.type {
                let name = try coerce(expression(first.expression, key), to: key, at: first)
                let fallback = try keep(expression(last.expression, value), as: value, at: last)
                return Lowered("\(base.js).defaulted(\(name.js), () => \(fallback))", value, isStored: true)
            }
        }
        return try postfix(node, nil)
    }
}
