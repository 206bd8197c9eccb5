import Columns
import JobStore
import Problems
import RealmComparison
import RealmFleet
import RealmMigration
import RealmModel
import SnapshotStore
import StoreCore

/// One run of a job of a fleet: its realms, one after the other.
struct FleetRun {
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
        let members = try tools.jobs.fleets.open(slice)
        let results: [Int: FleetOutcome.Result]
        do {
            results = try migrate(members)
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

    private func migrate(_ members: [Int: OpenMember]) throws -> [Int: FleetOutcome.Result] {
        var results: [Int: FleetOutcome.Result] = [:]
        var begun: [(place: Int, member: OpenMember)] = []
        var realms: [MigrationMachine.Realm] = []
        for place in slice.realms.indices {
            do {
                guard let member = members[place] else { throw StoreError.notFound(.realm, slice.realms[place].name) }
                realms.append(try realm(member))
                begun.append((place, member))
            } catch {
                results[place] = try failure(error)
            }
        }
        var machine = MigrationMachine(realms, limits: limits)
        try tools.runner(of: attempt, isRehearsal: request.dryRun).run(
            &machine,
            in: { index in
                let (place, member) = begun[index]
                let observer = NamedObserver(slice.realms[place].name, attempt)
                return (AttemptStore(member.segments, attempt), observer)
            },
            told: { index, result, realm in
                if case .failure(let error) = result { try tools.requireGoingOn(attempt, after: error) }
                guard realm.isOver else { return }
                let (place, member) = begun[index]
                results[place] = try self.result(realm, of: member, place)
                attempt.progressed(
                    to: MigrationProgress(
                        phase: "migrate", objectsDone: results.count, objectsTotal: slice.realms.count))
            })
        return results
    }

    /// A realm at the beginning of its steps.
    private func realm(_ member: OpenMember) throws -> MigrationMachine.Realm {
        let (info, source) = (member.source.info, member.source.snapshot)
        return try steps(from: source.schemaVersion)
            .realm(source, origin: ScriptOrigin(source: info.id, time: info.createdAt), isSmall: member.isSmall)
    }

    private func result(
        _ realm: MigrationMachine.Realm, of member: OpenMember, _ place: Int
    ) throws -> FleetOutcome.Result {
        do {
            return try outcome(try realm.end.get(), realm.results, member, place)
        } catch {
            return try failure(error)
        }
    }

    /// A realm that fails by an error.
    ///
    /// - Throws: an error that ends the attempt.
    private func failure(_ error: any Error) throws -> FleetOutcome.Result {
        try tools.requireGoingOn(attempt, after: error)
        let problem = ProblemDocument(ending: error)
        let cause = FailureCause(
            code: problem.code, message: problem.detail, line: problem.errors.lazy.compactMap(\.line).first,
            isOfScript: problem.code == ProblemCode.scriptFailed.rawValue)
        return .failed(.init(problem, cause))
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
        try report.add(
            comparing: source, with: snapshot, renames: ran.flatMap(\.renames),
            isScripted: ran.contains(where: \.scriptRan), in: member.segments, of: attempt)
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
        return .failed(.init(problem, cause), findings: findings)
    }

    private func steps(from version: UInt64?) throws -> MigrationSteps {
        if let known = ways.known[version] { return try known.get() }
        let found = Result {
            try MigrationSteps(request, app: slice.fleet.app, of: .local, from: version, store: tools.store)
        }
        // A failure of the database is not kept: it is asked again.
        if case .failure(let error) = found, ProblemDocument(ofTransient: error) != nil { throw error }
        ways.known[version] = found
        return try found.get()
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
