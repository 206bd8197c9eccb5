import JobStore
import RealmComparison
import RealmJSON
import RealmModel
import SnapshotStore
import StoreCore

/// The kind of job that tries the way to a declared version from every version that realms of an app may stand at.
struct RehearsalJob: JobWork {
    let order: RehearsalOrder

    /// Makes the order, after the checks that need no objects.
    ///
    /// - Throws: `StoreError.notFound` (app, schemaVersion; snapshot where the app has not one of the samples).
    static func check(_ order: RehearsalOrder, app: String, store: SnapshotStore) throws -> JobOrder {
        _ = try store.schemaVersions.find(order.targetVersion, of: app)
        for sample in order.samples {
            guard try store.snapshots.find(sample).app == app else { throw StoreError.notFound(.snapshot, "\(sample)") }
        }
        return .rehearsal(order)
    }

    /// As long as it takes: each migration has the time limit for itself.
    func timeLimit(_ tools: JobTools) -> Duration { .seconds(1e8) }

    func run(
        _ attempt: JobAttempt, with tools: JobTools, until deadline: ContinuousClock.Instant
    ) throws -> RehearsalOutcome {
        let matrix = try RehearsalRun(order, tools: tools, attempt: attempt).matrix()
        guard order.failOn == nil || matrix.hasPassed else {
            try tools.jobs.keep(matrix.json, of: attempt.lease)
            throw RehearsalFailure(matrix.hops.flatMap(\.report.failures))
        }
        return RehearsalOutcome(report: matrix.json)
    }

    func describe(_ job: Job, isWhole: Bool) -> [JSONMember] {
        [
            JSONMember("realm", .null), JSONMember("toVersion", JSONValue(order.targetVersion)),
            JSONMember("samples", .array(order.samples.map { .string("\($0)") })),
            JSONMember("realmsPerVersion", .int(Int64(order.realmsPerVersion))),
            JSONMember("failOn", order.failOn.map { .array($0.map { .string($0) }) } ?? .null),
        ]
    }
}

extension JobQueue {
    /// Queues a rehearsal of a declared version's migration on realms of all versions of an app.
    ///
    /// - Throws: `StoreError.notFound` (app, schemaVersion; snapshot where the app has not one of the samples).
    public func enqueue(_ order: RehearsalOrder, app: String) throws -> Job {
        try enqueue(in: app) { try RehearsalJob.check(order, app: app, store: store) }
    }
}
