import RealmModel
import SwiftSyntax

extension Lowering {
    /// The type that a piece of source names.
    func type(_ node: TypeSyntax) throws -> SwiftType {
        try step(at: node)
        if let optional = node.as(OptionalTypeSyntax.self) {
            let wrapped = try type(optional.wrappedType)
            if wrapped.isOptional { throw Self.optionalOfOptional(node) }
            return wrapped.optional
        }
        if let optional = node.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return try type(optional.wrappedType).optional
        }
        if let array = node.as(ArrayTypeSyntax.self) { return .array(try type(array.element)) }
        if let dictionary = node.as(DictionaryTypeSyntax.self) {
            return .dictionary(try type(dictionary.key), try type(dictionary.value))
        }
        if let tuple = node.as(TupleTypeSyntax.self) {
            if tuple.elements.isEmpty { return .void }
            if tuple.elements.count == 1, let only = tuple.elements.first { return try type(only.type) }
            return .tuple(
                try tuple.elements.map {
                    SwiftType.Element(label: $0.firstName?.identifierText, type: try type($0.type))
                })
        }
        if let function = node.as(FunctionTypeSyntax.self) {
            return .function(
                try function.parameters.map { isInout($0.type) ? .reference(try type($0.type)) : try type($0.type) },
                try type(function.returnClause.type))
        }
        if let attributed = node.as(AttributedTypeSyntax.self) {
            try mustBePlain(attributed.attributes)
            return try type(attributed.baseType)
        }
        if let composed = node.as(CompositionTypeSyntax.self) { return try composition(composed) }
        if let some = node.as(SomeOrAnyTypeSyntax.self) { return try type(some.constraint) }
        if let meta = node.as(MetatypeTypeSyntax.self) { return .metatype(try type(meta.baseType)) }
        if let member = node.as(MemberTypeSyntax.self) {
            let base = member.baseType.spelling
            if ["RealmSwift", "Foundation", "Swift", "Realm"].contains(base) {
                return try named(member.name.identifierText, member.genericArgumentClause, at: node)
            }
            let path = base.split(separator: ".").map(String.init)
            if path.count == 1, let outer = try base == "Self" ? ownerType : standsFor(base) {
                // The argument tells it, where the type that has it is not told yet.
                if case .variable(let open) = outer { return .variable("\(open).\(member.name.identifierText)") }
                if let found = try associatedType(member.name.identifierText, of: outer) { return found }
                if let part = outer.part(member.name.identifierText) { return part }
            }
            if let nominal = path.count == 1 ? nominal(named: path[0]) : declarations.nominal(path: path) {
                if let nested = nominal.nested[member.name.identifierText] { return nominalType(nested) }
                if let alias = nominal.typealiases[member.name.identifierText] {
                    return try within(nominal) { try type(alias) }
                }
            }
            if let found = SwiftType.nested(node.spelling) { return found }
            throw unknownType(node)
        }
        if let name = node.as(IdentifierTypeSyntax.self) {
            return try named(name.name.identifierText, name.genericArgumentClause, at: node)
        }
        throw unknownType(node)
    }

    /// The type that a name stands for where it is no type's own: a parameter of generic code, or a part of what an extension extends.
    private func standsFor(_ name: String) throws -> SwiftType? {
        if let type = context.typeArguments[name] { return type }
        switch context.owner {
        case .nominal(let owner)?: return try owner.typeArguments[name] ?? associatedType(name, of: ownerType)
        case .library(let type, _)?: return try type.part(name) ?? associatedType(name, of: type)
        case nil: return nil
        }
    }

    /// `A & B`: a protocol that values conform to that conform to both.
    private func composition(_ node: CompositionTypeSyntax) throws -> SwiftType {
        var parts: [(TypeSyntax, Nominal)] = []
        for element in node.elements {
            switch try type(element.type) {
            case .nominal(let number): parts.append((element.type, declarations.nominals[number]))
            // `any` says nothing of a value's members.
            case .any: continue
            case .error, .named("LocalizedError"): continue
            default: throw unknownType(node)
            }
        }
        if parts.count == 1 { return nominalType(parts[0].1) }
        guard !parts.isEmpty, parts.allSatisfy({ $0.1.kind == .protocolType }) else { throw unknownType(node) }
        return .nominal(declarations.composition(of: parts.map(\.1), parts.map(\.0), at: Syntax(node)).number)
    }

    /// Whether a parameter's type says that its place is given.
    func isInout(_ node: TypeSyntax) -> Bool {
        node.as(AttributedTypeSyntax.self)?.specifiers.contains {
            $0.as(SimpleTypeSpecifierSyntax.self)?.specifier.tokenKind == .keyword(.inout)
        } ?? false
    }

    /// Whether a parameter's type says that the argument is worked out when it is asked for.
    func isAutoclosure(_ node: TypeSyntax) -> Bool {
        node.as(AttributedTypeSyntax.self)?.attributes.contains {
            $0.as(AttributeSyntax.self)?.attributeName.spelling == "autoclosure"
        } ?? false
    }

    private func unknownType(_ node: some SyntaxProtocol) -> Refusal {
        let first = String(node.spelling.prefix { $0 != "." })
        if node.ancestors.contains(where: { $0.declaresType(first) }) {
            return Refusal(
                "The type ‘\(node.spelling)’ is not known here: write this for the types that it is used with.",
                at: node)
        }
        return Refusal(
            "The type ‘\(node.spelling)’ is none that is understood here, and no file declares it: add the file that does, or use "
                + "another type.", at: node)
    }

    func named(
        _ name: String, _ clause: GenericArgumentClauseSyntax?, at node: some SyntaxProtocol
    ) throws -> SwiftType {
        let arguments = try (clause?.arguments ?? []).compactMap { argument in
            try argument.argument.as(TypeSyntax.self).map { try type($0) }
        }
        if arguments.isEmpty {
            if name == "Self", let owner = ownerType { return owner }
            // The value tells the type of its elements.
            if let collection = Self.generics[name], try knownType(name) == nil { return collection }
            guard let type = try knownType(name) else { throw unknownType(node) }
            return type
        }
        if let template = template(named: name) { return nominalType(try specialized(template, arguments, at: node)) }
        guard nominal(named: name) == nil else { throw unknownType(node) }
        if let names = declarations.genericAliases[name], let alias = declarations.typealiases[name],
            names.count == arguments.count
        {
            let types = Dictionary(zip(names, arguments), uniquingKeysWith: { $1 })
            return try inFunction(FunctionContext(typeArguments: types)) { try type(alias) }
        }
        if name == "Result", arguments.count == 2 { return try result(arguments[0], arguments[1], at: node) }
        let known = SwiftType.named(name, arguments)
        if case .named = known { throw unknownType(node) }
        return known
    }

    /// A type without arguments by its name; nil where no file and not the library has it.
    func knownType(_ name: String) throws -> SwiftType? {
        if let type = context.typeArguments[name] { return type }
        if case .nominal(let owner)? = context.owner, let type = owner.typeArguments[name] { return type }
        if let found = try associatedType(name, of: ownerType) { return found }
        if case .library(let type, _)? = context.owner, let part = type.part(name) ?? part(name, ofNominal: type) {
            return part
        }
        if let alias = nestedAlias(name) { return try type(alias) }
        if let nominal = nominal(named: name) {
            // An app's own type with the name of Realm's, which has nothing of its own that values could have.
            if name == "Migration", nominal.holdsNothing { return .named("Migration") }
            return nominalType(nominal)
        }
        if let alias = declarations.typealiases[name] { return try type(alias) }
        switch name {
        case "MigrationBlock": return .function([.named("Migration"), .int("UInt64")], .void)
        case "MigrationObjectEnumerateBlock": return .function([.optional(.object), .optional(.object)], .void)
        default: return SwiftType.scalar(name)
        }
    }

    /// The type that an extension of `RawRepresentable` or `CaseIterable` calls `RawValue` or `AllCases`.
    private func part(_ name: String, ofNominal type: SwiftType) -> SwiftType? {
        guard let nominal = appType(type), nominal.kind == .enumeration else { return nil }
        switch name {
        case "RawValue": return nominal.inheritedNames.first.flatMap(SwiftType.scalar)
        case "AllCases": return .array(type)
        default: return nil
        }
    }

    /// The type of the app that a type is, model classes aside; nil of the library's.
    func appType(_ type: SwiftType?) -> Nominal? {
        if case .nominal(let number)? = type { declarations.nominals[number] } else { nil }
    }

    func nominalType(_ nominal: Nominal) -> SwiftType {
        declarations.realmBase(of: nominal) == nil ? .nominal(nominal.number) : .model(nominal.number)
    }

    /// The type whose members are in sight.
    var ownerType: SwiftType? {
        switch context.owner {
        case .nominal(let nominal): nominalType(nominal)
        case .library(let type, _): type
        case nil: nil
        }
    }

    /// A type of the app by its name, as it is seen from where the code stands.
    func nominal(named name: String) -> Nominal? {
        if let local = lookUp(name)?.nominal { return local }
        if case .nominal(let owner) = context.owner {
            for type in owner.andAround {
                if let found = type.nested[name] { return found }
                if type.name == name { return type }
                if let found = type.visible[name] { return found }
            }
        }
        return declarations.types[name]
    }

    /// The generic type of a name, also where the code stands in one that was made of it.
    func template(named name: String) -> Nominal? {
        guard let found = nominal(named: name) else { return nil }
        if let template = found.template { return template }
        return found.generics.isEmpty ? nil : found
    }

    /// An alias that the types around the code declare, where no type of the name is nearer.
    private func nestedAlias(_ name: String) -> TypeSyntax? {
        guard lookUp(name)?.nominal == nil, case .nominal(let owner) = context.owner else { return nil }
        for type in owner.andAround {
            if type.nested[name] != nil || type.name == name { return nil }
            if let found = type.typealiases[name] { return found }
        }
        return nil
    }

    /// Runs a body where the members of a type are in sight.
    func within<Result>(_ nominal: Nominal, _ body: () throws -> Result) rethrows -> Result {
        let before = (context.owner, scopes)
        // A type sees nothing of the function that it is used in.
        (context.owner, scopes) = (.nominal(nominal), [[:]])
        defer { (context.owner, scopes) = before }
        return try body()
    }

    /// The types of an enumeration case's associated values.
    func caseTypes(_ element: EnumCaseElementSyntax, of nominal: Nominal) throws -> [SwiftType] {
        try within(nominal) { try (element.parameterClause?.parameters ?? []).map { try type($0.type) } }
    }

    /// The type of a stored property.
    func fieldType(_ variable: VariableDeclaration, of nominal: Nominal) throws -> SwiftType {
        let key = FunctionKey(variable.binding.id, in: .nominal(nominal))
        if let known = fieldTypes[key] { return known }
        let owner = lineage(of: nominal).first { type in
            type.members.variables.contains { $0.binding.id == variable.binding.id }
        }
        let type = try within(owner ?? nominal) { try self.type(of: variable) }
        fieldTypes[key] = type
        return type
    }

    /// The declared type of a variable, or that of the value that it begins with.
    func type(of variable: VariableDeclaration) throws -> SwiftType {
        try mustBePlain(variable.declaration.attributes)
        if let annotation = variable.annotation {
            let found = try type(annotation.type)
            if !found.hasVariables || variable.binding.initializer == nil { return found }
            return try inFunction(FunctionContext()) {
                try expression(variable.binding.initializer?.value ?? ExprSyntax(NilLiteralExprSyntax()), found).type
            }
        }
        guard let value = variable.binding.initializer?.value else {
            throw Refusal(
                "The type of ‘\(variable.name)’ can't be told: write it behind the name.", at: variable.binding)
        }
        var inner = FunctionContext(owner: context.owner)
        if variable.isLazy, let owner = ownerType { inner.selfValue = Lowered(.this, owner, ownership: .borrowed) }
        return try inFunction(inner) { try expression(value, nil).type }
    }

    func raw(_ value: Value) -> JavaScript {
        switch value {
        case .string(let text): .text(text)
        case .int(let number): .integer(number)
        case .double(let number): .number(number)
        default: .undefined
        }
    }

    /// The name of a type in messages.
    func spelled(_ type: SwiftType) -> String {
        switch type {
        case .int(let name), .named(let name), .variable(let name): name
        case .double: "Double"
        case .float: "Float"
        case .bool: "Bool"
        case .string: "String"
        case .character: "Character"
        case .void: "()"
        case .any: "Any"
        case .never: "Never"
        case .optional(let type): spelled(type) + "?"
        case .array(let type): "[\(spelled(type))]"
        case .slice(let type): "ArraySlice<\(spelled(type))>"
        case .undetermined: "_"
        case .iterator(let type): "an iterator of \(spelled(type))"
        case .lazy(let type, _): "LazySequence<\(spelled(type))>"
        case .set(let type): "Set<\(spelled(type))>"
        case .list(let type): "List<\(spelled(type))>"
        case .realmSet(let type): "MutableSet<\(spelled(type))>"
        case .realmMap(let type): "Map<String, \(spelled(type))>"
        case .range(let type): "Range<\(spelled(type))>"
        case .closedRange(let type): "ClosedRange<\(spelled(type))>"
        case .dictionary(let key, let value): "[\(spelled(key)) : \(spelled(value))]"
        case .tuple(let elements):
            "(" + elements.map { ($0.label.map { $0 + ": " } ?? "") + spelled($0.type) }.joined(separator: ", ") + ")"
        case .function(let parameters, let result):
            "(" + parameters.map { spelled($0) }.joined(separator: ", ") + ") -> " + spelled(result)
        case .metatype(let type): spelled(type) + ".Type"
        case .reference(let type): "inout " + spelled(type)
        case .nominal(let number), .model(let number): spelled(declarations.nominals[number])
        case .stub: "a stub"
        }
    }
}

extension Lowering {
    /// The name of a type of the app in messages: as the app writes it, also where it is shown otherwise.
    private func spelled(_ nominal: Nominal) -> String {
        if nominal.isOfLibrary { return nominal.name }
        guard !nominal.arguments.isEmpty else { return nominal.path }
        return "\(nominal.name)<\(nominal.arguments.map { spelled($0) }.joined(separator: ", "))>"
    }
}

extension Syntax {
    /// Whether it is a declaration that leaves a type to those that use it, by a name: a generic one's, or a protocol's.
    fileprivate func declaresType(_ name: String) -> Bool {
        if let members = self.as(ProtocolDeclSyntax.self)?.memberBlock.members {
            return members.contains {
                $0.decl.as(AssociatedTypeDeclSyntax.self)?.name.identifierText == name
            }
        }
        let clause = asProtocol(WithGenericParametersSyntax.self)?.genericParameterClause
        return clause?.parameters.contains { $0.name.identifierText == name } ?? false
    }
}

extension Nominal {
    /// The type, and those that it stands in, from the inside out.
    var andAround: UnfoldFirstSequence<Nominal> { sequence(first: self, next: \.parent) }

    /// Whether there is nothing that a value of the type could be asked for.
    var holdsNothing: Bool {
        members.variables.allSatisfy(\.isStatic) && members.functions.allSatisfy { $0.modifiers.isStatic }
    }
}
