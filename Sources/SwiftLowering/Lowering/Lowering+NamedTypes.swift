import SwiftSyntax

extension Lowering {
    /// The type that an expression names; nil where it names none.
    ///
    /// - Throws: `Refusal` where it names one whose parts are not understood.
    func namedType(_ node: ExprSyntax) throws -> SwiftType? {
        if let reference = node.as(DeclReferenceExprSyntax.self) {
            let name = reference.baseName.identifierText
            if name == "Self", let owner = ownerType { return owner }
            guard !program.stubs.contains(name), lookUp(name) == nil || nominal(named: name) != nil,
                name.first?.isUppercase ?? false
            else { return nil }
            return try knownType(name)
        }
        if let member = node.as(MemberAccessExprSyntax.self), let base = member.base {
            let name = member.declName.baseName.identifierText
            if Self.modules.contains(base.spelling) { return try knownType(name) }
            if let found = SwiftType.nested("\(base.spelling).\(name)") { return found }
            guard let outer = nominal(base) else { return nil }
            if let alias = outer.typealiases[name] { return try within(outer) { try type(alias) } }
            return outer.nested[name].map { nominalType($0) }
        }
        if let specialized = node.as(GenericSpecializationExprSyntax.self) { return try specializedType(specialized) }
        if let array = node.as(ArrayExprSyntax.self), array.elements.count == 1, let only = array.elements.first {
            return try namedType(only.expression).map { .array($0) }
        }
        if let dictionary = node.as(DictionaryExprSyntax.self), case .elements(let list) = dictionary.content,
            list.count == 1, let only = list.first
        {
            guard let key = try namedType(only.key), let value = try namedType(only.value) else { return nil }
            return .dictionary(key, value)
        }
        if let tuple = node.as(TupleExprSyntax.self), tuple.elements.count > 1 {
            let parts = try tuple.elements.compactMap { element in
                try namedType(element.expression).map {
                    SwiftType.Element(label: element.label?.identifierText, type: $0)
                }
            }
            return parts.count == tuple.elements.count ? .tuple(parts) : nil
        }
        if let optional = node.as(OptionalChainingExprSyntax.self) {
            return try namedType(optional.expression)?.optional
        }
        if let typed = node.as(TypeExprSyntax.self) { return try type(typed.type) }
        return nil
    }

    /// The modules whose names may stand before a type's.
    private static let modules: Set<String> = ["Foundation", "RealmSwift", "Swift"]

    /// A type of the library with its arguments: `List<Dog>`.
    private func specializedType(_ node: GenericSpecializationExprSyntax) throws -> SwiftType? {
        var name = node.expression.spelling
        if let member = node.expression.as(MemberAccessExprSyntax.self), let module = member.base?.spelling,
            Self.modules.contains(module)
        {
            name = member.declName.baseName.identifierText
        }
        let arguments = try node.genericArgumentClause.arguments.compactMap { argument -> SwiftType? in
            guard let spelled = argument.argument.as(TypeSyntax.self) else { return nil }
            // A collection of a class that no file declares is one all the same.
            if name == "List" || name == "MutableSet", let plain = spelled.as(IdentifierTypeSyntax.self),
                plain.genericArgumentClause == nil, try knownType(plain.name.identifierText) == nil
            {
                return .named(plain.name.identifierText)
            }
            return try type(spelled)
        }
        if let template = template(named: name) { return nominalType(try specialized(template, arguments, at: node)) }
        if name == "Result", arguments.count == 2, nominal(named: name) == nil {
            return try result(arguments[0], arguments[1], at: node)
        }
        let found = SwiftType.named(name, arguments)
        if case .named(let other) = found, !["RealmProperty", "RealmOptional"].contains(other) { return nil }
        return found
    }

    /// The app's type that an expression names, model classes among them; nil where it names none.
    func nominal(_ node: ExprSyntax) -> Nominal? {
        if let generic = node.as(GenericSpecializationExprSyntax.self),
            case .nominal(let number)? = attempt({ try specializedType(generic) }).success?.value
        {
            return declarations.nominals[number]
        }
        if let reference = node.as(DeclReferenceExprSyntax.self) {
            let name = reference.baseName.identifierText
            if name == "Self", case .nominal(let owner) = context.owner { return owner }
            return lookUp(name) == nil || lookUp(name)?.nominal != nil ? nominal(named: name) : nil
        }
        guard let member = node.as(MemberAccessExprSyntax.self), let base = member.base else { return nil }
        return nominal(base)?.nested[member.declName.baseName.identifierText]
    }

    /// A type as a value.
    func metatype(_ type: SwiftType, at node: some SyntaxProtocol) throws -> Lowered {
        // Only the name of an app's type is asked for.
        switch type {
        case .nominal(let number):
            let nominal = declarations.nominals[number]
            return Lowered(
                .runtime("modelType", .text(nominal.path), .text(nominal.shownName), .bool(true)), .metatype(type),
                isSimple: true)
        case .array, .set, .dictionary, .optional, .tuple, .function, .range, .closedRange, .list, .realmSet, .realmMap:
            throw Refusal("The type ‘\(spelled(type))’ is not understood as a value.", at: node)
        default: return Lowered(descriptor(type), .metatype(type), isSimple: true)
        }
    }

    /// A class that no file declares, where a model class is wanted: `Dog.self`.
    func unknownClass(_ node: ExprSyntax, _ expected: SwiftType?) -> Lowered? {
        guard expected == .metatype(.object), let name = node.as(DeclReferenceExprSyntax.self)?.baseName.identifierText,
            lookUp(name) == nil, name.first?.isUppercase ?? false
        else { return nil }
        return Lowered(
            .runtime("modelType", .text(name), .text(name), .bool(false)), .metatype(.object), isSimple: true)
    }

    /// Whether a member is named in the stubs: by its path, or by its own name where it is one of `self` or of a type.
    func isStub(_ node: MemberAccessExprSyntax) -> Bool {
        guard !program.stubs.isEmpty else { return false }
        if program.stubs.contains(node.bareSpelling) { return true }
        let owner = node.base?.as(DeclReferenceExprSyntax.self)?.baseName.identifierText ?? ""
        return (owner == "self" || owner.first?.isUppercase ?? false)
            && program.stubs.contains(node.declName.baseName.identifierText)
    }

    /// The members that Realm's objects have of their own: no property of a realm is reached by such a name behind a dot.
    static let objectMembers: Set<String> = [
        "realm", "objectSchema", "isInvalidated", "isFrozen", "description", "debugDescription", "hash", "className",
        "superclass", "self", "observationInfo", "isSameObject", "hashValue",
    ]
}
