import Foundation
import Postgres
import RealmJSON
import RealmModel
import SnapshotStore
import StoreCore
import TestHTTP
import Testing

@testable import MigrationAPI

/// Uploads that go on after a break (tus 1.0).
struct PartialUploadTests {
    private static let uploads = "/v1/apps/shop/realms/ada/uploads"
    private static let tus = ("Tus-Resumable", "1.0.0")
    private static let partType = ("Content-Type", "application/offset+octet-stream")
    private let server: APIServer

    init() throws {
        server = try APIServer(documentLimit: 8 << 20)
        _ = try server.send("PUT", "/v1/apps/shop")
    }

    private func send(
        _ method: String, _ path: String, _ fields: [(String, String)] = [], body: [UInt8]? = nil,
        without left: String = ""
    ) throws -> SocketResponse {
        let all = [("Authorization", "Bearer \(server.key)"), Self.tus] + fields
        return try server.client().request(method, path, fields: all.filter { $0.0 != left }, body: body)
    }

    private static func metadata(_ type: String) -> (String, String) {
        ("Upload-Metadata", "filename \(Base64.encode(Array("ada".utf8))),filetype \(Base64.encode(Array(type.utf8)))")
    }

    /// Begins an upload and gives its path.
    private func begin(_ length: Int, _ type: String = "application/json") throws -> String {
        let made = try send("POST", Self.uploads, [("Upload-Length", "\(length)"), Self.metadata(type)])
        #expect(made.status == 201)
        #expect(made.fields["tus-resumable"] == "1.0.0")
        #expect(made.fields["upload-offset"] == "0")
        #expect(made.fields["upload-expires"]?.hasSuffix("GMT") == true)
        return try #require(made.fields["location"])
    }

    private func add(
        _ bytes: some Collection<UInt8>, at offset: Int, to upload: String, _ fields: [(String, String)] = []
    ) throws -> SocketResponse {
        try send("PATCH", upload, [Self.partType, ("Upload-Offset", "\(offset)")] + fields, body: Array(bytes))
    }

    private func offset(_ upload: String) throws -> Int? {
        let response = try send("HEAD", upload)
        #expect(response.fields["cache-control"] == "no-store")
        return response.fields["upload-offset"].flatMap { Int($0) }
    }

    private func snapshots() throws -> Int? {
        try server.send("GET", "/v1/apps/shop/realms/ada/snapshots").json["items"]?.elements?.count
    }

    private func parts() throws -> Int {
        try server.pool.withConnection { try $0.query("SELECT FROM upload_part").count }
    }

    // MARK: The walk

    @Test(arguments: [1, 7, 100, 1 << 20]) func `parts become what a plain upload does`(size: Int) throws {
        let realm = Samples.realm().encoded()
        let plain = try server.upload(realm, to: "/v1/apps/shop/realms/plain").json
        let upload = try begin(realm.count)
        var (offset, last): (Int, SocketResponse?) = (0, nil)
        while offset < realm.count {
            let part = realm[offset..<min(offset + size * 50, realm.count)]
            last = try add(part, at: offset, to: upload)
            offset += part.count
            #expect(last?.fields["upload-offset"] == "\(offset)")
            if offset < realm.count { #expect(last?.status == 204) }
        }
        let made = try #require(last)
        #expect(made.status == 201)
        #expect(made.json["objectCounts"] == plain["objectCounts"])
        #expect(made.json["schemaVersion"] == plain["schemaVersion"])
        #expect(made.fields["location"] == "/v1/snapshots/\(made.json["id"]?.string ?? "")")
        #expect(try parts() == 0)
        // A client that did not hear that asks again, and is answered the same.
        #expect(try self.offset(upload) == realm.count)
        let again = try add([], at: realm.count, to: upload)
        #expect(again.status == 201)
        #expect(again.json["id"] == made.json["id"])
        #expect(try snapshots() == 1)
    }

    @Test func `what came before a connection broke is kept, and the client goes on behind it`() throws {
        let filler = [UInt8](repeating: 0x20, count: 5 << 20)
        let realm = filler + Samples.realm().encoded()
        let upload = try begin(realm.count)
        let client = try server.client()
        try client.send(
            SocketClient.head(
                "PATCH", upload,
                [
                    ("Authorization", "Bearer \(server.key)"), Self.tus, Self.partType, ("Upload-Offset", "0"),
                    ("Content-Length", "\(realm.count)"),
                ]))
        try client.send(Array(realm[..<(3 << 20 + 77)]))
        for _ in 0..<200 where try offset(upload) != 3 << 20 { Thread.sleep(forTimeInterval: 0.05) }
        client.hangUp()
        let kept = try #require(try offset(upload))
        #expect(kept == 3 << 20)
        #expect(try add(realm[kept...], at: kept, to: upload).status == 201)
    }

    /// Clients take one whose bytes are all there for done.
    @Test(arguments: [[], [("Upload-Checksum", "md5 4A0f23qF2kGZ4yEVzZMO3g==")]])
    func `the last byte of one that the realm refuses for now is asked for again`(fields: [(String, String)]) throws {
        let realm = Samples.realm().encoded()
        let upload = try begin(realm.count)
        #expect(try add(realm, at: 0, to: upload, [("If-Match", "\"none\"")]).status == 412)
        #expect(try offset(upload) == realm.count - 1)
        #expect(try send("GET", upload).json["offset"] == .int(Int64(realm.count - 1)))
        #expect(try add(realm[10...], at: 10, to: upload).problem == "upload_offset")
        #expect(try add(realm.suffix(1), at: realm.count - 1, to: upload, [("If-Match", "\"none\"")]).status == 412)
        let made = try add(realm.suffix(1), at: realm.count - 1, to: upload, fields)
        #expect(made.status == (fields.isEmpty ? 201 : 460), "\(made.json)")
        #expect(try offset(upload) == realm.count - (fields.isEmpty ? 0 : 1))
        #expect(try (snapshots() ?? 0) == (fields.isEmpty ? 1 : 0))
    }

    @Test func `another process goes on with it`() throws {
        let realm = Samples.realm().encoded()
        let upload = try begin(realm.count)
        #expect(try add(realm[..<10], at: 0, to: upload).status == 204)
        let parsed = RealmModel.UUID(String(upload.split(separator: "/").last ?? ""))
        let id = try #require(parsed)
        let other = SnapshotStore(server.pool)
        let found = try other.uploads.find(id, for: "ada", in: "shop")
        #expect(found.received == 10)
        try other.uploads.append(Array(realm[10..<20]), at: 10, to: found)
        #expect(throws: StoreError.uploadOffset(20)) { try other.uploads.append([0], at: 10, to: found) }
        #expect(try add(realm[20...], at: 20, to: upload).status == 201)
    }

    @Test func `of many that send the same part, one is taken`() throws {
        let realm = Samples.realm().encoded()
        let upload = try begin(realm.count)
        let clients = try (0..<8).map { _ in try server.client() }
        for client in clients {
            try client.send(
                SocketClient.head(
                    "PATCH", upload,
                    [
                        ("Authorization", "Bearer \(server.key)"), Self.tus, Self.partType, ("Upload-Offset", "0"),
                        ("Content-Length", "100"),
                    ]))
            try client.send(Array(realm[..<100]))
        }
        #expect(try clients.map { try $0.response().status }.sorted() == [204] + Array(repeating: 409, count: 7))
        #expect(try add(realm[100...], at: 100, to: upload).status == 201)
    }

    // MARK: Extensions

    @Test(arguments: ["sha1", "sha256", "md5"]) func `a part that is not what its checksum says is not kept`(
        algorithm: String
    ) throws {
        let digests = [
            "sha1": "Lve95gjOVATpfV8EL5X4nxwjKHE=", "sha256": "f4OxZX/x/FO5LcGBSKHWXfwtSx+j1ncoSt3SABJtkGk=",
            "md5": "7Qdih1MuhjZehB6Sv8UNjA==",
        ]
        let text = Array("Hello World!".utf8)
        let upload = try begin(24)
        let sum = ("Upload-Checksum", "\(algorithm) \(digests[algorithm] ?? "")")
        let wrong = try add(Array("Hello World?".utf8), at: 0, to: upload, [sum])
        #expect(wrong.status == 460)
        #expect(wrong.problem == "checksum_mismatch")
        #expect(try offset(upload) == 0)
        #expect(try add(text, at: 0, to: upload, [sum]).status == 204)
        #expect(try offset(upload) == 12)
        for field in ["crc32 AAAA", "sha1", "sha1 AAAA", "sha1 *", ""] {
            #expect(try add(text, at: 12, to: upload, [("Upload-Checksum", field)]).problem == "invalid_header")
        }
    }

    @Test func `an upload that is ended is gone with its parts, and so is one that nobody went on with`() throws {
        let ended = try begin(100)
        _ = try add([1, 2, 3], at: 0, to: ended)
        #expect(try send("DELETE", ended).status == 204)
        #expect(try send("HEAD", ended).status == 404)
        let left = try begin(100)
        _ = try add([1, 2, 3], at: 0, to: left)
        try server.pool.withConnection { try $0.execute(script: "UPDATE upload SET expires_at = now()") }
        #expect(try send("HEAD", left).status == 404)
        #expect(try add([4], at: 3, to: left).problem == "upload_not_found")
        try server.store.uploads.removeOld()
        #expect(try parts() == 0)
    }

    @Test func `the server says what it can`() throws {
        let response = try send("OPTIONS", Self.uploads, without: "Tus-Resumable")
        #expect(response.status == 204)
        #expect(response.fields["tus-version"] == "1.0.0")
        #expect(response.fields["tus-extension"] == "creation,checksum,expiration,termination")
        #expect(response.fields["tus-checksum-algorithm"] == "sha1,sha256,md5")
        #expect(response.fields["tus-max-size"] == "\(8 << 20)")
    }

    // MARK: Refusals

    @Test func `what can't begin is refused`() throws {
        let type = Self.metadata("application/json")
        let bad: [(fields: [(String, String)], status: Int)] = [
            ([type], 400), ([type, ("Upload-Length", "0")], 400), ([type, ("Upload-Length", "-1")], 400),
            ([type, ("Upload-Length", "x")], 400), ([type, ("Upload-Length", "\(8 << 20 + 1)")], 413),
            ([("Upload-Length", "9"), ("Upload-Metadata", "filetype *")], 400),
            ([("Upload-Length", "9"), Self.metadata("text/css")], 415),
            ([type, ("Upload-Length", "99999999999999999999")], 400),
        ]
        for bad in bad { #expect(try send("POST", Self.uploads, bad.fields).status == bad.status, "\(bad.fields)") }
        for version in [[], [("Tus-Resumable", "0.2.2")]] {
            let refused = try send("POST", Self.uploads, version + [("Upload-Length", "9")], without: "Tus-Resumable")
            #expect(refused.problem == "tus_version_unsupported")
            #expect(refused.fields["tus-version"] == "1.0.0")
        }
        #expect(try send("POST", "/v1/apps/shop/realms/.ada/uploads", [("Upload-Length", "9")]).status == 422)
        #expect(try send("POST", "/v1/apps/none/realms/ada/uploads", [("Upload-Length", "9")]).status == 404)
    }

    @Test func `a part in the wrong place, too long or of another kind is refused, and nothing of it kept`() throws {
        let upload = try begin(100)
        _ = try add([UInt8](repeating: 1, count: 10), at: 0, to: upload)
        for wrong in [0, 9, 11, 100] {
            #expect(try add([1], at: wrong, to: upload).problem == "upload_offset")
        }
        #expect(try add([UInt8](repeating: 1, count: 91), at: 10, to: upload).status == 413)
        #expect(try send("PATCH", upload, [Self.partType], body: [1]).status == 400)
        let plain = [("Content-Type", "application/json"), ("Upload-Offset", "10")]
        #expect(try send("PATCH", upload, plain, body: [1]).status == 415)
        #expect(try add([1], at: 10, to: upload, [("Content-Encoding", "gzip")]).status == 400)
        #expect(try offset(upload) == 10)
    }

    @Test func `a file that is no realm is refused when it is whole, and leaves nothing`() throws {
        let before = try server.traces()
        let upload = try begin(9)
        let refused = try add(Array("no realm!".utf8), at: 0, to: upload)
        #expect(refused.status == 422)
        #expect(refused.problem == "malformed_document")
        #expect(try send("HEAD", upload).status == 404)
        #expect(try server.comesBack(to: before))
    }

    @Test func `what the realm has against it passes, and the upload is finished then`() throws {
        let realm = Samples.realm().encoded()
        _ = try server.upload(realm)
        let upload = try begin(realm.count)
        let migration = try server.send(
            "POST", "/v1/apps/shop/realms/ada/migrations", ["targetVersion": 2, "schema": Samples.grownSchema])
        #expect(try add(realm, at: 0, to: upload).problem == "migration_active")
        #expect(try offset(upload) == realm.count - 1)
        _ = try server.send("POST", "/v1/jobs/\(migration.json["id"]?.string ?? "")/cancel")
        #expect(try add([], at: realm.count, to: upload).status == 201)
        #expect(try snapshots() == 2)
    }

    @Test func `uploads that are not done have so many bytes together, and no more`() throws {
        _ = try server.send("PUT", "/v1/apps/other", [:])
        let first = try begin(600, of: 1000)
        #expect(throws: StoreError.uploadsFull(limit: 1000)) { try begin(401, of: 1000, in: "other") }
        _ = try begin(400, of: 1000, in: "other")
        try server.store.uploads.delete(first)
        _ = try begin(600, of: 1000)
    }

    @Test func `an app's uploads leave room for those of others, and a realm's for those of its app`() throws {
        _ = try begin(200, of: 1000)
        #expect(throws: StoreError.uploadsFull(limit: 1000)) { try begin(51, of: 1000) }
        _ = try begin(250, of: 1000, for: "bob")
        #expect(throws: StoreError.uploadsFull(limit: 1000)) { try begin(51, of: 1000, for: "eve") }
        _ = try begin(50, of: 1000)
    }

    private func begin(
        _ length: Int, of limit: Int, for realm: String = "ada", in app: String = "shop"
    ) throws -> PartialUpload {
        try server.store.uploads.begin(
            for: realm, in: app, length: length, mediaType: "application/json", metadata: "", totalLimit: limit)
    }

    @Test func `an upload is seen at its own realm alone`() throws {
        let upload = try begin(100)
        #expect(try send("HEAD", upload.replacing("/ada/", with: "/eve/")).status == 404)
    }
}
