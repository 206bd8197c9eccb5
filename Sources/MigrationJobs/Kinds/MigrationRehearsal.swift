import Columns
import Problems
import RealmComparison
import RealmJSON
import RealmMigration
import RealmModel

/// A migration that is tried: the whole run, and a report of what it does, also where it fails.
struct MigrationRehearsal {
    private let toVersion: UInt64
    private let checks: [String]
    private let policy: FailurePolicy
    private let limits: ScriptLimits
    private let tools: JobTools
    private let attempt: JobAttempt
    private let store: any SegmentStore
    private let began = ContinuousClock.now

    /// The result of a rehearsal.
    struct Tried {
        var report: RehearsalReport
        /// The realm as it would be; or the error that keeps it from being migrated, which is in the report, too.
        var end: Result<Snapshot, MigrationError>
    }

    /// - Parameters:
    ///   - checks: programs of assertions about the realm before and after.
    ///   - policy: which findings fail whoever asked; nil for what a report says by itself.
    ///   - store: has the source, and takes what the migration makes.
    init(
        toVersion: UInt64, checks: [String] = [], policy: FailurePolicy? = nil, limits: ScriptLimits, tools: JobTools,
        attempt: JobAttempt,
        store: any SegmentStore
    ) {
        self.toVersion = toVersion
        self.checks = checks
        self.policy = policy ?? .errors
        self.limits = limits
        self.tools = tools
        self.attempt = attempt
        self.store = store
    }

    /// Tries a migration.
    ///
    /// - Parameters:
    ///   - carried: properties whose values are carried over skipped versions.
    ///   - run: does it, and tells what each step came to.
    /// - Throws: what `run` throws that says nothing of the migration.
    func rehearse(
        _ steps: MigrationSteps, of source: Snapshot, carried: [CarriedProperty],
        _ run: ((MigrationResult) -> Void) throws -> Snapshot
    ) throws -> Tried {
        let target = steps.steps.last?.schema ?? source.declared
        var report = RehearsalReport(fromVersion: source.schemaVersion, toVersion: toVersion)
        report.policy = policy
        report.add(carried, target: target)
        var isScripted = false
        var renames: [SchemaRename] = []
        let end: Result<Snapshot, MigrationError>
        do {
            let result = try run { result in
                report.add(unrun: result.warnings)
                report.add(result.findings, target: target)
                renames += result.renames
                isScripted = isScripted || result.scriptRan
            }
            try survey(steps, of: source, &report)
            attempt.progressed(to: MigrationProgress(phase: "compare"))
            try compare(source, result, renames: renames, isScripted: isScripted, &report)
            end = .success(result)
        } catch let error as MigrationError where Self.isFinding(error) {
            report.add(error.findings, target: target)
            report.error = ProblemDocument(error).json()
            // A script that failed may be tried once more without objects; one that ran too long or took too much, not.
            if error.script == nil || error.script == .exception { try survey(steps, of: source, &report) }
            end = .failure(error)
        }
        report.seconds = (ContinuousClock.now - began) / .seconds(1)
        return Tried(report: report, end: end)
    }

    /// Whether a failure says something of the migration, and not of the machine that it ran on.
    private static func isFinding(_ error: MigrationError) -> Bool {
        error.script != .unavailable && error.script != .crash && error.script != .cancelled
    }

    private func compare(
        _ source: Snapshot, _ result: Snapshot, renames: [SchemaRename], isScripted: Bool,
        _ report: inout RehearsalReport
    ) throws {
        try report.add(
            comparing: source, with: result, renames: renames, isScripted: isScripted, in: store, of: attempt)
        guard !checks.isEmpty else { return }
        guard let host = tools.host as? any CheckRunner else {
            throw MigrationError(nil, "The worker that took the job has no script host.", script: .crash)
        }
        attempt.progressed(to: MigrationProgress(phase: "check"))
        let programs = checks.map { ScriptSource(.javaScript, $0) }
        report.checks = try host.check(
            RealmChecks(programs, old: source, new: result), of: attempt.lease.job.appID, limits: limits, store: store,
            observer: attempt)
    }

    /// Looks which old versions the script has no branch for, and which scripts are skipped that it does not make good.
    private func survey(_ steps: MigrationSteps, of source: Snapshot, _ report: inout RehearsalReport) throws {
        guard let last = steps.steps.last, let version = source.schemaVersion, version < last.version else { return }
        let skipped = steps.skippedScripts
        guard steps.steps.count == 1, last.script != nil, tools.host != nil else {
            report.skippedVersions = steps.steps.count == 1 ? skipped : []
            return
        }
        let declared = try tools.store.schemaVersions.numbers(of: attempt.lease.job.app)
        let survey = try BranchSurvey(
            of: steps.migrationRequest(last, source: source), at: declared + [0, version],
            by: tools.runner(of: attempt), limits: limits, store: store)
        report.missingBranches = survey.missingBranches
        report.skippedVersions = skipped.filter { survey.isSame(at: version, as: $0) }
    }
}

extension RehearsalReport {
    /// Adds what a migration does to objects.
    ///
    /// - Throws: `MigrationError` where the attempt is to stop.
    mutating func add(
        comparing source: Snapshot, with result: Snapshot, renames: [SchemaRename], isScripted: Bool,
        in store: any SegmentStore, of attempt: JobAttempt
    ) throws {
        do {
            let rehearsal = try Rehearsal(
                from: source, to: result, renames: renames, isScripted: isScripted, store: store,
                isCancelled: { attempt.isCancelled })
            add(rehearsal, from: source.declared, to: result.declared)
        } catch is Rehearsal.Cancelled {
            throw MigrationError(nil, "The rehearsal was stopped.", script: .cancelled)
        }
    }
}
