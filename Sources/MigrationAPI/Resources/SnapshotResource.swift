import HTTPServer
import RealmJSON
import SnapshotStore

/// `/v1/snapshots` and the list of a realm's.
struct SnapshotResource: Sendable {
    let store: SnapshotStore

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
        let format = try Self.format(accepted: request.head.fields["Accept"])
        let opened = try store.open(request.id("snapshot", of: .snapshot))
        let tag = "\"\(opened.info.id)-\(format.rawValue)\""
        if request.head.fields["If-None-Match"] == tag {
            return HTTPResponse(status: 304, fields: ["ETag": tag, "Vary": "Accept"])
        }
        var writer = RealmJSONWriter(opened.snapshot, from: opened.store, format: format)
        let isLines = format == .ndjson
        let name = "\(opened.info.realm)-\(opened.info.id).\(isLines ? "ndjson" : "json")"
        return HTTPResponse(
            status: 200,
            fields: [
                "Content-Type": isLines ? MediaType.ndjson : MediaType.json,
                "Content-Disposition": "attachment; filename=\"\(name)\"", "Vary": "Accept",
                "ETag": tag,
            ],
            body: .stream(.working) { try writer.next() })
    }

    private static func format(accepted field: String?) throws(APIError) -> RealmTextFormat {
        let accept = Accept(field)
        switch accept.best(of: [MediaType.json, MediaType.ndjson]) {
        case MediaType.json: return .json
        case MediaType.ndjson: return .ndjson
        default:
            if accept.best(of: [MediaType.realm]) != nil { throw .realmFilesNotWritten }
            throw .notAcceptable(offered: [MediaType.json, MediaType.ndjson])
        }
    }
}
