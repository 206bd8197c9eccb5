import SwiftSyntax

extension Lowering {
    /// Members that `NSString` has and `String` has not: on a `String` such a name is an app's own.
    private static let bridged: Set<String> = [
        "boolValue", "intValue", "integerValue", "longLongValue", "doubleValue", "length", "lastPathComponent",
        "pathExtension",
        "deletingPathExtension", "appendingPathComponent",
    ]

    /// Refuses a member of `NSString` of what is none by its spelling, unless the files declare it.
    func mustBeBridged(_ name: String, _ base: Lowered, _ baseNode: ExprSyntax, at node: some SyntaxProtocol) throws {
        guard base.type.unwrapped == .string, Self.bridged.contains(name), !baseNode.spelling.contains("NSString"),
            !extensionNames(.string).contains(where: { declares(name, $0) })
        else { return }
        if let variable = baseNode.as(DeclReferenceExprSyntax.self)?.baseName.identifierText {
            let search = BridgingSearch(variable)
            search.walk(Syntax(baseNode).root)
            if search.hasFound { return }
        }
        throw Refusal(
            "‘String’ has no ‘\(name)’ of its own: add the file that declares it, or write it behind ‘as NSString’.",
            at: node)
    }

    private func declares(_ name: String, _ extended: String) -> Bool {
        guard let members = declarations.extensions[extended] else { return false }
        return members.variable(name, isStatic: false) != nil || !members.functions(name, isStatic: false).isEmpty
    }
}

/// Looks for a variable of a name that is an `NSString`.
private final class BridgingSearch: SyntaxVisitor {
    private let name: String
    private(set) var hasFound = false

    init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        look(node.pattern, node.typeAnnotation, node.initializer)
        return .visitChildren
    }

    override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
        look(node.pattern, node.typeAnnotation, node.initializer)
        return .visitChildren
    }

    override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
        if (node.secondName ?? node.firstName).identifierText == name, node.type.spelling.contains("NSString") {
            hasFound = true
        }
        return .visitChildren
    }

    private func look(_ pattern: PatternSyntax, _ type: TypeAnnotationSyntax?, _ value: InitializerClauseSyntax?) {
        guard pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText == name else { return }
        if (type?.spelling ?? value?.spelling ?? "").contains("NSString") { hasFound = true }
    }
}
