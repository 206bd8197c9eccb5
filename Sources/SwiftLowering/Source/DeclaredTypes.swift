import SwiftSyntax

/// A type that the app declares.
final class Nominal {
    enum Kind { case structure, enumeration, classType, protocolType }

    let number: Int
    let name: String
    let kind: Kind
    let node: Syntax
    /// The type that it stands in; nil at the top of a file.
    let parent: Nominal?
    /// The types behind the colon of its declaration and of its extensions.
    var inherited: [TypeSyntax]
    let attributes: AttributeListSyntax
    var members = Members()
    var nested: [String: Nominal] = [:]
    var typealiases: [String: TypeSyntax] = [:]
    /// The types of the functions around it, where it stands in one.
    var visible: [String: Nominal] = [:]
    /// The protocols of a composition.
    var composed: [Nominal] = []
    /// The names of a generic type's parameters; none of a type that was made of one.
    let generics: [String]
    /// The generic type that it was made of, and what the parameters stand for.
    var template: Nominal?
    var arguments: [SwiftType] = []

    init(
        number: Int, name: String, kind: Kind, node: Syntax, parent: Nominal?, inherited: [TypeSyntax],
        attributes: AttributeListSyntax, generics: [String] = []
    ) {
        (self.number, self.name, self.kind, self.node, self.parent) = (number, name, kind, node, parent)
        (self.inherited, self.attributes, self.generics) = (inherited, attributes, generics)
    }

    /// Whether values of it are of types that are not told: it is generic, or stands in one that is.
    var isTemplate: Bool { template == nil && (!generics.isEmpty || parent?.isTemplate ?? false) }

    /// The name with those of the types that it stands in.
    var path: String { shownPath ?? parent.map { "\($0.path).\(name)" } ?? name }
    /// The name alone, as it is shown.
    var shownName: String { path.split(separator: ".").last.map { String($0) } ?? name }
    /// The name inside of a shown collection, where it is another one.
    var shownPath: String?
    /// Whether the library has it, written in Swift.
    var isOfLibrary: Bool { shownPath?.hasPrefix("Foundation.") ?? false }
    /// The types that the names of a generic type of the library stand for.
    var typeArguments: [String: SwiftType] = [:]

    /// The types that a protocol leaves to those that conform to it.
    var associatedTypes: [String] {
        guard let members = node.as(ProtocolDeclSyntax.self)?.memberBlock.members else { return [] }
        return members.compactMap { $0.decl.as(AssociatedTypeDeclSyntax.self)?.name.identifierText }
    }

    var inheritedNames: [String] { inherited.map { $0.spelling } }
}

/// The members that a type or an extension declares.
struct Members {
    var variables: [VariableDeclaration] = []
    var functions: [FunctionDeclSyntax] = []
    var initializers: [InitializerDeclSyntax] = []
    var cases: [EnumCaseElementSyntax] = []
    var subscripts: [SubscriptDeclSyntax] = []
    var deinitializers: [DeinitializerDeclSyntax] = []

    func variable(_ name: String, isStatic: Bool) -> VariableDeclaration? {
        variables.first { $0.name == name && $0.isStatic == isStatic }
    }

    func functions(_ name: String, isStatic: Bool) -> [FunctionDeclSyntax] {
        functions.filter { $0.name.identifierText == name && $0.modifiers.isStatic == isStatic }
    }
}

/// One name of a `let` or `var`.
struct VariableDeclaration {
    let name: String
    let declaration: VariableDeclSyntax
    let binding: PatternBindingSyntax
    let isStatic: Bool

    /// Its type as it is written: behind its name, or behind the last of several names.
    var annotation: TypeAnnotationSyntax? { declaration.annotation(of: binding) }
    var isConstant: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.let) }
    var isLazy: Bool { declaration.modifiers.contains { $0.name.tokenKind == .keyword(.lazy) } }
    /// The getter's body and the setter, where it is computed.
    var isComputed: Bool {
        guard let block = binding.accessorBlock else { return false }
        return block.getter != nil || block.accessor(.get) != nil
    }
    var hasObservers: Bool { binding.accessorBlock != nil && !isComputed }

    var getter: CodeBlockItemListSyntax? { binding.accessorBlock?.getter }
    var setter: AccessorDeclSyntax? { binding.accessorBlock?.accessor(.set) }

    static func all(_ declaration: VariableDeclSyntax) -> [VariableDeclaration] {
        declaration.bindings.compactMap { binding in
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self) else { return nil }
            return VariableDeclaration(
                name: name.identifier.identifierText, declaration: declaration, binding: binding,
                isStatic: declaration.modifiers.isStatic)
        }
    }
}

extension VariableDeclSyntax {
    /// The type that is written for one of its names: `var x, y: Double`.
    func annotation(of binding: PatternBindingSyntax) -> TypeAnnotationSyntax? {
        for next in bindings.drop(while: { $0.id != binding.id }) {
            if let found = next.typeAnnotation { return found }
            guard next.initializer == nil, next.accessorBlock == nil else { return nil }
        }
        return nil
    }
}

extension TokenSyntax {
    /// A name without the marks that let a keyword be one.
    var identifierText: String { identifier?.name ?? text.filter { $0 != "`" } }
}

extension DeclModifierListSyntax {
    var isStatic: Bool { has(.static) || has(.class) }

    func has(_ keyword: Keyword) -> Bool { contains { $0.name.tokenKind == .keyword(keyword) } }
}
