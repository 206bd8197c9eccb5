import Columns
import HTTPServer
import RealmFile
import RealmJSON
import SnapshotStore

/// `/v1/snapshots` and the list of a realm's.
struct SnapshotResource: Sendable {
    let store: SnapshotStore
    /// Makes an empty store for what a download has to sort.
    let makeScratch: @Sendable () throws -> any SegmentStore

    var routes: [APIRoute] {
        [
            APIRoute("GET", "/v1/apps/{app}/realms/{realm}/snapshots", "listSnapshots") { request in
                let page = try store.snapshots(
                    of: request.realm(), in: request.app(), request.head.page())
                return .json(page.map(\.json).json)
            },
            APIRoute("GET", "/v1/snapshots/{snapshot}", "getSnapshot") { request in
                .json(try store.snapshot(request.id("snapshot", of: .snapshot)).json)
            },
            APIRoute("GET", "/v1/snapshots/{snapshot}/schema", "getSnapshotSchema") { request in
                let opened = try store.open(request.id("snapshot", of: .snapshot))
                let target = TargetJSON(
                    schemaVersion: opened.snapshot.schemaVersion, schema: opened.snapshot.declared)
                return .json(target.json)
            },
            APIRoute("GET", "/v1/snapshots/{snapshot}/content", "getSnapshotContent", respond: content),
        ]
    }

    private func content(_ request: APIRequest) throws -> HTTPResponse {
        let format = try ContentFormat(accepted: request.head.fields["Accept"])
        let opened = try store.open(request.id("snapshot", of: .snapshot))
        let tag = "\"\(opened.info.id)-\(format.rawValue)\""
        if request.head.fields["If-None-Match"] == tag {
            return HTTPResponse(status: 304, fields: ["ETag": tag, "Vary": "Accept"])
        }
        let name = "\(opened.info.realm)-\(opened.info.id).\(format.rawValue)"
        return HTTPResponse(
            status: 200,
            fields: [
                "Content-Type": format.mediaType,
                "Content-Disposition": "attachment; filename=\"\(name)\"", "Vary": "Accept",
                "ETag": tag,
            ],
            body: .stream(.working, chunks(of: opened, as: format)))
    }

    /// The bytes of a snapshot in a format, chunk by chunk.
    private func chunks(of opened: OpenSnapshot, as format: ContentFormat) -> () throws -> [UInt8]? {
        switch format {
        case .realm:
            var writer = RealmFileWriter(opened.snapshot, from: opened.store, scratch: makeScratch)
            return { try writer.next() }
        case .json, .ndjson:
            var writer = RealmJSONWriter(
                opened.snapshot, from: opened.store, format: format == .ndjson ? .ndjson : .json)
            return { try writer.next() }
        }
    }
}
