import SwiftSyntax

extension Lowering {
    func switchStatement(_ choice: SwitchExprSyntax, label: String?) throws -> String {
        // Nobody takes the value of a switch inside of one.
        let isReturned = returning
        returning = false
        let subject = try expression(choice.subject, nil)
        let js = fresh("subject")
        let exit = fresh("switch")
        var lines = [
            "const \(js) = \(mark(choice.subject))\(try keep(subject, as: nil, at: choice.subject, isFixed: true));"
        ]
        let cases = choice.cases.flatMap { element -> [SwitchCaseSyntax] in
            switch element {
            case .switchCase(let found): return [found]
            case .ifConfigDecl(let conditional):
                guard case .switchCases(let list)? = conditional.active(declarations.conditions)?.elements else {
                    return []
                }
                return list.compactMap { $0.as(SwitchCaseSyntax.self) }
            @unknown default: return []
            }
        }
        let falls = cases.contains { $0.statements.last?.item.is(FallThroughStmtSyntax.self) ?? false }
        let flag = fresh("falls")
        if falls { lines.append("let \(flag) = false;") }
        for found in cases {
            scopes.append([:])
            defer { scopes.removeLast() }
            var (names, test) = try caseTest(found, Lowered(js, subject.type, isSimple: true))
            if falls { test = "\(flag) || \(test)" }
            var items = Array(found.statements)
            let goesOn = items.last?.item.is(FallThroughStmtSyntax.self) ?? false
            if goesOn { items.removeLast() }
            let body = inExit(label, exit, isLoop: false) {
                scopes.append([:])
                defer { scopes.removeLast() }
                if isReturned {
                    do { return try resultBody(found.statements) } catch {
                        tell(error, at: found)
                        return ""
                    }
                }
                return goesOn ? statements(found.statements, originals: items) : statements(found.statements)
            }
            lines.append("{ \(names) if (\(test)) {\n\(body)\n\(goesOn ? "\(flag) = true;" : "break \(exit);")\n} }")
        }
        lines.append("$.unreachable();")
        return "\(exit): {\n\(lines.joined(separator: "\n"))\n}"
    }

    private func caseTest(_ found: SwitchCaseSyntax, _ subject: Lowered) throws -> (names: String, test: String) {
        guard case .case(let label) = found.label else { return ("", "true") }
        var names: [String] = []
        var tests: [String] = []
        var first: [String: Local]?
        for item in label.caseItems {
            let outer = scopes[scopes.count - 1]
            let (bound, test) = try pattern(item.pattern, subject)
            names += bound
            let condition = try item.whereClause.map { " && (\(try expression($0.condition, .bool).js))" } ?? ""
            let own = scopes[scopes.count - 1].filter { outer[$0.key]?.js != $0.value.js }
            // Each pattern gives its values to the names of the first.
            let given = try first.map { try handed(own, to: $0, at: item) } ?? ""
            tests.append("(\(test)\(condition)\(given))")
            if first == nil { first = own }
            scopes[scopes.count - 1] = outer.merging(first ?? [:]) { $1 }
        }
        return (names.joined(separator: " "), tests.joined(separator: " || "))
    }

    /// Gives the values of a pattern's names to those of another one's.
    private func handed(_ own: [String: Local], to first: [String: Local], at node: some SyntaxProtocol) throws
        -> String
    {
        guard own.mapValues(\.type) == first.mapValues(\.type) else {
            throw Refusal("The patterns bind other names, or names of other types.", at: node)
        }
        return own.sorted { $0.key < $1.key }
            .map { " && ((\(first[$0.key]?.js ?? "") = \($0.value.js)), true)" }.joined()
    }
}
