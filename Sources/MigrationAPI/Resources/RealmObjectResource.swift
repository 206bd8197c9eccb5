import Columns
import HTTPServer
import JobStore
import RealmJSON
import StoreCore
import SyncedRealms

/// `/v1/apps/{app}/realms/{realm}/objects`: what is current, as the client's schema version shows it.
struct RealmObjectResource: Sendable {
    let jobs: JobStore

    var routes: [APIRoute] {
        let path = "/v1/apps/{app}/realms/{realm}/objects/{class}"
        return [
            APIRoute("GET", path, "listRealmObjects", requires: .read, tokens: .realm, query: .page, respond: list),
            APIRoute(
                "GET", "\(path)/{key}", "getRealmObject", requires: .read, tokens: .realm, query: [], respond: object),
        ]
    }

    private func list(_ request: APIRequest) throws -> HTTPResponse {
        let page = try request.head.page()
        let after = try page.cursor.map { cursor in
            guard let key = ObjectCursor.decode(cursor) else { throw StoreError.invalidCursor }
            return key
        }
        let (name, client) = (request.parameter("class"), try request.clientRealm(in: jobs))
        guard let shown = client.view.shown[name], !shown.isEmbedded else {
            throw APIError.notFound(.objectClass, name)
        }
        // A class that the server's schema has not yet has no objects.
        let found = try Self.objects(of: client).objects(ofClass: name, after: after, limit: page.limit + 1) ?? []
        let objects = Array(found.prefix(page.limit))
        return ObjectResource.list(
            objects, next: found.count > page.limit ? objects.last.map { ObjectCursor.encode($0.key) } : nil)
    }

    private func object(_ request: APIRequest) throws -> HTTPResponse {
        let (name, client) = (request.parameter("class"), try request.clientRealm(in: jobs))
        guard let shown = client.view.shown[name], !shown.isEmbedded else {
            throw APIError.notFound(.objectClass, name)
        }
        let key = request.parameter("key")
        guard let object = try Self.objects(of: client).object(named: key, ofClass: shown.name) else {
            throw APIError.notFound(.object, key)
        }
        return HTTPResponse(
            status: 200, fields: ["Content-Type": MediaType.json], body: .bytes(object.bytes + [UInt8(ascii: "\n")]))
    }

    private static func objects(of client: ClientRealm) -> ObjectJSON {
        client.opened.store.looksUpObjects = true
        return ObjectJSON(client.view(client.opened.snapshot), from: client.opened.store, leavesOutUnsynced: true)
    }
}
