import HTTPServer
import RealmJSON
import RealmModel
import SnapshotStore

/// `/v1/snapshots/{snapshot}/objects`.
struct ObjectResource: Sendable {
    let store: SnapshotStore

    var routes: [APIRoute] {
        let path = "/v1/snapshots/{snapshot}/objects/{class}"
        return [
            APIRoute("GET", path, "listObjects", requires: .read, query: ["key"] + .page, respond: list),
            APIRoute("GET", "\(path)/{key}", "getObject", requires: .read, query: [], respond: object),
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
        let objects = ObjectJSON(opened.snapshot, from: opened.store)
        guard let object = try Self.find(request.parameter("key"), of: declared, in: objects) else {
            throw APIError.notFound(.object, request.parameter("key"))
        }
        return HTTPResponse(
            status: 200, fields: ["Content-Type": MediaType.json], body: .bytes(object + [UInt8(ascii: "\n")]))
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
        return list(found.map { [$0] } ?? [], hasNext: false)
    }

    /// The text of the object of a primary key where the class has one, else of an object key.
    static func find(
        _ text: String, of declared: ObjectSchema, in objects: ObjectJSON
    ) throws -> [UInt8]? {
        guard declared.primaryKey == nil else {
            guard let key = try objects.primaryKey(text, ofClass: declared.name) else { return nil }
            return try objects.object(primaryKey: key, ofClass: declared.name)
        }
        guard let key = Int64(text) else { return nil }
        return try objects.object(ObjectKey(key), ofClass: declared.name)?.bytes
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
