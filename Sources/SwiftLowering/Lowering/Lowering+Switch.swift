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
        for item in label.caseItems {
            let (bound, test) = try pattern(item.pattern, subject)
            if label.caseItems.count > 1, !bound.isEmpty {
                throw Refusal("Several patterns that bind names are not understood: write a case for each.", at: item)
            }
            names += bound
            let condition = try item.whereClause.map { " && (\(try expression($0.condition, .bool).js))" } ?? ""
            tests.append("(\(test)\(condition))")
        }
        return (names.joined(separator: " "), tests.joined(separator: " || "))
    }
}
