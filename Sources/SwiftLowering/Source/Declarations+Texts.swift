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
        if let given = textsGiven(to: name, at: node) { return given }
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

extension Declarations {
    /// The literals that all calls of the function around a node give its parameter of a name; nil where it has none of the name, and none
    /// where a call gives another value.
    private func textsGiven(to name: String, at node: ExprSyntax) -> [String]? {
        var next = Syntax(node).parent
        while let parent = next {
            if let function = parent.as(FunctionDeclSyntax.self) {
                let parameters = function.signature.parameterClause.parameters
                guard
                    let parameter = parameters.first(where: { ($0.secondName ?? $0.firstName).identifierText == name })
                else { return nil }
                let search = GivenSearch(function.name.identifierText, parameter, Array(parameters))
                for file in files { for tree in file.trees { search.walk(tree) } }
                return search.hasOthers ? [] : search.texts
            }
            // A closure's own parameter may have the name.
            if let closure = parent.as(ClosureExprSyntax.self), closure.signature?.parameterClause != nil { return nil }
            next = parent.parent
        }
        return nil
    }
}

/// Looks for the calls of functions of a name, and for what they give a parameter.
private final class GivenSearch: SyntaxVisitor {
    private let function: String
    private let label: String
    private let index: Int
    private let count: Int
    var texts: [String] = []
    var hasOthers = false

    init(_ function: String, _ parameter: FunctionParameterSyntax, _ all: [FunctionParameterSyntax]) {
        self.function = function
        label = parameter.firstName.identifierText
        index = all.firstIndex { $0.id == parameter.id } ?? 0
        count = all.count
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        guard node.baseName.identifierText == function else { return .visitChildren }
        var callee = Syntax(node)
        if let member = callee.parent?.as(MemberAccessExprSyntax.self), member.declName.id == node.id {
            callee = Syntax(member)
        }
        guard let call = callee.parent?.as(FunctionCallExprSyntax.self), call.calledExpression.id == callee.id else {
            // The function as a value is called with whatever.
            hasOthers = true
            return .visitChildren
        }
        let arguments = Array(call.arguments)
        let labelled = arguments.first { ($0.label?.identifierText ?? "_") == label && label != "_" }
        let unlabelled = arguments.indices.contains(index) && arguments[index].label == nil ? arguments[index] : nil
        guard let argument = label == "_" ? unlabelled : labelled else { return .visitChildren }
        if let text = LiteralValue.string(argument.expression) { texts.append(text) } else { hasOthers = true }
        return .visitChildren
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
