import Columns
import FileStore
import Problems
import RealmComparison
import RealmMigration
import RealmModel

/// The rehearsal of one file.
struct FileRehearsal {
    private let migration: FileMigration
    private let source: Snapshot
    private let origin: ScriptOrigin?
    private let input: String
    private let store: FileSegmentStore
    private let progress: TerminalProgress

    init(
        _ migration: FileMigration, source: Snapshot, origin: ScriptOrigin?, input: String, store: FileSegmentStore,
        progress: TerminalProgress
    ) {
        self.migration = migration
        self.source = source
        self.origin = origin
        self.input = input
        self.store = store
        self.progress = progress
    }

    /// Migrates the realm, and says what that does.
    ///
    /// - Parameter checkFile: where the checks are.
    /// - Returns: the report, and the realm as it would be; nil where the migration fails.
    /// - Throws: `ErrorInFile` for an error in the migration's own files, which is no finding about a realm.
    func run(
        to target: FileMigration.Target, _ checks: [ScriptSource] = [], in checkFile: String? = nil
    ) throws -> (report: RehearsalReport, result: Snapshot?) {
        var migrated: Snapshot?
        var report = RehearsalReport(fromVersion: source.schemaVersion, toVersion: target.version)
        report.scriptFile = migration.scriptPath
        do {
            let result = try migration.run(
                source, origin: origin, of: input, to: target, store: store, progress: progress, isRehearsal: true)
            migrated = result.snapshot
            report.add(unrun: migration.warnings(result))
            report.add(result.findings, target: target.schema)
            progress.show("comparing")
            let rehearsal = try Rehearsal(
                from: source, to: result.snapshot, renames: result.renames, isScripted: result.scriptRan, store: store)
            report.add(rehearsal, from: source.declared, to: result.snapshot.declared)
            if !checks.isEmpty {
                progress.show("checking")
                let realms = RealmChecks(checks, old: source, new: result.snapshot)
                report.checks = try migration.check(realms, store: store, progress: progress).map { check in
                    var check = check
                    check.file = checkFile
                    return check
                }
            }
        } catch let failure as ErrorInFile {
            // An error in a command's own files is no finding about a realm.
            guard let error = failure.cause as? MigrationError, error.script != .syntax, error.script != .unavailable,
                error.script != .crash, error.code != .schemaValidationFailed
            else { throw failure }
            report.add(error.findings, target: target.schema)
            report.error = ProblemDocument(error).json()
            if error.script != nil { report.errorFile = failure.file }
        }
        report.missingBranches = try migration.missingBranches(source, to: target, store: store)
        return (report, migrated)
    }
}
