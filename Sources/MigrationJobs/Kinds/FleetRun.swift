import Columns
import Problems
import RealmComparison
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
    /// Which findings fail a realm; nil where none do.
    private let policy: FailurePolicy?
    private let ways = Ways()

    /// The steps from a version to the target, once for all realms of that version.
    private final class Ways {
        var known: [UInt64?: Swift.Result<MigrationSteps, any Error>] = [:]
    }

    /// - Throws: where what fails a realm can't be read: none is committed then.
    init(_ slice: FleetSlice, tools: JobTools, attempt: JobAttempt) throws {
        self.slice = slice
        self.tools = tools
        self.attempt = attempt
        request = slice.fleet.migrationRequest
        limits = tools.scriptLimits.lowered(by: slice.fleet.request.limits)
        policy = try slice.fleet.request.failOn.map { try FailurePolicy($0) }
    }

    /// Migrates the realms, and commits none.
    ///
    /// - Throws: what ends the attempt: it is to stop, or something around it was lost.
    func run() throws -> [(realm: FleetSlice.Claimed, result: FleetOutcome.Result)] {
        let members = try tools.store.fleets.open(slice)
        var results: [Int: FleetOutcome.Result] = [:]
        do {
            var together: [(place: Int, step: MigrationSteps.Step, migration: ScriptedMigration)] = []
            for place in slice.realms.indices {
                guard let member = members[place] else {
                    results[place] = failure(StoreError.notFound(.realm, slice.realms[place].name))
                    continue
                }
                if let found = try scripted(member, place) {
                    together.append((place, found.step, found.migration))
                } else {
                    results[place] = try alone(member, place)
                    progressed(results.count)
                }
            }
            try run(together, members, &results)
        } catch {
            for member in members.values { member.segments.close() }
            throw error
        }
        for (place, member) in members {
            // Members that are not committed leave nothing behind.
            if case .migrated? = results[place] { continue }
            member.segments.close()
        }
        return slice.realms.indices.compactMap { place in results[place].map { (slice.realms[place], $0) } }
    }

    private func progressed(_ count: Int) {
        attempt.progressed(
            to: MigrationProgress(phase: "migrate", objectsDone: count, objectsTotal: slice.realms.count))
    }

    // MARK: Many by one call

    /// The migration of a small realm that one script does; nil for any other.
    private func scripted(
        _ member: OpenMember, _ place: Int
    ) throws -> (step: MigrationSteps.Step, migration: ScriptedMigration)? {
        // Faults of the way to the target are found where the realm is migrated alone.
        guard member.isSmall, tools.host != nil, let steps = try? steps(from: member.source.snapshot.schemaVersion),
            steps.steps.count == 1, let step = steps.steps.first, step.script != nil
        else { return nil }
        return (
            step,
            ScriptedMigration(
                migrationRequest(steps, step, source: member.source.snapshot, of: member),
                store: AttemptStore(member.segments, attempt),
                observer: RealmObserver(realm: slice.realms[place].name, attempt: attempt))
        )
    }

    /// Runs migrations by as few calls of hosts as there are scripts; those that a host leaves begin another call.
    private func run(
        _ all: [(place: Int, step: MigrationSteps.Step, migration: ScriptedMigration)], _ members: [Int: OpenMember],
        _ results: inout [Int: FleetOutcome.Result]
    ) throws {
        guard let host = tools.host else { return }
        for group in Dictionary(grouping: all, by: { $0.step.script }).values {
            var waiting = group[...]
            while let first = waiting.first {
                let ended = try host.run(
                    waiting.map(\.migration), of: attempt.lease.job.appID, limits: limits)
                for (one, result) in zip(waiting, ended) {
                    guard let member = members[one.place] else { continue }
                    results[one.place] = try self.result(result, of: member, one.place)
                }
                if ended.isEmpty, let member = members[first.place] {
                    results[first.place] = try alone(member, first.place)
                }
                waiting = waiting.dropFirst(max(ended.count, 1))
                progressed(results.count)
            }
        }
    }

    /// The result of one of several; one whose host died is run once more, by itself.
    private func result(
        _ result: Swift.Result<MigrationResult, MigrationError>, of member: OpenMember, _ place: Int
    ) throws -> FleetOutcome.Result {
        switch result {
        case .success(let migrated):
            do {
                let snapshot = migrated.isUnchanged ? member.source.snapshot : migrated.snapshot
                return try outcome(snapshot, [migrated], member, place)
            } catch {
                try requireGoingOn(error)
                return failure(error)
            }
        case .failure(let error):
            try requireGoingOn(error)
            return error.script == .crash ? try alone(member, place, losses: 1) : failure(error)
        }
    }

    // MARK: One by itself

    private func alone(_ member: OpenMember, _ place: Int, losses: Int = 0) throws -> FleetOutcome.Result {
        var losses = losses
        while true {
            do {
                return try migrated(member, place)
            } catch {
                try requireGoingOn(error)
                losses += 1
                if (error as? MigrationError)?.script == .crash, losses < Self.hostLimit { continue }
                return failure(error)
            }
        }
    }

    /// Throws what is not the realm's fault, or its script's.
    private func requireGoingOn(_ error: any Error) throws {
        if attempt.isCancelled || tools.store.problem(ofLoss: error) != nil { throw error }
        if let error = error as? MigrationError, error.script == .unavailable || error.script == .cancelled {
            throw error
        }
    }

    private func failure(_ error: any Error) -> FleetOutcome.Result {
        let problem = ProblemDocument(ending: error)
        let cause = FailureCause(
            code: problem.code, message: problem.detail, line: problem.errors.lazy.compactMap(\.line).first,
            isOfScript: problem.code == MigrationError.ScriptFailure.exception.rawValue)
        return .failed(problem, cause)
    }

    private func migrated(_ member: OpenMember, _ place: Int) throws -> FleetOutcome.Result {
        let steps = try steps(from: member.source.snapshot.schemaVersion)
        let store = AttemptStore(member.segments, attempt)
        var current = member.source.snapshot
        var ran: [MigrationResult] = []
        var limits = limits
        for step in steps.steps {
            let migration = migrationRequest(steps, step, source: current, of: member)
            let result = try run(migration, step, limits, store, slice.realms[place])
            limits.made += result.output
            ran.append(result)
            if !result.isUnchanged { current = result.snapshot }
        }
        return try outcome(current, ran, member, place)
    }

    private func outcome(
        _ snapshot: Snapshot, _ ran: [MigrationResult], _ member: OpenMember, _ place: Int
    ) throws -> FleetOutcome.Result {
        let name = slice.realms[place].name
        func warn(_ line: String) { attempt.logged("\(name): \(line)", level: .warn) }
        for warning in ran.flatMap(\.warnings) { warn(warning) }
        let quarantine = Quarantine()
        for result in ran {
            try quarantine.add(result, of: member.source.snapshot, in: member.segments, logged: warn)
        }
        if request.dryRun || policy != nil {
            let report = try report(snapshot, ran, member)
            let findings = report.findings.map { (FleetFinding($0), $0.count) }
            if policy != nil, !report.hasPassed { return Self.failure(report.failures, findings) }
            if request.dryRun {
                return .rehearsed(
                    from: member.source, quarantined: quarantine.objects.count, findings: findings,
                    isUnchanged: snapshot == member.source.snapshot)
            }
        }
        if snapshot == member.source.snapshot { return .unchanged(member.source) }
        return .migrated(snapshot, member, quarantined: quarantine.objects)
    }

    /// The report of a rehearsal of one realm, without what is the same for all realms of its version.
    private func report(
        _ snapshot: Snapshot, _ ran: [MigrationResult], _ member: OpenMember
    ) throws -> RehearsalReport {
        let source = member.source.snapshot
        var report = RehearsalReport(fromVersion: source.schemaVersion, toVersion: request.targetVersion)
        report.policy = policy ?? .errors
        let steps = try steps(from: source.schemaVersion)
        let target = steps.steps.last?.schema ?? source.declared
        report.add(steps.carriedProperties(source: source), target: target)
        for result in ran { report.add(result.findings, target: target) }
        do {
            let rehearsal = try Rehearsal(
                from: source, to: snapshot, renames: ran.flatMap(\.renames),
                isScripted: ran.contains(where: \.scriptRan), store: member.segments,
                isCancelled: { attempt.isCancelled })
            report.add(rehearsal, from: source.declared, to: snapshot.declared)
        } catch is Rehearsal.Cancelled {
            throw MigrationError(nil, "The rehearsal was stopped.", script: .cancelled)
        }
        return report
    }

    /// A realm that fails for what a rehearsal found; the cause is the same for all that have the same findings.
    private static func failure(
        _ failures: [RehearsalFinding], _ findings: [FleetOutcome.Finding]
    ) -> FleetOutcome.Result {
        let problem = ProblemDocument(RehearsalFailure(failures))
        let places = failures.map { finding in
            let place = [finding.className, finding.property].compactMap(\.self).joined(separator: ".")
            return place.isEmpty ? finding.rule.rawValue : "\(finding.rule.rawValue) of \(place)"
        }
        let cause = FailureCause(
            code: problem.code, message: places.joined(separator: ", "), line: nil, isOfScript: false)
        return .failed(problem, cause, findings: findings)
    }

    private func migrationRequest(
        _ steps: MigrationSteps, _ step: MigrationSteps.Step, source: Snapshot, of member: OpenMember
    ) -> MigrationRequest {
        let origin = ScriptOrigin(source: member.source.info.id, time: member.source.info.createdAt)
        var migration = steps.migrationRequest(step, source: source, origin: origin)
        if request.onError == .quarantine { migration.quarantineLimit = Quarantine.limit }
        return migration
    }

    private func steps(from version: UInt64?) throws -> MigrationSteps {
        if let known = ways.known[version] { return try known.get() }
        let found = Result {
            try MigrationSteps(request, app: slice.fleet.app, of: .local, from: version, store: tools.store)
        }
        // A failure of the database is not kept: it is asked again.
        if case .failure(let error) = found, tools.store.problem(ofLoss: error) != nil { throw error }
        ways.known[version] = found
        return try found.get()
    }

    private func run(
        _ request: MigrationRequest, _ step: MigrationSteps.Step, _ limits: ScriptLimits, _ store: AttemptStore,
        _ realm: FleetSlice.Claimed
    ) throws -> MigrationResult {
        try tools.run(
            request, of: attempt.lease.job.appID, limits: limits, store: store,
            observer: RealmObserver(realm: realm.name, attempt: attempt))
    }
}

extension FleetFinding {
    /// The part of a finding that is the same in all realms: for objects the rule and the place.
    fileprivate init(_ finding: RehearsalFinding) {
        let isOfObjects = finding.className != nil && finding.rule != .carriedOver || finding.rule == .slowExpression
        let place = finding.line.map { " (line \($0))" } ?? ""
        self.init(
            Level(finding.level), finding.rule.rawValue,
            (isOfObjects ? finding.rule.summary : finding.message) + place, className: finding.className,
            property: finding.property)
    }
}

extension FleetFinding.Level {
    fileprivate init(_ level: RehearsalFinding.Level) {
        switch level {
        case .error: self = .error
        case .warning: self = .warning
        case .note: self = .note
        }
    }
}

/// Follows the migration of one realm of several: its lines are in the job's log, with its name before them.
final class RealmObserver: MigrationObserver {
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
