import SwiftSyntax

extension Declarations {
    /// The literal values of a constant, wherever the code around a node declares one of its name, or else all files do; none where
    /// another declaration there has the name.
    func texts(of node: ExprSyntax) -> [String] {
        let name: String
        if let reference = node.as(DeclReferenceExprSyntax.self) {
            name = reference.baseName.identifierText
        } else if let member = node.as(MemberAccessExprSyntax.self) {
            name = member.declName.baseName.identifierText
        } else {
            return []
        }
        var item = Syntax(node)
        while let parent = item.parent, parent.parent?.parent != nil { item = parent }
        let search = TextSearch(name)
        search.walk(item)
        if search.hasOthers || !search.texts.isEmpty { return search.hasOthers ? [] : search.texts }
        if let known = textsByName[name] { return known }
        for file in files { for tree in file.trees { search.walk(tree) } }
        let found = search.hasOthers ? [] : search.texts
        textsByName[name] = found
        return found
    }
}

/// Looks for all that declares a name.
private final class TextSearch: SyntaxVisitor {
    private let name: String
    var texts: [String] = []
    var hasOthers = false

    init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
        guard node.identifier.identifierText == name else { return .skipChildren }
        guard let binding = node.parent?.as(PatternBindingSyntax.self), binding.accessorBlock == nil,
            let value = binding.initializer?.value, let text = LiteralValue.string(value),
            let declaration = binding.parent?.parent?.as(VariableDeclSyntax.self),
            declaration.bindingSpecifier.tokenKind == .keyword(.let)
        else {
            hasOthers = true
            return .skipChildren
        }
        texts.append(text)
        return .skipChildren
    }

    override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
        seen((node.secondName ?? node.firstName).identifierText)
    }

    override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind {
        seen((node.secondName ?? node.firstName).identifierText)
    }

    override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
        seen(node.name.identifierText)
    }

    private func seen(_ other: String) -> SyntaxVisitorContinueKind {
        if other == name { hasOthers = true }
        return .visitChildren
    }
}
