import SwiftSyntax

extension Lowering {
    func switchStatement(_ choice: SwitchExprSyntax, label: String?) throws -> Statement {
        // Nobody takes the value of a switch inside of one.
        let isReturned = returning
        returning = false
        let value = try valued(expression(choice.subject, nil), at: choice.subject)
        let (name, exit, flag) = (fresh("subject"), fresh("switch"), fresh("falls"))
        let kept = try keep(value, as: nil, at: choice.subject, isFixed: true)
        var steps: [Statement] = [.constant(name, kept.marked(mark(choice.subject)))]
        let cases = activeCases(of: choice)
        let falls = cases.contains { $0.fallsThrough }
        if falls { steps.append(.variable(flag, .bool(false))) }
        for found in cases {
            scopes.append([:])
            defer { scopes.removeLast() }
            let match = try caseMatch(found, Lowered(.name(name), value.type))
            let test = falls ? match.test.map { .binary(.or, .name(flag), $0) } : match.test
            let body = inExit(label, exit, isLoop: false) { caseBody(found, isReturned: isReturned) }
            let end =
                found.fallsThrough ? .expression(JavaScript.name(flag).assigned(.bool(true))) : Statement.leave(exit)
            steps.append(.block(match.declarations + [.conditional(test ?? .bool(true), body + [end])]))
        }
        steps.append(.expression(.runtime("unreachable")))
        return .labelled(exit, .block(steps))
    }

    /// The cases, without those of conditions that do not hold.
    private func activeCases(of choice: SwitchExprSyntax) -> [SwitchCaseSyntax] {
        choice.cases.flatMap { element -> [SwitchCaseSyntax] in
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
    }

    /// The statements of a case.
    private func caseBody(_ found: SwitchCaseSyntax, isReturned: Bool) -> [Statement] {
        if isReturned { return told(at: found) { try resultBody(found.statements) } ?? [] }
        return found.fallsThrough
            ? inScope { statements(Array(found.statements).dropLast()) } : block(found.statements)
    }

    private func caseMatch(_ found: SwitchCaseSyntax, _ subject: Lowered) throws -> Match {
        guard case .case(let label) = found.label else { return Match() }
        var matches: [Match] = []
        var first: [String: Local]?
        for item in label.caseItems {
            let outer = scopes[scopes.count - 1]
            var match = try pattern(item.pattern, subject)
            if let condition = item.whereClause?.condition {
                match = .all([match, Match(test: try expression(condition, .bool).js)])
            }
            let own = scopes[scopes.count - 1].filter { outer[$0.key]?.js.identifier != $0.value.js.identifier }
            // Each pattern gives its values to the names of the first.
            if let first { match = .all([match] + (try handed(own, to: first, at: item))) }
            matches.append(match)
            if first == nil { first = own }
            scopes[scopes.count - 1] = outer.merging(first ?? [:]) { $1 }
        }
        let tests = matches.compactMap(\.test)
        return Match(names: matches.flatMap(\.names), test: tests.count < matches.count ? nil : .joined(tests, .or))
    }

    /// Gives the values of a pattern's names to those of another one's.
    private func handed(_ own: [String: Local], to first: [String: Local], at node: some SyntaxProtocol) throws
        -> [Match]
    {
        guard own.mapValues(\.type) == first.mapValues(\.type) else {
            throw Refusal("The patterns bind other names, or names of other types.", at: node)
        }
        return own.sorted { $0.key < $1.key }.compactMap { name, local in
            first[name].map { Match(test: .sequence([$0.js.assigned(local.js), .bool(true)])) }
        }
    }
}

extension SwitchCaseSyntax {
    fileprivate var fallsThrough: Bool { statements.last?.item.is(FallThroughStmtSyntax.self) ?? false }
}
