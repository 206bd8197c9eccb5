import RealmMigration

/// Findings about a script while it ran: each unknown class once, and each slow regular expression with the longest that it took.
struct ScriptFindings {
    /// Findings that are told of; a script can make any number of them.
    private static let limit = 20

    private(set) var all: [MigrationFinding] = []

    mutating func add(_ finding: MigrationFinding) {
        if case .unknownClass = finding, all.count < Self.limit, !all.contains(finding) { all.append(finding) }
        guard case .slowExpression(let expression, let milliseconds, _) = finding else { return }
        let known = all.firstIndex { earlier in
            guard case .slowExpression(let other, _, _) = earlier else { return false }
            return other == expression
        }
        guard let known else {
            if all.count < Self.limit { all.append(finding) }
            return
        }
        if case .slowExpression(_, let longest, _) = all[known], longest < milliseconds { all[known] = finding }
    }
}
