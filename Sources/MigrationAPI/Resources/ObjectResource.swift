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
                "GET", path, "listObjects", requires: .read, tokens: .snapshot, query: ["key", "where"] + .page,
                respond: list),
            APIRoute(
                "GET", "\(path)/{key}", "getObject", requires: .read, tokens: .snapshot, query: ["links"],
                respond: object),
        ]
    }

    private func list(_ request: APIRequest) throws -> HTTPResponse {
        let page = try request.head.page()
        let after = try page.cursor.map { cursor in
            guard let key = ObjectCursor.decode(cursor) else { throw StoreError.invalidCursor }
            return key
        }
        let key = try Self.key(request.head)
        let opened = try open(request)
        if let query = request.head.queryValue("where") {
            guard key == nil else {
                throw APIError.invalidParameter(
                    name: "where", message: "can't stand beside key, which names an object.")
            }
            return try Self.list(query, of: request.parameter("class"), page, after: after, in: opened)
        }
        if let key { return try Self.list(key, of: request.parameter("class"), in: opened) }
        // One more than asked for tells whether there is a next page.
        let found = try ObjectJSON(opened.snapshot, from: opened.store)
            .objects(ofClass: request.parameter("class"), after: after, limit: page.limit + 1)
        guard let found else { throw APIError.notFound(.objectClass, request.parameter("class")) }
        return Self.list(Array(found.prefix(page.limit)), hasNext: found.count > page.limit)
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

    /// Who links to an object: `{"links": [{"class", "property", "count", "keys"}]}`.
    private func links(
        _ request: APIRequest, to declared: ObjectSchema, in opened: OpenSnapshot
    ) throws -> HTTPResponse {
        let text = request.parameter("key")
        let objects = ObjectJSON(opened.snapshot, from: opened.store)
        guard let key = try objects.object(named: text, ofClass: declared.name)?.key else {
            throw APIError.notFound(.object, text)
        }
        opened.store.looksUpObjects = false
        let origins = try LinkSearch(opened.snapshot, from: opened.store).origins(of: key, ofClass: declared.name)
        return .json(["links": .array(origins.map(\.json))])
    }

    /// The object key that is asked for; nil where all objects are.
    private static func key(_ head: HTTPRequestHead) throws(APIError) -> ObjectKey? {
        guard let text = head.queryValue("key") else { return nil }
        guard let key = Int64(text), key >= 0 else {
            throw .invalidParameter(name: "key", message: "has to be an object key, an integer from 0.")
        }
        return ObjectKey(key)
    }

    /// The objects of a class that a query finds.
    private static func list(
        _ query: String, of name: String, _ page: PageRequest, after: ObjectKey?, in opened: OpenSnapshot
    ) throws -> HTTPResponse {
        guard let declared = opened.snapshot.declared[name], !declared.isEmbedded else {
            throw APIError.notFound(.objectClass, name)
        }
        // One pass over columns, which are not kept; the objects that were found are looked up then.
        opened.store.looksUpObjects = false
        let keys: [ObjectKey]
        do {
            let search = try ObjectSearch(query, on: name, in: opened.snapshot, from: opened.store)
            guard search?.isOrdered != true else {
                throw APIError.invalidParameter(
                    name: "where", message: "can't have SORT, DISTINCT or LIMIT: objects come in pages, by their keys.")
            }
            keys = try search?.keys(after: after, limit: page.limit + 1) ?? []
        } catch let error as QueryError {
            throw APIError.invalidQuery(query, error)
        }
        opened.store.looksUpObjects = true
        let objects = ObjectJSON(opened.snapshot, from: opened.store)
        let found = try keys.prefix(page.limit).compactMap { try objects.object($0, ofClass: name) }
        return list(found, hasNext: keys.count > page.limit)
    }

    /// The list of the object that has an object key, whether or not its class has a primary key.
    private static func list(_ key: ObjectKey, of name: String, in opened: OpenSnapshot) throws -> HTTPResponse {
        guard let declared = opened.snapshot.declared[name], !declared.isEmbedded else {
            throw APIError.notFound(.objectClass, name)
        }
        let found = try ObjectJSON(opened.snapshot, from: opened.store).object(key, ofClass: name)
        return list(found.map { [$0] } ?? [], hasNext: false)
    }

    /// The objects are text already, so the list is put together as text.
    static func list(_ objects: [ObjectJSON.Object], hasNext: Bool) -> HTTPResponse {
        var bytes = Array("{\"items\":[".utf8)
        for (index, object) in objects.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += object.bytes
        }
        let next = hasNext ? objects.last.map { "\"\(ObjectCursor.encode($0.key))\"" } : nil
        bytes += Array("],\"next\":\(next ?? "null")}\n".utf8)
        return HTTPResponse(status: 200, fields: ["Content-Type": MediaType.json], body: .bytes(bytes))
    }
}

/// Where a page of objects ended.
enum ObjectCursor {
    static func encode(_ key: ObjectKey) -> String { "k" + String(key.value, radix: 36) }

    static func decode(_ text: String) -> ObjectKey? {
        guard text.first == "k", let key = Int64(text.dropFirst(), radix: 36), key >= 0 else { return nil }
        return ObjectKey(key)
    }
}
