/// The findings so far of one migration.
final class FindingLog {
    private(set) var findings: [MigrationFinding] = []

    func add(_ finding: MigrationFinding) { findings.append(finding) }

    /// Has an error say what was noticed before it.
    func explaining<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch var error as MigrationError {
            error.findings = findings + error.findings
            throw error
        }
    }
}
