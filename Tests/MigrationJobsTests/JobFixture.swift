import Columns
import Foundation
import JobStore
import MigrationJobs
import Postgres
import RealmMigration
import RealmModel
import SnapshotStore
import StoreCore
import TestDatabase
import Testing
import Threads

/// A store in a database of its own with the app `shop`, the realm `alice` of ten persons at version 1, and schemas.
struct JobFixture {
    let url: String
    let pool: PostgresPool
    let store: SnapshotStore
    let jobs: JobStore
    let queue: JobQueue
    let events: JobEvents
    let log = TestLog()

    /// - Parameter alone: whether the database has to be the test's own.
    init(alone: Bool = false) throws {
        url = try TestDatabase.make(alone: alone)
        pool = PostgresPool(url, size: 16)
        try DatabaseSchema.upgrade(pool)
        store = SnapshotStore(pool)
        jobs = JobStore(store)
        queue = JobQueue(jobs)
        events = JobEvents(jobs, log: log)
        _ = try store.apps.put("shop")
        _ = try store.schemaVersions.put(1, of: "shop", schema: Self.schema(), migration: nil)
        try upload()
    }

    static func schema(_ more: [Property] = []) -> Schema {
        Schema([
            ObjectSchema(
                "Person", primaryKey: "id", properties: [Property("id", .int), Property("name", .string)] + more)
        ])
    }

    static let age = Property("age", .int, isOptional: true)

    @discardableResult
    func upload(
        _ count: Int = 10, to realm: String = "alice", in app: String = "shop", schema: Schema = Self.schema()
    ) throws -> SnapshotInfo {
        let draft = try store.snapshots.beginDraft(of: realm, in: app)
        let writer = ClassWriter(schema: schema.classes[0], store: draft.store)
        for number in 0..<count {
            writer.columns[0].append(int: Int64(number))
            try writer.columns[1].append(variable: Array("person \(number)".utf8))
            try writer.endRow(key: ObjectKey(Int64(number)))
        }
        let stored = try writer.finish(nextSequence: Int64(count))
        return try draft.commit(Snapshot(schemaVersion: 1, declared: schema, classes: [stored]))
    }

    /// A request that adds a property; with a script of `TestHost` where one is named.
    static func request(_ script: String? = nil, dryRun: Bool = false) -> MigrationOrder.Request {
        MigrationOrder.Request(
            targetVersion: 2, schema: schema([age]),
            migration: script.map { DeclaredMigration(script: ScriptSource(.javaScript, $0)) }, dryRun: dryRun)
    }

    func enqueue(
        _ script: String? = nil, realm: String = "alice", app: String = "shop", dryRun: Bool = false,
        schedule: JobSchedule = JobSchedule()
    ) throws -> Job {
        try queue.enqueue(Self.request(script, dryRun: dryRun), realm: realm, app: app, schedule: schedule)
    }

    func currentSnapshot(_ realm: String = "alice") throws -> RealmModel.UUID? {
        try store.realms.find(realm, in: "shop").currentSnapshot
    }

    /// The names of the persons of a realm's current snapshot.
    func names(_ realm: String = "alice") throws -> [Value] {
        let opened = try store.snapshots.open(try #require(try currentSnapshot(realm)))
        let stored = try #require(opened.snapshot["Person"])
        let reader = try ClassReader(stored, store: opened.store)
        return try reader.rowGroups.indices.flatMap { group in
            let names = try reader.column(1, inGroup: group)
            return try (0..<names.count).map { try names.value(at: $0, as: ColumnType(.string)) }
        }
    }

    func count(_ table: StaticString) throws -> Int {
        try pool.withConnection { try $0.query("SELECT count(*) AS n FROM \(unsafeSQL: table)")[0].value("n") }
    }

    /// The number of jobs in each state that occurs.
    func countsByState() throws -> [String: Int] {
        let rows = try pool.withConnection { try $0.query("SELECT state, count(*) AS count FROM job GROUP BY state") }
        return Dictionary(uniqueKeysWithValues: try rows.map { (try $0.value("state"), try $0.value("count")) })
    }

    /// Runs a body while workers work and events are told.
    func withWorkers<Result>(
        _ configuration: WorkerConfiguration = WorkerConfiguration(workers: 2, poll: .milliseconds(200)),
        host: any ScriptRunner = TestHost(), _ body: (JobWorkers) throws -> Result
    ) throws -> Result {
        let pool = JobWorkers(jobs, events: events, host: host, configuration: configuration, log: log)
        events.start()
        pool.start()
        defer {
            pool.stop()
            events.stop()
        }
        return try body(pool)
    }

    /// Waits for a job's end, ten minutes at most.
    func end(of job: Job) throws -> Job {
        let changes = DispatchSemaphore(value: 0)
        // Observing begins before the first look, so that no change falls in between.
        let observation = events.observe(job.id) { _, _ in changes.signal() }
        defer { observation.cancel() }
        let deadline = DispatchTime.now() + 600
        while true {
            let job = try jobs.find(job.id)
            guard !job.state.isFinished, changes.wait(timeout: deadline) == .success else { return job }
        }
    }

    /// Waits until a condition holds, ten minutes at most.
    func wait(until condition: () throws -> Bool) throws {
        for _ in 0..<60_000 {
            if try condition() { return }
            Thread.sleep(forTimeInterval: 0.01)
        }
        Issue.record("The condition did not come true.")
    }
}

/// Collects what workers say.
final class TestLog: WorkerLog {
    private let collected = Mutex<[String]>([])
    private let collectedEvents = Mutex<[AttemptEvent]>([])

    var lines: [String] { collected.withLock { $0 } }
    var events: [AttemptEvent] { collectedEvents.withLock { $0 } }

    func happened(_ event: AttemptEvent) { collectedEvents.withLock { $0.append(event) } }

    func failed(_ what: String, job: RealmModel.UUID?, _ reason: String) {
        collected.withLock { $0.append("\(job.map { "\($0)" } ?? "-"): \(what): \(reason)") }
    }
}

extension Job {
    var migration: MigrationOrder {
        guard case .migration(let order) = order else { preconditionFailure("The job is no migration.") }
        return order
    }
}

extension [String] {
    /// The lines as an attempt reports them.
    var log: JobLogLines { reduce(into: JobLogLines()) { $0.append($1) } }
}
