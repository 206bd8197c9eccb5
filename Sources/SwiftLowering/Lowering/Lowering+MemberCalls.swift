import SwiftSyntax

extension Lowering {
    /// Refuses a `flatMap` of a literal whose closure gives one: literals may be of many types, and the compiler takes some such calls
    /// for `compactMap`.
    private func requireOneMeaning(of call: Call, on base: ExprSyntax) throws {
        var base = base
        while let inner = base.inParentheses { base = inner }
        let given = call.arguments.first { $0.isTrailing } ?? call.arguments.first
        let closure = given?.node.as(ClosureExprSyntax.self)
        guard base.is(ArrayExprSyntax.self), let statements = closure?.statements, statements.count == 1,
            statements.first?.item.is(ArrayExprSyntax.self) == true
        else { return }
        throw Refusal("The types of these literals can't be told here: give the array a name first.", at: call.node)
    }

    /// Refuses a closure that raises the elements of a literal to a whole power: the compiler takes them for values of `Decimal`, unless
    /// other values tell their type.
    private func requireNoPowers(in call: Call, of base: ExprSyntax) throws {
        guard let literal = base.as(ArrayExprSyntax.self), literal.elements.allSatisfy({ isLiteral($0.expression) }),
            ![.double, .array(.double)].contains(call.expected?.unwrapped),
            let closure = call.arguments.lazy.compactMap({ $0.node.as(ClosureExprSyntax.self) }).first
        else { return }
        var names: Set = ["$0", "$1"]
        if let clause = closure.signature?.parameterClause {
            // Parameters with types tell them.
            guard case .simpleInput(let list) = clause else { return }
            names = Set(list.map(\.name.identifierText))
        }
        let raises = closure.statements.holds { node in
            guard let power = node.as(FunctionCallExprSyntax.self), power.calledExpression.spelling == "pow",
                let number = power.arguments.first?.expression, let count = power.arguments.last?.expression
            else { return false }
            return names.contains(number.spelling) && self.isNumberLiteral(count) && !self.hasFraction(count)
        }
        guard raises else { return }
        throw Refusal(
            "The compiler may take these literals for values of the type ‘Decimal’: give the array a name first.",
            at: call.node)
    }

    /// A call of `.name(…)`, of the type that is expected where it stands.
    private func calledOfExpected(_ call: Call) throws -> Lowered {
        guard let wanted = call.expected?.unwrapped else {
            throw Refusal("The type of ‘.\(call.name)’ can't be told here: write it before the dot.", at: call.node)
        }
        if call.name == "init" { return try made(wanted, call) }
        return try calledOfType(wanted, call)
    }

    func calledMember(_ member: MemberAccessExprSyntax, _ call: Call) throws -> Lowered {
        let name = call.name
        guard let baseNode = member.base else { return try calledOfExpected(call) }
        if let found = try calledOfWritten(baseNode, call) { return found }
        if name == "flatMap" { try requireOneMeaning(of: call, on: baseNode) }
        try requireNoPowers(in: call, of: baseNode)
        if name == "className", call.arguments.isEmpty, let found = try className(baseNode) { return found }
        if baseNode.is(SuperExprSyntax.self) { return try calledOfSuper(call) }
        if isDynamicType(baseNode) {
            if let found = try staticOfObject(calledBy: call) { return found }
            try mustNotBeOverridden(name, at: call.node)
        }
        if let reference = baseNode.as(DeclReferenceExprSyntax.self),
            let found = try called(call, of: reference.baseName.identifierText)
        {
            return found
        }
        if let optional = baseNode.as(OptionalChainingExprSyntax.self),
            optional.expression.spelling == "self",
            context.selfValue == nil, lookUp("self") == nil, let found = try calledImplicitly(call)
        {
            return found
        }
        let nested = nominal(ExprSyntax(member)).map { nominalType($0) }
        if let type = nested ?? SwiftType.nested("\(baseNode.spelling).\(name)") { return try made(type, call) }
        if let nominal = nominal(baseNode), declarations.realmBase(of: nominal) != nil,
            let found = try overloaded(
                nominal.members.functions(name, isStatic: true), call, .nominal(nominal), isStatic: true)
        {
            return found
        }
        if let type = try namedType(baseNode) {
            if name == "init" { return try made(type, call) }
            return try calledOfType(type, call)
        }
        let (setup, base) = try receiver(baseNode, call)
        if base.type == .stub { return try stubbed(call.arguments) }
        if case .metatype(let type) = base.type, type == ownerType, context.selfValue == nil,
            let found = try calledImplicitly(call)
        {
            return found
        }
        if case .metatype(let type) = base.type {
            if name == "className", call.arguments.isEmpty, type.isObject {
                return Lowered(runtime("classNameOf", at: call.node, base.js), .string)
            }
            return try calledOfType(type, call)
        }
        try mustBeBridged(name, base, baseNode, at: member.declName)
        if var found = try calledOfValue(base, call) {
            found.js = sequence(setup, found.js)
            return found
        }
        throw missing(name, of: base.type, isCalled: true, at: member.declName)
    }

    /// A call behind a name alone: of `self.init`, of a stub, of what a module has, of the instance that a block belongs to.
    private func called(_ call: Call, of outer: String) throws -> Lowered? {
        let name = call.name
        if outer == "self", name == "init", context.isInitializer, let nominal = appType(ownerType) {
            if nominal.kind == .classType { return try initialized(by: nominal, call) }
            let value = try make(nominal, call)
            let made = orFail(value)
            return nominal.kind == .enumeration
                ? Lowered(.this.assigned(made), .void) : Lowered(.runtime("assignSelf", .this, made), .void)
        }
        if outer == "self", name == "init", context.isInitializer, case .library(let type, _)? = context.owner {
            let value = try made(type, call)
            return Lowered(.this.assigned(orFail(value)), .void)
        }
        if program.stubs.contains(outer) || program.stubs.contains("\(outer).\(name)"), lookUp(outer) == nil {
            return try stubbed(call.arguments)
        }
        if ["Foundation", "Swift", "RealmSwift"].contains(outer) { return try called(call) }
        // `self.log(…)` in a block of an instance: the method, without the instance.
        if outer == "self", context.selfValue == nil, let found = try calledImplicitly(call) { return found }
        return nil
    }

    /// The value of an initializer; where that is nil, the initializer that calls it fails, too.
    private func orFail(_ value: Lowered) -> JavaScript {
        value.type.isOptional ? .runtime("orFail", value.js) : value.js
    }

    /// The receiver of a method: where one of the name may change it, with its place, whose steps are done before.
    private func receiver(_ node: ExprSyntax, _ call: Call) throws -> (setup: [JavaScript], value: Lowered) {
        guard mayChange(call.name), isPlace(node) else { return ([], try postfix(node, sought(call, node))) }
        var place = try self.place(node)
        let setup = place.setup
        place.setup = []
        // A method that only reads the value takes it before its arguments.
        var value = Lowered(
            sequence(place.begin, place.held ?? place.read), place.type, ownership: .borrowed,
            isSimple: place.begin.isEmpty && (place.isSimple || place.held != nil), isSelf: place.isSelf)
        value.place = place
        return (setup, value)
    }

    /// A call of what is known by how it is written alone: `Result.success(1)`, `(3...).contains(x)`.
    private func calledOfWritten(_ base: ExprSyntax, _ call: Call) throws -> Lowered? {
        if let wanted = wantedResult(base, call.expected) { return try calledOfType(wanted, call) }
        return call.name == "contains" ? try inPartialRange(base, call) : nil
    }

    /// `(3...).contains(x)`, of numbers.
    private func inPartialRange(_ node: ExprSyntax, _ call: Call) throws -> Lowered? {
        guard let form = node.inParentheses?.rangeForm, let bound = form.onlyEnd, let only = call.onlyUnlabelled else {
            return nil
        }
        let symbol: JavaScript.Operator = form.from != nil ? .atMost : form.isClosed ? .atLeast : .greater
        var limit = try expression(bound, nil)
        let value = try expression(only, limit.type)
        if limit.type != value.type, isLiteral(bound) { limit = try expression(bound, value.type) }
        guard limit.type == value.type, limit.type.isNumber else { return nil }
        return Lowered(.binary(symbol, limit.js, value.js), .bool)
    }

    /// Whether an expression is of a kind that names a place.
    func isPlace(_ node: ExprSyntax) -> Bool {
        switch node.kind {
        case .declReferenceExpr, .memberAccessExpr, .subscriptCallExpr, .optionalChainingExpr, .forceUnwrapExpr: true
        case .tupleExpr: node.inParentheses.map(isPlace) ?? false
        default: false
        }
    }

    /// The type of a range or an array of literals that is asked whether it contains a number: `(1..<5).contains(version)`.
    private func sought(_ call: Call, _ base: ExprSyntax) -> SwiftType? {
        guard call.name == "contains", let only = call.onlyUnlabelled, isLiteral(base),
            let type = typeAlone(of: only).success, type.isNumber
        else { return nil }
        return base.is(ArrayExprSyntax.self) ? .array(type) : .range(type)
    }

    /// `super.method()`, `super.init()`.
    private func calledOfSuper(_ call: Call) throws -> Lowered {
        // A class of Foundation has nothing to begin with here.
        if call.name == "init", call.arguments.isEmpty, case .nominal(let owner)? = context.owner,
            declarations.superclass(of: owner) == nil
        {
            return Lowered(.undefined, .void)
        }
        if context.selfValue == nil, let parent = superclassOfStatics {
            return try calledOfType(nominalType(parent), call.of(call.base))
        }
        guard var (parent, this) = superclass else {
            throw Refusal("‘super’ is not understood here: call the method by another name.", at: call.node)
        }
        this.place = selfPlace(this)
        if call.name == "init" { return try initialized(by: parent, call) }
        while true {
            let candidates = parent.members.functions(call.name, isStatic: false)
            if let found = try overloaded(candidates, call, .nominal(parent), isStatic: false, receiver: this) {
                return found
            }
            guard let next = declarations.superclass(of: parent) else { break }
            parent = next
        }
        throw Refusal(
            "‘super’ has no ‘\(call.name)’ with these arguments that is understood here: add the file that declares it.",
            at: call.node)
    }

    /// `Dog.className()`: the name of the class in the realm.
    private func className(_ node: ExprSyntax) throws -> Lowered? {
        let path = node.pathNames
        let found = path.count == 1 ? nominal(named: path[0]) : declarations.nominal(path: path)
        if let found {
            guard declarations.realmBase(of: found) != nil else { return nil }
            return Lowered(.text(found.realmName), .string)
        }
        guard let name = path.last, lookUp(path[0]) == nil, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        else { return nil }
        if program.stubs.contains(path[0]) { return nil }
        // A class that no file declares has its own name, unless the realm has none of it.
        return Lowered(runtime("className", at: node, .text(name)), .string)
    }

    private func calledOfType(_ type: SwiftType, _ call: Call) throws -> Lowered {
        if let nominal = appType(type) {
            if nominal.isTemplate {
                let found = try specialized(nominal, calledBy: call)
                return try calledOfType(nominalType(found), call)
            }
            try mustNotHide(call.name, of: nominal, at: call.node)
            var scope: Nominal? = nominal
            while let nominal = scope {
                if let element = nominal.members.cases.first(where: { $0.name.identifierText == call.name }),
                    element.parameterClause != nil
                {
                    return try makeCase(element, of: nominal, call)
                }
                if let found = try overloaded(
                    nominal.members.functions(call.name, isStatic: true), call, .nominal(nominal), isStatic: true)
                {
                    return found
                }
                scope = declarations.superclass(of: nominal)
            }
            if let found = try calledOfProtocols(nominal, call) { return found }
        }
        for key in extensionNames(type) {
            let all = declarations.extensions[key]?.functions(call.name, isStatic: true) ?? []
            let candidates = all.filter { mayHave($0, type) }
            if let found = try overloaded(candidates, call, .library(type, key), isStatic: true) { return found }
        }
        let entries = library.statics(call.name).filter { $0.parameters != nil }
        if let found = try libraryCall(entries, Lowered(.undefined, type), call) { return found }
        if let value = try memberOfType(type, call.name, at: call.node), case .function = value.type {
            return try apply(value, call)
        }
        throw missing(call.name, of: .metatype(type), isCalled: true, at: call.node)
    }

    /// The parameters of a case of an enumeration.
    func caseParameters(_ element: EnumCaseElementSyntax, of nominal: Nominal) throws -> [Parameter] {
        try zip(element.parameterClause?.parameters ?? [], caseTypes(element, of: nominal)).map { node, type in
            let label = node.firstName?.identifierText
            return Parameter(
                label: label == "_" ? nil : label, name: "_", type: type, defaultValue: node.defaultValue?.value)
        }
    }

    private func makeCase(_ element: EnumCaseElementSyntax, of nominal: Nominal, _ call: Call) throws -> Lowered {
        let parameters = try caseParameters(element, of: nominal)
        let values = try zip(bind(call, to: parameters).values, parameters).map { value, parameter in
            guard case .constant("undefined") = value, let given = parameter.defaultValue else { return value }
            guard !callsFunction(given) else {
                throw Refusal("Write this value of ‘\(call.name)’, which a function gives.", at: call.node)
            }
            return try within(nominal) { try kept(given, as: parameter.type) }
        }
        return Lowered(
            .runtime("made", descriptor(.nominal(nominal.number)), .text(element.name.identifierText), .array(values)),
            .nominal(nominal.number), ownership: .moved)
    }

    func calledOfValue(_ base: Lowered, _ call: Call) throws -> Lowered? {
        if let nominal = appType(base.type) {
            if let found = try calledOfNominal(nominal, base, call) { return found }
            if let found = try calledOfOptions(base, call) { return found }
            if let own = try ownSequence(base, at: call.node),
                let found = try libraryCall(library.methods(call.name), own, call)
            {
                return found
            }
            if let value = try memberOfValue(base, call.name, at: call.node), case .function = value.type {
                return try apply(value, call)
            }
        }
        if case .tuple = base.type, let value = try memberOfValue(base, call.name, at: call.node) {
            return try apply(value, call)
        }
        try mustBeOne(base.type, at: call.node) { $0.functions(call.name, isStatic: false).map { Syntax($0) } }
        for key in extensionNames(base.type) {
            let all = declarations.extensions[key]?.functions(call.name, isStatic: false) ?? []
            let candidates = all.filter { mayHave($0, base.type) }
            let found = try calledOfExtension(candidates, call, .library(base.type, key), base) {
                try calledOfLibrary(base, call)
            }
            if let found { return found }
        }
        return try calledOfLibrary(base, call)
    }

    /// A method that the library has.
    func calledOfLibrary(_ base: Lowered, _ call: Call) throws -> Lowered? {
        if base.type == .object, let found = try calledOfObject(base, call) { return found }
        // An extension of all sequences keeps an array of one.
        if call.name == "filter", isOfSequence(base.type), let view = sequenceView(base) {
            return try libraryCall(library.methods(call.name), view, call)
        }
        let entries = library.methods(call.name)
        if let found = try libraryCall(entries, base, call) { return found }
        if let text = textView(base),
            let found = try libraryCall(entries.filter { $0.change == .none && !$0.usesIndices }, text, call)
        {
            return found
        }
        if let view = sequenceView(base),
            var found = try libraryCall(entries.filter { $0.change == .none }, view, call)
        {
            // A part of it is a Data, too, and shown as one.
            if base.type == .named("Data"), case .slice = found.type { found.isView = true }
            return found
        }
        if base.type.isOptional {
            var inner = Lowered(
                runtime("unwrap", at: call.node, base.js), base.type.unwrapped, ownership: base.ownership.ofPart)
            inner.place = try base.place.map { try forced($0, at: call.node) }
            return try calledOfValue(inner, call)
        }
        return nil
    }

    /// Whether the code stands in an extension of all sequences, and a value is of the type that is looked at there.
    private func isOfSequence(_ type: SwiftType) -> Bool {
        guard case .library(let own, let name)? = context.owner, own == type else { return false }
        return ["Sequence", "Collection", "BidirectionalCollection", "RandomAccessCollection"].contains(name)
    }

    /// Whether a key may lead through several objects.
    private func isPath(_ key: ExprSyntax) -> Bool { LiteralValue.string(key)?.contains(".") ?? true }

    private func calledOfObject(_ base: Lowered, _ call: Call) throws -> Lowered? {
        switch (call.name, call.arguments.map(\.label)) {
        case ("value", ["forKey"]), ("value", ["forUndefinedKey"]), ("value", ["forKeyPath"]):
            if call.arguments[0].label == "forKeyPath", isPath(call.arguments[0].node) {
                let path = try coerced(call.arguments[0].node, to: .string)
                return Lowered(runtime("valueAtPath", at: call.node, base.js, path), .optional(.any))
            }
            return try property(base, call.arguments[0].node, at: call.node)
        case ("setValue", [nil, "forKey"]), ("setValue", [nil, "forUndefinedKey"]), ("setValue", [nil, "forKeyPath"]):
            let value = try coerced(call.arguments[0].node, to: .optional(.any))
            let key = try coerced(call.arguments[1].node, to: .string)
            let isPath = call.arguments[1].label == "forKeyPath" && isPath(call.arguments[1].node)
            let function = isPath ? "setValueAtPath" : "setProperty"
            guard !key.isConstant else {
                return Lowered(runtime(function, at: call.node, base.js, key, value), .void)
            }
            // The value is worked out before the key.
            var setup: [JavaScript] = []
            let object = base.isSimple ? base.js : held(base, &setup)
            let given = held(Lowered(value, .optional(.any)), &setup)
            return Lowered(sequence(setup, runtime(function, at: call.node, object, key, given)), .void)
        case ("setValuesForKeys", [nil]):
            let type = SwiftType.dictionary(.string, .any)
            let values = try coerced(call.arguments[0].node, to: type)
            return Lowered(runtime("setProperties", at: call.node, base.js, values), .void)
        default: return nil
        }
    }
}
