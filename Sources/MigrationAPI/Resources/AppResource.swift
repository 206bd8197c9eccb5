import HTTPServer
import RealmJSON
import SnapshotStore

/// `/v1/apps`.
struct AppResource: Sendable {
    let store: SnapshotStore

    var routes: [APIRoute] {
        [
            APIRoute("GET", "/v1/apps", "listApps") { request in
                .json(try store.apps(request.head.page()).map(\.json).json)
            },
            APIRoute("PUT", "/v1/apps/{app}", "putApp", body: .json) { request in
                _ = try JSONBody(try JSONBody.document(of: request, emptyIsObject: true), members: [])
                let put = try store.putApp(try request.newName("app"))
                return .json(put.app.json, status: put.isNew ? 201 : 200)
            },
            APIRoute("GET", "/v1/apps/{app}", "getApp") { request in
                .json(try store.app(request.app()).json)
            },
            APIRoute("DELETE", "/v1/apps/{app}", "deleteApp") { request in
                try store.deleteApp(request.app())
                return .noContent
            },
        ]
    }
}
