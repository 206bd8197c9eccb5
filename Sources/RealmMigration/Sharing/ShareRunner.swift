import RealmModel

/// Runs the shares of migrations side by side, apart from this process.
public protocol ShareRunner: Sendable {
    /// Runs the script of a migration in all its shares, and waits for their end.
    ///
    /// The observer and the store are the caller's: nothing but this thread uses them meanwhile.
    ///
    /// - Parameters:
    ///   - count: how many shares there are.
    ///   - app: whose migration it is, as for `ScriptRunner.run`.
    ///   - limits: of all shares together, but for the memory, which is each one's.
    /// - Returns: the results of the shares in order, on the migration's store, and the script's output.
    /// - Throws: `MigrationError`, as one script would have failed that visits all row groups; what the store throws.
    func run(
        shares count: Int, of migration: ScriptedMigration, of app: UUID?, limits: ScriptLimits
    ) throws -> (results: [MigrationResult], output: ScriptOutput)
}

extension Migration {
    /// Finishes a migration whose script has run in shares.
    ///
    /// - Parameters:
    ///   - shares: their results, all of them in order.
    ///   - progress: is told of the phases after the script.
    /// - Throws: as `run`.
    func finish(
        _ shares: [MigrationResult], progress: @escaping (MigrationProgress) -> Void
    ) throws -> MigrationResult {
        let found = MigrationFinding.firstOfEach(shares.flatMap(\.findings))
        do {
            var result = try run(script: { try $0.take(shares.map(\.snapshot)) }) {
                if $0.phase == "finish" { progress($0) }
            }
            result.findings += found
            result.operationCount = shares.reduce(0) { $0 + $1.operationCount }
            return result
        } catch var error as MigrationError {
            error.findings += found
            throw error
        }
    }
}

extension MigrationFinding {
    /// Findings about one script that ran several times: each once.
    fileprivate static func firstOfEach(_ findings: [MigrationFinding]) -> [MigrationFinding] {
        var expressions: Set<NameKey> = []
        var others: Set<MigrationFinding> = []
        return findings.filter { finding in
            // Each run takes a time of its own.
            guard case .slowExpression(let expression, _, _) = finding else { return others.insert(finding).inserted }
            return expressions.insert(NameKey(expression)).inserted
        }
    }
}
