import SwiftSyntax

/// Shows the nodes of a tree to a function, the outer ones first.
private final class TreeSearch: SyntaxAnyVisitor {
    private let look: (Syntax) -> SyntaxVisitorContinueKind

    init(_ look: @escaping (Syntax) -> SyntaxVisitorContinueKind) {
        self.look = look
        super.init(viewMode: .sourceAccurate)
    }

    override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind { look(node) }
}

extension SyntaxProtocol {
    /// The nodes that it stands in, from the inside out.
    var ancestors: some Sequence<Syntax> { sequence(first: Syntax(self), next: \.parent).dropFirst() }

    /// Shows each node of the tree to a function, which says whether those inside of it are looked at, too.
    func search(_ look: @escaping (Syntax) -> SyntaxVisitorContinueKind) { TreeSearch(look).walk(Syntax(self)) }

    /// Whether the tree has a node that is sought.
    func holds(_ isSought: @escaping (Syntax) -> Bool) -> Bool {
        var hasFound = false
        search { node in
            hasFound = hasFound || isSought(node)
            return hasFound ? .skipChildren : .visitChildren
        }
        return hasFound
    }

    /// Whether a function or method of a sought name is called.
    func calls(_ isSought: @escaping (String) -> Bool) -> Bool {
        holds { node in
            let callee = node.as(FunctionCallExprSyntax.self)?.calledExpression
            let name =
                callee?.as(DeclReferenceExprSyntax.self)?.baseName
                ?? callee?.as(MemberAccessExprSyntax.self)?.declName.baseName
            return name.map { isSought($0.identifierText) } ?? false
        }
    }
}
