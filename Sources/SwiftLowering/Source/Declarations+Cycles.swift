import SwiftWire
import SwiftSyntax

/// Declarations that are defined by themselves: Swift's compiler refuses them, and whoever follows one comes to no end.
extension Declarations {
    /// Looks for classes that inherit from themselves, type aliases that are themselves, and structures in themselves.
    ///
    /// - Throws: `SwiftRefusal` with the places of all.
    func refuseCycles() throws(SwiftRefusal) {
        let found = cyclicClasses + cyclicAliases + cyclicStructures
        guard !found.isEmpty else { return }
        let diagnostics = found.map { file(of: $0.node).diagnostic($0.message, at: $0.node) }
        throw SwiftRefusal(diagnostics.sorted { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) })
    }

    private typealias Finding = (message: String, node: Syntax)

    /// The nodes of a graph from which an edge leads back to them, each followed once.
    ///
    /// - Parameter next: of each node those that it leads to.
    private static func cyclic(_ next: [[Int]]) -> [Int] {
        // Nodes that lead nowhere are put aside until none does; of what is left, those that nothing leads to.
        func withoutEnds(_ next: [[Int]], _ alive: [Bool]) -> [Bool] {
            var alive = alive
            var counts = next.map { $0.count { alive[$0] } }
            var origins = next.map { _ in [Int]() }
            for (node, ends) in next.enumerated() where alive[node] {
                for end in ends where alive[end] { origins[end].append(node) }
            }
            var open = counts.indices.filter { alive[$0] && counts[$0] == 0 }
            while let end = open.popLast() {
                alive[end] = false
                for origin in origins[end] {
                    counts[origin] -= 1
                    if counts[origin] == 0, alive[origin] { open.append(origin) }
                }
            }
            return alive
        }
        var previous = next.map { _ in [Int]() }
        for (node, ends) in next.enumerated() { for end in ends { previous[end].append(node) } }
        let alive = withoutEnds(previous, withoutEnds(next, next.map { _ in true }))
        return alive.indices.filter { alive[$0] }
    }

    private var cyclicClasses: [Finding] {
        let next = nominals.map { superclass(of: $0).map { [$0.number] } ?? [] }
        return Self.cyclic(next).map { number in
            ("The class ‘\(nominals[number].path)’ inherits from itself.", nominals[number].node)
        }
    }

    private var cyclicAliases: [Finding] {
        var aliases: [(name: String, type: TypeSyntax, owner: Nominal?)] = typealiases.map { ($0.key, $0.value, nil) }
        for nominal in nominals { aliases += nominal.typealiases.map { ($0.key, $0.value, nominal) } }
        let places = Dictionary(aliases.enumerated().map { ($1.type.id, $0) }, uniquingKeysWith: { first, _ in first })
        let next = aliases.map { alias in
            Self.names(in: alias.type).compactMap { name in
                aliased(name, in: alias.owner).flatMap { places[$0.id] }
            }
        }
        return Self.cyclic(next).map { number in
            ("The type alias ‘\(aliases[number].name)’ stands for itself.", Syntax(aliases[number].type))
        }
    }

    /// The type that a name stands for where an alias of it is seen first; nil where it is a type's.
    private func aliased(_ name: String, in owner: Nominal?) -> TypeSyntax? {
        var scope = owner
        while let type = scope {
            if let found = type.typealiases[name] { return found }
            if type.nested[name] != nil { return nil }
            scope = type.parent
        }
        return types[name] == nil ? typealiases[name] : nil
    }

    /// The names of types in a type, those behind a dot left out.
    private static func names(in type: TypeSyntax) -> [String] {
        var names: [String] = []
        var open = [Syntax(type)]
        while let node = open.popLast() {
            if let plain = node.as(IdentifierTypeSyntax.self) { names.append(plain.name.identifierText) }
            open += node.children(viewMode: .sourceAccurate).filter { !$0.is(TokenSyntax.self) }
        }
        return names
    }

    private var cyclicStructures: [Finding] {
        let next = nominals.map { nominal in
            guard nominal.kind == .structure else { return [Int]() }
            return nominal.members.variables.filter { !$0.isStatic && !$0.isComputed }
                .compactMap { held(by: $0, in: nominal)?.number }
        }
        return Self.cyclic(next).map { number in
            ("The structure ‘\(nominals[number].path)’ has a property that holds one of itself.", nominals[number].node)
        }
    }

    /// The structure that a stored property holds in place; nil of any other.
    private func held(by variable: VariableDeclaration, in owner: Nominal) -> Nominal? {
        var name: String?
        if let annotation = variable.annotation {
            var type = annotation.type
            while let optional = type.as(OptionalTypeSyntax.self) { type = optional.wrappedType }
            name = type.as(IdentifierTypeSyntax.self)?.name.identifierText
        } else if let call = variable.binding.initializer?.value.as(FunctionCallExprSyntax.self) {
            name = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.identifierText
        }
        guard let name else { return nil }
        var scope: Nominal? = owner
        while let type = scope {
            if let found = type.nested[name] { return found.kind == .structure ? found : nil }
            scope = type.parent
        }
        guard let found = types[name], found.kind == .structure else { return nil }
        return found
    }
}
