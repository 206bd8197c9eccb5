import SwiftSyntax
import SwiftWire

/// Members that files give one type for themselves, under the same name: all files are looked up as one.
extension Declarations {
    /// Refuses a member that a file has for itself where another file gives its type one of the name.
    ///
    /// - Throws: `SwiftRefusal`.
    func refusePrivateMembers() throws(SwiftRefusal) {
        guard files.count > 1 else { return }
        for nominal in nominals where nominal.template == nil { try refuse(nominal.members, of: nominal.path) }
        for (name, members) in extensions where types[name] == nil { try refuse(members, of: name) }
        let nested = nominals.filter { $0.parent != nil && $0.template == nil }
        for same in Dictionary(grouping: nested, by: \.path).values {
            try refuse(same.map { ($0.name, $0.node) }, of: same[0].parent?.path ?? "")
        }
    }

    private func refuse(_ members: Members, of type: String) throws(SwiftRefusal) {
        let variables = members.variables.map { ("\($0.isStatic) \($0.name)", $0.name, Syntax($0.declaration)) }
        let functions = members.functions.map { function in
            let labels = function.signature.parameterClause.parameters.map { $0.firstName.text + ":" }.joined()
            let name = function.name.identifierText
            return ("\(function.modifiers.isStatic) \(name)(\(labels))", name, Syntax(function))
        }
        for same in Dictionary(grouping: variables + functions, by: \.0).values where same.count > 1 {
            try refuse(same.map { ($0.1, $0.2) }, of: type)
        }
    }

    /// - Parameter same: members of one name.
    private func refuse(_ same: [(name: String, node: Syntax)], of type: String) throws(SwiftRefusal) {
        guard let own = same.first(where: { $0.node.isOfFile }),
            same.contains(where: { file(of: $0.node) !== file(of: own.node) })
        else { return }
        throw SwiftRefusal([
            file(of: own.node).diagnostic(
                "Another file gives ‘\(type)’ a ‘\(own.name)’, too: give this one another name.", at: own.node)
        ])
    }
}

extension Syntax {
    /// Whether a member is seen in its file alone: it is declared so, or the extension that it stands in.
    fileprivate var isOfFile: Bool {
        ([self] + ancestors.prefix { !$0.is(CodeBlockItemSyntax.self) }).contains {
            $0.asProtocol((any WithModifiersSyntax).self)?.modifiers.isOfFile ?? false
        }
    }
}
