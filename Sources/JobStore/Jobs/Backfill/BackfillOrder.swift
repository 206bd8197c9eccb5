import Postgres
import RealmJSON
import RealmModel
import StoreCore

/// The order of a backfill: gives a required property a value in every object of a synced realm that lacks one.
public struct BackfillOrder: Hashable, Sendable {
    /// The values that the objects are given.
    public enum Fill: Hashable, Sendable {
        /// The same for all, as Realm JSON.
        case value(JSONValue)
        /// The answer of a function of the object; its text, which is empty in lists.
        case script(String)
    }

    /// The realm's name.
    public var realm: String
    /// The class.
    public var className: String
    /// The property, by its stored name.
    public var property: String
    /// The values that the objects are given.
    public var fill: Fill

    /// Orders a backfill; class, property and value were checked against the realm's schema.
    public init(realm: String, className: String, property: String, fill: Fill) {
        self.realm = realm
        self.className = className
        self.property = property
        self.fill = fill
    }
}

extension BackfillOrder: JobOrderContent {
    static let kind = JobKind.backfill
    static let order: StaticString? =
        "NULL, NULL, NULL, NULL, request, NULL, function, NULL, NULL FROM backfill_job"

    init(row: PostgresRow) throws {
        realm = try row.value("realm_name")
        let stored = try row.json("request", as: StoredBackfill.self)
        className = stored.className
        property = stored.property
        fill =
            try stored.value.map { .value(try Self.json($0)) }
            ?? .script(row.optionalJSON("migration", as: StoredFunction.self)?.script ?? "")
    }

    private static func json(_ text: String) throws(StoreError) -> JSONValue {
        do {
            return try JSONValue.parse(Array(text.utf8))
        } catch {
            throw .damaged("the value of a backfill")
        }
    }

    /// Inserts a job beside whatever else goes on in the realm.
    func insert(_ job: NewJob, _ connection: PostgresConnection) throws -> Job {
        var (value, script): (String?, StoredFunction?) = (nil, nil)
        switch fill {
        case .value(let json): value = String(decoding: json.encoded(), as: UTF8.self)
        case .script(let text): script = StoredFunction(script: text)
        }
        let stored = StoredBackfill(className: className, property: property, value: value)
        let rows = try connection.query(
            """
            WITH locked AS (
                SELECT r.app_id, r.realm_id FROM app a JOIN realm r USING (app_id)
                WHERE a.name = \(job.app) AND r.name = \(realm) AND r.kind = 'synced'
                FOR KEY SHARE OF a FOR KEY SHARE OF r
            ), j AS (
                INSERT INTO job (job_id, kind, exclusive, parent_id, request_id, trace_parent, app_id, realm_id, app_name, realm_name, priority, run_at)
                SELECT \(job.id), \(Self.kind.rawValue), false, \(job.parent), \(job.requestID), \(job.traceParent), app_id, realm_id, \(job.app), \(realm),
                    \(job.priority), greatest(\(job.schedule.runAt), clock_timestamp())
                FROM locked
                RETURNING *
            ), ordered AS (
                INSERT INTO backfill_job (app_id, job_id, request, function)
                SELECT app_id, job_id, \(try StoredJSON.encode(stored)), \(try script.map { try StoredJSON.encode($0) }) FROM j
            )
            SELECT \(job: .queue) FROM j
            """)
        guard let row = rows.first else { throw StoreError.notFound(.realm, realm) }
        return try Job(row: row, order: .backfill(self))
    }

    /// Objects that have a value are left alone: the job may go on whenever it ended.
    func requireRetriable(_ job: Job, _ connection: PostgresConnection) throws {}
}

/// A backfill as the column `request` holds it; the function's text has a column of its own.
private struct StoredBackfill: Codable {
    let className: String
    let property: String
    /// Realm JSON.
    let value: String?
}

private struct StoredFunction: Codable {
    let script: String
}

/// The outcome of an attempt of a backfill: all objects that lacked a value have one, committed batch by batch.
public struct BackfillOutcome: JobOutcome {
    /// The end.
    public init() {}

    /// Ends the job; there is nothing left to become true.
    public func finish(_ ending: JobEnding) throws -> Job {
        try ending.commit { connection in
            try ending.lockRealm(connection).isCancelRequested ? .cancelled : .succeeded(nil)
        }
    }

    /// Has nothing.
    public func close() {}
}
