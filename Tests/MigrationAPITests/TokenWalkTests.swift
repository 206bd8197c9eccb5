import AccessStore
import Columns
import Foundation
import HTTPServer
import MigrationJobs
import Postgres
import RealmJSON
import RealmModel
import StoreCore
import TestHTTP
import Testing

@testable import MigrationAPI

/// A walk over all operations of the OpenAPI document with a token of one realm.
@Suite struct TokenWalkTests {
    /// An operation as the document has it.
    private struct Operation {
        let method: String
        let path: String
        let id: String
        /// Whether it asks for nothing, for a key or a token, or for a key.
        let isOpen: Bool
        let takesTokens: Bool

        var parameters: [String] {
            path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
        }
    }

    private let server: APIServer
    private let operations: [Operation]
    private let token: String

    init() throws {
        server = try APIServer()
        let document = try server.client().request("GET", "/openapi.json").json
        operations = (document["paths"]?.members ?? []).flatMap { path in
            (path.value.members ?? []).filter { $0.name != "parameters" }.map { member in
                let security = member.value["security"]?.elements
                return Operation(
                    method: member.name.uppercased(), path: path.name, id: member.value["operationId"]?.string ?? "",
                    isOpen: security?.isEmpty == true,
                    takesTokens: security?.contains { $0["token"] != nil } == true)
            }
        }
        for app in ["shop", "other"] { _ = try server.send("PUT", "/v1/apps/\(app)") }
        _ = try server.send("PUT", "/v1/apps/shop/schemas/1", ["schema": Samples.schema])
        let made = try server.send(
            "POST", "/v1/tokens", ["app": "shop", "realms": ["ada"], "scopes": ["read", "write", "migrate"]])
        token = try #require(made.json["token"]?.string)
    }

    // MARK: The things that paths name

    /// A realm with something of everything that a path can name.
    private func fill(_ realm: String, in app: String = "shop") throws -> [String: String] {
        let path = "/v1/apps/\(app)/realms/\(realm)"
        let snapshot = try #require(try server.upload(Samples.realm().encoded(), to: path).json["id"]?.string)
        let job = try server.send("POST", "\(path)/migrations", ["targetVersion": 2, "schema": Samples.grownSchema])
        let fleet = try server.send(
            "POST", "/v1/apps/\(app)/fleets", ["targetVersion": 1, "select": ["names": [.string(realm)]]])
        let upload = try server.store.uploads.begin(
            for: realm, in: app, length: 9, mediaType: "application/json", metadata: "", totalLimit: 900)
        let another = try server.send(
            "POST", "/v1/tokens", ["app": .string(app), "realms": [.string(realm)], "scopes": ["read"]])
        return [
            "app": app, "realm": realm, "version": "1", "from": "1", "to": "1", "class": "Dog", "key": "4",
            "snapshot": snapshot, "other": snapshot, "job": try #require(job.json["id"]?.string),
            "fleet": fleet.json["id"]?.string ?? RealmModel.UUID.version7().description,
            "upload": upload.id.description, "partner": try plant("partner", in: realm, app),
            "recovery": try plant("recovery", in: realm, app),
            "apiKey": try server.access.keys.create(named: "k", scopes: [.read], apps: .named([app])).key.id
                .description,
            "token": try #require(another.json["id"]?.string),
        ]
    }

    /// A partner or a recovery, as an operator would find it whose realm was a synced one once.
    private func plant(_ thing: String, in realm: String, _ app: String) throws -> String {
        let id = RealmModel.UUID.version7()
        var writer = ByteWriter()
        SchemaCoding.encode(Schema([ObjectSchema("Wolf", properties: [Property("_id", .int)])]), into: &writer)
        let schema = PostgresBytes(writer.bytes)
        try server.pool.withConnection { connection in
            if thing == "partner" {
                _ = try connection.execute(
                    """
                    INSERT INTO partner
                        (app_id, partner_id, realm_id, class_name, partner, functions, fill_end, total_count)
                    SELECT app_id, \(id), realm_id, 'Dog', \(schema),
                        '{"forward": "o => o", "backward": "o => o"}', 0, 0
                    FROM realm JOIN app USING (app_id) WHERE realm.name = \(realm) AND app.name = \(app)
                    """)
            } else {
                _ = try connection.execute(
                    """
                    INSERT INTO recovery (app_id, recovery_id, realm_id, snapshot_id, schema)
                    SELECT app_id, \(id), realm_id, current_id, \(schema)
                    FROM realm JOIN app USING (app_id) WHERE realm.name = \(realm) AND app.name = \(app)
                    """)
            }
        }
        return id.description
    }

    private func send(_ operation: Operation, _ names: [String: String], with secret: String? = nil) throws
        -> SocketResponse
    {
        let path = operation.parameters.reduce(operation.path) { $0.replacing("{\($1)}", with: names[$1] ?? "none") }
        let query =
            switch operation.id {
            case "getSnapshotModels": "?target=realm-swift"
            case "listDifferences": "?class=Dog"
            default: ""
            }
        var fields = [("Authorization", "Bearer \(secret ?? token)"), ("Content-Type", "application/json")]
        let body: JSONValue?
        switch operation.id {
        case "restoreSnapshot": body = ["snapshot": .string(names["snapshot"] ?? "")]
        case "uploadSnapshot": body = Samples.realm()
        case "startMigration": body = ["targetVersion": 1]
        case "startRehearsal": body = ["targetVersion": 1, "samples": [.string(names["snapshot"] ?? "")]]
        case "makeFleet": body = ["targetVersion": 1]
        case "makeKey": body = ["name": "made", "scopes": ["read"]]
        case "makeToken": body = ["app": "shop", "realms": ["ada"], "scopes": ["read"]]
        case "diffSchemas": body = ["from": Samples.schema, "to": Samples.schema]
        case "putSchemaVersion": body = ["schema": Samples.schema]
        case "takeModel", "enableSync": body = ["schema": Samples.schema]
        case "changeObjects", "keepChanges": body = ["deletes": []]
        case "createUpload":
            fields += [("Tus-Resumable", "1.0.0"), ("Upload-Length", "9")]
            body = nil
        case "getUpload", "deleteUpload":
            fields.append(("Tus-Resumable", "1.0.0"))
            body = nil
        default: body = nil
        }
        return try server.client().request(operation.method, path + query, fields: fields, body: body?.encoded())
    }

    /// The rows of all tables that an operation can change, but for what tells of requests.
    private func state() throws -> String {
        try server.pool.withConnection { connection in
            let tables: [StaticString] = [
                "app", "realm", "snapshot", "job", "fleet", "upload", "partner", "recovery", "api_key", "realm_token",
                "schema_version", "recovery_batch",
            ]
            return try tables.map { table in
                try connection.query(
                    "SELECT coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '') AS rows FROM \(unsafeSQL: table) t"
                )[0].value("rows", as: String.self)
            }.joined(separator: "\n")
        }
    }

    // MARK: The walk

    @Test func `the document says which operations take tokens, as the operations do themselves`() throws {
        #expect(operations.count == server.api.routes.count)
        for operation in operations {
            let route = try #require(server.api.routes.first { $0.operation == operation.id })
            #expect(operation.takesTokens == (route.tokens != .refused), "\(operation.id)")
            #expect(operation.isOpen == (route.requirement == .noKey), "\(operation.id)")
        }
    }

    @Test func `an operation that does not say how it keeps to a realm refuses tokens`() throws {
        let route = APIRoute("GET", "/v1/news", "getNews", requires: .read, query: []) { _ in .noContent }
        #expect(route.tokens == .refused)
        let access = Access(try #require(try server.access.tokens.find(authenticating: token)))
        let request = APIRequest(
            head: try HTTPRequestHead(method: "GET", target: "/v1/news", fields: [:]),
            parameters: ["app": "shop", "realm": "ada"], access: access, whole: nil)
        #expect(throws: APIError.notForTokens) { try request.check(route.tokens, in: server.jobs) }
    }

    /// A walk with ids of another realm: refusals, the same as for ids that nobody has, and lists without it.
    @Test(arguments: ["bob", "adam", "ad"])
    func `a token finds nothing of another realm of its app, by whatever name`(realm: String) throws {
        _ = try fill("ada")
        let names = try fill(realm)
        let before = try state()
        var counts = (refused: 0, missing: 0, lists: 0)
        for operation in operations where !operation.isOpen {
            let response = try send(operation, names)
            guard operation.takesTokens else {
                #expect(response.status == 403 && response.problem == "not_for_tokens", "\(operation.id)")
                counts.refused += 1
                continue
            }
            if ["listRealms", "listJobs"].contains(operation.id) {
                let items = try #require(response.json["items"]?.elements)
                let member = operation.id == "listRealms" ? "name" : "realm"
                #expect(items.count == 1 && items.allSatisfy { $0[member] == "ada" }, "\(operation.id)")
                counts.lists += 1
                continue
            }
            let first = try #require(operation.parameters.first { $0 != "app" })
            #expect(response.status == 404 && response.problem == "\(first)_not_found", "\(operation.id)")
            counts.missing += 1
            // The same as of what nobody has.
            var missing = names
            missing[first] = first == "realm" ? "nobody" : RealmModel.UUID.version7().description
            let none = try send(operation, missing)
            #expect(none.status == response.status, "\(operation.id)")
            let detail = none.json["detail"]?.string?.replacing(missing[first] ?? "", with: names[first] ?? "")
            #expect(response.json["detail"]?.string == detail, "\(operation.id)")
            #expect(response.json["code"] == none.json["code"], "\(operation.id)")
        }
        #expect(counts.refused + counts.missing + counts.lists == operations.count { !$0.isOpen })
        #expect(counts.lists == 2 && counts.missing > 40 && counts.refused > 25)
        #expect(try state() == before)
    }

    @Test func `a token finds nothing of a realm of its name in another app`() throws {
        _ = try fill("ada")
        let names = try fill("ada", in: "other")
        let before = try state()
        for operation in operations where operation.takesTokens && operation.id != "listJobs" {
            let response = try send(operation, names)
            let first = try #require(operation.parameters.first)
            #expect(response.status == 404 && response.problem == "\(first)_not_found", "\(operation.id)")
        }
        #expect(try state() == before)
    }

    /// Paths that name the token's realm, and in it a thing of another.
    @Test func `a token finds nothing of another realm below its own`() throws {
        let (own, other) = (try fill("ada"), try fill("bob"))
        let before = try state()
        var walked = 0
        for operation in operations where operation.takesTokens && operation.parameters.contains("realm") {
            for thing in operation.parameters where ["partner", "recovery", "upload"].contains(thing) {
                let response = try send(operation, own.merging([thing: other[thing] ?? ""]) { $1 })
                #expect(response.status == 404 && response.problem == "\(thing)_not_found", "\(operation.id)")
                walked += 1
            }
        }
        #expect(walked >= 11)
        for operation in operations where operation.parameters.contains("other") {
            for thing in ["snapshot", "other"] {
                let response = try send(operation, own.merging([thing: other[thing] ?? ""]) { $1 })
                #expect(response.problem == "snapshot_not_found", "\(operation.id)")
            }
        }
        #expect(try state() == before)
    }

    @Test func `a token has nothing of another realm by what a body, a query or a cursor names`() throws {
        let (own, other) = (try fill("ada"), try fill("bob"))
        func get(_ path: String) throws -> SocketResponse {
            try server.client().request("GET", path, fields: [("Authorization", "Bearer \(token)")])
        }
        let restore = try #require(operations.first { $0.id == "restoreSnapshot" })
        _ = try server.send("POST", "/v1/jobs/\(own["job"] ?? "")/cancel")
        _ = try server.send("POST", "/v1/apps/shop/fleets/\(own["fleet"] ?? "")/cancel")
        let restored = try send(restore, own.merging(["snapshot": other["snapshot"] ?? ""]) { $1 })
        #expect(restored.problem == "snapshot_not_found")
        for since in [other["snapshot"] ?? "", RealmModel.UUID.version7().description] {
            #expect(try get("/v1/apps/shop/realms/ada/changes?since=\(since)").problem == "snapshot_gone")
        }
        for query in ["?app=shop&realm=bob", "?app=other", "?app=other&realm=ada", "?app=shop&realm=none"] {
            #expect(try get("/v1/jobs\(query)").json["items"] == [], "\(query)")
        }
        for query in ["?version=1", "?version=%3C9"] {
            #expect(try get("/v1/apps/shop/realms\(query)").json["items"]?.elements?.count == 1, "\(query)")
        }
        // Cursors that a key was given.
        for (path, member) in [("/v1/apps/shop/realms", "name"), ("/v1/jobs", "realm")] {
            var cursor = try server.send("GET", "\(path)?limit=1").json["next"]?.string
            #expect(cursor != nil)
            while let next = cursor {
                let items = try get("\(path)?cursor=\(next)").json["items"]?.elements ?? [.null]
                #expect(items.allSatisfy { $0[member] == "ada" }, "\(path)")
                cursor = try server.send("GET", "\(path)?limit=1&cursor=\(next)").json["next"]?.string
            }
        }
        for item in try #require(get("/v1/apps/shop/realms/ada/snapshots").json["items"]?.elements) {
            #expect(item["realm"] == "ada")
        }
    }

    @Test func `a token does in its realm what its scopes permit`() throws {
        let names = try fill("ada")
        let bob = try fill("bob")
        var walked = 0
        // A job that waits has no events yet, and there is nothing to report of it; facets ask for a property.
        let later = ["followJob", "getReport", "followChanges", "getRecovery", "getRealmExport", "getFacets"]
        for operation in operations where operation.takesTokens && !later.contains(operation.id) {
            guard operation.method != "DELETE" else { continue }
            let response = try send(operation, names)
            #expect(response.status != 403 && response.status != 401, "\(operation.id)")
            // The class of the partner has no primary key, which only its own operations ask for.
            let isMissing = response.problem?.hasSuffix("_not_found") == true && response.problem != "class_not_found"
            #expect(!isMissing, "\(operation.id)")
            if operation.method == "GET" { #expect(response.status == 200, "\(operation.id)") }
            for id in ["snapshot", "job", "fleet", "upload", "partner", "recovery", "token", "apiKey"] {
                #expect(!response.text.contains(bob[id] ?? "-"), "\(operation.id)")
            }
            walked += 1
        }
        #expect(walked > 35)
        for id in ["deleteUpload", "deleteRealm"] {
            let operation = try #require(operations.first { $0.id == id })
            _ = try server.send("POST", "/v1/jobs/\(names["job"] ?? "")/cancel")
            let response = try send(operation, names)
            #expect(response.status == 204 || response.problem == "migration_active", "\(id)")
        }
    }

    /// A fleet that had the realm, with another one of the app, in one job.
    @Test func `a token hears nothing of a fleet that had its realm`() throws {
        for realm in ["ada", "bob"] {
            #expect(try server.upload(Samples.realm().encoded(), to: "/v1/apps/shop/realms/\(realm)").status == 201)
        }
        _ = try server.send("PUT", "/v1/apps/shop/schemas/2", ["schema": Samples.grownSchema])
        let workers = JobWorkers(server.jobs, events: server.events, host: server.scripts, log: server.log)
        workers.start()
        defer { workers.stop() }
        let made = try server.send("POST", "/v1/apps/shop/fleets", ["targetVersion": 2, "select": [:]])
        let path = try #require(made.fields["location"], "\(made.text)")
        for _ in 0..<1200 where try server.send("GET", path).json["finishedAt"] == .null { usleep(50_000) }
        let members = try server.send("GET", "\(path)/realms").json["items"]?.elements ?? []
        let job = try #require(members.first?["job"]?.string)
        let snapshot = try #require(members.first { $0["realm"] == "ada" }?["resultSnapshot"]?.string)
        let key = try server.send("GET", "/v1/snapshots/\(snapshot)")
        #expect(key.json["createdBy"] == ["kind": "migration", "job": .string(job)])
        let names = [
            "app": "shop", "realm": "ada", "snapshot": snapshot, "other": snapshot, "job": job, "class": "Dog",
        ]
        for operation in operations where operation.takesTokens && operation.id != "followJob" {
            let text = try send(operation, names).text
            for secret in [job, made.json["id"]?.string ?? "", "bob", "fleet"] {
                let isAsked = secret == job && operation.path.contains("{job}")
                #expect(isAsked || !text.contains(secret), "\(operation.id): \(text)")
            }
        }
        let access = Access(try #require(try server.access.tokens.find(authenticating: token)))
        let active = StoreError.migrationActive(job: RealmModel.UUID.version7())
        #expect(access.shown(active) as? APIError == .migrationActive)
    }

    @Test(arguments: RealmToken.scopes)
    func `a token without a scope is refused exactly what needs it`(missing: KeyScope) throws {
        let names = try fill("ada")
        let scopes = RealmToken.scopes.filter { $0 != missing }.map { JSONValue.string($0.rawValue) }
        let made = try server.send(
            "POST", "/v1/tokens", ["app": "shop", "realms": ["ada"], "scopes": .array(scopes)])
        let secret = try #require(made.json["token"]?.string)
        for route in server.api.routes where route.tokens != .refused && route.requirement == .scope(missing) {
            let operation = try #require(operations.first { $0.id == route.operation })
            #expect(try send(operation, names, with: secret).problem == "scope_missing", "\(route.operation)")
        }
    }
}
