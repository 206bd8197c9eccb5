import Columns
import HTTPServer
import JobStore
import MigrationJobs
import Problems
import RealmExport
import RealmFormats
import RealmModel
import SnapshotStore
import StoreCore

/// Gives realms back as their app's policy says, migrated before where it says so.
struct RealmExports: Sendable {
    let queue: JobQueue
    let waiting: JobWaiting
    /// Makes an empty file and names it, for a format that comes about in one.
    let makeFile: (@Sendable () throws -> String)?

    private var store: SnapshotStore { waiting.jobs.store }

    /// The answer to an upload: the export, where the app has a policy and the client waits for it.
    ///
    /// - Parameter made: the answer where it does not.
    /// - Throws: what keeps the migration from being queued; the snapshot stays.
    func answer(_ request: APIRequest, uploaded info: SnapshotInfo, made: HTTPResponse) throws -> APIAnswer {
        guard Prefer(request.head.fields["Prefer"]).wait != nil,
            let policy = try store.apps.exportPolicy(of: info.app)
        else { return .response(made) }
        guard let version = policy.targetVersion, version != info.schemaVersion else {
            return .response(try export(info.id, in: info.appID, as: policy, status: 201))
        }
        let job = try migrate(info, to: version, by: request.head)
        return try waiting.answer(request, job: job.id) { latest, fields in
            switch latest.state {
            case .succeeded:
                guard case .migration(let order) = latest.order, let result = order.resultSnapshot else {
                    throw StoreError.notFound(.snapshot, "\(latest.id)")
                }
                return try export(result, in: latest.appID, as: policy, status: 201)
            case .failed, .cancelled:
                throw APIError.exportFailed(
                    latest.problem ?? ProblemDocument(.jobCancelled, "The migration was cancelled."))
            case .queued, .running:
                var fields = fields
                fields["Location"] = latest.location
                return .json(latest.json, status: 202, fields: fields)
            }
        }
    }

    /// The export of a realm as it is.
    ///
    /// - Throws: `exportPolicyMissing`, `realmWithoutSnapshot`; `exportOfAnotherVersion` where the realm is to be migrated first.
    func current(_ realm: String, in app: String) throws -> HTTPResponse {
        guard let policy = try store.apps.exportPolicy(of: app) else { throw APIError.exportPolicyMissing }
        let found = try store.realms.find(realm, in: app)
        guard let id = found.currentSnapshot else { throw APIError.realmWithoutSnapshot }
        let info = try store.snapshots.find(id, in: found.appID)
        if let version = policy.targetVersion, info.schemaVersion != version {
            throw APIError.exportOfAnotherVersion(info.schemaVersion, wanted: version)
        }
        return try export(id, in: found.appID, as: policy, status: 200)
    }

    private func migrate(_ info: SnapshotInfo, to version: UInt64, by request: HTTPRequestHead) throws -> Job {
        do {
            return try queue.asked(by: request.id, in: request.traceParent?.text).enqueue(
                MigrationOrder.Request(targetVersion: version), realm: info.realm, app: info.app
            ) { realm in
                guard realm?.currentSnapshot == info.id else { throw StoreError.realmChanged }
            }
        } catch StoreError.notFound(.schemaVersion, _) {
            throw APIError.schemaVersionUnknown(version)
        }
    }

    private func export(
        _ id: RealmModel.UUID, in app: RealmModel.UUID, as policy: ExportPolicy, status: Int
    ) throws -> HTTPResponse {
        guard let format = Self.formats.first(where: { $0.name.hasSameBytes(as: policy.format) }),
            let write = format.write
        else { throw APIError.notAcceptable(offered: Self.formats.map(\.mediaType)) }
        let opened = try store.snapshots.open(id, in: app)
        guard format.holdsUnsynced || opened.snapshot.unsyncedCount == 0 else {
            throw APIError.objectsUnsynced(opened.snapshot.unsyncedCount, format: format.mediaType)
        }
        try opened.store.preload(opened)
        WorkBudget.current?.announce(answerOf: opened.snapshot.writingFootprint)
        let options = WritingOptions(
            export: ExportOptions(
                dates: ExportOptions.Dates(rawValue: policy.dates) ?? .iso, flattens: policy.flattens),
            makeFile: makeFile)
        let name = "\(opened.info.realm).\(format.fileEnding)"
        return HTTPResponse(
            status: status,
            fields: [
                "Content-Type": format.mediaType, "Content-Disposition": "attachment; filename=\"\(name)\"",
                "Location": "/v1/snapshots/\(id)", "Cache-Control": "no-store",
            ], body: .stream(.working, write(opened.snapshot, opened.store, options)))
    }

    /// The formats that lead out of Realm.
    static let formats = RealmFormat.writable.filter { $0.read == nil }
}
