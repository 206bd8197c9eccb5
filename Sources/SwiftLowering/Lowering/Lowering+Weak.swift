import SwiftSyntax

/// Weak properties: they are nil once nothing else holds the object, and when that is the script does not know.
extension Lowering {
    /// Refuses to ask for an object that is held weakly where it may be gone.
    ///
    /// Constants hold theirs for sure: of files, of functions that give no objects, and of blocks outside of which nothing asks
    /// for it.
    func mustBeHeld(_ type: SwiftType, _ name: String, at node: some SyntaxProtocol) throws {
        guard let nominal = appType(type.unwrapped), nominal.kind == .classType else { return }
        let classes = declarations.nominals.filter { isKind($0, of: nominal) }
        let names = Set(classes.map(\.name))
        let inherited = Set(classes.flatMap { lineage(of: $0) }.map(\.name))
        let trees = declarations.files.flatMap(\.trees)
        // The expressions that ask for the property by its name.
        var questions: [Syntax] = []
        for tree in trees {
            tree.search { node in
                if node.as(DeclReferenceExprSyntax.self)?.baseName.identifierText == name { questions.append(node) }
                return .visitChildren
            }
        }
        for tree in trees {
            let search = CreationSearch(names, inherited, questions)
            search.walk(tree)
            guard search.isSure else {
                throw Refusal(
                    "When the object that ‘\(name)’ holds weakly goes away is not known here: write it without ‘weak’.",
                    at: node)
            }
        }
    }
}

/// Looks for objects of some classes that no constant holds.
private final class CreationSearch: SyntaxVisitor {
    private let names: Set<String>
    /// Their superclasses and protocols.
    private let inherited: Set<String>
    private let questions: [Syntax]
    private(set) var isSure = true

    init(_ names: Set<String>, _ inherited: Set<String>, _ questions: [Syntax]) {
        (self.names, self.inherited, self.questions) = (names, inherited, questions)
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if let name = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.identifierText,
            names.contains(name) || name == "Self" && isOwn(Syntax(node)), !isHeld(Syntax(node))
        {
            isSure = false
        }
        return .visitChildren
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        let base = node.base.map { $0.spelling.split(separator: ".").last.map(String.init) ?? "" }
        let isOne =
            base.map { names.contains($0) || $0 == "Self" && isOwn(Syntax(node)) }
            ?? isNamed(around: Syntax(node))
        if names.contains(node.declName.baseName.identifierText) || node.declName.baseName.text == "init" && isOne {
            isSure = false
        }
        return .visitChildren
    }

    /// Whether the declaration around a node names one of the classes.
    private func isNamed(around node: Syntax) -> Bool {
        var outermost = node
        while let next = outermost.parent, !next.is(CodeBlockItemListSyntax.self) || next.parent?.parent != nil {
            outermost = next
        }
        return outermost.tokens(viewMode: .sourceAccurate).contains { names.contains($0.text) }
    }

    /// Whether `Self` may be one of the classes there.
    private func isOwn(_ node: Syntax) -> Bool {
        for next in node.ancestors {
            if next.is(StructDeclSyntax.self) || next.is(EnumDeclSyntax.self) { return false }
            if let type = next.as(ClassDeclSyntax.self) { return names.contains(type.name.identifierText) }
            if let type = next.as(ExtensionDeclSyntax.self) { return inherited.contains(type.extendedType.spelling) }
        }
        return true
    }

    /// Whether a constant has the object, alone or in an array, as long as anything asks for it.
    private func isHeld(_ call: Syntax) -> Bool {
        var current = call
        while let parent = current.parent, [.arrayElement, .arrayElementList, .arrayExpr].contains(parent.kind) {
            current = parent
        }
        guard current.parent?.kind == .initializerClause,
            let binding = current.parent?.parent?.as(PatternBindingSyntax.self),
            let variable = binding.parent?.parent?.as(VariableDeclSyntax.self),
            variable.bindingSpecifier.tokenKind == .keyword(.let),
            let block = variable.parent?.parent?.parent
        else { return false }
        if block.is(SourceFileSyntax.self) { return true }
        if let function = block.parent?.as(FunctionDeclSyntax.self), givesNoObject(function) { return true }
        return questions.allSatisfy { $0.root.id == block.root.id && isInside($0, of: block) }
    }

    private func isInside(_ node: Syntax, of block: Syntax) -> Bool {
        block.position <= node.position && node.endPosition <= block.endPosition
    }

    private func givesNoObject(_ function: FunctionDeclSyntax) -> Bool {
        ["", "()", "Void", "String", "String?", "[String]", "Int", "Bool", "Double"].contains(
            function.signature.returnClause?.type.spelling ?? "")
    }
}
