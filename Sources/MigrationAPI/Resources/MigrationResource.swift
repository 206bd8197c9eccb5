import HTTPServer
import JobStore
import MigrationJobs
import RealmJSON
import RealmMigration
import RealmModel
import SnapshotStore
import StoreCore

/// `POST /v1/apps/{app}/realms/{realm}/migrations`.
struct MigrationResource: Sendable {
    let queue: JobQueue
    let waiting: JobWaiting
    let quota: AppQuota

    var routes: [APIRoute] {
        [
            APIRoute(
                "POST", "/v1/apps/{app}/realms/{realm}/migrations", "startMigration", requires: .deviceOr(.migrate),
                tokens: .realm, query: [],
                body: .json,
                answering: .patiently(start))
        ]
    }

    private func start(_ request: APIRequest) throws -> APIAnswer {
        let (app, name) = (try request.app(), try request.realm())
        let queue = queue.asked(by: request)
        if quota.isGiven, try queue.made() == nil { try waiting.jobs.store.apps.check(quota, of: app) }
        let document = try JSONBody.document(of: request)
        // A device has its realm brought to a version as that is declared, and brings no script of its own.
        if !request.access.has(.migrate), document.members?.contains(where: { $0.name != "targetVersion" }) == true {
            throw APIError.scopeMissing(.migrate)
        }
        // The schema of a synced realm is that of all its clients.
        if !request.access.has(.migrate), try queue.schemaVersion(ofSynced: name, in: app) != nil {
            throw StoreError.realmIsSynced
        }
        var wanted = try Self.decode(document) { try queue.schemaVersion(ofSynced: name, in: app) }
        // A device sees its own migrations alone.
        if !request.access.has(.read), document.members?.count == 1 { wanted.deviceKey = request.access.key }
        let condition = request.realmCondition(unsyncedLimit: queue.unsyncedLimit)
        let job = try enqueue(
            wanted, to: queue, realm: name, app: app, schedule: try Self.schedule(document), where: condition)
        return try waiting.answer(request, job: job.id) { latest, fields in
            var fields = fields
            fields["Location"] = latest.location
            return .json(latest.json, status: 202, fields: fields)
        }
    }

    private func enqueue(
        _ wanted: MigrationOrder.Request, to queue: JobQueue, realm: String, app: String, schedule: JobSchedule,
        where condition: RealmCondition?
    ) throws -> Job {
        do {
            return try queue.enqueue(
                wanted, realm: realm, app: app, schedule: schedule, where: condition)
        } catch StoreError.notFound(.schemaVersion, _) {
            throw APIError.schemaVersionUnknown(wanted.targetVersion)
        } catch StoreError.notFound(.snapshot, _) {
            throw APIError.realmWithoutSnapshot
        }
    }

    private static let members = [
        "targetVersion", "schema", "migration", "steps", "mode", "resolveEmbeddedConstraints", "dryRun", "checks",
        "failOn", "onError",
        "limits", "priority", "runAt",
    ]

    private static func schedule(_ document: JSONValue) throws -> JobSchedule {
        let body = try JSONBody(document, members: members)
        return JobSchedule(
            priority: try body.choice("priority", among: JobPriority.allCases) ?? .normal,
            runAt: try body.time("runAt"))
    }

    private static func errorPolicy(_ body: JSONBody) throws -> MigrationOrder.Request.ErrorPolicy {
        let policy = try body.choice("onError", among: MigrationOrder.Request.ErrorPolicy.allCases) ?? .abort
        guard policy == .abort || body.member("steps")?.string != "chain" else {
            throw body.invalid("onError", "onError “quarantine” is of one migration, and not of a chain.")
        }
        return policy
    }

    /// The programs of a rehearsal's checks.
    private static func checks(_ body: JSONBody) throws -> [String] {
        guard let elements = try body.array("checks") else { return [] }
        guard try body.bool("dryRun") == true else {
            throw body.invalid("checks", "checks are of a rehearsal: dryRun has to be true.")
        }
        let texts = elements.compactMap(\.string)
        guard texts.count == elements.count, texts.count <= checkLimit else {
            throw body.invalid("checks", "checks has to be an array of at most \(checkLimit) programs.")
        }
        let bytes = texts.reduce(0) { $0 + $1.utf8.count }
        guard bytes <= JSONBody.scriptLimit else {
            let message = "The checks have at most \(JSONBody.scriptLimit) bytes together, and these \(bytes)."
            throw InputError(.tooLarge, ProblemItem(message, pointer: body.pointer(to: "checks")))
        }
        return texts
    }

    private static let checkLimit = 100

    /// Which findings fail a rehearsal.
    private static func failOn(_ body: JSONBody) throws -> [String]? {
        guard let names = try body.failOn() else { return nil }
        guard try body.bool("dryRun") == true else {
            throw body.invalid("failOn", "failOn is of a rehearsal: dryRun has to be true.")
        }
        return names
    }

    /// - Parameter syncedVersion: the version that a synced realm has, for a request that names none; nil for a local realm.
    private static func decode(
        _ document: JSONValue, syncedVersion: () throws -> UInt64?
    ) throws -> MigrationOrder.Request {
        let body = try JSONBody(document, members: members)
        let schema = try body.schema("schema")
        let named = try body.integer("targetVersion", from: 0).map { UInt64($0) }
        guard let version = try named ?? (schema == nil ? nil : syncedVersion()) else {
            throw body.invalid("targetVersion", "targetVersion is missing.")
        }
        if let schema { try SchemaCheck.check(schema, at: body.pointer(to: "schema")) }
        return MigrationOrder.Request(
            targetVersion: version, schema: schema, migration: try body.migration("migration"),
            steps: try body.choice("steps", among: MigrationOrder.Request.Steps.allCases) ?? .direct,
            mode: (try body.choice("mode", among: SchemaMode.allCases) ?? .automatic).rawValue,
            resolveEmbeddedConstraints: try body.bool("resolveEmbeddedConstraints") ?? false,
            dryRun: try body.bool("dryRun") ?? false, checks: try checks(body),
            failOn: try failOn(body), onError: try errorPolicy(body), limits: try LimitsJSON.decode(body, "limits"))
    }
}
