import SwiftWire
import SwiftSyntax

/// A migration block that was found in the files.
struct MigrationBlock {
    enum Code {
        case closure(ClosureExprSyntax)
        case function(FunctionDeclSyntax)
    }

    var code: Code
    /// The name of what holds it: of the function, the property, the type.
    var name: String
    /// The type whose members it names without the type.
    var owner: Nominal?
    /// The code around it, outermost first.
    var surroundings: [CodeBlockItemListSyntax]
    var schemaVersion: UInt64?

    var node: Syntax {
        switch code {
        case .closure(let closure): Syntax(closure)
        case .function(let function): Syntax(function)
        }
    }
}

/// Finds migration blocks.
final class MigrationBlockSearch: SyntaxVisitor {
    private let declarations: Declarations
    private var blocks: [MigrationBlock] = []
    private var functions: [MigrationBlock] = []

    /// The block of a program.
    ///
    /// - Throws: `Refusal` where there is none, or several that no name tells apart.
    static func block(of program: SwiftProgram, in declarations: Declarations) throws -> MigrationBlock {
        let search = MigrationBlockSearch(declarations)
        for tree in declarations.files.flatMap(\.trees) { search.walk(tree) }
        // A function is the block where no closure is.
        let all = search.blocks.isEmpty ? search.functions : search.blocks
        let named = program.block.map { name in all.filter { $0.name == name || $0.name.hasSuffix("." + name) } } ?? all
        let end = declarations.files[0].trees[0]
        guard let first = named.first else {
            let known = all.isEmpty ? "" : " There are: \(all.map(\.name).joined(separator: ", "))."
            throw Refusal(
                program.block.map { "There is no migration block ‘\($0)’.\(known)" }
                    ?? "There is no migration block: neither a closure for ‘migrationBlock’, nor a value of the type "
                    + "‘MigrationBlock’, nor a function with a parameter of the type ‘Migration’.", at: end)
        }
        guard named.count == 1 || Set(named.map(\.node.id)).count == 1 else {
            throw Refusal(
                "There are several migration blocks: name one of \(named.map(\.name).joined(separator: ", ")).",
                at: named[1].node)
        }
        return first
    }

    private init(_ declarations: Declarations) {
        self.declarations = declarations
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
        if let elements = node.active(declarations.conditions)?.elements { walk(elements) }
        return .skipChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let argument = node.arguments.first { $0.label?.text == "schemaVersion" }
        let version = argument.flatMap { self.version($0.expression) }
        for argument in node.arguments where argument.label?.text == "migrationBlock" {
            add(argument.expression, version)
        }
        if let closure = node.trailingClosure, version != nil {
            let callee = node.calledExpression.spelling
            if callee.hasSuffix("Configuration") || callee.hasSuffix(".init") { add(ExprSyntax(closure), version) }
        }
        return .visitChildren
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.is(AssignmentExprSyntax.self),
            let target = node.leftOperand.as(MemberAccessExprSyntax.self),
            target.declName.baseName.text == "migrationBlock"
        {
            add(node.rightOperand, assignedVersion(beside: node))
        }
        return .visitChildren
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        guard let type = node.typeAnnotation?.type else {
            // A variable of the argument's name is meant for it; its parameters say what it is.
            if node.pattern.spelling == "migrationBlock",
                let closure = node.initializer?.value.as(ClosureExprSyntax.self),
                case .parameterClause(let clause)? = closure.signature?.parameterClause,
                clause.parameters.first?.type?.spelling == "Migration"
            {
                add(ExprSyntax(closure), nil)
            }
            return .visitChildren
        }
        guard Self.isBlock(type) else { return .visitChildren }
        if let value = node.initializer?.value {
            add(value, nil)
        } else if let block = node.accessorBlock, case .getter(let items) = block.accessors,
            let value = Self.result(of: items)
        {
            add(value, nil)
        }
        return .visitChildren
    }

    private static func isBlock(_ type: TypeSyntax) -> Bool {
        let words = type.bareSpelling
        return ["MigrationBlock", "RealmSwift.MigrationBlock", "Migration,UInt64->Void", "Migration,UInt64->"]
            .contains(words)
    }

    /// The value of a body's last statement.
    private static func result(of items: CodeBlockItemListSyntax) -> ExprSyntax? {
        switch items.last?.item {
        case .expr(let value): value
        case .stmt(let statement): statement.as(ReturnStmtSyntax.self)?.expression
        default: nil
        }
    }

    /// The closure that a function makes whose result is a migration block; nil of any other function.
    private static func closure(madeBy function: FunctionDeclSyntax) -> ClosureExprSyntax? {
        guard let type = function.signature.returnClause?.type, isBlock(type), let body = function.body else {
            return nil
        }
        return result(of: body.statements)?.as(ClosureExprSyntax.self)
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        let types = node.signature.parameterClause.parameters.map { $0.type.spelling }
        let takes = types.contains { ["Migration", "RealmSwift.Migration"].contains($0) }
        if takes, types.contains(where: { ["UInt64", "Int"].contains($0) }) {
            functions.append(
                MigrationBlock(
                    code: .function(node), name: name(around: Syntax(node), of: node.name.identifierText),
                    owner: owner(of: node), surroundings: [], schemaVersion: nil))
        }
        if let closure = Self.closure(madeBy: node) { add(ExprSyntax(closure), nil) }
        return .visitChildren
    }

    func add(_ value: ExprSyntax, _ version: UInt64?) {
        var value = value
        // `MigrationBlock { … }`, `.init { … }`.
        if let call = value.as(FunctionCallExprSyntax.self), let closure = call.trailingClosure {
            value = ExprSyntax(closure)
        }
        if let closure = value.as(ClosureExprSyntax.self) {
            if let known = blocks.firstIndex(where: { $0.node.id == closure.id }) {
                blocks[known].schemaVersion = blocks[known].schemaVersion ?? version
                return
            }
            blocks.append(
                MigrationBlock(
                    code: .closure(closure), name: name(around: Syntax(closure), of: nil), owner: owner(of: closure),
                    surroundings: surroundings(of: closure), schemaVersion: version))
            return
        }
        // A function by its name, a call of one that makes the block, or a value that is found by itself.
        let call = value.as(FunctionCallExprSyntax.self)
        let called = call?.calledExpression ?? value
        let member = called.as(MemberAccessExprSyntax.self)
        guard
            let name = (called.as(DeclReferenceExprSyntax.self)?.baseName ?? member?.declName.baseName)?.identifierText
        else { return }
        var found = declarations.functions[name] ?? []
        let path = member?.base?.pathNames ?? []
        for nominal in [owner(of: value), declarations.nominal(path: path)] {
            found += nominal?.members.functions.filter { $0.name.identifierText == name } ?? []
        }
        guard let function = found.first else { return }
        if call != nil {
            if let closure = Self.closure(madeBy: function) { add(ExprSyntax(closure), version) }
            return
        }
        blocks.append(
            MigrationBlock(
                code: .function(function), name: self.name(around: Syntax(function), of: name),
                owner: owner(of: function), surroundings: [], schemaVersion: version))
    }

    private func name(around node: Syntax, of own: String?) -> String {
        var names: [String] = own.map { [$0] } ?? []
        for next in node.ancestors {
            if let function = next.as(FunctionDeclSyntax.self) { names.append(function.name.identifierText) }
            if let binding = next.as(PatternBindingSyntax.self) { names.append(binding.pattern.spelling) }
            if let type = next.asProtocol(NamedDeclSyntax.self), !next.is(FunctionDeclSyntax.self) {
                names.append(type.name.identifierText)
            }
            if let type = next.as(ExtensionDeclSyntax.self) { names.append(type.extendedType.spelling) }
        }
        return names.isEmpty ? "the file" : names.reversed().joined(separator: ".")
    }

    private func owner(of node: some SyntaxProtocol) -> Nominal? {
        var path: [String] = []
        for next in node.ancestors {
            if let type = next.as(ExtensionDeclSyntax.self) {
                path = type.extendedType.pathNames + path
            } else if next.asProtocol(DeclGroupSyntax.self) != nil, let type = next.asProtocol(NamedDeclSyntax.self) {
                path.insert(type.name.identifierText, at: 0)
            }
        }
        return declarations.nominal(path: path)
    }

    private func surroundings(of node: some SyntaxProtocol) -> [CodeBlockItemListSyntax] {
        var lists: [CodeBlockItemListSyntax] = []
        for next in node.ancestors { if let list = next.as(CodeBlockItemListSyntax.self) { lists.insert(list, at: 0) } }
        return lists
    }

    // MARK: The version

    private func assignedVersion(beside node: InfixOperatorExprSyntax) -> UInt64? {
        for next in node.ancestors {
            if let list = next.as(CodeBlockItemListSyntax.self) {
                for item in list {
                    guard case .expr(let value) = item.item, let infix = value.as(InfixOperatorExprSyntax.self),
                        infix.leftOperand.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "schemaVersion"
                    else { continue }
                    return version(infix.rightOperand)
                }
                return nil
            }
        }
        return nil
    }

    private func version(_ value: ExprSyntax) -> UInt64? {
        if let number = LiteralValue.unsigned(value) { return number }
        if let call = value.as(FunctionCallExprSyntax.self), let only = call.arguments.first, call.arguments.count == 1
        {
            return version(only.expression)
        }
        let name: String
        if let reference = value.as(DeclReferenceExprSyntax.self) {
            name = reference.baseName.identifierText
        } else if let member = value.as(MemberAccessExprSyntax.self) {
            name = member.declName.baseName.identifierText
        } else {
            return nil
        }
        let constants =
            declarations.nominals.flatMap { $0.members.variables.filter(\.isStatic) } + declarations.variables.values
        let values = Set(
            constants.filter { $0.name == name }.compactMap { $0.binding.initializer?.value }.compactMap(
                LiteralValue.unsigned))
        return values.count == 1 ? values.first : nil
    }
}
