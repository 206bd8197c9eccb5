import SwiftSyntax

/// The names that one file declares and mentions, as far as another file may have a part in what they mean.
///
/// A type is told by the last name of its path, so that two types of one name are one here.
final class FileNames: SyntaxVisitor {
    /// A member of a type that is not private itself.
    struct Member {
        let type: String
        /// Its name and whether it is static, of a function with the labels: the same for those that can't stand side by side.
        let key: String
        let name: String
        /// The parameters of an initializer; nil of every other member.
        let parameters: [Parameter]?
        let isPrivate: Bool
        let node: Syntax
    }

    struct Parameter {
        var label: String
        var hasDefault: Bool
    }

    /// A call of what may be an initializer: the type's name, none behind a dot alone.
    struct Call: Hashable {
        var type: String
        var labels: [String]
    }

    let file: SourceFile
    let tops: [TopName]
    private(set) var members: [Member] = []
    /// The types that it declares.
    private(set) var types: Set<String> = []
    /// The names behind the colons of types and their extensions.
    private(set) var inherited: [String: Set<String>] = [:]
    /// The names of all declarations, those inside of functions among them.
    private(set) var declared: Set<String> = []
    private(set) var mentioned: Set<String> = []
    /// The mentioned names that are not behind a dot and no labels: all, and those in a type or its extensions.
    private(set) var unqualified: Set<String> = []
    private(set) var unqualifiedInTypes: [String: Set<String>] = [:]
    private(set) var calls: Set<Call> = []
    /// The types around a node, from the outside in.
    private var scopes: [(name: String, isPrivate: Bool)] = []

    init(_ file: SourceFile) {
        self.file = file
        tops = file.trees.flatMap { $0.statements.flatMap { TopName.all(in: $0) } }
        super.init(viewMode: .sourceAccurate)
        for tree in file.trees { walk(tree) }
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { open(node, node.name) }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { open(node, node.name) }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { open(node, node.name) }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { open(node, node.name) }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { open(node, node.name) }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind { open(node, nil) }
    override func visitPost(_ node: StructDeclSyntax) { scopes.removeLast() }
    override func visitPost(_ node: EnumDeclSyntax) { scopes.removeLast() }
    override func visitPost(_ node: ClassDeclSyntax) { scopes.removeLast() }
    override func visitPost(_ node: ActorDeclSyntax) { scopes.removeLast() }
    override func visitPost(_ node: ProtocolDeclSyntax) { scopes.removeLast() }
    override func visitPost(_ node: ExtensionDeclSyntax) { scopes.removeLast() }

    private func open(_ node: some DeclGroupSyntax, _ name: TokenSyntax?) -> SyntaxVisitorContinueKind {
        let type = name?.identifierText ?? node.as(ExtensionDeclSyntax.self)?.extendedType.typeName ?? ""
        if name != nil { types.insert(type) }
        inherited[type, default: []].formUnion(
            node.inheritanceClause?.inheritedTypes.map { $0.type.typeName } ?? [])
        let isOfFile = node.modifiers.isOfFile
        // Others don't see what is in a private type.
        let isHidden = name != nil && isOfFile || scopes.contains { $0.isPrivate }
        if !isHidden { collect(node.memberBlock.members, of: type, isPrivate: isOfFile) }
        scopes.append((type, isHidden))
        return .visitChildren
    }

    private func collect(_ items: MemberBlockItemListSyntax, of type: String, isPrivate: Bool) {
        for item in items { collect(item.decl, of: type, isPrivate: isPrivate) }
    }

    private func collect(_ declaration: DeclSyntax, of type: String, isPrivate: Bool) {
        if let node = declaration.as(IfConfigDeclSyntax.self) {
            for case .decls(let items)? in node.clauses.map(\.elements) {
                collect(items, of: type, isPrivate: isPrivate)
            }
            return
        }
        guard let modifiers = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers else { return }
        func add(_ name: String, _ suffix: String = "", _ parameters: [Parameter]? = nil) {
            members.append(
                Member(
                    type: type, key: "\(modifiers.isStatic) \(name)\(suffix)", name: name, parameters: parameters,
                    isPrivate: isPrivate || modifiers.isOfFile, node: Syntax(declaration)))
        }
        if let node = declaration.as(VariableDeclSyntax.self) {
            for variable in VariableDeclaration.all(node) { add(variable.name) }
        } else if let node = declaration.as(FunctionDeclSyntax.self) {
            add(node.name.identifierText, Self.labels(of: node.signature.parameterClause))
        } else if let node = declaration.as(InitializerDeclSyntax.self) {
            let clause = node.signature.parameterClause
            let parameters = clause.parameters.map {
                Parameter(label: "\($0.firstName.text):", hasDefault: $0.defaultValue != nil)
            }
            add("init", Self.labels(of: clause), parameters)
        } else if let node = declaration.as(SubscriptDeclSyntax.self) {
            // Its labels are none where they are not written twice.
            let labels = node.parameterClause.parameters.map { $0.secondName == nil ? "_:" : "\($0.firstName.text):" }
            add("subscript", labels.joined())
        } else if let node = declaration.as(EnumCaseDeclSyntax.self) {
            for element in node.elements { add(element.name.identifierText) }
        } else if let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name {
            add(name.identifierText)
        }
    }

    private static func labels(of clause: FunctionParameterClauseSyntax) -> String {
        clause.parameters.map { "\($0.firstName.text):" }.joined()
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let labels = node.arguments.map { "\($0.label?.text ?? "_"):" }
        if let reference = node.calledExpression.as(DeclReferenceExprSyntax.self) {
            calls.insert(Call(type: reference.baseName.identifierText, labels: labels))
        } else if let member = node.calledExpression.as(MemberAccessExprSyntax.self) {
            let name = member.declName.baseName.identifierText
            let base = member.base?.spelling.split(separator: ".").last.map { String($0) } ?? ""
            calls.insert(Call(type: name == "init" ? base : name, labels: labels))
        }
        return .visitChildren
    }

    override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
        switch token.tokenKind {
        case .identifier, .binaryOperator, .prefixOperator, .postfixOperator: break
        default: return .skipChildren
        }
        let name = token.identifierText
        mentioned.insert(name)
        if token.isDeclared { declared.insert(name) }
        guard !token.isOfOtherScope else { return .skipChildren }
        unqualified.insert(name)
        for scope in scopes { unqualifiedInTypes[scope.name, default: []].insert(name) }
        return .skipChildren
    }
}

/// A name that is declared at the top of a file.
struct TopName {
    let text: String
    let node: Syntax
    let isPrivate: Bool
    let isFunction: Bool
    var isOperator: Bool { text.first.map { !$0.isLetter && $0 != "_" } ?? false }
    /// Whether it can't be another one: it is an operator, a class of a realm's objects, or beyond ASCII.
    let isKept: Bool

    static func all(in item: CodeBlockItemSyntax) -> [TopName] {
        guard case .decl(let declaration) = item.item else { return [] }
        return all(in: declaration)
    }

    private static func all(in declaration: DeclSyntax) -> [TopName] {
        if let node = declaration.as(IfConfigDeclSyntax.self) {
            return node.clauses.flatMap { clause in
                if case .statements(let items)? = clause.elements { return items.flatMap { all(in: $0) } }
                return []
            }
        }
        let isPrivate = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers.isOfFile ?? false
        if let node = declaration.as(VariableDeclSyntax.self) {
            return node.bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier }.map {
                TopName($0, isPrivate, isFunction: false, isKept: false)
            }
        }
        guard let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name else { return [] }
        let base = declaration.as(ClassDeclSyntax.self)?.inheritanceClause?.inheritedTypes.first?.type.spelling ?? ""
        return [
            TopName(
                name, isPrivate, isFunction: declaration.is(FunctionDeclSyntax.self),
                isKept: base.hasSuffix("Object") && base != "NSObject")
        ]
    }

    private init(_ name: TokenSyntax, _ isPrivate: Bool, isFunction: Bool, isKept: Bool) {
        text = name.identifierText
        node = Syntax(name)
        self.isPrivate = isPrivate
        self.isFunction = isFunction
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        self.isKept = isKept || !isPlain || text == "migrate"
    }
}

extension DeclModifierListSyntax {
    /// Whether what they stand before is seen in its file alone.
    fileprivate var isOfFile: Bool { has(.private) || has(.fileprivate) }
}

extension TypeSyntax {
    /// The last name of its path, also of one that is written with marks: `String?`, `[Int]`, `[String: Int]`.
    fileprivate var typeName: String {
        if self.is(OptionalTypeSyntax.self) { return "Optional" }
        if self.is(ArrayTypeSyntax.self) { return "Array" }
        if self.is(DictionaryTypeSyntax.self) { return "Dictionary" }
        if let member = self.as(MemberTypeSyntax.self) { return member.name.identifierText }
        return self.as(IdentifierTypeSyntax.self)?.name.identifierText ?? spelling
    }
}

extension TokenSyntax {
    /// Whether it names a member, a label or the like, which no declaration at the top of a file is.
    var isOfOtherScope: Bool {
        guard let parent else { return false }
        if let reference = parent.as(DeclReferenceExprSyntax.self) {
            if let member = reference.parent?.as(MemberAccessExprSyntax.self) {
                return member.declName.id == reference.id
            }
            return reference.parent?.is(KeyPathPropertyComponentSyntax.self) ?? false
        }
        if let parameter = parent.as(FunctionParameterSyntax.self) { return parameter.firstName.id == id }
        if let element = parent.as(TupleTypeElementSyntax.self) { return element.firstName?.id == id }
        if let element = parent.as(TuplePatternElementSyntax.self) { return element.label?.id == id }
        if let labelled = parent.as(LabeledExprSyntax.self) { return labelled.label?.id == id }
        return parent.is(MemberTypeSyntax.self) || parent.is(DeclNameArgumentSyntax.self)
            || parent.is(EnumCaseParameterSyntax.self) || parent.is(ImportPathComponentSyntax.self)
            || parent.is(AvailabilityLabeledArgumentSyntax.self)
    }

    /// Whether it is the name that a declaration, a parameter or a pattern gives.
    fileprivate var isDeclared: Bool {
        guard let parent else { return false }
        if let parameter = parent.as(FunctionParameterSyntax.self) {
            return (parameter.secondName ?? parameter.firstName).id == id
        }
        return parent.is(IdentifierPatternSyntax.self) || parent.is(EnumCaseElementSyntax.self)
            || parent.is(ClosureShorthandParameterSyntax.self) || parent.is(ClosureParameterSyntax.self)
            || parent.is(GenericParameterSyntax.self) || parent.asProtocol((any NamedDeclSyntax).self)?.name.id == id
    }

    /// Whether it declares a member, or a parameter that is its label as well: then another mention may mean either.
    var isOtherDeclaration: Bool {
        guard let parent else { return false }
        if let parameter = parent.as(FunctionParameterSyntax.self) { return parameter.secondName == nil }
        if parent.is(EnumCaseElementSyntax.self) { return true }
        let declaration: Syntax?
        if let pattern = parent.as(IdentifierPatternSyntax.self) {
            declaration = pattern.parent?.as(PatternBindingSyntax.self)?.parent?.parent
        } else {
            declaration = parent.asProtocol((any NamedDeclSyntax).self)?.name.id == id ? parent : nil
        }
        return declaration?.parent?.is(MemberBlockItemSyntax.self) ?? false
    }
}
