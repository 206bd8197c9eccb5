import HTTPServer
import JobStore
import MigrationJobs
import RealmJSON
import RealmModel
import StoreCore

/// `POST /v1/apps/{app}/rehearsals`.
struct RehearsalResource: Sendable {
    let queue: JobQueue
    let waiting: JobWaiting

    var routes: [APIRoute] {
        [
            APIRoute(
                "POST", "/v1/apps/{app}/rehearsals", "startRehearsal", requires: .migrate, query: [], body: .json,
                answering: .patiently(start))
        ]
    }

    /// Snapshots that are named at most.
    private static let sampleLimit = 100

    private func start(_ request: APIRequest) throws -> APIAnswer {
        let app = try request.app()
        let body = try JSONBody(
            try JSONBody.document(of: request), members: ["targetVersion", "samples", "realmsPerVersion", "failOn"])
        guard let version = try body.integer("targetVersion", from: 0).map({ UInt64($0) }) else {
            throw body.invalid("targetVersion", "targetVersion is missing.")
        }
        let samples = try Self.samples(body)
        let perVersion = try body.integer("realmsPerVersion", from: 1) ?? 1
        guard perVersion <= Self.sampleLimit else {
            throw body.invalid("realmsPerVersion", "realmsPerVersion has to be \(Self.sampleLimit) at most.")
        }
        let failOn = try body.failOn()
        let job: Job
        do {
            job = try queue.asked(by: request).enqueue(
                RehearsalOrder(
                    targetVersion: version, samples: samples, realmsPerVersion: Int(perVersion), failOn: failOn),
                app: app)
        } catch StoreError.notFound(.schemaVersion, _) {
            throw APIError.schemaVersionUnknown(version)
        }
        return try waiting.answer(request, job: job.id) { latest, fields in
            var fields = fields
            fields["Location"] = latest.location
            return .json(latest.json, status: 202, fields: fields)
        }
    }

    private static func samples(_ body: JSONBody) throws -> [RealmModel.UUID] {
        let elements = try body.array("samples") ?? []
        let ids = elements.compactMap { $0.string.flatMap { RealmModel.UUID($0) } }
        guard ids.count == elements.count, Set(ids).count == ids.count, ids.count <= sampleLimit else {
            throw body.invalid(
                "samples", "samples has to be an array of at most \(sampleLimit) ids of snapshots, each once.")
        }
        return ids
    }
}
