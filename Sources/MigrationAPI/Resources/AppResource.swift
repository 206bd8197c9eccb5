import HTTPServer
import RealmJSON
import SnapshotStore

/// `/v1/apps`.
struct AppResource: Sendable {
    let store: SnapshotStore

    var routes: [APIRoute] {
        [
            APIRoute("GET", "/v1/apps", "listApps", requires: .read, query: .page) { request in
                .json(try store.apps.list(request.head.page(), among: request.access.apps).map(\.json).json)
            },
            APIRoute("PUT", "/v1/apps/{app}", "putApp", requires: .write, query: [], body: .json) { request in
                try JSONBody.requireNone(request)
                let put = try store.apps.put(try request.newApp())
                return .json(put.app.json, status: put.isNew ? 201 : 200)
            },
            APIRoute("GET", "/v1/apps/{app}", "getApp", requires: .read, query: []) { request in
                .json(try store.apps.find(request.app()).json)
            },
            APIRoute("DELETE", "/v1/apps/{app}", "deleteApp", requires: .admin, query: []) { request in
                try store.apps.delete(request.app())
                return .noContent
            },
        ]
    }
}
