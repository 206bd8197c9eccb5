import AccessStore
import HTTPServer
import RealmJSON
import RealmModel

/// `/v1/sessions`: what a browser has in place of a key, which its pages never see.
struct SessionResource: Sendable {
    let access: AccessStore
    let cookie: SessionCookie
    /// Is told of each session that is ended.
    let removed: @Sendable (RealmModel.UUID) -> Void

    var routes: [APIRoute] {
        [
            APIRoute("POST", "/v1/sessions", "makeSession", requires: .anyKey, query: [], respond: make),
            APIRoute("GET", "/v1/sessions/current", "getCurrentSession", requires: .anyKey, query: []) { request in
                guard let key = request.access.key else { throw APIError.unauthorized(isKeyGiven: false) }
                return .json(
                    Self.json(request.access.session, of: try access.keys.find(key)),
                    fields: ["Cache-Control": "no-store"])
            },
            APIRoute("DELETE", "/v1/sessions/current", "endCurrentSession", requires: .anyKey, query: []) { request in
                guard let session = request.access.session else { throw APIError.notFound(.session, "current") }
                try access.sessions.delete(session)
                removed(session)
                return HTTPResponse(status: 204, fields: ["Set-Cookie": cookie.field(nil)])
            },
        ]
    }

    private func make(_ request: APIRequest) throws -> HTTPResponse {
        guard let key = request.access.key else { throw APIError.unauthorized(isKeyGiven: false) }
        try cookie.checkMayTravel(by: request.head)
        let made = try access.sessions.create(for: key)
        return .json(
            Self.json(made.id, of: try access.keys.find(key)), status: 201,
            fields: [
                "Location": "/v1/sessions/current", "Cache-Control": "no-store",
                "Set-Cookie": cookie.field(made.secret),
            ])
    }

    private static func json(_ session: RealmModel.UUID?, of key: APIKey) -> JSONValue {
        ["id": session?.json ?? .null, "key": key.json]
    }
}
