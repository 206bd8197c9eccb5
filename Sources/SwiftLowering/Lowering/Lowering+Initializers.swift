import SwiftSyntax

extension Lowering {
    /// The function that makes a value by an initializer of its type.
    func maker(_ node: InitializerDeclSyntax, of nominal: Nominal) throws -> Signature {
        var key = FunctionKey(node.id, in: .nominal(nominal))
        // A convenience initializer of a superclass is another one in each class that has it.
        if node.modifiers.has(.convenience) { key.extended = .nominal(nominal.number) }
        if let known = signatures[key] { return known }
        let parameters = try self.parameters(node.signature.parameterClause, in: .nominal(nominal))
        let type = nominalType(nominal)
        let signature = Signature(
            name: fresh("init_" + nominal.name), parameters: parameters,
            result: node.optionalMark == nil ? type : type.optional, owner: .nominal(nominal),
            mayThrow: node.signature.effectSpecifiers?.throwsClause != nil)
        signatures[key] = signature
        guard let body = node.body else { throw Refusal("The initializer has no body.", at: node) }
        guard nominal.kind != .protocolType else {
            throw Refusal(
                "An initializer of a protocol's extension is not understood: write it in the types.", at: node)
        }
        let callsAnother = node.modifiers.has(.convenience) || body.delegates
        let declaring = lineage(of: nominal).first { $0.members.initializers.contains { $0.id == node.id } }
        let inner = FunctionContext(
            result: .void, selfValue: .this(type),
            selfForm: nominal.kind == .enumeration ? .variable : .object, owner: .nominal(nominal),
            madeType: declaring ?? nominal, isInitializer: true, mayFail: node.optionalMark != nil)
        emitLater(inner, at: node) { [self] in
            let start: [Statement] =
                switch nominal.kind {
                case .enumeration: [.variable("self", .null)]
                case .classType: []
                default: [.constant("self", try blank(nominal))]
                }
            let mayFail = node.optionalMark != nil && (callsAnother || nominal.kind == .classType)
            return try declared(signature, body.statements, at: node, takesSelf: nominal.kind == .classType) { body in
                let last = told(at: node) { try callsAnother ? [] : implicitSuper(of: nominal, body: node) } ?? []
                let whole = body + last + [.give(.this)]
                return start + (mayFail ? [.give(.runtime("mayFail", .closure([], whole)))] : whole)
            }
        }
        return signature
    }

    /// The call of the superclass's initializer behind one that calls none, where it has one without arguments.
    private func implicitSuper(of nominal: Nominal, body node: InitializerDeclSyntax) throws -> [Statement] {
        guard nominal.kind == .classType, let parent = declarations.superclass(of: nominal),
            let body = node.body, !body.initializesSuper
        else { return [] }
        guard let (make, _) = try initializer(of: parent, Call("init", [], nil, at: node)) else { return [] }
        guard !body.holds({ $0.is(ReturnStmtSyntax.self) }) else {
            throw Refusal("An initializer that may return early has to call ‘super.init’ itself here.", at: node)
        }
        return [.expression(make(.this))]
    }

    /// The function that makes a value of a type of the library by an initializer of an extension.
    func extensionMaker(_ node: InitializerDeclSyntax, of type: SwiftType, _ extended: String) throws -> Signature {
        let owner = FunctionContext.Owner.library(type, extended)
        let key = FunctionKey(node.id, in: owner)
        if let known = signatures[key] { return known }
        let parameters = try self.parameters(node.signature.parameterClause, in: owner)
        let signature = Signature(
            name: fresh("init_" + extended), parameters: parameters,
            result: node.optionalMark == nil ? type : type.optional, owner: owner)
        signatures[key] = signature
        guard let body = node.body else { throw Refusal("The initializer has no body.", at: node) }
        let inner = FunctionContext(
            result: .void, selfValue: .this(type), selfForm: .variable,
            owner: owner, isInitializer: true)
        emitLater(inner, at: node) { [self] in
            let inside = fresh("made")
            let maker = try declared(signature, body.statements, at: node, name: inside)
            let (values, made) = (JavaScript.spread(.name("values")), JavaScript.name("made"))
            let result = JavaScript.conditional(.binary(.equal, made, .undefined), .this, made)
            let attempt = JavaScript.closure(
                [], [.constant("made", JavaScript.name(inside).called([values])), .give(result)])
            return .function(
                signature.name, [values], [.variable("self", .null), maker, .give(.runtime("mayFail", attempt))])
        }
        return signature
    }

    /// A value of a type with what its properties begin with.
    private func blank(_ nominal: Nominal) throws -> JavaScript {
        object(
            nominal,
            try storedProperties(of: nominal).map { field in
                JavaScript.Field(name: fieldName(of: field), value: try beginning(of: field, in: nominal))
            })
    }

    /// The value of a stored property before an initializer gives it one.
    private func beginning(of field: VariableDeclaration, in nominal: Nominal) throws -> JavaScript {
        if field.isLazy { return .undefined }
        let type = try fieldType(field, of: nominal)
        guard let value = field.binding.initializer?.value else { return type.isOptional ? .null : .undefined }
        return try initial(value, type, of: nominal)
    }

    /// The initial value of a property, which sees nothing of where a value is made.
    private func initial(_ value: ExprSyntax, _ type: SwiftType, of nominal: Nominal) throws -> JavaScript {
        try inFunction(FunctionContext(owner: .nominal(nominal))) {
            let kept = try kept(value, as: type)
            guard context.temporaries > 0 else { return kept }
            return JavaScript.closure([], withTemporaries([.give(kept)])).called([])
        }
    }

    /// The field that holds a stored property; what is lazy is held by an optional of its own, as the compiler does it.
    func fieldName(of variable: VariableDeclaration) -> String { fieldName(Self.storageName(of: variable)) }

    static func storageName(of variable: VariableDeclaration) -> String {
        (variable.isLazy ? "$__lazy_storage_$_" : "") + variable.name
    }

    /// The function that reads a lazy property, and makes its value where it has none yet.
    func lazyReader(
        of variable: VariableDeclaration, in nominal: Nominal, _ type: SwiftType, at node: some SyntaxProtocol
    ) throws -> JavaScript {
        guard let value = variable.binding.initializer?.value else {
            throw Refusal("A lazy property without a value to begin with is not understood.", at: node)
        }
        return once(
            FunctionKey(variable.binding.id, in: .nominal(nominal)), "lazy_" + variable.name,
            FunctionContext(selfValue: .this(nominalType(nominal)), owner: .nominal(nominal)), at: value
        ) { [self] name in
            let field = JavaScript.this.field(fieldName(of: variable))
            let made = field.assigned(try kept(value, as: type))
            let isMissing = JavaScript.binary(.equal, field, .undefined)
            return .function(
                name, [.this], withTemporaries([.conditional(isMissing, [.expression(made)]), .give(field)]))
        }
    }

    func fieldName(_ name: String) -> String {
        "_" + name.unicodeScalars.map { $0.isASCII ? String($0) : "$\($0.value)" }.joined()
    }

    /// Makes a value by its type's name and arguments.
    func make(_ nominal: Nominal, _ call: Call) throws -> Lowered {
        let type = nominalType(nominal)
        if case .model = type { return try makeObject(nominal, type, call) }
        if nominal.isTemplate { return try make(specialized(nominal, madeOf: call), call) }
        if nominal.kind == .enumeration, call.arguments.count == 1, call.arguments[0].label == "rawValue",
            !nominal.members.initializers.contains(where: {
                labels(of: $0.signature.parameterClause, fit: call)
            })
        {
            let raw = nominal.inheritedNames.first.flatMap(SwiftType.scalar)
            guard let raw else { throw Refusal("‘\(nominal.path)’ has no raw values.", at: call.node) }
            let value = try coerced(call.arguments[0].node, to: raw)
            return Lowered(.runtime("ofRaw", descriptor(type), value), type.optional)
        }
        if nominal.kind == .classType { return try made(classOf: nominal, call) }
        if let (signature, values) = try fittingInitializer(of: nominal, call) {
            return try invoke(signature, of: nil, values, at: call.node)
        }
        if call.arguments.isEmpty, let bits = optionBits(nominal) {
            return Lowered(.runtime("options", descriptor(type), .array([]), descriptor(bits)), type, ownership: .moved)
        }
        guard nominal.kind == .structure else { throw unmade(nominal.path, call) }
        return try makeByMembers(nominal, call)
    }

    /// A new object of one of the app's small classes.
    private func made(classOf nominal: Nominal, _ call: Call) throws -> Lowered {
        try mustBeUnderstood(nominal)
        try mustBeWorkedOutFirst(call.arguments, of: nominal)
        let blank = try self.blank(nominal)
        let type = SwiftType.nominal(nominal.number)
        guard let (make, mayFail) = try initializer(of: nominal, call) else {
            return Lowered(blank, type, ownership: .moved)
        }
        return Lowered(make(blank), mayFail ? type.optional : type, ownership: .moved)
    }

    /// `super.init(…)`, and `self.init(…)` of a class.
    func initialized(by nominal: Nominal, _ call: Call) throws -> Lowered {
        guard let (make, mayFail) = try initializer(of: nominal, call) else { return Lowered(.undefined, .void) }
        guard mayFail else { return Lowered(make(.this), .void) }
        guard context.mayFail else {
            throw Refusal("An initializer that may fail is understood here in one that may, too.", at: call.node)
        }
        return Lowered(.runtime("orFail", make(.this)), .void)
    }

    /// The initializer that a type itself declares and that takes the arguments, with their values; nil where none has
    /// their labels.
    ///
    /// - Throws: what the first one refuses, where those with the labels take none of the values.
    private func fittingInitializer(of nominal: Nominal, _ call: Call) throws -> (
        signature: Signature, values: BoundArguments
    )? {
        let fitting = nominal.members.initializers.filter { labels(of: $0.signature.parameterClause, fit: call) }
        if fitting.count > 1, isInGeneric {
            throw Refusal(
                "Which of several initializers a generic function calls is not known here: give one of them another name.",
                at: call.node)
        }
        let overloads = try taking(fitting, call) {
            ($0, try parameters($0.signature.parameterClause, in: .nominal(nominal)), isGeneric: false)
        }
        if overloads.isEmpty { return nil }
        let best = try preferred(overloads, call)
        return (try maker(best.function, of: nominal), take(best.bound))
    }

    /// The call of the initializer of a class that takes the arguments; nil where there is nothing to do.
    private func initializer(of nominal: Nominal, _ call: Call) throws -> Making? {
        if let (signature, values) = try fittingInitializer(of: nominal, call) {
            return making(signature, values, call)
        }
        // Without one of its own that is no convenience, a class has those of its superclass.
        let isAlone = nominal.members.initializers.allSatisfy { $0.modifiers.has(.convenience) }
        if isAlone, let parent = declarations.superclass(of: nominal) { return try initializer(of: parent, call) }
        if let found = try inheritedConvenience(of: nominal, call) { return found }
        guard isAlone, call.arguments.isEmpty else { throw unmade(nominal.path, call) }
        return nil
    }

    /// A convenience initializer of a superclass, which a class has that overrides all others of it: what it calls of its own is the
    /// class's.
    private func inheritedConvenience(of nominal: Nominal, _ call: Call) throws -> Making? {
        guard let parent = declarations.superclass(of: nominal) else { return nil }
        let fitting = parent.members.initializers.filter {
            $0.modifiers.has(.convenience) && labels(of: $0.signature.parameterClause, fit: call)
        }
        let overridesAll = parent.members.initializers.allSatisfy { other in
            other.modifiers.has(.convenience) || nominal.members.initializers.contains { $0.labels == other.labels }
        }
        guard let only = fitting.first, fitting.count == 1, overridesAll else { return nil }
        let signature = try maker(only, of: nominal)
        return making(signature, try bind(call, to: signature.parameters), call)
    }

    /// The call of an initializer, of an object without values, and whether it may make none.
    private typealias Making = (make: (JavaScript) -> JavaScript, mayFail: Bool)

    private func making(_ signature: Signature, _ bound: BoundArguments, _ call: Call) -> Making {
        let place = mark(call.node)
        calls += 1
        return (
            { [self] object in called(bound) { signature.js.called([object] + $0).marked(place) } },
            signature.result.isOptional
        )
    }

    /// An object of a model class that belongs to no realm: what is assigned of it is made in the realm.
    private func makeObject(_ nominal: Nominal, _ type: SwiftType, _ call: Call) throws -> Lowered {
        guard call.arguments.count <= 1, call.arguments.first?.label ?? "value" == "value",
            call.arguments.first?.isTrailing != true
        else {
            throw Refusal(
                "An initializer of a model class is not understood: make the object by "
                    + "‘migration.create(\"\(nominal.realmName)\", value: …)’.", at: call.node)
        }
        let value = try call.arguments.first.map { try coerce(expression($0.node, nil), to: .any, at: $0.node).js }
        return Lowered(.runtime("madeObject", descriptor(type), value ?? .undefined), type)
    }

    private func makeByMembers(_ nominal: Nominal, _ call: Call) throws -> Lowered {
        var rest = call.arguments[...]
        var fields: [JavaScript.Field] = []
        let takesClosures =
            try call.arguments.contains(where: \.isTrailing) && givesAllFunctions(of: nominal, call.arguments)
        // Arguments are worked out before what other properties begin with.
        var setup: [JavaScript] = []
        let isOrdered = propertyThatCalls(of: nominal) != nil
        for field in storedProperties(of: nominal) {
            let type = try fieldType(field, of: nominal)
            let isClosure = takesClosures && isFunctionMember(field, type)
            let value: JavaScript
            if !field.isLazy, let first = rest.first, first.label == field.name || first.isTrailing && isClosure {
                rest = rest.dropFirst()
                let given = try kept(first.node, as: type)
                if isOrdered, !given.isConstant {
                    value = temporary()
                    setup.append(value.assigned(given))
                } else {
                    value = given
                }
            } else if field.isLazy || field.binding.initializer != nil || type.isOptional && !field.isConstant {
                value = try beginning(of: field, in: nominal)
            } else {
                throw Refusal("‘\(nominal.path)’ needs a value for ‘\(field.name)’.", at: call.node)
            }
            fields.append(JavaScript.Field(name: fieldName(of: field), value: value))
        }
        guard rest.isEmpty else { throw unmade(nominal.path, call) }
        return Lowered(sequence(setup, object(nominal, fields)), .nominal(nominal.number), ownership: .moved)
    }
}

/// Closures behind the parentheses of a structure that is made by its members.
extension Lowering {
    /// Whether each member that is a function is given one: only then it is sure which one a closure without a label is.
    fileprivate func givesAllFunctions(of nominal: Nominal, _ arguments: [Argument]) throws -> Bool {
        let fields = try storedProperties(of: nominal).filter { isFunctionMember($0, try fieldType($0, of: nominal)) }
        let names = Set(fields.map(\.name))
        let given = arguments.filter { $0.isTrailing || $0.label.map(names.contains) ?? false }
        return given.count == fields.count
    }

    fileprivate func isFunctionMember(_ field: VariableDeclaration, _ type: SwiftType) -> Bool {
        guard case .function = type.unwrapped else { return false }
        return !field.isLazy && !(field.isConstant && field.binding.initializer != nil)
    }
}

extension SyntaxProtocol {
    /// Whether it calls `self.init(…)`.
    fileprivate var delegates: Bool {
        callsInitializer(of: { $0.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self) })
    }

    /// Whether it calls `super.init(…)`.
    fileprivate var initializesSuper: Bool { callsInitializer(of: { $0.is(SuperExprSyntax.self) }) }

    private func callsInitializer(of isSought: @escaping (ExprSyntax) -> Bool) -> Bool {
        holds { node in
            guard let member = node.as(MemberAccessExprSyntax.self) else { return false }
            return member.declName.baseName.tokenKind == .keyword(.`init`) && (member.base.map(isSought) ?? false)
        }
    }
}
