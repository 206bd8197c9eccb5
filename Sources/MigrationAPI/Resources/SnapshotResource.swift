import Columns
import HTTPServer
import RealmFile
import RealmFormats
import RealmJSON
import SnapshotStore

/// `/v1/snapshots` and the list of a realm's.
struct SnapshotResource: Sendable {
    let store: SnapshotStore
    /// Makes an empty store for what a download has to sort.
    let makeScratch: @Sendable () throws -> any SegmentStore

    var routes: [APIRoute] {
        [
            APIRoute("GET", "/v1/apps/{app}/realms/{realm}/snapshots", "listSnapshots", requires: .read, query: .page) {
                request in
                let page = try store.snapshots.list(
                    of: request.realm(), in: request.app(), request.head.page())
                return .json(page.map(\.json).json)
            },
            APIRoute("GET", "/v1/snapshots/{snapshot}", "getSnapshot", requires: .read, query: []) { request in
                let info = try request.snapshot(in: store)
                return try Preconditions(request.head).answer(info.json, tag: info.entityTag)
            },
            APIRoute("GET", "/v1/snapshots/{snapshot}/schema", "getSnapshotSchema", requires: .read, query: []) {
                request in
                let opened = try request.openSnapshot(in: store)
                let target = TargetJSON(
                    schemaVersion: opened.snapshot.schemaVersion, schema: opened.snapshot.declared)
                return .json(target.json)
            },
            APIRoute(
                "GET", "/v1/snapshots/{snapshot}/content", "getSnapshotContent", requires: .read, query: [],
                respond: content),
        ]
    }

    private func content(_ request: APIRequest) throws -> HTTPResponse {
        let format = try RealmFormat(accepted: request.head.fields["Accept"])
        guard let write = format.write else { throw APIError.notAcceptable(offered: []) }
        let encryption = try Self.encryption(of: request, as: format)
        let opened = try request.openSnapshot(in: store)
        guard format.holdsUnsynced || opened.snapshot.unsyncedCount == 0 else {
            throw APIError.objectsUnsynced(opened.snapshot.unsyncedCount, format: format.mediaType)
        }
        let name = "\(opened.info.realm)-\(opened.info.id).\(format.fileEnding)"
        let vary = "Accept, \(APIRequest.encryptionKeyField)"
        var fields: HTTPFields = [
            "Content-Type": format.mediaType, "Content-Disposition": "attachment; filename=\"\(name)\"", "Vary": vary,
        ]
        if encryption == nil {
            let tag = "\"\(opened.info.id)-\(format.name)\""
            if request.head.fields["If-None-Match"] == tag {
                return HTTPResponse(status: 304, fields: ["ETag": tag, "Vary": vary])
            }
            fields["ETag"] = tag
        } else {
            // Never twice the same bytes.
            fields["Cache-Control"] = "no-store"
        }
        try opened.store.preload(opened)
        return HTTPResponse(
            status: 200, fields: fields,
            body: .stream(
                .working,
                write(opened.snapshot, opened.store, WritingOptions(scratch: makeScratch, encryption: encryption))))
    }

    /// How the client wants a Realm file encrypted; nil for a plain one.
    ///
    /// - Throws: `invalidField` for a key that is none, or one for a format without encryption.
    private static func encryption(
        of request: APIRequest, as format: RealmFormat
    ) throws(APIError) -> PageEncryption? {
        guard let key = try request.encryptionKey() else { return nil }
        guard format.isEncryptable else {
            throw .invalidField(
                name: APIRequest.encryptionKeyField,
                message: "encrypts \(RealmFormat.realm.mediaType) only; say so in Accept, or leave the key out.")
        }
        return PageEncryption(key: key, counter: .random(in: PageEncryption.counters))
    }
}
