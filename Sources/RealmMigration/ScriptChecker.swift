import RealmModel

/// Checks migration scripts before there is anything to migrate, apart from this process.
public protocol ScriptChecker: Sendable {
    /// Checks that a text is a program that declares a migration function, and waits for the answer.
    ///
    /// Only the script's code outside of its functions is run.
    ///
    /// - Parameters:
    ///   - app: whose script it is, as for `ScriptRunner.run`.
    ///   - limits: what the check may take.
    /// - Throws: `MigrationError` with `script` set, and with line and column where they are known.
    func check(_ script: ScriptSource, of app: UUID?, limits: ScriptLimits) throws
}
