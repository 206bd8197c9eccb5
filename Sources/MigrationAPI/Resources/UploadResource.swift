import HTTPServer
import RealmModel
import SnapshotStore

/// `POST /v1/apps/{app}/realms/{realm}/snapshots`.
struct UploadResource: Sendable {
    let store: SnapshotStore
    let decoder: any UploadDecoder
    let limits: UploadLimits
    /// How many uploads are decoded at once; others wait for their turn.
    let slots: Slots

    var routes: [APIRoute] {
        [
            APIRoute(
                "POST", "/v1/apps/{app}/realms/{realm}/snapshots", "uploadSnapshot", query: [], body: .realm,
                on: .waiting,
                admit: admit,
                respond: upload)
        ]
    }

    /// What can be refused before gigabytes are read.
    private func admit(_ request: APIRequest) throws {
        _ = try Self.format(of: request)
        _ = try request.encryptionKey()
        _ = try request.newName(.realm)
        try store.beginUpload(to: request.realm(), in: request.app()).cancel()
    }

    private func upload(_ request: APIRequest) throws -> HTTPResponse {
        guard case .file(let file)? = request.whole?.body else { throw InputError(.truncated, "There is no body.") }
        guard slots.take(orWhen: { request.shouldStopWaiting }) else { throw HTTPError.overloaded }
        defer { slots.giveBack() }
        let upload = try store.beginUpload(to: request.realm(), in: request.app())
        do {
            let snapshot = try decoder.decode(
                format: try Self.format(of: request), of: upload.store.appID, fileDescriptor: file.fileDescriptor,
                encryptionKey: try request.encryptionKey(), into: upload.store, limits: limits)
            let info = try upload.commit(snapshot)
            return .json(info.json, status: 201, fields: ["Location": "/v1/snapshots/\(info.id)"])
        } catch {
            upload.cancel()
            throw error
        }
    }

    private static func format(of request: APIRequest) throws(APIError) -> UploadFormat {
        let type = request.head.fields["Content-Type"].map(MediaType.parse)
        guard let format = UploadFormat.allCases.first(where: { $0.mediaType == type }) else {
            throw .unsupportedMediaType(accepted: UploadFormat.allCases.map(\.mediaType))
        }
        return format
    }
}
