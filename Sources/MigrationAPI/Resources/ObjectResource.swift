import HTTPServer
import RealmJSON
import RealmModel
import RealmQuery
import SnapshotStore
import StoreCore

/// `/v1/snapshots/{snapshot}/objects`.
struct ObjectResource: Sendable {
    let store: SnapshotStore

    var routes: [APIRoute] {
        let path = "/v1/snapshots/{snapshot}/objects/{class}"
        return [
            APIRoute(
                "GET", path, "listObjects", requires: .read, tokens: .snapshot,
                query: ["key", "where", "sort"] + .countedPage, respond: list),
            APIRoute(
                "GET", "\(path)/{key}", "getObject", requires: .read, tokens: .snapshot, query: ["links"],
                respond: object),
        ]
    }

    private func list(_ request: APIRequest) throws -> HTTPResponse {
        let page = try request.head.page()
        let name = request.parameter("class")
        let opened = try open(request)
        if let key = try Self.key(request.head) {
            guard ["where", "sort", "total"].allSatisfy({ request.head.queryValue($0) == nil }) else {
                throw APIError.invalidParameter(name: "key", message: "names an object, and stands alone.")
            }
            return try Self.list(key, of: name, in: opened)
        }
        let found = try ObjectPage(request.head, page, of: name, in: opened)
        opened.store.looksUpObjects = true
        return Self.list(found.objects, next: found.next, total: found.total)
    }

    private func open(_ request: APIRequest) throws -> OpenSnapshot {
        let opened = try request.openSnapshot(in: store)
        opened.store.looksUpObjects = true
        return opened
    }

    private func object(_ request: APIRequest) throws -> HTTPResponse {
        let opened = try open(request)
        let name = request.parameter("class")
        guard let declared = opened.snapshot.declared[name], !declared.isEmbedded else {
            throw APIError.notFound(.objectClass, name)
        }
        if try Self.wantsLinks(request.head) { return try links(request, to: declared, in: opened) }
        let objects = ObjectJSON(opened.snapshot, from: opened.store)
        guard let object = try objects.object(named: request.parameter("key"), ofClass: declared.name) else {
            throw APIError.notFound(.object, request.parameter("key"))
        }
        return HTTPResponse(
            status: 200, fields: ["Content-Type": MediaType.json], body: .bytes(object.bytes + [UInt8(ascii: "\n")]))
    }

    private static func wantsLinks(_ head: HTTPRequestHead) throws(APIError) -> Bool {
        switch head.queryValue("links") {
        case nil, "false": return false
        case "true": return true
        default: throw .invalidParameter(name: "links", message: "is true or false.")
        }
    }

    /// Who links to an object, and what it links to: `{"links": [..], "outgoing": [..]}`.
    private func links(
        _ request: APIRequest, to declared: ObjectSchema, in opened: OpenSnapshot
    ) throws -> HTTPResponse {
        let text = request.parameter("key")
        let objects = ObjectJSON(opened.snapshot, from: opened.store)
        guard let key = try objects.object(named: text, ofClass: declared.name)?.key else {
            throw APIError.notFound(.object, text)
        }
        opened.store.looksUpObjects = false
        let search = LinkSearch(opened.snapshot, from: opened.store)
        let origins = try search.origins(of: key, ofClass: declared.name)
        let owners = try origins.map { try search.owners(of: $0.keys, ofClass: $0.className) }
        let linked = LinkedObjects(opened.snapshot, from: opened.store)
        opened.store.looksUpObjects = true
        let links = try zip(origins, owners).map { try $0.json(owners: $1, linked) }
        let targets = try linked.targets(of: key, ofClass: declared.name)
        return .json(["links": .array(links), "outgoing": .array(targets.map(\.json))])
    }

    /// The object key that is asked for; nil where all objects are.
    private static func key(_ head: HTTPRequestHead) throws(APIError) -> ObjectKey? {
        guard let text = head.queryValue("key") else { return nil }
        guard let key = Int64(text), key >= 0 else {
            throw .invalidParameter(name: "key", message: "has to be an object key, an integer from 0.")
        }
        return ObjectKey(key)
    }

    /// The list of the object that has an object key, whether or not its class has a primary key.
    private static func list(_ key: ObjectKey, of name: String, in opened: OpenSnapshot) throws -> HTTPResponse {
        guard let declared = opened.snapshot.declared[name], !declared.isEmbedded else {
            throw APIError.notFound(.objectClass, name)
        }
        let found = try ObjectJSON(opened.snapshot, from: opened.store).object(key, ofClass: name)
        return list(found.map { [$0] } ?? [], next: nil)
    }

    /// The objects are text already, so the list is put together as text.
    static func list(_ objects: [ObjectJSON.Object], next: String?, total: Int? = nil) -> HTTPResponse {
        var bytes = Array("{\"items\":[".utf8)
        for (index, object) in objects.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += object.bytes
        }
        bytes += Array("],\"next\":\(next.map { "\"\($0)\"" } ?? "null")".utf8)
        if let total { bytes += Array(",\"total\":{\"count\":\(total),\"isExact\":true}".utf8) }
        bytes += Array("}\n".utf8)
        return HTTPResponse(status: 200, fields: ["Content-Type": MediaType.json], body: .bytes(bytes))
    }
}
