import SwiftSyntax

/// All that the files of a program declare.
final class Declarations {
    let files: [SourceFile]
    /// Names of `#if` that are set.
    let conditions: Set<String>
    private(set) var nominals: [Nominal] = []
    private(set) var types: [String: Nominal] = [:]
    /// The names of all methods that may change what they are called of, and of weak variables.
    private(set) var mutatingNames: Set<String> = []
    private(set) var weakNames: Set<String> = []
    /// The operators that may stand in another order than in the compiler's eyes.
    private(set) lazy var unplacedOperators = files.reduce(into: Set()) { $0.formUnion($1.unplacedOperators) }
    /// The names of all generic functions.
    private(set) lazy var genericNames: Set<String> = {
        let search = GenericFunctionSearch(viewMode: .sourceAccurate)
        for tree in files.flatMap(\.trees) { search.walk(tree) }
        return search.names
    }()
    /// The members that extensions give to types of the library, by the type's name.
    private(set) var extensions: [String: Members] = [:]
    private(set) var typealiases: [String: TypeSyntax] = [:]
    /// The parameters of those that are generic.
    private(set) var genericAliases: [String: [String]] = [:]
    private(set) var functions: [String: [FunctionDeclSyntax]] = [:]
    private(set) var variables: [String: VariableDeclaration] = [:]
    /// The names behind the colons of extensions of the library's types, by the type's name.
    private(set) var libraryConformances: [String: [String]] = [:]
    /// The literal values of constants that were asked for.
    var textsByName: [String: [String]] = [:]
    private var origins: [SyntaxIdentifier: Syntax] = [:]
    /// The trees of pieces of the library.
    private var pieces: Set<SyntaxIdentifier> = []
    private var filesByRoot: [SyntaxIdentifier: SourceFile] = [:]
    private var pending: [ExtensionDeclSyntax] = []
    private var compositions: [String: Nominal] = [:]
    private var specializations: [Specialization: Nominal] = [:]

    private struct Specialization: Hashable {
        var template: Int
        var arguments: [SwiftType]
    }

    init(_ files: [SourceFile], conditions: Set<String> = []) {
        self.files = files
        self.conditions = conditions
        for file in files {
            for tree in file.trees {
                filesByRoot[tree.id] = file
                for item in tree.statements { collect(item.item, in: nil) }
            }
        }
        for (name, written) in files.first?.writtenNames ?? [:] { types[name]?.shownPath = written }
        for piece in LibrarySource.pieces where isAsked(piece) { add(piece) }
        for node in pending { extend(node) }
        for name in Set(libraryConformances.values.flatMap { $0 }) { addDefaults(of: name) }
        for nominal in nominals where nominal.kind == .enumeration {
            // An alias may name the type of raw values.
            guard let first = nominal.inherited.first, let alias = typealiases[first.spelling],
                types[first.spelling] == nil, SwiftType.scalar(alias.spelling) != nil
            else { continue }
            nominal.inherited[0] = alias
        }
    }

    /// Whether a file names a piece of the library that none declares.
    private func isAsked(_ piece: LibrarySource.Piece) -> Bool {
        piece.names.contains { name in
            types[name.filter { $0 != "(" }] == nil && mentions([name])
        }
    }

    /// Whether a file has one of some texts.
    func mentions(_ names: [String]) -> Bool {
        files.contains { file in names.contains { file.text.contains($0) } }
    }

    private func add(_ piece: LibrarySource.Piece) {
        let tree = ParallelParsing.tree(of: piece.text).tree
        origins[tree.id] = files.first?.trees.first.map { Syntax($0) }
        pieces.insert(tree.id)
        for item in tree.statements { collect(item.item, in: nil) }
        for name in piece.names.map({ $0.filter { $0 != "(" } }) { types[name]?.shownPath = "Foundation.\(name)" }
    }

    /// The protocol that several make together.
    func composition(of protocols: [Nominal], _ types: [TypeSyntax], at node: Syntax) -> Nominal {
        let name = protocols.map(\.path).joined(separator: " & ")
        if let known = compositions[name] { return known }
        let made = Nominal(
            number: nominals.count, name: name, kind: .protocolType, node: node, parent: nil, inherited: types,
            attributes: [])
        made.composed = protocols
        nominals.append(made)
        compositions[name] = made
        return made
    }

    /// A generic type with what its parameters stand for, whose members have the same source.
    func specialized(_ template: Nominal, _ arguments: [SwiftType], in parent: Nominal? = nil) -> Nominal {
        let key = Specialization(template: template.number, arguments: arguments)
        if parent == nil, let known = specializations[key] { return known }
        let made = Nominal(
            number: nominals.count, name: template.name, kind: template.kind, node: template.node,
            parent: parent ?? template.parent, inherited: template.inherited, attributes: template.attributes)
        nominals.append(made)
        if parent == nil { specializations[key] = made }
        (made.template, made.arguments, made.members) = (template, arguments, template.members)
        made.typealiases = template.typealiases
        made.typeArguments = parent?.typeArguments ?? [:]
        for (name, type) in zip(template.generics, arguments) { made.typeArguments[name] = type }
        for (name, nested) in template.nested { made.nested[name] = specialized(nested, [], in: made) }
        return made
    }

    func file(of node: some SyntaxProtocol) -> SourceFile { filesByRoot[origin(of: node).root.id] ?? files[0] }

    /// The place of a node in the files; of what the library has in Swift, one in none of them.
    func place(of node: some SyntaxProtocol) -> SourcePlace {
        guard !pieces.contains(Syntax(node).root.id) else { return SourcePlace(file: files.count, line: 1, column: 1) }
        return file(of: node).place(of: origin(of: node))
    }

    /// The node that is told of in place of one: code that stands in no file is told where it was asked for.
    func origin(of node: some SyntaxProtocol) -> Syntax { origins[Syntax(node).root.id] ?? Syntax(node) }

    /// A type of the library that is written in Swift, and seen by no name of its own.
    ///
    /// - Parameter node: where it was asked for first.
    func library(_ text: String, name: String, path: String, _ arguments: [String: SwiftType], at node: Syntax)
        -> Nominal?
    {
        let tree = ParallelParsing.tree(of: text).tree
        origins[tree.id] = origin(of: node)
        guard let item = tree.statements.first?.item.as(DeclSyntax.self)?.as(EnumDeclSyntax.self) else { return nil }
        let nominal = Nominal(
            number: nominals.count, name: name, kind: .enumeration, node: Syntax(item), parent: nil,
            inherited: item.inheritanceClause?.inheritedTypes.map(\.type) ?? [], attributes: [])
        (nominal.shownPath, nominal.typeArguments) = (path, arguments)
        nominals.append(nominal)
        collect(item.memberBlock.members, into: nominal)
        return nominal
    }

    /// Whether a function or a method has a name, wherever it is declared but inside of another function.
    func declaresFunction(_ name: String) -> Bool {
        func has(_ members: Members) -> Bool { members.functions.contains { $0.name.identifierText == name } }
        return functions[name] != nil || nominals.contains { has($0.members) } || extensions.values.contains(where: has)
    }

    /// Whether a prefix operator is declared anywhere.
    func hasPrefix(_ symbol: String) -> Bool {
        func has(_ functions: [FunctionDeclSyntax]) -> Bool {
            functions.contains { $0.name.identifierText == symbol && $0.modifiers.has(.prefix) }
        }
        return has(functions[symbol] ?? []) || nominals.contains { has($0.members.functions) }
            || extensions.values.contains { has($0.functions) }
    }

    /// The types that functions declare inside, by their declarations.
    private var locals: [SyntaxIdentifier: Nominal] = [:]

    /// The type that a declaration inside of a function makes; nil of any other declaration.
    func local(_ declaration: DeclSyntax) -> Nominal? {
        if let known = locals[declaration.id] { return known }
        guard let name = declaration.localTypeName else { return nil }
        // It is seen from where it stands alone.
        let before = types[name]
        collect(declaration, in: nil)
        let found = types[name]
        types[name] = before
        locals[declaration.id] = found
        return found
    }

    private func collect(_ item: CodeBlockItemSyntax.Item, in parent: Nominal?) {
        guard case .decl(let declaration) = item else { return }
        collect(declaration, in: parent)
    }

    private func collect(_ declaration: DeclSyntax, in parent: Nominal?) {
        if let node = declaration.as(StructDeclSyntax.self) {
            add(node, .structure, node.name, node.inheritanceClause, node.genericParameterClause, in: parent)
        } else if let node = declaration.as(EnumDeclSyntax.self) {
            add(node, .enumeration, node.name, node.inheritanceClause, node.genericParameterClause, in: parent)
        } else if let node = declaration.as(ClassDeclSyntax.self) {
            add(node, .classType, node.name, node.inheritanceClause, node.genericParameterClause, in: parent)
        } else if let node = declaration.as(ActorDeclSyntax.self) {
            add(node, .classType, node.name, node.inheritanceClause, node.genericParameterClause, in: parent)
        } else if let node = declaration.as(ProtocolDeclSyntax.self) {
            add(node, .protocolType, node.name, node.inheritanceClause, nil, in: parent)
        } else if let node = declaration.as(ExtensionDeclSyntax.self) {
            pending.append(node)
        } else if let node = declaration.as(IfConfigDeclSyntax.self) {
            guard case .decls(let list)? = node.active(conditions)?.elements else {
                if case .statements(let items)? = node.active(conditions)?.elements {
                    for item in items { collect(item.item, in: parent) }
                }
                return
            }
            for member in list { collect(member.decl, in: parent) }
        } else if let node = declaration.as(TypeAliasDeclSyntax.self) {
            if let parent {
                parent.typealiases[node.name.identifierText] = node.initializer.value
            } else {
                typealiases[node.name.identifierText] = node.initializer.value
                if let clause = node.genericParameterClause {
                    genericAliases[node.name.identifierText] = clause.parameters.map(\.name.identifierText)
                }
            }
        } else if parent == nil {
            if let node = declaration.as(FunctionDeclSyntax.self) {
                functions[node.name.identifierText, default: []].append(node)
            } else if let node = declaration.as(VariableDeclSyntax.self) {
                for variable in VariableDeclaration.all(node) { variables[variable.name] = variable }
            }
        }
    }

    private func add(
        _ node: some DeclGroupSyntax, _ kind: Nominal.Kind, _ name: TokenSyntax,
        _ inheritance: InheritanceClauseSyntax?, _ generics: GenericParameterClauseSyntax?, in parent: Nominal?
    ) {
        let nominal = Nominal(
            number: nominals.count, name: name.identifierText, kind: kind, node: Syntax(node), parent: parent,
            inherited: inheritance?.inheritedTypes.map(\.type) ?? [], attributes: node.attributes,
            generics: generics?.parameters.map(\.name.identifierText) ?? [])
        nominals.append(nominal)
        if let parent { parent.nested[nominal.name] = nominal } else { types[nominal.name] = nominal }
        collect(node.memberBlock.members, into: nominal)
    }

    private func collect(_ members: MemberBlockItemListSyntax, into nominal: Nominal) {
        for member in members { collect(member.decl, &nominal.members, in: nominal) }
    }

    private func collect(_ declaration: DeclSyntax, _ members: inout Members, in nominal: Nominal?) {
        if let node = declaration.as(VariableDeclSyntax.self) {
            members.variables += VariableDeclaration.all(node)
            if node.modifiers.has(.weak) { weakNames.formUnion(VariableDeclaration.all(node).map(\.name)) }
        } else if let node = declaration.as(FunctionDeclSyntax.self) {
            members.functions.append(node)
            if node.modifiers.has(.mutating) { mutatingNames.insert(node.name.identifierText) }
        } else if let node = declaration.as(InitializerDeclSyntax.self) {
            members.initializers.append(node)
        } else if let node = declaration.as(EnumCaseDeclSyntax.self) {
            members.cases += node.elements
        } else if let node = declaration.as(SubscriptDeclSyntax.self) {
            members.subscripts.append(node)
        } else if let node = declaration.as(DeinitializerDeclSyntax.self) {
            members.deinitializers.append(node)
        } else if let node = declaration.as(IfConfigDeclSyntax.self),
            case .decls(let list)? = node.active(conditions)?.elements
        {
            for member in list { collect(member.decl, &members, in: nominal) }
        } else {
            collect(declaration, in: nominal)
        }
    }

    private func extend(_ node: ExtensionDeclSyntax) {
        let written = node.extendedType.spelling
        let path = nominal(path: [written]) == nil ? typealiases[written]?.spelling ?? written : written
        if let nominal = nominal(path: path.split(separator: ".").map(String.init)) {
            nominal.inherited += node.inheritanceClause?.inheritedTypes.map(\.type) ?? []
            for member in node.memberBlock.members { collect(member.decl, &nominal.members, in: nominal) }
        } else {
            libraryConformances[path, default: []] += node.inheritanceClause?.inheritedTypes.map(\.type.spelling) ?? []
            for member in node.memberBlock.members {
                collect(member.decl, &extensions[path, default: Members()], in: nil)
            }
        }
    }

    /// Takes what a protocol's extensions give for what they give types of the library that conform to it.
    private func addDefaults(of name: String) {
        guard let found = types[name], found.kind == .protocolType, extensions[name] == nil else { return }
        var given = Members()
        given.variables = found.members.variables.filter { !$0.isComputed || $0.getter != nil }
        given.functions = found.members.functions.filter { $0.body != nil }
        given.subscripts = found.members.subscripts.filter { $0.getter != nil }
        extensions[name] = given
        found.inheritedNames.forEach(addDefaults)
    }

    /// The app's protocols that a type of the library conforms to by an extension, by its name.
    func protocols(ofLibrary name: String) -> [Nominal] {
        var (found, waiting): ([Nominal], [String]) = ([], libraryConformances[name] ?? [])
        while !waiting.isEmpty {
            guard let next = types[waiting.removeFirst()], next.kind == .protocolType,
                !found.contains(where: { $0 === next })
            else { continue }
            found.append(next)
            waiting += next.inheritedNames
        }
        return found
    }

    func nominal(path: [String]) -> Nominal? {
        guard let first = path.first, var nominal = types[first] else { return nil }
        for name in path.dropFirst() {
            guard let next = nominal.nested[name] else { return nil }
            nominal = next
        }
        return nominal
    }

    /// The class whose objects a realm holds that a class is of, by its superclasses: `Object`, `EmbeddedObject`,
    /// `AsymmetricObject`; nil of every other type.
    func realmBase(of nominal: Nominal) -> String? {
        var seen: Set<Int> = []
        var current: Nominal? = nominal
        while let type = current, type.kind == .classType, seen.insert(type.number).inserted {
            guard let base = type.inherited.first?.spelling else { return nil }
            switch base {
            case "Object", "RealmSwift.Object", "RealmSwiftObject", "RLMObject": return "Object"
            case "EmbeddedObject", "RealmSwift.EmbeddedObject", "RealmSwiftEmbeddedObject", "RLMEmbeddedObject":
                return "EmbeddedObject"
            case "AsymmetricObject", "RealmSwift.AsymmetricObject", "RLMAsymmetricObject": return "AsymmetricObject"
            default: current = superclass(of: type)
            }
        }
        return nil
    }

    func superclass(of nominal: Nominal) -> Nominal? {
        guard nominal.kind == .classType, let base = nominal.inherited.first?.spelling else { return nil }
        let path = base.split(separator: ".").map(String.init)
        var scope = nominal.parent
        while let type = scope {
            if path.count == 1, let found = type.nested[path[0]] { return found.kind == .classType ? found : nil }
            scope = type.parent
        }
        guard let found = self.nominal(path: path), found.kind == .classType else { return nil }
        return found
    }
}

private final class GenericFunctionSearch: SyntaxVisitor {
    private(set) var names: Set<String> = []

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        if node.genericParameterClause != nil { names.insert(node.name.identifierText) }
        return .visitChildren
    }
}

extension IfConfigDeclSyntax {
    /// The clause that is compiled for a device: neither `DEBUG` nor a simulator, and what is set.
    func active(_ conditions: Set<String>) -> IfConfigClauseSyntax? {
        clauses.first { clause in
            guard let condition = clause.condition else { return true }
            return Self.holds(condition, conditions)
        }
    }

    private static func holds(_ condition: ExprSyntax, _ conditions: Set<String>) -> Bool {
        if let infix = condition.as(InfixOperatorExprSyntax.self) {
            switch infix.operator.spelling {
            case "&&": return holds(infix.leftOperand, conditions) && holds(infix.rightOperand, conditions)
            case "||": return holds(infix.leftOperand, conditions) || holds(infix.rightOperand, conditions)
            default: return false
            }
        }
        if let prefix = condition.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "!" {
            return !holds(prefix.expression, conditions)
        }
        if let tuple = condition.as(TupleExprSyntax.self), let only = tuple.elements.first, tuple.elements.count == 1 {
            return holds(only.expression, conditions)
        }
        let text = condition.spelling.filter { $0 != " " }
        if text == "true" || conditions.contains(text) { return true }
        if text.hasPrefix("swift(") || text.hasPrefix("compiler(") { return text.contains(">=") }
        return ["os(iOS)", "canImport(Foundation)", "canImport(RealmSwift)", "canImport(Realm)", "arch(arm64)"]
            .contains(text)
    }
}

extension DeclSyntax {
    /// The name of a structure, an enumeration or a class that may stand in a function.
    fileprivate var localTypeName: String? {
        let name =
            self.as(StructDeclSyntax.self)?.name ?? self.as(EnumDeclSyntax.self)?.name
            ?? self.as(ClassDeclSyntax.self)?.name
        return name?.identifierText
    }
}
