import Columns
import Problems
import RealmFleet
import RealmMigration
import RealmModel
import SnapshotStore

/// One run of a job of a fleet: its realms, one after the other.
struct FleetRun {
    /// Hosts that the script may lose of one realm: whose fault the first was nobody knows, and the third is the script's.
    private static let hostLimit = 3

    private let slice: FleetSlice
    private let tools: JobTools
    private let attempt: JobAttempt
    private let request: MigrationOrder.Request
    private let limits: ScriptLimits
    private let ways = Ways()

    /// What leads from a version to the target, once for all realms of that version.
    private final class Ways {
        var known: [UInt64?: Swift.Result<MigrationSteps, any Error>] = [:]
    }

    init(_ slice: FleetSlice, tools: JobTools, attempt: JobAttempt) {
        self.slice = slice
        self.tools = tools
        self.attempt = attempt
        let fleet = slice.fleet
        request = MigrationOrder.Request(
            targetVersion: fleet.request.targetVersion, migration: fleet.migration, mode: fleet.request.mode,
            dryRun: fleet.request.dryRun, limits: fleet.request.limits)
        limits = tools.scriptLimits.lowered(by: fleet.request.limits)
    }

    /// Migrates the realms, and commits none.
    ///
    /// - Throws: what ends the attempt: it is to stop, or something around it was lost.
    func run() throws -> [(realm: FleetSlice.Claimed, result: FleetOutcome.Result)] {
        var results: [(realm: FleetSlice.Claimed, result: FleetOutcome.Result)] = []
        do {
            for (number, realm) in slice.realms.enumerated() {
                attempt.progressed(
                    to: MigrationProgress(
                        phase: "migrate", objectsDone: number, objectsTotal: slice.realms.count))
                results.append((realm, try result(of: realm)))
            }
        } catch {
            for case .migrated(_, _, let segments) in results.map(\.result) { segments.close() }
            throw error
        }
        return results
    }

    private func result(of realm: FleetSlice.Claimed) throws -> FleetOutcome.Result {
        for loss in 1... {
            do {
                return try migrated(realm)
            } catch {
                if attempt.isCancelled || tools.store.problem(ofLoss: error) != nil { throw error }
                if let error = error as? MigrationError {
                    if error.script == .unavailable || error.script == .cancelled { throw error }
                    if error.script == .crash, loss < Self.hostLimit { continue }
                }
                let problem = ProblemDocument(ending: error)
                return .failed(problem, Self.cause(of: problem))
            }
        }
        preconditionFailure("A loop without an end has ended.")
    }

    /// What a problem has in common with those of other realms.
    private static func cause(of problem: ProblemDocument) -> FailureCause {
        FailureCause(
            code: problem.code, message: problem.detail, line: problem.errors.lazy.compactMap(\.line).first,
            isOfScript: problem.code == MigrationError.ScriptFailure.exception.rawValue)
    }

    private func migrated(_ realm: FleetSlice.Claimed) throws -> FleetOutcome.Result {
        guard let opened = try tools.store.fleets.open(realm, of: slice.fleet) else {
            throw StoreError.notFound(.realm, realm.name)
        }
        let steps = try steps(from: opened.snapshot.schemaVersion)
        let segments = tools.store.fleets.segments(for: realm, of: slice.fleet)
        do {
            if steps.steps.contains(where: { $0.script != nil }) { try segments.preload(opened) }
            let origin = ScriptOrigin(source: opened.info.id, time: opened.info.createdAt)
            let store = AttemptStore(segments, attempt)
            var current = opened.snapshot
            for step in steps.steps {
                let migration = steps.migrationRequest(step, source: current, origin: origin)
                let result = try run(migration, step, store, realm)
                for warning in result.warnings { attempt.logged("\(realm.name): \(warning)", level: .warn) }
                if !result.isUnchanged { current = result.snapshot }
            }
            if current == opened.snapshot || request.dryRun {
                segments.close()
                return current == opened.snapshot ? .unchanged(opened) : .rehearsed(from: opened)
            }
            return .migrated(current, from: opened, segments: segments)
        } catch {
            segments.close()
            throw error
        }
    }

    private func steps(from version: UInt64?) throws -> MigrationSteps {
        if let known = ways.known[version] { return try known.get() }
        let found = Result {
            try MigrationSteps(request, app: slice.fleet.app, of: .local, from: version, store: tools.store)
        }
        ways.known[version] = found
        return try found.get()
    }

    private func run(
        _ request: MigrationRequest, _ step: MigrationSteps.Step, _ store: AttemptStore, _ realm: FleetSlice.Claimed
    ) throws -> MigrationResult {
        guard let script = step.script else {
            return try Migration(request, store: store).run(script: nil)
        }
        guard let host = tools.host else {
            throw MigrationError(
                nil, "The worker that took the job has no script host: it runs migrations without a script only.",
                script: .crash)
        }
        return try host.run(
            request, of: attempt.lease.job.appID, script: script, limits: limits, store: store,
            observer: RealmObserver(realm: realm.name, attempt: attempt))
    }
}

/// Follows the migration of one realm of several: its lines are in the job's log, with its name before them.
private final class RealmObserver: MigrationObserver {
    private let realm: String
    private let attempt: JobAttempt

    init(realm: String, attempt: JobAttempt) {
        self.realm = realm
        self.attempt = attempt
    }

    func progressed(to progress: MigrationProgress) {}

    func logged(_ line: String, level: LogLevel) { attempt.logged("\(realm): \(line)", level: level) }

    var isCancelled: Bool { attempt.isCancelled }
}
