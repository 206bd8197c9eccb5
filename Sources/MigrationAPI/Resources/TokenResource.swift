import AccessStore
import HTTPServer
import RealmJSON
import RealmModel
import StoreCore

/// `/v1/tokens`: secrets of hours for some realms of an app.
///
/// Nobody gets more by a token than the key has that makes it, and by a token nobody makes one.
struct TokenResource: Sendable {
    let access: AccessStore
    /// Is told of each token that is removed.
    let removed: @Sendable (RealmModel.UUID) -> Void

    /// How long a token is valid that says nothing of it.
    private static let usualSeconds: Int64 = 3600
    private static let longestSeconds = RealmToken.longestLife.components.seconds

    var routes: [APIRoute] {
        [
            APIRoute("GET", "/v1/tokens", "listTokens", requires: .anyKey, query: .page) { request in
                let visible = try request.access.visibleTokens()
                return .json(try access.tokens.list(request.head.page(), among: visible).map(\.json).json)
            },
            APIRoute(
                "POST", "/v1/tokens", "makeToken", requires: .anyKey, query: [], body: .json, secrets: ["token"],
                respond: make),
            APIRoute("GET", "/v1/tokens/{token}", "getToken", requires: .anyKey, query: []) { request in
                .json(try request.token(in: access).json)
            },
            APIRoute("DELETE", "/v1/tokens/{token}", "deleteToken", requires: .anyKey, query: []) { request in
                let token = try request.token(in: access)
                try access.tokens.delete(token.id)
                removed(token.id)
                return .noContent
            },
        ]
    }

    private func make(_ request: APIRequest) throws -> HTTPResponse {
        let body = try JSONBody(
            try JSONBody.document(of: request), members: ["app", "realms", "scopes", "expiresInSeconds"])
        guard let key = request.access.key else { throw APIError.unauthorized(isKeyGiven: false) }
        let scopes = try KeyResource.scopes(body, request.access, among: RealmToken.scopes)
        let app = try body.requiredString("app")
        guard ResourceName.isValid(app, of: .app), request.access.sees(app) else { throw APIError.notFound(.app, app) }
        let made = try access.tokens.create(
            by: key, for: try Self.realms(body), of: app, scopes: scopes, life: try Self.life(body))
        return .json(
            made.token.json.adding([JSONMember("token", .string(made.secret))]), status: 201,
            fields: ["Location": "/v1/tokens/\(made.token.id)", "Cache-Control": "no-store"])
    }

    private static func realms(_ body: JSONBody) throws(InputError) -> RealmNames {
        let elements = try body.array("realms") ?? []
        let texts = elements.compactMap(\.string)
        guard texts.count == elements.count, let realms = RealmNames(texts) else {
            throw body.invalid("realms", "realms has to be \(RealmNames.rule).")
        }
        return realms
    }

    private static func life(_ body: JSONBody) throws(InputError) -> Duration {
        let seconds = try body.integer("expiresInSeconds", from: 1) ?? usualSeconds
        guard seconds <= longestSeconds else {
            throw body.invalid("expiresInSeconds", "expiresInSeconds has to be \(longestSeconds) at most.")
        }
        return .seconds(seconds)
    }
}
