import HTTPServer
import RealmFormats
import RealmModel
import SnapshotStore

/// `POST /v1/apps/{app}/realms/{realm}/snapshots`.
struct UploadResource: Sendable {
    let store: SnapshotStore
    let decoder: any RealmDecoder
    let limits: DecodingLimits
    /// How many uploads are decoded at once; others wait for their turn.
    let slots: Slots

    /// Who waits for its turn is woken when that has come, and looks again after this at the latest.
    private static let longestSleep = Duration.seconds(60)

    var routes: [APIRoute] {
        [
            APIRoute(
                "POST", "/v1/apps/{app}/realms/{realm}/snapshots", "uploadSnapshot", requires: .write, query: [],
                body: .realm,
                admit: admit, answering: .patiently(upload))
        ]
    }

    /// What can be refused before gigabytes are read.
    private func admit(_ request: APIRequest) throws {
        _ = try RealmFormat(uploaded: request.head.fields["Content-Type"])
        _ = try request.encryptionKey()
        _ = try request.newName(.realm)
        try store.snapshots.beginDraft(of: request.realm(), in: request.app()).cancel()
        if let condition = request.realmCondition(unsyncedLimit: store.unsyncedLimit) {
            try condition(try store.realms.findIfThere(request.realm(), in: request.app()))
        }
    }

    private func upload(_ request: APIRequest) throws -> APIAnswer {
        guard let whole = request.whole, case .file(let file) = whole.body else {
            throw InputError(.truncated, "There is no body.")
        }
        let waker = whole.waker
        return try upload(file, request, slots.turn { waker.wake() })
    }

    /// Decodes when the turn has come.
    private func upload(_ file: SpooledBody, _ request: APIRequest, _ turn: Slots.Turn) throws -> APIAnswer {
        guard turn.hasCome else {
            guard !request.shouldStopWaiting else { throw HTTPError.overloaded }
            return .later(until: .now + Self.longestSleep) { try upload(file, request, turn) }
        }
        defer { turn.end() }
        return .response(try decode(file, request))
    }

    private func decode(_ file: SpooledBody, _ request: APIRequest) throws -> HTTPResponse {
        let draft = try store.snapshots.beginDraft(of: request.realm(), in: request.app())
        do {
            let snapshot = try decoder.decode(
                file.fileDescriptor, as: try RealmFormat(uploaded: request.head.fields["Content-Type"]),
                key: try request.encryptionKey(), into: draft.store, of: draft.store.appID, rowGroups: .standard,
                limits: limits)
            let info = try draft.commit(
                snapshot, where: request.realmCondition(unsyncedLimit: store.unsyncedLimit))
            return .json(
                info.json, status: 201, fields: ["Location": "/v1/snapshots/\(info.id)", "ETag": info.entityTag])
        } catch {
            draft.cancel()
            throw error
        }
    }
}
