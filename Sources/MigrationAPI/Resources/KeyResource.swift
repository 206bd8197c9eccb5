import AccessStore
import HTTPServer
import RealmJSON
import RealmModel
import StoreCore

/// `/v1/keys`.
///
/// Nobody gets more by a key than the one who makes it has: neither a scope nor an app. A key sees those that give access to
/// its own apps and to no other.
struct KeyResource: Sendable {
    let access: AccessStore
    /// Is told of each key that is removed.
    let removed: @Sendable (RealmModel.UUID) -> Void

    var routes: [APIRoute] {
        [
            APIRoute("GET", "/v1/keys", "listKeys", requires: .admin, query: .page) { request in
                .json(try access.keys.list(request.head.page(), within: request.access.apps).map(\.json).json)
            },
            APIRoute(
                "POST", "/v1/keys", "makeKey", requires: .admin, query: [], body: .json, secrets: ["key"], respond: make
            ),
            APIRoute("GET", "/v1/keys/{apiKey}", "getKey", requires: .admin, query: []) { request in
                .json(try request.apiKey(in: access).json)
            },
            APIRoute("DELETE", "/v1/keys/{apiKey}", "deleteKey", requires: .admin, query: []) { request in
                let key = try request.apiKey(in: access)
                try access.keys.delete(key.id)
                removed(key.id)
                return .noContent
            },
        ]
    }

    private func make(_ request: APIRequest) throws -> HTTPResponse {
        let body = try JSONBody(
            try JSONBody.document(of: request), members: ["name", "scopes", "apps", "expiresAt"])
        let made = try access.keys.create(
            named: try Self.name(body), scopes: try Self.scopes(body, request.access),
            apps: try Self.apps(body, request.access), expiresAt: try Self.expiry(body))
        guard case .object(let members) = made.key.json else { preconditionFailure("A key is an object.") }
        return .json(
            .object(members + [JSONMember("key", .string(made.secret))]), status: 201,
            fields: ["Location": "/v1/keys/\(made.key.id)"])
    }

    private static func name(_ body: JSONBody) throws(InputError) -> String {
        let name = try body.requiredString("name")
        guard (1...200).contains(name.unicodeScalars.count), !name.unicodeScalars.contains("\0") else {
            throw body.invalid("name", "name has to be a text of 1 to 200 characters, none of them U+0000.")
        }
        return name
    }

    /// The scopes that are asked for, of some that can be, all of which whoever asks has.
    static func scopes(
        _ body: JSONBody, _ access: Access, among known: [KeyScope] = KeyScope.allCases
    ) throws -> Set<KeyScope> {
        let names = known.map { "“\($0.rawValue)”" }.joined(separator: ", ")
        guard let elements = try body.array("scopes"), !elements.isEmpty else {
            throw body.invalid("scopes", "scopes has to name at least one of \(names).")
        }
        var scopes: Set<KeyScope> = []
        for element in elements {
            guard let scope = element.string.flatMap(KeyScope.init), known.contains(scope) else {
                throw body.invalid("scopes", "scopes has to be an array of \(names).")
            }
            try access.check(.scope(scope))
            scopes.insert(scope)
        }
        return scopes
    }

    /// The apps that are named, there or not; those of whoever asks where none are.
    private static func apps(_ body: JSONBody, _ access: Access) throws -> VisibleApps {
        guard let elements = try body.array("apps") else { return access.apps }
        var apps: Set<String> = []
        for element in elements {
            guard let app = element.string, ResourceName.isValid(app, of: .app) else {
                throw body.invalid("apps", "apps has to be an array of names of apps.")
            }
            guard access.sees(app) else { throw APIError.notFound(.app, app) }
            apps.insert(app)
        }
        guard !apps.isEmpty else {
            throw body.invalid("apps", "apps has to name at least one app; a key of all apps has no apps.")
        }
        return .named(apps)
    }

    private static func expiry(_ body: JSONBody) throws(InputError) -> Timestamp? {
        guard let text = try body.string("expiresAt") else { return nil }
        guard let moment = Timestamp(text), moment > .now, moment < .endOfYears else {
            throw body.invalid("expiresAt", "expiresAt has to be a time to come, as RFC 3339 writes it.")
        }
        return moment
    }
}
