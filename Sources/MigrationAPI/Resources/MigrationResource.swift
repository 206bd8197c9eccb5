import HTTPServer
import MigrationJobs
import RealmJSON
import RealmMigration
import RealmModel
import SnapshotStore

/// `POST /v1/apps/{app}/realms/{realm}/migrations`.
struct MigrationResource: Sendable {
    let store: SnapshotStore
    let jobs: JobQueue
    let waiting: JobWaiting

    var routes: [APIRoute] {
        [
            APIRoute(
                "POST", "/v1/apps/{app}/realms/{realm}/migrations", "startMigration", query: [], body: .json,
                answering: .patiently(start))
        ]
    }

    private func start(_ request: APIRequest) throws -> APIAnswer {
        let (app, name) = (try request.app(), try request.realm())
        let wanted = try Self.decode(try JSONBody.document(of: request))
        let realm = try store.realm(name, in: app)
        if realm.kind == .synced { try checkSynced(wanted, realm) }
        let job = try enqueue(wanted, realm: name, app: app)
        return try waiting.answer(request, job: job.id) { latest, fields in
            var fields = fields
            fields["Location"] = latest.location
            return .json(latest.json, status: 202, fields: fields)
        }
    }

    private func enqueue(_ wanted: JobRequest, realm: String, app: String) throws -> Job {
        do {
            return try jobs.enqueue(wanted, realm: realm, app: app)
        } catch StoreError.notFound(.schemaVersion, _) {
            throw APIError.schemaVersionUnknown(wanted.targetVersion)
        } catch StoreError.notFound(.snapshot, _) {
            throw APIError.realmWithoutSnapshot
        }
    }

    // MARK: Synced realms

    /// A synced realm takes no script and no change that breaks the clients that are there.
    private func checkSynced(_ wanted: JobRequest, _ realm: Realm) throws {
        let declared = try declaredTarget(wanted, realm.app)
        let migration = wanted.schema == nil ? wanted.migration ?? declared?.migration : wanted.migration
        if migration?.source != nil { throw APIError.syncedScriptNotAllowed }
        guard let current = realm.currentSnapshot, let target = wanted.schema ?? declared?.schema else { return }
        let existing = try store.open(current).snapshot.declared
        let breaking = SchemaChangeReport.compare(
            existing: existing, target: target, renames: migration?.schemaRenames ?? []
        ).filter { $0.serverSide == .breaking }
        guard breaking.isEmpty else {
            throw APIError.syncedBreakingChange(
                breaking.map { .init(className: $0.className, property: $0.property, message: $0.message) })
        }
    }

    /// The declared target; nil where there is none, which enqueueing finds out again.
    private func declaredTarget(_ wanted: JobRequest, _ app: String) throws -> SchemaVersion? {
        do {
            return try store.schemaVersion(wanted.targetVersion, of: app)
        } catch StoreError.notFound(.schemaVersion, _) {
            return nil
        }
    }

    // MARK: The request

    private static func decode(_ document: JSONValue) throws -> JobRequest {
        let body = try JSONBody(
            document,
            members: [
                "targetVersion", "schema", "migration", "steps", "mode", "resolveEmbeddedConstraints", "dryRun",
                "limits",
            ])
        guard let version = try body.integer("targetVersion", from: 0) else {
            throw body.invalid("targetVersion", "targetVersion is missing.")
        }
        let schema = try body.schema("schema")
        if let schema { try SchemaCheck.check(schema, at: body.pointer(to: "schema")) }
        let limits = try JSONBody(
            body.member("limits") ?? .object([]), "limits", at: body.pointer(to: "limits"),
            members: ["timeoutSeconds", "memoryBytes"])
        return JobRequest(
            targetVersion: UInt64(version), schema: schema, migration: try MigrationJSON.decode(body, "migration"),
            steps: try body.choice("steps", among: JobRequest.Steps.allCases) ?? .direct,
            mode: (try body.choice("mode", among: SchemaMode.allCases) ?? .automatic).rawValue,
            resolveEmbeddedConstraints: try body.bool("resolveEmbeddedConstraints") ?? false,
            dryRun: try body.bool("dryRun") ?? false, timeoutSeconds: try limits.positiveNumber("timeoutSeconds"),
            memoryBytes: try limits.integer("memoryBytes", from: 1).map { Int($0) })
    }
}
