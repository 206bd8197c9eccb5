import Columns
import HTTPServer
import JobStore
import MigrationJobs
import RealmJSON
import RealmModel
import RealmSync
import SnapshotStore
import StoreCore
import SyncedRealms

/// `POST /v1/apps/{app}/realms/{realm}/changes`.
struct ChangeResource: Sendable {
    /// The most operations of a batch.
    static let operationLimit = 100_000

    let jobs: JobStore
    /// Writes the other sides of what is changed.
    let partners: PartnerWriter
    let events: RealmEvents
    private let turns = RealmTurns()

    init(jobs: JobStore, partners: PartnerWriter, events: RealmEvents) {
        self.jobs = jobs
        self.partners = partners
        self.events = events
    }

    private var store: SnapshotStore { jobs.store }

    var routes: [APIRoute] {
        [
            APIRoute(
                "POST", "/v1/apps/{app}/realms/{realm}/changes", "changeObjects", requires: .write, tokens: .realm,
                query: [],
                body: .json, answering: .patiently(change))
        ]
    }

    private func change(_ request: APIRequest) throws -> APIAnswer {
        guard let whole = request.whole else { throw InputError(.truncated, "There is no body.") }
        try JSONBody.requireJSON(request)
        let waker = whole.waker
        let app = try request.app()
        let turn = turns.of(realm: try request.realm(), app: app).turn { waker.wake() }
        // The batches of a realm go one after the other.
        return try request.wait(for: turn) {
            defer { turn.end() }
            try WorkBudget.hold(ChangeBatchReader.memory(toRead: whole.bytes))
            let response = try store.snapshots.change(request.realm(), in: app) {
                try apply(whole.bytes, request, to: $0)
            }
            events.hint()
            return .response(response)
        }
    }

    private func apply(_ body: [UInt8], _ request: APIRequest, to draft: ChangeDraft) throws -> HTTPResponse {
        try request.realmCondition(unsyncedLimit: store.unsyncedLimit)?(draft.realm)
        guard draft.realm.kind == .synced else { throw StoreError.realmNotSynced }
        guard let current = draft.current else { throw APIError.realmWithoutSnapshot }
        try request.requireSync(of: draft.realm, in: store)
        let view = try request.schemaView(of: current.snapshot.declared, draft.realm, in: store)
        if let version = view.version { try jobs.partners.saw(version, declaring: view.shown, by: draft.realm) }
        let batch = try ChangeBatchReader(view.shown, version: view.version, limit: Self.operationLimit).read(body)
        let since = try batch.base.map { try draft.delta(since: try Self.id($0)) }
        guard batch.count > 0 else { return Self.response(to: current.info, applied: 0, unsynced: [], status: 200) }
        let application = ChangeApplication(to: current.snapshot, as: view, in: draft.store)
        if let since {
            let conflicts = try application.conflicts(batch, with: since)
            guard conflicts.isEmpty else { throw ChangeError.conflict(conflicts) }
        }
        let (applied, written) = try partners.apply(batch, readWith: view.shown, to: application, in: draft)
        let info = try written.commit(application, in: draft).info
        return Self.response(to: info, applied: applied, unsynced: try application.unsynced(), status: 201)
    }

    private static func response(
        to info: SnapshotInfo, applied: Int, unsynced: [UnsyncedObject], status: Int
    ) -> HTTPResponse {
        .json(
            info.json.adding([
                JSONMember("applied", .int(Int64(applied))), JSONMember("unsynced", .array(unsynced.map(\.json))),
            ]), status: status, fields: ["Location": "/v1/snapshots/\(info.id)"])
    }

    private static func id(_ text: String) throws -> RealmModel.UUID {
        guard let id = RealmModel.UUID(text) else {
            throw APIError.invalidMember(pointer: "/base", message: "base has to be the id of a snapshot.")
        }
        return id
    }
}
