import AccessStore
import HTTPServer
import RealmJSON
import RealmModel
import StoreCore

/// `/v1/audit`.
struct AuditResource: Sendable {
    let access: AccessStore
    /// Has what has happened until now in the database.
    let flush: @Sendable () throws -> Void

    var routes: [APIRoute] {
        [
            APIRoute(
                "GET", "/v1/audit", "listAudit", requires: .admin, query: ["app", "key", "since"] + .page
            ) { request in
                let filter = try Self.filter(request)
                try flush()
                return .json(try access.audit.list(filter, request.head.page()).map(\.json).json)
            }
        ]
    }

    private static func filter(_ request: APIRequest) throws -> AuditFilter {
        let head = request.head
        let key = try head.queryValue("key").map { text throws(APIError) in
            guard let id = RealmModel.UUID(text) else {
                throw .invalidParameter(name: "key", message: "has to be the id of a key.")
            }
            return id
        }
        let since = try head.time("since")
        let app = head.queryValue("app")
        if let app, !ResourceName.isValid(app, of: .app) {
            throw APIError.invalidParameter(
                name: "app", message: "has to be a name: \(ResourceName.rule(of: .app)).")
        }
        return AuditFilter(app: app, key: key, since: since, among: request.access.apps)
    }
}
