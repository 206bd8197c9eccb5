import Columns
import JobStore
import Problems
import RealmComparison
import RealmMigration
import RealmModel
import StoreCore

/// One run of a rehearsal: a migration to the target from each version, none of which is kept.
struct RehearsalRun {
    /// Versions that are tried at most: those next to the target.
    private static let hopLimit = 200

    private let order: RehearsalOrder
    private let tools: JobTools
    private let attempt: JobAttempt
    private let request: MigrationOrder.Request

    init(_ order: RehearsalOrder, tools: JobTools, attempt: JobAttempt) {
        self.order = order
        self.tools = tools
        self.attempt = attempt
        request = MigrationOrder.Request(targetVersion: order.targetVersion)
    }

    /// The realm that a hop begins with.
    private enum Start {
        case snapshot(version: UInt64?, RealmModel.UUID, realmCount: Int)
        /// A made-up realm of a declared version that no realm stands at.
        case madeUp(version: UInt64)

        var version: UInt64? {
            switch self {
            case .snapshot(let version, _, _): version
            case .madeUp(let version): version
            }
        }
    }

    /// Tries all hops, one after the other.
    ///
    /// - Throws: what ends the attempt: it is to stop, or something around it was lost.
    func matrix() throws -> RehearsalMatrix {
        let began = ContinuousClock.now
        let starts = try starts()
        var matrix = RehearsalMatrix(toVersion: order.targetVersion)
        matrix.leftOut = max(starts.count - Self.hopLimit, 0)
        for start in starts.suffix(Self.hopLimit) {
            attempt.progressed(
                to: MigrationProgress(
                    phase: "rehearse", objectsDone: matrix.hops.count, objectsTotal: starts.count - matrix.leftOut))
            matrix.hops.append(try hop(start))
        }
        matrix.nameSamples()
        matrix.seconds = (ContinuousClock.now - began) / .seconds(1)
        return matrix
    }

    /// Which findings fail whoever asked; nil where nothing was said of it.
    private var policy: FailurePolicy? { get throws { try order.failOn.map { try FailurePolicy($0) } } }

    /// The versions that realms stand at, and those that are declared below the target; ascending.
    private func starts() throws -> [Start] {
        let app = attempt.lease.job.app
        let newest = try tools.store.realms.newestSnapshots(in: app, ofEachVersion: order.realmsPerVersion)
        let samples = try order.samples.map { try tools.store.snapshots.find($0, in: attempt.lease.job.appID) }
        let sampled = Set(samples.map(\.schemaVersion))
        let counts = Dictionary(newest.map { ($0.version, $0.realmCount) }) { first, _ in first }
        var starts = newest.filter { !sampled.contains($0.version) }
            .map { Start.snapshot(version: $0.version, $0.snapshot, realmCount: $0.realmCount) }
        starts += samples.map {
            .snapshot(version: $0.schemaVersion, $0.id, realmCount: counts[$0.schemaVersion] ?? 0)
        }
        let known = Set(starts.map(\.version))
        starts += try tools.store.schemaVersions.numbers(of: app)
            .filter { $0 < order.targetVersion && !known.contains($0) }
            .map { .madeUp(version: $0) }
        return starts.sorted { one, other in
            guard let version = other.version else { return false }
            return one.version.map { $0 < version } ?? true
        }
    }

    private func hop(_ start: Start) throws -> RehearsalMatrix.Hop {
        switch start {
        case .madeUp(let version):
            let store = MemorySegmentStore()
            let schema = try tools.store.schemaVersions.find(version, of: attempt.lease.job.app).schema
            let source = try MadeUpRealm.make(schema, version: version, in: store)
            return RehearsalMatrix.Hop(
                data: .madeUp, realmCount: 0, report: try report(source, of: .local, origin: nil, store))
        case .snapshot(_, let id, let realmCount):
            let opened = try tools.store.snapshots.open(id, in: attempt.lease.job.appID)
            let segments = try tools.store.snapshots.segments(trying: opened)
            defer { segments.close() }
            let report = try report(
                opened.snapshot, of: opened.info.realmKind,
                origin: ScriptOrigin(source: opened.info.id, time: opened.info.createdAt),
                AttemptStore(segments, attempt))
            return RehearsalMatrix.Hop(
                data: .snapshot(id, realm: opened.info.realm), realmCount: realmCount, report: report)
        }
    }

    /// Tries the migration of one realm.
    private func report(
        _ source: Snapshot, of kind: RealmKind, origin: ScriptOrigin?, _ store: any SegmentStore
    ) throws -> RehearsalReport {
        do {
            let job = attempt.lease.job
            let steps = try MigrationSteps(
                request, app: job.app, of: kind, from: source.schemaVersion, store: tools.store)
            try steps.check(source: source)
            let rehearsal = MigrationRehearsal(
                toVersion: order.targetVersion, policy: try policy, limits: tools.scriptLimits, tools: tools,
                attempt: attempt, store: store)
            let carried = steps.carriedProperties(source: source)
            return try rehearsal.rehearse(steps, of: source, carried: carried) { note in
                let observer = NamedObserver(source.schemaVersion.map { "version \($0)" } ?? "no version", attempt)
                var machine = MigrationMachine([steps.realm(source, origin: origin)], limits: tools.scriptLimits)
                try tools.runner(of: attempt, isRehearsal: true).run(&machine, in: { _ in (store, observer) }) {
                    _, result, _ in
                    switch result {
                    case .success(let result): note(result)
                    case .failure(let error): try tools.requireGoingOn(attempt, after: error)
                    }
                }
                return try machine.realms[0].end.get()
            }.report
        } catch {
            try tools.requireGoingOn(attempt, after: error)
            var report = RehearsalReport(fromVersion: source.schemaVersion, toVersion: order.targetVersion)
            report.error = ProblemDocument(ending: error).json()
            report.policy = try policy ?? .errors
            return report
        }
    }
}
