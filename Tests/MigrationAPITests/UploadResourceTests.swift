import Glibc
import RealmFile
import RealmJSON
import RealmModel
import TestHTTP
import Testing

@testable import MigrationAPI

struct UploadResourceTests {
    private func server() throws -> APIServer {
        let server = try APIServer()
        #expect(try server.send("PUT", "/v1/apps/shop").status == 201)
        return server
    }

    @Test func `an upload makes the realm and its snapshot`() throws {
        let server = try server()
        let made = try server.upload(Samples.realm().encoded())
        #expect(made.status == 201)
        let id = try #require(made.json["id"]?.string)
        #expect(made.fields["location"] == "/v1/snapshots/\(id)")
        #expect(made.json["schemaVersion"] == 1)
        #expect(made.json["parent"] == .null)
        #expect(made.json["createdBy"] == ["kind": "upload"])
        #expect(made.json["objectCounts"] == ["Person": 2, "Dog": 1])
        #expect(made.json["storedBytes"]?.int ?? 0 > 0)
        let realm = try server.send("GET", "/v1/apps/shop/realms/ada").json
        #expect(realm["kind"] == "local")
        #expect(realm["currentSnapshot"]?.string == id)
        #expect(try server.send("GET", "/v1/snapshots/\(id)").json == made.json)

        let second = try server.upload(Samples.realm(persons: 3).encoded())
        #expect(second.json["parent"]?.string == id)
        let listed = try server.send("GET", "/v1/apps/shop/realms/ada/snapshots").json["items"]?.elements
        #expect(listed == [second.json, made.json])
        #expect(openFileCount(in: server.spool) == 0)
    }

    @Test func `a damaged file is refused, and read as far as it can be where that is wanted`() throws {
        let server = try server()
        let id = try #require(try server.upload(Samples.realm().encoded()).json["id"]?.string)
        var bytes = try server.send("GET", "/v1/snapshots/\(id)/content", fields: [("Accept", "application/x-realm")])
            .body
        for offset in 0..<8 { bytes[offset] = 0x5a }
        let realm = "/v1/apps/shop/realms/broken"
        let type = ("Content-Type", "application/x-realm")
        func upload(_ query: String, _ bytes: [UInt8], _ type: (String, String) = type) throws -> SocketResponse {
            try server.client().request(
                "POST", "\(realm)/snapshots\(query)", fields: [("Authorization", "Bearer \(server.key)"), type],
                body: bytes)
        }
        #expect([400, 422].contains(try upload("", bytes).status))
        #expect([400, 422].contains(try upload("?rescue=false", bytes).status))
        let made = try upload("?rescue=true", bytes)
        #expect(made.status == 201)
        #expect(made.json["objectCounts"] == ["Person": 2, "Dog": 1])
        #expect(made.json["rescue"]?["objectsRead"] == 3)
        #expect(made.json["rescue"]?["whole"] == false)
        #expect(try upload("?rescue=perhaps", bytes).json["code"] == "invalid_parameter")
        let json = try upload("?rescue=true", Samples.realm().encoded(), ("Content-Type", "application/json"))
        #expect(json.status == 400 && json.json["code"] == "invalid_parameter")
        // Losses are told once.
        let told = try #require(made.json["id"]?.string)
        #expect(try server.send("GET", "/v1/snapshots/\(told)").json["rescue"] == nil)
    }

    @Test func `a realm comes back as it went in, as JSON and as lines`() throws {
        let server = try server()
        let id = try #require(try server.upload(Samples.realm().encoded()).json["id"]?.string)
        let json = try server.send("GET", "/v1/snapshots/\(id)/content")
        #expect(json.fields["content-type"] == "application/json")
        #expect(json.fields["content-disposition"] == "attachment; filename=\"ada-\(id).json\"")
        #expect(json.isComplete)
        #expect(json.json["objects"] == Samples.realm()["objects"])
        let tag = try #require(json.fields["etag"])
        for field in [tag, "\"other\", \(tag)", "W/\(tag)", "*"] {
            let known = [("If-None-Match", field)]
            #expect(try server.send("GET", "/v1/snapshots/\(id)/content", fields: known).status == 304, "\(field)")
        }
        let schema = try server.send("GET", "/v1/snapshots/\(id)/schema").json
        #expect(schema["schemaVersion"] == 1)
        #expect(schema["schema"] == json.json["schema"])

        let again = try server.upload(json.body, to: "/v1/apps/shop/realms/copy")
        #expect(again.status == 201)
        let lines = try server.send(
            "GET", "/v1/snapshots/\(id)/content", fields: [("Accept", "application/x-ndjson")])
        #expect(lines.fields["content-type"] == "application/x-ndjson")
        #expect(lines.text.split(separator: "\n").count == 4)
        let third = try server.upload(lines.body, to: "/v1/apps/shop/realms/third", type: "application/x-ndjson")
        #expect(third.json["objectCounts"] == ["Person": 2, "Dog": 1])

        let file = try server.send(
            "GET", "/v1/snapshots/\(id)/content", fields: [("Accept", "application/x-realm")])
        #expect(file.fields["content-type"] == "application/x-realm")
        #expect(file.fields["content-disposition"] == "attachment; filename=\"ada-\(id).realm\"")
        #expect(file.isComplete)
        let summary = try file.body.withUnsafeBytes { bytes throws(InputError) in
            try RealmFileReader(bytes: bytes).summary()
        }
        #expect(summary.formatVersion == 24)
        #expect(summary.classes.map { "\($0.schema.name) \($0.objectCount)" }.sorted() == ["Dog 1", "Person 2"])
    }

    @Test func `a realm file is encrypted for a client that sends a key`() throws {
        let server = try server()
        let id = try #require(try server.upload(Samples.realm().encoded()).json["id"]?.string)
        let (path, text) = ("/v1/snapshots/\(id)/content", String(repeating: "0aF9", count: 32))
        let fields = [("Accept", "application/x-realm"), ("Realm-Encryption-Key", text)]
        let files = try (0..<2).map { _ in try server.send("GET", path, fields: fields) }
        let key = try #require(EncryptionKey(hexadecimal: text))
        for file in files {
            #expect(file.status == 200)
            #expect(file.fields["cache-control"] == "no-store")
            #expect(file.fields["etag"] == nil)
            #expect(file.fields["vary"] == "Accept, Realm-Encryption-Key")
            var plain: [UInt8] = []
            try file.body.withUnsafeBytes { try EncryptedRealmFile(bytes: $0, key: key).decrypt { plain += $0 } }
            let summary = try plain.withUnsafeBytes { bytes throws(InputError) in
                try RealmFileReader(bytes: bytes).summary()
            }
            #expect(summary.classes.map { "\($0.schema.name) \($0.objectCount)" }.sorted() == ["Dog 1", "Person 2"])
        }
        #expect(files[0].body != files[1].body)
    }

    @Test(arguments: [("application/json", 128), ("application/x-ndjson", 128), ("application/x-realm", 126)])
    func `a key is refused where nothing can be encrypted with it`(accept: String, digits: Int) throws {
        let server = try server()
        let id = try #require(try server.upload(Samples.realm().encoded()).json["id"]?.string)
        let key = String(repeating: "ab", count: digits / 2)
        let response = try server.send(
            "GET", "/v1/snapshots/\(id)/content", fields: [("Accept", accept), ("Realm-Encryption-Key", key)])
        #expect(response.status == 400)
        #expect(response.problem == "invalid_header")
        #expect(response.text.contains("The field Realm-Encryption-Key "))
        #expect(!response.text.contains(key.prefix(16)))
    }

    @Test func `a realm file is given in an older format to a client that asks for it`() throws {
        let server = try server()
        let id = try #require(try server.upload(Samples.realm().encoded()).json["id"]?.string)
        let path = "/v1/snapshots/\(id)/content"
        let current = try server.send("GET", path, fields: [("Accept", "application/x-realm")])
        let older = try server.send("GET", path + "?fileFormat=23", fields: [("Accept", "application/x-realm")])
        #expect(older.status == 200 && older.isComplete)
        #expect([current, older].map { $0.body[20] } == [24, 23])
        #expect(older.fields["etag"] != current.fields["etag"])
        #expect(current.fields["realm-file-format"]?.hasPrefix("24; readers=\"Kotlin 1.15, ") == true)
        #expect(older.fields["realm-file-format"]?.hasPrefix("23; readers=\"Java 10.14, ") == true)
        #expect(current.fields["realm-left-out"] == nil)
    }

    @Test(arguments: [("application/x-realm", "22"), ("application/x-realm", ""), ("application/json", "23")])
    func `a version that can't be written is refused`(accept: String, version: String) throws {
        let server = try server()
        let id = try #require(try server.upload(Samples.realm().encoded()).json["id"]?.string)
        let response = try server.send(
            "GET", "/v1/snapshots/\(id)/content?fileFormat=\(version)", fields: [("Accept", accept)])
        #expect(response.status == 400)
        #expect(response.problem == "invalid_parameter")
    }

    @Test func `what an older format has no place for is refused before anything is sent`() throws {
        let server = try server()
        let realm = #"""
            {"schemaVersion":0,"schema":[{"name":"A","properties":{"any":"mixed"}}],"objects":{"A":[{"any":[1]}]}}
            """#
        let id = try #require(try server.upload(Array(realm.utf8)).json["id"]?.string)
        let response = try server.send(
            "GET", "/v1/snapshots/\(id)/content?fileFormat=23", fields: [("Accept", "application/x-realm")])
        #expect(response.status == 406)
        #expect(response.problem == "not_in_format")
        #expect(response.text.contains("A.any"))
    }

    @Test func `a format is named by the query, and goes before the field`() throws {
        let server = try server()
        let id = try #require(try server.upload(Samples.realm().encoded()).json["id"]?.string)
        let path = "/v1/snapshots/\(id)/content"
        let named = try server.send(
            "GET", path + "?format=sqlite&dates=unix", fields: [("Accept", "application/json")])
        let accepted = try server.send("GET", path, fields: [("Accept", "application/vnd.sqlite3")])
        for file in [named, accepted] {
            #expect(file.status == 200)
            #expect(file.isComplete)
            #expect(file.fields["content-type"] == "application/vnd.sqlite3")
            #expect(file.fields["content-disposition"] == "attachment; filename=\"ada-\(id).sqlite\"")
            #expect(file.body.starts(with: Array("SQLite format 3\0".utf8)))
        }
        // They have dates in different forms.
        #expect(named.fields["etag"] != accepted.fields["etag"])
        let refused = [
            "format=", "format=xlsx", "format=sqlite&dates=julian", "format=sql&dates=unix", "format=csv&flatten=true",
            "flatten=false",
        ]
        for query in refused {
            #expect(try server.send("GET", path + "?" + query).problem == "invalid_parameter")
        }
    }

    @Test func `a copy without what is personal is given to a client that asks for it`() throws {
        let server = try server()
        let id = try #require(try server.upload(Samples.realm().encoded()).json["id"]?.string)
        let path = "/v1/snapshots/\(id)/content"
        let original = try server.send("GET", path, fields: [("Accept", "application/json")])
        let copies = try (0..<2).map { _ in
            try server.send("GET", path + "?anonymize=true", fields: [("Accept", "application/json")])
        }
        for copy in copies {
            #expect(copy.status == 200 && copy.isComplete)
            #expect(copy.fields["etag"] == nil && copy.fields["cache-control"] == "no-store")
            #expect(copy.body != original.body)
            #expect(copy.json["schema"] == original.json["schema"])
        }
        #expect(copies[0].body != copies[1].body)
        let wrong = try server.send("GET", path + "?anonymize=yes", fields: [("Accept", "application/json")])
        #expect(wrong.status == 400 && wrong.problem == "invalid_parameter")
    }

    @Test func `a format of a file per class gives an archive, or the file of one class`() throws {
        let server = try server()
        let id = try #require(try server.upload(Samples.realm().encoded()).json["id"]?.string)
        let path = "/v1/snapshots/\(id)/content"
        for (query, accept, type, ending) in [
            ("?format=csv", "*/*", "application/zip", "csv.zip"), ("", "application/zip", "application/zip", "csv.zip"),
            ("?format=ejson", "*/*", "application/zip", "ejson.zip"),
            ("?format=csv&class=Dog", "*/*", "text/csv", "csv"), ("?class=Dog", "text/csv", "text/csv", "csv"),
            ("?format=ejson&class=Dog", "*/*", "application/x-ndjson", "ejson"),
            ("?class=Dog", "application/vnd.apache.parquet", "application/vnd.apache.parquet", "parquet"),
            ("?format=sql", "*/*", "application/sql", "sql"),
        ] {
            let file = try server.send("GET", path + query, fields: [("Accept", accept)])
            #expect(file.status == 200 && file.isComplete)
            #expect(file.fields["content-type"] == type)
            #expect(file.fields["content-disposition"] == "attachment; filename=\"ada-\(id).\(ending)\"")
            if type == "application/zip" { #expect(file.body.starts(with: [0x50, 0x4b, 3, 4])) }
        }
        #expect(try server.send("GET", path + "?format=csv&class=Cat").problem == "class_not_found")
        for query in ["?format=sqlite&class=Dog", "?format=json&class=Dog", "?format=csv&class="] {
            #expect([400, 404].contains(try server.send("GET", path + query).status))
        }
    }

    @Test func `formats that can't be given are refused`() throws {
        let server = try server()
        let id = try #require(try server.upload(Samples.realm().encoded()).json["id"]?.string)
        for accept in ["application/gzip", "text/html", "application/json;q=0"] {
            let response = try server.send("GET", "/v1/snapshots/\(id)/content", fields: [("Accept", accept)])
            #expect(response.status == 406)
            #expect(response.problem == "not_acceptable")
        }
        let none = "/v1/snapshots/0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"
        for path in ["\(none)", "\(none)/content", "\(none)/schema", "\(none)/objects/Dog", "/v1/snapshots/none"] {
            #expect(try server.send("GET", path).problem == "snapshot_not_found")
        }
    }

    @Test func `an earlier snapshot becomes the current one again`() throws {
        let server = try server()
        let first = try #require(try server.upload(Samples.realm().encoded()).json["id"]?.string)
        _ = try server.upload(Samples.realm(persons: 5).encoded())
        let restored = try server.send("POST", "/v1/apps/shop/realms/ada/restore", ["snapshot": .string(first)])
        #expect(restored.status == 200)
        #expect(restored.json["currentSnapshot"]?.string == first)
        let other = try server.upload(Samples.realm().encoded(), to: "/v1/apps/shop/realms/other").json["id"]
        let foreign = try server.send("POST", "/v1/apps/shop/realms/ada/restore", ["snapshot": other ?? .null])
        #expect(foreign.problem == "snapshot_not_found")
        let text = try server.send("POST", "/v1/apps/shop/realms/ada/restore", ["snapshot": "x"])
        #expect(text.problem == "malformed_document")
    }

    struct BadUpload: Sendable, CustomTestStringConvertible {
        var what: String
        var body: String
        var type: String? = "application/json"
        var fields: [(String, String)] = []
        var status: Int
        var code: String
        var testDescription: String { what }
    }

    private static let dog = #""schema":[{"name":"Dog","properties":{"name":"string"}}]"#
    private static let bad = [
        BadUpload(
            what: "bytes that are no realm", body: "nonsense that is long enough to be looked at",
            type: "application/x-realm", status: 400, code: "not_a_realm"),
        BadUpload(
            what: "a realm file with a wrong key", body: "\u{1}\0\0\0" + String(repeating: " ", count: 8188),
            type: "application/x-realm", fields: [("Realm-Encryption-Key", String(repeating: "ab", count: 64))],
            status: 422, code: "wrong_encryption_key"),
        BadUpload(
            what: "a key that is none", body: "x", type: "application/x-realm",
            fields: [("Realm-Encryption-Key", "secret")], status: 400, code: "invalid_header"),
        BadUpload(what: "an empty file", body: "", type: "application/x-realm", status: 400, code: "not_a_realm"),
        BadUpload(what: "no type", body: "{}", type: nil, status: 415, code: "unsupported_media_type"),
        BadUpload(what: "another type", body: "{}", type: "text/xml", status: 415, code: "unsupported_media_type"),
        BadUpload(
            what: "another coding", body: "{}", fields: [("Content-Encoding", "br")], status: 415,
            code: "unsupported_content_encoding"),
        BadUpload(
            what: "bytes that are not gzip", body: "{}", fields: [("Content-Encoding", "gzip")], status: 400,
            code: "malformed_content_encoding"),
        BadUpload(what: "JSON that is cut off", body: "{\(dog),\"objects\":{\"Dog\":[{\"na", status: 400, code: ""),
        BadUpload(what: "JSON that is none", body: "{\(dog)]", status: 400, code: "malformed_json"),
        BadUpload(
            what: "a value of another type", body: "{\(dog),\"objects\":{\"Dog\":[{\"name\":7}]}}", status: 422,
            code: "type_mismatch"),
        BadUpload(
            what: "a class that is not declared", body: "{\(dog),\"objects\":{\"Cat\":[]}}", status: 422,
            code: "unknown_class"),
        BadUpload(
            what: "a property that is not declared", body: "{\(dog),\"objects\":{\"Dog\":[{\"name\":\"a\",\"x\":1}]}}",
            status: 422, code: "unknown_property"),
        BadUpload(
            what: "a value that is missing", body: "{\(dog),\"objects\":{\"Dog\":[{}]}}", status: 422,
            code: "missing_value"),
        BadUpload(
            what: "a key twice",
            body: "{\(dog),\"objects\":{\"Dog\":[{\"_key\":1,\"name\":\"\"},{\"_key\":1,\"name\":\"\"}]}}", status: 422,
            code: "duplicate_key"),
        BadUpload(
            what: "a schema that is none", body: #"{"schema":[{"name":"A","primaryKey":"x","properties":{}}]}"#,
            status: 422, code: "schema_invalid"),
        BadUpload(what: "no schema", body: "{}", status: 422, code: "malformed_document"),
        BadUpload(
            what: "a line that is none", body: "{\(dog)}\n{\"class\":\"Dog\",\"object\":{\"name\":\"a\"}}\n{\"cl",
            type: "application/x-ndjson", status: 400, code: ""),
        BadUpload(
            what: "a body over the limit", body: String(repeating: " ", count: APIServer.limit + 1), status: 413,
            code: "content_too_large"),
    ]

    @Test(arguments: bad) func `a bad upload is refused and leaves nothing`(upload: BadUpload) throws {
        let server = try server()
        let before = try server.traces()
        let response = try server.upload(Array(upload.body.utf8), type: upload.type, fields: upload.fields)
        #expect(response.status == upload.status)
        #expect(response.problem == (upload.code.isEmpty ? response.json["code"]?.string : upload.code))
        #expect(response.json["instance"] == "/v1/apps/shop/realms/ada/snapshots")
        #expect(try server.comesBack(to: before))
        #expect(server.log.failures.withLock { $0 } == [])
    }

    @Test func `a bad upload that had written much leaves nothing either`() throws {
        let server = try server()
        let before = try server.traces()
        let good = String(repeating: "{\"name\":\"Rex\"},", count: 9000)
        let body = "{\(Self.dog),\"objects\":{\"Dog\":[\(good){\"name\":7}]}}"
        let response = try server.upload(Array(body.utf8))
        #expect(response.problem == "type_mismatch")
        let item = try #require(response.json["errors"]?.elements?.first)
        #expect(item["class"] == "Dog")
        #expect(item["property"] == "name")
        #expect(item["pointer"] == "/objects/Dog/9000/name")
        #expect(try server.comesBack(to: before))
    }

    @Test func `a client that goes away in the middle leaves nothing`() throws {
        let server = try server()
        let before = try server.traces()
        let client = try server.client()
        let fields = [
            ("Authorization", "Bearer \(server.key)"), ("Content-Type", "application/json"),
            ("Content-Length", "100000"),
        ]
        try client.send(SocketClient.head("POST", "/v1/apps/shop/realms/ada/snapshots", fields))
        try client.send([UInt8](repeating: 32, count: 50_000))
        client.hangUp()
        while server.log.paths.withLock({ !$0.contains("/v1/apps/shop/realms/ada/snapshots") }) { usleep(10_000) }
        #expect(try server.comesBack(to: before))
    }

    @Test func `many uploads at once take turns and all arrive`() throws {
        let server = try server()
        let body = Samples.realm(persons: 500).encoded()
        let clients = try (0..<12).map { _ in try server.client() }
        for (number, client) in clients.enumerated() {
            let fields = [
                ("Authorization", "Bearer \(server.key)"), ("Content-Type", "application/json"),
                ("Content-Length", "\(body.count)"),
            ]
            try client.send(SocketClient.head("POST", "/v1/apps/shop/realms/r\(number)/snapshots", fields))
            try client.send(body)
        }
        for client in clients { #expect(try client.response().status == 201) }
        #expect(try server.send("GET", "/v1/apps/shop/realms").json["items"]?.elements?.count == 12)
    }

    @Test func `what can be refused without the body is refused before it is sent`() throws {
        let server = try server()
        func ask(_ path: String, type: String = "application/json", key: String? = nil) throws -> SocketResponse {
            let client = try server.client()
            let fields = [
                ("Authorization", "Bearer \(key ?? server.key)"), ("Content-Type", type),
                ("Content-Length", "100"), ("Expect", "100-continue"),
            ]
            try client.send(SocketClient.head("POST", path, fields))
            return try client.response()
        }
        #expect(try ask("/v1/apps/shop/realms/ada/snapshots").status == 100)
        #expect(try ask("/v1/apps/shop/realms/ada/snapshots", key: "no").problem == "unauthorized")
        #expect(try ask("/v1/apps/shop/realms/ada/snapshots", type: "text/csv").problem == "unsupported_media_type")
        #expect(try ask("/v1/apps/none/realms/ada/snapshots").problem == "app_not_found")
        #expect(try ask("/v1/apps/shop/realms/.ada/snapshots").problem == "invalid_name")
    }
}
