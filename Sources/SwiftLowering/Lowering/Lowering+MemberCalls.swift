import SwiftSyntax

extension Lowering {
    /// Refuses a `flatMap` of a literal whose closure gives one: literals may be of many types, and the compiler takes some such calls
    /// for `compactMap`.
    private func requireOneMeaning(of node: FunctionCallExprSyntax, on base: ExprSyntax) throws {
        var base = base
        while let tuple = base.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
            base = only.expression
        }
        let closure = node.trailingClosure ?? node.arguments.first?.expression.as(ClosureExprSyntax.self)
        guard base.is(ArrayExprSyntax.self), let statements = closure?.statements, statements.count == 1,
            statements.first?.item.is(ArrayExprSyntax.self) == true
        else { return }
        throw Refusal("The types of these literals can't be told here: give the array a name first.", at: node)
    }

    /// A call of `.name(…)`, of the type that is expected where it stands.
    private func calledOfExpected(
        _ name: String, _ arguments: [Argument], _ expected: SwiftType?, at node: FunctionCallExprSyntax
    ) throws -> Lowered {
        guard let wanted = expected?.unwrapped else {
            throw Refusal("The type of ‘.\(name)’ can't be told here.", at: node)
        }
        if name == "init" { return try made(wanted, arguments, expected, at: node) }
        return try calledOfType(wanted, name, arguments, expected, at: node)
    }

    func calledMember(
        _ member: MemberAccessExprSyntax, _ arguments: [Argument], _ expected: SwiftType?,
        at node: FunctionCallExprSyntax
    ) throws -> Lowered {
        let name = member.declName.baseName.identifierText
        guard let baseNode = member.base else { return try calledOfExpected(name, arguments, expected, at: node) }
        if let found = try calledOfWritten(baseNode, name, arguments, expected, at: node) { return found }
        if name == "flatMap" { try requireOneMeaning(of: node, on: baseNode) }
        if name == "className", arguments.isEmpty, let found = try className(baseNode) { return found }
        if baseNode.is(SuperExprSyntax.self) { return try calledOfSuper(name, arguments, at: node) }
        if let reference = baseNode.as(DeclReferenceExprSyntax.self),
            let found = try called(name, of: reference.baseName.identifierText, arguments, expected, at: node)
        {
            return found
        }
        if let optional = baseNode.as(OptionalChainingExprSyntax.self),
            optional.expression.spelling == "self",
            context.selfValue == nil, lookUp("self") == nil, let found = try calledImplicitly(name, arguments, at: node)
        {
            return found
        }
        let nested = nominal(ExprSyntax(member)).map { nominalType($0) }
        if let type = nested ?? SwiftType.nested("\(baseNode.spelling).\(name)") {
            return try made(type, arguments, expected, at: node)
        }
        if let nominal = nominal(baseNode), declarations.realmBase(of: nominal) != nil,
            let found = try overloaded(
                nominal.members.functions(name, isStatic: true), arguments, .nominal(nominal), isStatic: true,
                receiver: nil,
                at: node)
        {
            return found
        }
        if let type = try namedType(baseNode) {
            if name == "init" { return try made(type, arguments, expected, at: node) }
            return try calledOfType(type, name, arguments, expected, at: node)
        }
        let (setup, base) = try receiver(baseNode, name, arguments)
        if base.type == .stub { return try stubbed(arguments) }
        if case .metatype(let type) = base.type, type == ownerType, context.selfValue == nil,
            let found = try calledImplicitly(name, arguments, at: node)
        {
            return found
        }
        if case .metatype(let type) = base.type {
            if name == "className", arguments.isEmpty, type.isObject {
                return Lowered(runtime("classNameOf", at: node, base.js), .string)
            }
            return try calledOfType(type, name, arguments, expected, at: node)
        }
        try mustBeBridged(name, base, baseNode, at: member.declName)
        if var found = try calledOfValue(base, baseNode, name, arguments, expected, at: node) {
            found.js = sequence(setup, found.js)
            return found
        }
        throw Refusal(
            "‘\(spelled(base.type))’ has no ‘\(name)’ with these arguments that is understood here.",
            at: member.declName)
    }

    /// A call behind a name alone: of `self.init`, of a stub, of what a module has, of the instance that a block belongs to.
    private func called(
        _ name: String, of outer: String, _ arguments: [Argument], _ expected: SwiftType?,
        at node: FunctionCallExprSyntax
    ) throws -> Lowered? {
        if outer == "self", name == "init", context.isInitializer, case .nominal(let number)? = ownerType {
            if declarations.nominals[number].kind == .classType {
                return try initialized(by: declarations.nominals[number], arguments, at: node)
            }
            let value = try make(declarations.nominals[number], arguments, at: node)
            let made = orFail(value)
            return declarations.nominals[number].kind == .enumeration
                ? Lowered(.this.assigned(made), .void) : Lowered(.runtime("assignSelf", .this, made), .void)
        }
        if outer == "self", name == "init", context.isInitializer, case .library(let type, _)? = context.owner {
            let value = try made(type, arguments, expected, at: node)
            return Lowered(.this.assigned(orFail(value)), .void)
        }
        if program.stubs.contains(outer) || program.stubs.contains("\(outer).\(name)"), lookUp(outer) == nil {
            return try stubbed(arguments)
        }
        if ["Foundation", "Swift", "RealmSwift"].contains(outer) {
            return try called(name, arguments, expected, at: node)
        }
        // `self.log(…)` in a block of an instance: the method, without the instance.
        if outer == "self", context.selfValue == nil, let found = try calledImplicitly(name, arguments, at: node) {
            return found
        }
        return nil
    }

    /// What an initializer made; where that is nil, the one that calls it fails, too.
    private func orFail(_ value: Lowered) -> JavaScript {
        value.type.isOptional ? .runtime("orFail", value.js) : value.js
    }

    /// The receiver of a method: where one of the name may change it, with its place, whose steps are done before.
    private func receiver(_ node: ExprSyntax, _ name: String, _ arguments: [Argument]) throws -> (
        setup: [JavaScript], value: Lowered
    ) {
        let mayChange = library.changes(name) || declarations.mutatingNames.contains(name)
        guard mayChange, isPlace(node) else { return ([], try postfix(node, sought(name, arguments, node))) }
        var place = try self.place(node)
        let setup = place.setup
        place.setup = []
        var value = Lowered(
            place.read, place.type, isStored: true, isSimple: place.isSimple, isSelf: place.isSelf)
        if let held = place.held { (value.js, value.isSimple) = (held, true) }
        value.place = place
        return (setup, value)
    }

    /// A call of what is known by how it is written alone: `Result.success(1)`, `(3...).contains(x)`.
    private func calledOfWritten(
        _ base: ExprSyntax, _ name: String, _ arguments: [Argument], _ expected: SwiftType?,
        at node: some SyntaxProtocol
    ) throws -> Lowered? {
        if let wanted = wantedResult(base, expected) {
            return try calledOfType(wanted, name, arguments, expected, at: node)
        }
        return name == "contains" ? try inPartialRange(base, arguments) : nil
    }

    /// `(3...).contains(x)`, of numbers.
    private func inPartialRange(_ node: ExprSyntax, _ arguments: [Argument]) throws -> Lowered? {
        guard let tuple = node.as(TupleExprSyntax.self), tuple.elements.count == 1,
            let range = tuple.elements.first?.expression, arguments.count == 1, arguments[0].label == nil
        else { return nil }
        let bound: ExprSyntax
        let symbol: JavaScript.Operator
        if let from = range.as(PostfixOperatorExprSyntax.self), from.operator.text == "..." {
            (bound, symbol) = (from.expression, .atMost)
        } else if let upTo = range.as(PrefixOperatorExprSyntax.self), ["..<", "..."].contains(upTo.operator.text) {
            (bound, symbol) = (upTo.expression, upTo.operator.text == "..<" ? .greater : .atLeast)
        } else {
            return nil
        }
        var limit = try expression(bound, nil)
        let value = try expression(arguments[0].node, limit.type)
        if limit.type != value.type, isLiteral(bound) { limit = try expression(bound, value.type) }
        guard limit.type == value.type, limit.type.isNumber else { return nil }
        return Lowered(.binary(symbol, limit.js, value.js), .bool)
    }

    /// Whether an expression is of a kind that names a place.
    private func isPlace(_ node: ExprSyntax) -> Bool {
        switch node.kind {
        case .declReferenceExpr, .memberAccessExpr, .subscriptCallExpr, .optionalChainingExpr, .forceUnwrapExpr: true
        case .tupleExpr:
            node.as(TupleExprSyntax.self).map {
                $0.elements.count == 1 && $0.elements.allSatisfy { isPlace($0.expression) }
            }
                ?? false
        default: false
        }
    }

    /// The type of a range or an array of literals that is asked whether it contains a number: `(1..<5).contains(version)`.
    private func sought(_ name: String, _ arguments: [Argument], _ base: ExprSyntax) -> SwiftType? {
        guard name == "contains", arguments.count == 1, arguments[0].label == nil, isLiteral(base),
            let type = typeAlone(of: arguments[0].node).success, type.isNumber
        else { return nil }
        return base.is(ArrayExprSyntax.self) ? .array(type) : .range(type)
    }

    /// `super.method()`, `super.init()`.
    private func calledOfSuper(_ name: String, _ arguments: [Argument], at node: some SyntaxProtocol) throws -> Lowered
    {
        // A class of Foundation has nothing to begin with here.
        if name == "init", arguments.isEmpty, case .nominal(let owner)? = context.owner,
            declarations.superclass(of: owner) == nil
        {
            return Lowered(.undefined, .void)
        }
        if context.selfValue == nil, let parent = superclassOfStatics {
            return try calledOfType(nominalType(parent), name, arguments, nil, at: node)
        }
        guard var (parent, this) = superclass else { throw Refusal("‘super’ is not understood here.", at: node) }
        this.place = selfPlace(this)
        if name == "init" { return try initialized(by: parent, arguments, at: node) }
        while true {
            let candidates = parent.members.functions(name, isStatic: false)
            if let found = try overloaded(
                candidates, arguments, .nominal(parent), isStatic: false, receiver: this, at: node)
            {
                return found
            }
            guard let next = declarations.superclass(of: parent) else { break }
            parent = next
        }
        throw Refusal("‘super’ has no ‘\(name)’ with these arguments that is understood here.", at: node)
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
        else {
            return nil
        }
        if program.stubs.contains(path[0]) { return nil }
        // A class that no file declares has its own name, unless the realm has none of it.
        return Lowered(runtime("className", at: node, .text(name)), .string)
    }

    private func calledOfType(
        _ type: SwiftType, _ name: String, _ arguments: [Argument], _ expected: SwiftType?, at node: some SyntaxProtocol
    ) throws -> Lowered {
        if case .nominal(let number) = type {
            let nominal = declarations.nominals[number]
            if nominal.isTemplate {
                let found = try specialized(nominal, calledBy: name, arguments, expected, at: node)
                return try calledOfType(nominalType(found), name, arguments, expected, at: node)
            }
            try mustNotHide(name, of: nominal, at: node)
            var scope: Nominal? = declarations.nominals[number]
            while let nominal = scope {
                if let element = nominal.members.cases.first(where: { $0.name.identifierText == name }),
                    element.parameterClause != nil
                {
                    return try makeCase(element, of: nominal, arguments, at: node)
                }
                if let found = try overloaded(
                    nominal.members.functions(name, isStatic: true), arguments, .nominal(nominal), isStatic: true,
                    receiver: nil, at: node)
                {
                    return found
                }
                scope = declarations.superclass(of: nominal)
            }
            if let found = try calledOfProtocols(declarations.nominals[number], name, arguments, at: node) {
                return found
            }
        }
        for key in extensionNames(type) {
            let candidates = declarations.extensions[key]?.functions(name, isStatic: true) ?? []
            if let found = try overloaded(
                candidates, arguments, .library(type, key), isStatic: true, receiver: nil, at: node)
            {
                return found
            }
        }
        let entries = library.statics(name).filter { $0.parameters != nil }
        if let found = try libraryCall(entries, Lowered(.undefined, type), arguments, expected, at: node) {
            return found
        }
        if let value = try memberOfType(type, name, at: node), case .function = value.type {
            return try apply(value, arguments, at: node)
        }
        throw Refusal("‘\(spelled(type))’ has no ‘\(name)’ with these arguments that is understood here.", at: node)
    }

    /// The parameters of a case of an enumeration.
    func caseParameters(_ element: EnumCaseElementSyntax, of nominal: Nominal) throws -> [Parameter] {
        let labels = (element.parameterClause?.parameters ?? []).map { $0.firstName?.identifierText }
        return try zip(labels, caseTypes(element, of: nominal)).map { label, type in
            Parameter(label: label == "_" ? nil : label, name: "_", type: type)
        }
    }

    private func makeCase(
        _ element: EnumCaseElementSyntax, of nominal: Nominal, _ arguments: [Argument], at node: some SyntaxProtocol
    ) throws -> Lowered {
        let values = try bind(arguments, to: caseParameters(element, of: nominal), at: node).values
        return Lowered(
            .runtime("made", descriptor(.nominal(nominal.number)), .text(element.name.identifierText), .array(values)),
            .nominal(nominal.number), isFresh: true)
    }

    func calledOfValue(
        _ base: Lowered, _ baseNode: ExprSyntax, _ name: String, _ arguments: [Argument], _ expected: SwiftType?,
        at node: some SyntaxProtocol
    ) throws -> Lowered? {
        if case .nominal(let number) = base.type {
            let nominal = declarations.nominals[number]
            if let found = try calledOfNominal(nominal, base, name, arguments, at: node) { return found }
            if let found = try calledOfOptions(base, name, arguments, at: node) { return found }
            if let own = try ownSequence(base, at: node),
                let found = try libraryCall(library.methods(name), own, arguments, expected, at: node)
            {
                return found
            }
            if let value = try memberOfValue(base, name, at: node), case .function = value.type {
                return try apply(value, arguments, at: node)
            }
        }
        if case .tuple = base.type, let value = try memberOfValue(base, name, at: node) {
            return try apply(value, arguments, at: node)
        }
        try mustBeOne(base.type, at: node) { $0.functions(name, isStatic: false).map { Syntax($0) } }
        for key in extensionNames(base.type) {
            let candidates = declarations.extensions[key]?.functions(name, isStatic: false) ?? []
            let found = try calledOfExtension(candidates, arguments, .library(base.type, key), base, at: node) {
                try calledOfLibrary(base, baseNode, name, arguments, expected, at: node)
            }
            if let found { return found }
        }
        return try calledOfLibrary(base, baseNode, name, arguments, expected, at: node)
    }

    /// A method that the library has.
    func calledOfLibrary(
        _ base: Lowered, _ baseNode: ExprSyntax, _ name: String, _ arguments: [Argument], _ expected: SwiftType?,
        at node: some SyntaxProtocol
    ) throws -> Lowered? {
        if base.type == .object, let found = try calledOfObject(base, name, arguments, at: node) { return found }
        // An extension of all sequences keeps an array of one.
        if name == "filter", isOfSequence(base.type), let view = sequenceView(base) {
            return try libraryCall(library.methods(name), view, arguments, expected, at: node)
        }
        let entries = library.methods(name)
        if let found = try libraryCall(entries, base, arguments, expected, at: node, baseNode: baseNode) {
            return found
        }
        if let text = textView(base),
            let found = try libraryCall(
                entries.filter { $0.change == .none && !$0.usesIndices }, text, arguments, expected, at: node)
        {
            return found
        }
        if let view = sequenceView(base),
            var found = try libraryCall(entries.filter { $0.change == .none }, view, arguments, expected, at: node)
        {
            // A part of it is a Data, too, and shown as one.
            if base.type == .named("Data"), case .slice = found.type { found.isView = true }
            return found
        }
        if base.type.isOptional {
            var inner = Lowered(runtime("unwrap", at: node, base.js), base.type.unwrapped, isStored: base.isStored)
            inner.place = try base.place.map { try forced($0, at: node) }
            return try calledOfValue(inner, baseNode, name, arguments, expected, at: node)
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

    private func calledOfObject(_ base: Lowered, _ name: String, _ arguments: [Argument], at node: some SyntaxProtocol)
        throws -> Lowered?
    {
        switch (name, arguments.map(\.label)) {
        case ("value", ["forKey"]), ("value", ["forUndefinedKey"]), ("value", ["forKeyPath"]):
            if arguments[0].label == "forKeyPath", isPath(arguments[0].node) {
                let path = try coerced(arguments[0].node, to: .string)
                return Lowered(runtime("valueAtPath", at: node, base.js, path), .optional(.any))
            }
            return try property(base, arguments[0].node, at: node)
        case ("setValue", [nil, "forKey"]), ("setValue", [nil, "forUndefinedKey"]), ("setValue", [nil, "forKeyPath"]):
            let value = try coerced(arguments[0].node, to: .optional(.any))
            let key = try coerced(arguments[1].node, to: .string)
            let isPath = arguments[1].label == "forKeyPath" && isPath(arguments[1].node)
            let function = isPath ? "setValueAtPath" : "setProperty"
            return Lowered(runtime(function, at: node, base.js, key, value), .void)
        case ("setValuesForKeys", [nil]):
            let type = SwiftType.dictionary(.string, .any)
            let values = try coerced(arguments[0].node, to: type)
            return Lowered(runtime("setProperties", at: node, base.js, values), .void)
        default: return nil
        }
    }
}
