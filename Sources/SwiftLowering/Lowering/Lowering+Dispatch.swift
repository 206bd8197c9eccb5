import SwiftSyntax

/// Calls whose function the value's own type tells: of protocols, and of classes with subclasses.
extension Lowering {
    /// Whether values of one type of the app are of another one: it conforms to it, or inherits from it.
    func isKind(_ nominal: Nominal, of other: Nominal) -> Bool {
        var seen: Set<Int> = []
        var waiting = [nominal]
        while let next = waiting.popLast() {
            if next === other { return true }
            if !other.composed.isEmpty { return other.composed.allSatisfy { isKind(nominal, of: $0) } }
            guard seen.insert(next.number).inserted else { continue }
            waiting += parents(of: next)
        }
        return false
    }

    /// The app's types behind the colon of a declaration.
    func parents(of nominal: Nominal) -> [Nominal] {
        within(nominal) {
            nominal.inherited.flatMap { type -> [Nominal] in
                let composed = type.as(CompositionTypeSyntax.self)?.elements.map(\.type) ?? [type]
                return composed.compactMap { part in
                    let path = part.pathNames
                    return path.count == 1 ? self.nominal(named: path[0]) : declarations.nominal(path: path)
                }
            }
        }
    }

    /// The app's types, protocols aside, that values of a type may be of.
    func concreteTypes(of nominal: Nominal) -> [Nominal] {
        declarations.nominals.filter {
            $0.kind != .protocolType && !$0.isTemplate && declarations.realmBase(of: $0) == nil
                && isKind($0, of: nominal)
        }
    }

    /// The type itself, what it inherits from, and the protocols of all of them, nearest first.
    func lineage(of nominal: Nominal) -> [Nominal] {
        var all: [Nominal] = []
        var waiting = [nominal]
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            guard !all.contains(where: { $0 === next }) else { continue }
            all.append(next)
            waiting += parents(of: next)
        }
        // Classes come before protocols: what a class has counts more than an extension's.
        return all.filter { $0.kind != .protocolType } + all.filter { $0.kind == .protocolType }
    }

    /// The protocols that a type conforms to, nearest first.
    func protocols(of nominal: Nominal) -> [Nominal] { lineage(of: nominal).filter { $0.kind == .protocolType } }

    /// The classes that inherit from one; none of any other type.
    func subclasses(of nominal: Nominal) -> [Nominal] {
        guard nominal.kind == .classType else { return [] }
        return declarations.nominals.filter { $0 !== nominal && $0.kind == .classType && isKind($0, of: nominal) }
    }

    /// A method of a value of one of the app's types; nil where it has none of the name with these arguments.
    func calledOfNominal(_ nominal: Nominal, _ receiver: Lowered, _ call: Call) throws -> Lowered? {
        for owner in lineage(of: nominal) {
            let candidates = owner.members.functions(call.name, isStatic: false)
            let fitting = candidates.filter { labels(of: $0.signature.parameterClause, fit: call) }
            guard let first = fitting.first else { continue }
            let isAdded = isAdded({ !$0.members.methods(like: first).isEmpty }, by: owner, to: nominal)
            if isInGeneric, owner.kind != .protocolType,
                isAdded || isHidden(first, of: nominal) || isHiddenByExtension(first)
            {
                throw Refusal(
                    "Which ‘\(call.name)’ a generic function calls is not known here: give one of them another name.",
                    at: call.node)
            }
            try mustBeAlone(fitting, of: owner, nominal, call)
            let isOfEach = !isDynamic(first, of: nominal) && isOfEachType(owner, nominal)
            guard isOfEach || isDynamic(first, of: nominal) else {
                return try overloaded(
                    candidates.filter { $0.body != nil }, call, self.owner(of: Syntax(first), in: owner, for: nominal),
                    isStatic: false, receiver: receiver)
            }
            // Only members that the protocol asks for count: extensions give others to types without it.
            var (asking, asked) = (owner, fitting)
            if owner.kind == .protocolType, !isOfEach {
                // An extension of one protocol may give what another one asks for, from which it inherits.
                let wishes = { (type: Nominal) in type.members.methods(like: first).filter { $0.body == nil } }
                asking = lineage(of: owner).first { !wishes($0).isEmpty } ?? owner
                asked = wishes(asking)
            }
            guard let only = asked.first, asked.count == 1 else {
                throw Refusal(
                    "Several methods ‘\(call.name)’ with these labels are not understood here: give them other names.",
                    at: call.node)
            }
            return try calledDynamically(only, of: asking, as: nominal, receiver, call, isGiven: isOfEach)
        }
        return nil
    }

    /// Refuses a method that another type of the line has, too, of other types: the compiler looks at all of them.
    private func mustBeAlone(_ found: [FunctionDeclSyntax], of owner: Nominal, _ nominal: Nominal, _ call: Call) throws
    {
        let spelled = { (function: FunctionDeclSyntax) in
            function.signature.parameterClause.parameters.map { $0.type.spelling }
        }
        let known = Set(found.map(spelled))
        for other in lineage(of: nominal) where other !== owner {
            for function in other.members.functions(call.name, isStatic: false)
            where labels(of: function.signature.parameterClause, fit: call) && !known.contains(spelled(function))
                && function.genericParameterClause == nil && function.body != nil
            {
                throw Refusal(
                    "Methods ‘\(call.name)’ of ‘\(owner.path)’ and ‘\(other.path)’ take values of different types: "
                        + "give them other names.", at: call.node)
            }
        }
    }

    /// Refuses a property that a protocol's extension has and the type, too: generic code reads that of the protocol.
    func mustNotBeHidden(_ name: String, of nominal: Nominal, at node: some SyntaxProtocol) throws {
        guard isInGeneric, nominal.kind != .protocolType, let (_, owner) = property(name, of: nominal),
            owner.kind != .protocolType
        else { return }
        if case .library(.nominal, let key)? = context.owner,
            declarations.extensions[key]?.variable(name, isStatic: false) != nil
        {
            throw Refusal(
                "Which ‘\(name)’ an extension of ‘\(key)’ reads is not known here: give one of them another name.",
                at: node)
        }
        let same = protocols(of: nominal).compactMap { $0.members.variable(name, isStatic: false) }
        let isAdded = isAdded({ $0.members.variable(name, isStatic: false) != nil }, by: owner, to: nominal)
        if isAdded || !same.isEmpty && same.allSatisfy({ $0.getter != nil }) {
            throw Refusal(
                "Which ‘\(name)’ a generic function reads is not known here: give one of them another name.", at: node)
        }
    }

    /// Whether a protocol's extension has a method of the same name that no type's own takes the place of.
    private func isHidden(_ function: FunctionDeclSyntax, of nominal: Nominal) -> Bool {
        let same = protocols(of: nominal).flatMap { $0.members.methods(like: function) }
        return !same.isEmpty && same.allSatisfy { $0.body != nil }
    }

    /// Whether the extension of a protocol of the library in which the code stands has a method of the same name.
    private func isHiddenByExtension(_ function: FunctionDeclSyntax) -> Bool {
        guard case .library(.nominal, let key)? = context.owner else { return false }
        return !(declarations.extensions[key]?.methods(like: function).isEmpty ?? true)
    }

    /// The types that a class has what a protocol asks for from, nearest first.
    ///
    /// The class that conforms decides: where it has a default of the protocol's, what subclasses add is another thing.
    private func witnesses(_ isOwn: (Nominal) -> Bool, of type: Nominal, asked owner: Nominal) -> [Nominal] {
        let all = lineage(of: type)
        guard owner.kind == .protocolType, type.kind == .classType else { return all }
        let classes = all.filter { $0.kind == .classType }
        guard let conforming = classes.lastIndex(where: { isKind($0, of: owner) }),
            !classes[conforming...].contains(where: isOwn)
        else { return all }
        return all.filter { other in !classes[..<conforming].contains { $0 === other } }
    }

    /// Whether a class has a member that is another one than what its superclass conforms to a protocol by.
    private func isAdded(_ has: (Nominal) -> Bool, by owner: Nominal, to nominal: Nominal) -> Bool {
        protocols(of: nominal).contains { asked in
            has(asked)
                && !witnesses({ $0.kind == .classType && has($0) }, of: nominal, asked: asked).contains { $0 === owner }
        }
    }

    /// Whether the value's own type tells which function is called.
    private func isDynamic(_ function: FunctionDeclSyntax, of nominal: Nominal) -> Bool {
        if nominal.kind == .protocolType {
            return lineage(of: nominal).contains { $0.members.methods(like: function).contains { $0.body == nil } }
        }
        return subclasses(of: nominal).contains { !$0.members.methods(like: function).isEmpty }
    }

    /// - Parameter isGiven: whether the extension's own method is called, also of types with one of their own.
    private func calledDynamically(
        _ function: FunctionDeclSyntax, of owner: Nominal, as nominal: Nominal, _ receiver: Lowered,
        _ call: Call, isGiven: Bool
    ) throws -> Lowered {
        let asked = try self.asked(function, of: owner)
        let defaults = function.defaultValues
        let isEven = concreteTypes(of: nominal).flatMap(lineage).allSatisfy { type in
            type.members.methods(like: function).allSatisfy { $0.defaultValues == defaults }
        }
        guard isEven, defaults.allSatisfy({ $0 != "" }) else {
            throw Refusal(
                "A method that has default values is understood where the value's own type tells which one is called if all have the "
                    + "same literals.", at: call.node)
        }
        if function.modifiers.has(.mutating),
            let other = concreteTypes(of: nominal).first(where: { $0.kind == .enumeration })
        {
            throw Refusal(
                "A method that changes its value is not understood here: ‘\(other.path)’ is an enumeration.",
                at: call.node)
        }
        let key =
            (isGiven ? owner.path + "." : "")
            + "\(function.name.identifierText)(\(function.labels.map { ($0 ?? "_") + ":" }.joined()))"
        try ofAllTypes { [self] in
            for type in concreteTypes(of: nominal) where dispatched.insert("\(type.number).\(key)").inserted {
                try addMethod(function, key, asked, of: owner, to: type, isGiven: isGiven)
            }
            for type in libraryTypes(of: nominal) where dispatched.insert("\(spelled(type)).\(key)").inserted {
                try addMethod(function, key, asked, toLibrary: type)
            }
        }
        return try invoke(asked, of: receiver, bind(call, to: asked.parameters), at: call.node) { values in
            .runtime("called", values[0], .text(key), .array(Array(values.dropFirst())))
        }
    }

    /// Has a descriptor say which function a method is, or what reads or sets a property.
    func addMethod(_ key: String, _ function: JavaScript, to descriptor: JavaScript) {
        // The descriptor of a subclass may be on its way still.
        later { [self] in emit(.expression(descriptor.field("methods")[.text(key)].assigned(function))) }
    }

    /// Has the descriptor of a type say which function a method is.
    private func addMethod(
        _ function: FunctionDeclSyntax, _ key: String, _ asked: Signature, of asking: Nominal, to type: Nominal,
        isGiven: Bool
    ) throws {
        let witnesses = witnesses({ !$0.members.methods(like: function).isEmpty }, of: type, asked: asking)
        for holder in isGiven ? [asking] : witnesses {
            guard let found = holder.members.methods(like: function).first(where: { $0.body != nil }) else { continue }
            try mustBeOfOneClass(type, holder, at: found.name)
            let owner = self.owner(of: Syntax(found), in: holder, for: type)
            let signature = try self.signature(of: found, in: owner, isStatic: false)
            guard gives(signature.result, as: asked.result),
                signature.parameters.map(\.type) == asked.parameters.map(\.type)
            else {
                throw Refusal(
                    "‘\(key)’ of ‘\(holder.path)’ has other types than the one that it stands for.", at: found.name)
            }
            addMethod(key, signature.js, to: descriptor(.nominal(type.number)))
            return
        }
    }

    /// Whether a method's result is one of the method that it stands for, as it is: of the same type, or of one below it.
    func gives(_ type: SwiftType, as other: SwiftType) -> Bool {
        if type == other { return true }
        guard case .nominal = type.unwrapped, case .nominal = other.unwrapped else { return false }
        return isKind(type.unwrapped, of: other.unwrapped) && (other.isOptional || !type.isOptional)
    }

    /// The parameters and the result of a method, which may have no body.
    private func asked(_ function: FunctionDeclSyntax, of owner: Nominal) throws -> Signature {
        try inFunction(FunctionContext(owner: .nominal(owner))) {
            Signature(
                name: "", parameters: try parameters(function.signature.parameterClause),
                result: try function.signature.returnClause.map { try type($0.type) } ?? .void,
                isMutating: function.modifiers.has(.mutating),
                mayThrow: function.signature.effectSpecifiers?.throwsClause != nil)
        }
    }

    /// A property of a value whose own type tells which one it is; nil where the type of the expression tells.
    ///
    /// - Returns: its type, and whether each is kept as it is, so that a part of it is changed where it is.
    func dynamicProperty(_ nominal: Nominal, _ name: String, isSet: Bool, at node: some SyntaxProtocol) throws
        -> (type: SwiftType, isDirect: Bool)?
    {
        let holders = lineage(of: nominal).filter { $0.members.variable(name, isStatic: false) != nil }
        guard let owner = holders.first, let asked = owner.members.variable(name, isStatic: false) else { return nil }
        let isAsked =
            nominal.kind == .protocolType
            && holders.contains { holder in
                holder.members.variables.contains {
                    $0.name == name && !$0.isStatic && $0.isComputed && $0.getter == nil
                }
            }
        let isOfEach =
            asked.getter != nil && !isAsked && isOfEachType(owner, nominal)
        guard isAsked || isOfEach || isOverridden(name, below: nominal) else { return nil }
        if isOfEach, let other = concreteTypes(of: nominal).first(where: { property(name, of: $0)?.1 !== owner }) {
            throw Refusal(
                "‘\(other.path)’ and ‘\(owner.path)’ each have a ‘\(name)’: give one of them another name.", at: node)
        }
        let type = try fieldType(asked, of: owner)
        // Of a protocol there may be more types than are known yet.
        let isDirect =
            nominal.kind == .classType
            && concreteTypes(of: nominal).allSatisfy { concrete in
                guard let (found, holder) = property(name, of: concrete) else { return true }
                return !found.isComputed && !isObserved(found, in: holder)
            }
        let place = Syntax(node)
        try ofAllTypes { [self] in
            for concrete in concreteTypes(of: nominal) {
                try addAccessor(of: name, type, isSet: isSet, asked: nominal, to: concrete, at: place)
            }
            guard !isSet else { return }
            for library in libraryTypes(of: nominal) { try addGetter(of: name, type, toLibrary: library, at: place) }
        }
        // A value that is changed in part is read by the getter first.
        if isSet { _ = try dynamicProperty(nominal, name, isSet: false, at: node) }
        return (type, isDirect)
    }

    /// Has the descriptor of a type say how a property is read or set.
    private func addAccessor(
        of name: String, _ type: SwiftType, isSet: Bool, asked: Nominal, to concrete: Nominal, at node: Syntax
    ) throws {
        let holders = witnesses({ $0.members.implementation(name) != nil }, of: concrete, asked: asked)
        guard let holder = holders.first(where: { $0.members.implementation(name) != nil }),
            let found = holder.members.implementation(name),
            dispatched.insert("\(concrete.number).\(isSet ? "set" : "get") \(name)").inserted
        else { return }
        try mustBeOfOneClass(concrete, holder, at: found.binding)
        guard try fieldType(found, of: holder) == type else {
            throw Refusal("‘\(name)’ of ‘\(holder.path)’ has another type than it stands for.", at: found.binding)
        }
        let method =
            try isSet
            ? setter(of: found, in: holder, type) : getter(of: found, in: holder, for: concrete, type, at: node)
        if let method { addMethod((isSet ? "set " : "get ") + name, method, to: descriptor(.nominal(concrete.number))) }
    }

    func getter(
        of variable: VariableDeclaration, in holder: Nominal, for concrete: Nominal, _ type: SwiftType,
        at node: some SyntaxProtocol
    ) throws -> JavaScript {
        if variable.isComputed {
            return try accessors(variable, in: owner(of: Syntax(variable.binding), in: holder, for: concrete), type)
                .getter
        }
        if variable.isLazy { return try lazyReader(of: variable, in: holder, type, at: node) }
        return .arrow([.this], JavaScript.this.field(fieldName(variable.name)))
    }

    /// The function that gives a property a value; nil of one that can be read alone.
    private func setter(of variable: VariableDeclaration, in holder: Nominal, _ type: SwiftType) throws -> JavaScript? {
        if variable.isComputed {
            guard isInPlace(nominalType(holder)) else {
                throw Refusal(
                    "A property of an enumeration that a protocol's stands for can't be set.", at: variable.binding)
            }
            return try accessors(variable, in: .nominal(holder), type).setter
        }
        if isObserved(variable, in: holder) { return try observer(of: variable, in: holder, type) }
        let (field, value) = (JavaScript.this.field(fieldName(of: variable)), JavaScript.name("value"))
        return .closure([.this, value], [.expression(field.assigned(value))])
    }
}

extension Members {
    /// The methods of values with the name and the labels of another one.
    func methods(like other: FunctionDeclSyntax) -> [FunctionDeclSyntax] {
        functions(other.name.identifierText, isStatic: false).filter { $0.labels == other.labels }
    }

    /// A property of values that is more than a protocol's wish.
    func implementation(_ name: String) -> VariableDeclaration? {
        variables.first { $0.name == name && !$0.isStatic && (!$0.isComputed || $0.getter != nil) }
    }
}

extension FunctionDeclSyntax {
    /// The literals that its parameters have where no argument is given, as they are written; nil of a parameter that needs one, and
    /// empty of a value that is no literal.
    fileprivate var defaultValues: [String?] {
        signature.parameterClause.parameters.map { parameter in
            parameter.defaultValue.map { value in
                switch value.value.kind {
                case .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr, .stringLiteralExpr:
                    value.value.spelling
                default: ""
                }
            }
        }
    }

    /// The labels of its parameters; nil where one has none.
    var labels: [String?] {
        signature.parameterClause.parameters.map {
            $0.firstName.identifierText == "_" ? nil : $0.firstName.identifierText
        }
    }
}
