import SwiftSyntax

extension Lowering {

    // MARK: Members

    func member(_ node: MemberAccessExprSyntax, _ expected: SwiftType?) throws -> Lowered {
        let name = node.declName.baseName.identifierText
        guard let baseNode = node.base else { return try implicit(name, expected, at: node) }
        if isStub(node) { return Lowered(.undefined, .stub) }
        if isDynamicType(baseNode) {
            if let found = try staticOfObject(name, at: node) { return found }
            try mustNotBeOverridden(name, at: node.declName)
        }
        if baseNode.is(SuperExprSyntax.self), let (parent, this) = superclass,
            let found = try storedMember(parent, this, name, at: node)
        {
            return found
        }
        if baseNode.is(SuperExprSyntax.self), let parent = superclassOfStatics,
            let found = try staticMember(name, of: parent)
        {
            return found
        }
        if name == "self" {
            if let type = try namedType(baseNode) { return try metatype(type, at: node) }
            if let unknown = unknownClass(baseNode, expected) { return unknown }
        }
        if name == "init", let type = try namedType(baseNode),
            let made = try initializer(of: type, expected, node.declName.argumentNames, at: node)
        {
            return made
        }
        if name == "init", let outer = baseNode.as(DeclReferenceExprSyntax.self)?.baseName.identifierText,
            let generic = Self.generics[outer], declarations.types[outer] == nil,
            let made = try initializer(of: generic, expected, node.declName.argumentNames, at: node)
        {
            return made
        }
        if var nominal = nominal(baseNode) {
            if nominal.isTemplate { nominal = try specialized(nominal, Call(name, [], expected, at: node)) { nil } }
            if let found = try staticMember(name, of: nominal) { return found }
        }
        if let type = try namedType(baseNode) {
            if type.isOptional, name == "none" { return Lowered(.null, type) }
            if let found = try memberOfType(type, name, at: node) { return found }
            throw missing(name, of: .metatype(type), at: node.declName)
        }
        // A module's name before one of its own.
        if let module = baseNode.as(DeclReferenceExprSyntax.self)?.baseName.text,
            ["Foundation", "Swift", "RealmSwift"].contains(module)
        {
            return try reference(name, at: node)
        }
        let base = try postfix(baseNode, nil)
        if base.type == .stub { return Lowered(.undefined, .stub) }
        if name == "self" { return base }
        if case .metatype(let type) = base.type {
            if let found = try memberOfType(type, name, at: node) { return found }
            if type == ownerType, let found = try instanceConstant(name) { return found }
        }
        try mustBeBridged(name, base, baseNode, at: node.declName)
        if let found = try memberOfValue(base, name, at: node) { return found }
        if let found = try method(name, of: base, expected, node.declName.argumentNames, at: node) { return found }
        throw missing(name, of: base.type, at: node.declName)
    }

    /// The refusal of a member that a type has not, or none that is understood.
    func missing(_ name: String, of type: SwiftType, isCalled: Bool = false, at node: some SyntaxProtocol) -> Refusal {
        var type = type
        if case .metatype(let inner) = type {
            guard inner != .any else {
                return Refusal(
                    "Which type this is the value tells at run time: name the type before ‘\(name)’.", at: node)
            }
            let isMethod =
                appType(inner).map { lineage(of: $0).contains { !$0.members.functions(name, isStatic: false).isEmpty } }
                ?? !library.methods(name).isEmpty
            guard !isMethod || isCalled else {
                return Refusal(
                    "A method of no value is not understood: write a closure, as in ‘{ $0.\(name)() }’.", at: node)
            }
            type = inner
        }
        let remedy =
            appType(type) == nil
            ? "do it by other members, or by a function of your own" : "add the file that declares it"
        return Refusal(
            "‘\(spelled(type))’ has no ‘\(name)’ \(isCalled ? "with these arguments " : "")that is understood here: \(remedy).",
            at: node)
    }

    private func implicit(_ name: String, _ expected: SwiftType?, at node: some SyntaxProtocol) throws -> Lowered {
        guard let wanted = expected else {
            throw Refusal("The type of ‘.\(name)’ can't be told here: write it before the dot.", at: node)
        }
        if wanted.isOptional, name == "none" { return Lowered(.null, wanted) }
        if let found = try memberOfType(wanted.unwrapped, name, at: node) { return found }
        throw missing(name, of: .metatype(wanted.unwrapped), at: node)
    }

    /// A static member, or a case of an enumeration.
    func memberOfType(_ type: SwiftType, _ name: String, at node: some SyntaxProtocol) throws -> Lowered? {
        if let nominal = appType(type) {
            try mustNotHide(name, of: nominal, at: node)
            if let found = try staticMember(name, of: nominal) { return found }
        }
        for key in extensionNames(type) {
            if let variable = declarations.extensions[key]?.variable(name, isStatic: true) {
                return try global(variable, in: .library(type, key))
            }
        }
        for entry in library.statics(name) where entry.parameters == nil {
            var variables: [String: SwiftType] = [:]
            guard let receiver = entry.receiver, receiver.match(type, &variables) else { continue }
            return Lowered(
                filled(entry, .undefined, [], variables, type), entry.result.replacing(variables), isSimple: false)
        }
        return nil
    }

    func staticMember(_ name: String, of nominal: Nominal) throws -> Lowered? {
        let type = nominalType(nominal)
        if let element = nominal.members.cases.first(where: { $0.name.identifierText == name }) {
            guard element.parameterClause == nil else {
                let types = try caseTypes(element, of: nominal)
                let names = types.indices.map { JavaScript.name("x\($0)") }
                return Lowered(
                    .arrow(names, .runtime("made", descriptor(type), .text(name), .array(names))),
                    .function(types, type))
            }
            return Lowered(descriptor(type).field("cases").field(fieldName(name)), type, isSimple: true)
        }
        if nominal.kind == .enumeration, name == "allCases", nominal.members.variable(name, isStatic: true) == nil {
            return Lowered(descriptor(type).method("all"), .array(type))
        }
        if let variable = nominal.members.variable(name, isStatic: true) {
            return try global(variable, in: .nominal(nominal))
        }
        if let function = nominal.members.functions(name, isStatic: true).first {
            let signature = try self.signature(of: function, in: .nominal(nominal), isStatic: true)
            return Lowered(signature.js, signature.type, isSimple: true)
        }
        if let parent = declarations.superclass(of: nominal) { return try staticMember(name, of: parent) }
        for owner in lineage(of: nominal) where owner.kind == .protocolType {
            if let variable = owner.members.variables.first(where: {
                $0.name == name && $0.isStatic && ($0.getter != nil || $0.binding.initializer != nil)
            }) {
                return try global(variable, in: .library(type, owner.path))
            }
        }
        return nil
    }

    /// A property of a value; nil where it has none of the name.
    func memberOfValue(_ base: Lowered, _ name: String, at node: some SyntaxProtocol) throws -> Lowered? {
        switch base.type {
        case .stub: return Lowered(.undefined, .stub)
        case .tuple(let elements):
            guard let index = Int(name) ?? elements.firstIndex(where: { $0.label == name }),
                elements.indices.contains(index)
            else { return nil }
            return Lowered(
                base.js[index], elements[index].type, ownership: base.ownership,
                isSimple: base.isSimple)
        case .nominal(let number):
            let nominal = declarations.nominals[number]
            try mustNotBeHidden(name, of: nominal, at: node)
            if let (type, _) = try dynamicProperty(nominal, name, isSet: false, at: node) {
                return Lowered(
                    runtime("called", at: node, base.js, .text("get " + name), .array([])), type, ownership: .borrowed)
            }
            if let found = try storedMember(nominal, base, name, at: node) { return found }
            if nominal.kind == .enumeration, name == "rawValue",
                let raw = nominal.inheritedNames.first.flatMap(SwiftType.scalar)
            {
                _ = descriptor(base.type)
                return Lowered(base.js.field("raw"), raw)
            }
            if let found = optionProperty(base, name) { return found }
            if name == "hashValue" { return nil }
            if name == "localizedDescription" {
                describes(base.type)
                return Lowered(.runtime("localized", base.js), .string)
            }
        case .model(let number):
            // No object of a realm is of a class of the app: code that reads one is there, and isn't reached.
            if let (variable, owner) = property(name, of: declarations.nominals[number]), !variable.isComputed,
                !variable.isLazy
            {
                return Lowered(
                    runtime("unreadable", at: node, base.js, .text(name)), try fieldType(variable, of: owner))
            }
        default: break
        }
        if let found = try extensionProperty(name, of: base.type) {
            return Lowered(found.getter.called([base.js]).marked(mark(node)), found.type, ownership: .moved)
        }
        if let found = try libraryProperty(base, name, at: node) { return found }
        if let text = textView(base), !usesIndices(name), let found = try libraryProperty(text, name, at: node) {
            return found
        }
        if let inner = sequenceView(base), let found = try libraryProperty(inner, name, at: node) { return found }
        if base.type == .object, !Self.objectMembers.contains(name) {
            return property(base, .text(name), plain: Self.plainName(name), at: node)
        }
        // A type with ‘!’ is taken for what it wraps, where optionals have no such member themselves.
        if base.type.isOptional {
            return try memberOfValue(
                Lowered(runtime("unwrap", at: node, base.js), base.type.unwrapped, ownership: base.ownership.ofPart),
                name,
                at: node)
        }
        return nil
    }

    /// A property that the type of the expression tells; nil where it has none of the name.
    private func storedMember(_ nominal: Nominal, _ base: Lowered, _ name: String, at node: some SyntaxProtocol) throws
        -> Lowered?
    {
        guard let (variable, owner) = property(name, of: nominal) else { return nil }
        let type = try fieldType(variable, of: owner)
        if variable.declaration.modifiers.has(.weak) { try mustBeHeld(type, name, at: node) }
        if variable.isComputed {
            let place = self.owner(of: Syntax(variable.binding), in: owner, for: nominal)
            let (getter, _) = try accessors(variable, in: place, type)
            calls += 1
            return Lowered(getter.called([base.js]).marked(mark(node)), type, ownership: .moved)
        }
        if variable.isLazy {
            let reader = try lazyReader(of: variable, in: owner, type, at: node)
            return Lowered(reader.called([base.js]).marked(mark(node)), type, ownership: .borrowed)
        }
        var ownership = base.ownership
        if nominal.kind == .classType { ownership = max(ownership, variable.isConstant ? .shared : .borrowed) }
        return Lowered(base.js.field(fieldName(name)), type, ownership: ownership)
    }

    /// A property of the app's type and the type that declares it: itself, a superclass, a protocol's extension.
    func property(_ name: String, of nominal: Nominal) -> (VariableDeclaration, Nominal)? {
        for owner in lineage(of: nominal) {
            if let variable = owner.members.implementation(name) { return (variable, owner) }
        }
        return nil
    }

    /// A property of the library; nil where the type has none of the name.
    func libraryProperty(_ base: Lowered, _ name: String, at node: some SyntaxProtocol) throws -> Lowered? {
        for entry in library.properties(name) {
            var variables: [String: SwiftType] = [:]
            guard let receiver = entry.receiver, receiver.match(base.type, &variables) else { continue }
            if name == "description" || name == "debugDescription" {
                try mustBeShowable(base, at: node)
                try mustHaveText(base.type, at: node)
            }
            if name == "localizedDescription", node.log.map(declarations.declaresFunction) ?? true {
                return Lowered(.runtime("localizedText", base.js).marked(mark(node)), .string, ownership: .moved)
            }
            let result = try lazily(self.result(of: entry, variables, at: node), entry, base.type, at: node)
            let mayBePart = entry.template.isValue || mayHoldPart(of: base.type, result)
            var value = Lowered(
                filled(entry, base.js, [], variables, base.type).marked(mark(node)),
                result, ownership: mayBePart ? base.ownership : .moved)
            value.isView = entry.isView
            return value
        }
        return nil
    }

    /// A part of a text as a text of its own; nil of every other value.
    func textView(_ base: Lowered) -> Lowered? {
        base.type == .substring ? Lowered(base.js.field("text"), .string) : nil
    }

    /// Whether the library has a property of texts by this name that gives indices.
    private func usesIndices(_ name: String) -> Bool { library.properties(name).contains { $0.usesIndices } }

    /// A sequence as an array, which has all that sequences have.
    func sequenceView(_ base: Lowered) -> Lowered? {
        switch base.type {
        case .slice, .set, .dictionary, .list, .realmSet, .realmMap, .string, .substring, .range, .closedRange,
            .named("Data"):
            guard let (js, element) = iterated(ofLibrary: base) else { return nil }
            return Lowered(js, .array(element), ownership: isCopied(element) ? base.ownership.ofPart : .shared)
        default: return nil
        }
    }

    /// The functions that read and set a computed property.
    func accessors(
        _ variable: VariableDeclaration, in owner: FunctionContext.Owner, _ type: SwiftType
    ) throws -> (getter: JavaScript, setter: JavaScript?) {
        try mustBePlain(variable.declaration.attributes)
        guard let body = variable.getter else {
            throw Refusal("The property has no getter here.", at: variable.binding)
        }
        let getter = once(
            FunctionKey(variable.binding.id, in: owner), "get_" + variable.name,
            methodContext(owner, type, isMutating: false), at: variable.binding
        ) { [self] in .function($0, [.this], self.body(body)) }
        guard let setter = variable.setter, let body = setter.body else { return (getter, nil) }
        let made = once(
            FunctionKey(setter.id, in: owner), "set_" + variable.name, methodContext(owner, .void, isMutating: true),
            at: variable.binding
        ) { [self] name in
            let value = JavaScript.name(declare(setter.parameters?.name.identifierText ?? "newValue", type))
            return .function(name, [.this, value], self.body(body.statements))
        }
        return (getter, made)
    }
}

extension SyntaxProtocol {
    /// The function that prints or logs what it stands in, which goes nowhere else; nil where none does.
    fileprivate var log: String? {
        let statement = ancestors.prefix { !$0.is(CodeBlockItemSyntax.self) }
        let callee = statement.compactMap { $0.as(FunctionCallExprSyntax.self)?.calledExpression }.last
        let name =
            callee?.as(DeclReferenceExprSyntax.self)?.baseName
            ?? callee?.as(MemberAccessExprSyntax.self)?.declName.baseName
        return name.flatMap { Self.logs.contains($0.identifierText) ? $0.identifierText : nil }
    }

    private static var logs: Set<String> {
        [
            "print", "debugPrint", "NSLog", "os_log", "log", "trace", "debug", "info", "notice", "warning", "error",
            "fault", "critical", "fatalError", "assertionFailure", "preconditionFailure",
        ]
    }
}
