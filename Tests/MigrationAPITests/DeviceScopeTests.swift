import AccessStore
import HTTPServer
import MigrationJobs
import RealmJSON
import StoreCore
import TestHTTP
import Testing

@testable import MigrationAPI

/// A token of a device has its realm migrated, and does no more.
@Suite struct DeviceScopeTests {
    private let server: APIServer
    private let token: String
    private let backend: String

    init() throws {
        server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.send("PUT", "/v1/apps/shop/schemas/2", ["schema": Samples.grownSchema])
        backend = try server.access.keys.create(named: "backend", scopes: [.device], apps: .all).secret
        let made = try server.client().request(
            "POST", "/v1/tokens",
            fields: [("Authorization", "Bearer \(backend)"), ("Content-Type", "application/json")],
            body: (["app": "shop", "realms": ["ada"], "scopes": ["device"]] as JSONValue).encoded())
        token = try #require(made.json["token"]?.string)
    }

    private func send(_ method: String, _ path: String, _ body: JSONValue? = nil) throws -> SocketResponse {
        try server.client().request(
            method, path, fields: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
            body: body?.encoded())
    }

    @Test func `uploads its realm, starts its migration, waits and takes the result`() throws {
        let realm = "/v1/apps/shop/realms/ada"
        let uploaded = try send("POST", "\(realm)/snapshots", Samples.realm())
        #expect(uploaded.status == 201)
        let job = try send("POST", "\(realm)/migrations", ["targetVersion": 2])
        #expect(job.status == 202)
        let id = try #require(job.json["id"]?.string)
        #expect(try send("GET", "/v1/jobs/\(id)").json["state"] == "queued")
        let snapshot = try #require(uploaded.json["id"]?.string)
        #expect(try send("GET", "/v1/snapshots/\(snapshot)/content").status == 200)
    }

    @Test func `does nothing else, and none of that to another realm`() throws {
        let snapshot = try #require(try server.upload(Samples.realm().encoded()).json["id"]?.string)
        let names = ["app": "shop", "realm": "ada", "snapshot": snapshot, "other": snapshot]
        for route in server.api.routes {
            guard case .scope = route.requirement else { continue }
            let path = names.reduce(route.path.text) { $0.replacing("{\($1.key)}", with: $1.value) }
            let response = try send(route.method, path)
            #expect(response.status == 403, "\(route.operation)")
        }
        let mayUse = server.api.routes.filter { if case .deviceOr = $0.requirement { true } else { false } }
        #expect(
            Set(mayUse.map(\.operation)) == ["uploadSnapshot", "startMigration", "getJob", "getSnapshotContent"])
        _ = try server.upload(Samples.realm().encoded(), to: "/v1/apps/shop/realms/eve")
        let other = try send("POST", "/v1/apps/shop/realms/eve/migrations", ["targetVersion": 2])
        #expect(other.problem == "realm_not_found")
    }

    @Test func `leaves a synced realm alone, whose schema is that of all its clients`() throws {
        #expect(try server.send("PUT", "/v1/apps/shop/realms/ada", ["kind": "synced"]).status == 201)
        let document: JSONValue = [
            "schema": [["name": "Note", "primaryKey": "_id", "properties": ["_id": "int", "text": "string?"]]],
            "objects": ["Note": [["_id": 1, "text": "one"]]],
        ]
        let made = try server.upload(document.encoded(), to: "/v1/apps/shop/realms/ada")
        #expect(made.status == 201, "\(made.json)")
        #expect(
            try send("POST", "/v1/apps/shop/realms/ada/migrations", ["targetVersion": 2]).problem == "realm_is_synced")
    }

    @Test func `sees no migration but those of its own key's devices`() throws {
        let realm = "/v1/apps/shop/realms/ada"
        _ = try server.upload(Samples.realm().encoded())
        let secret = "function migrate(m) { /* of the backend alone */ }"
        let other = try server.send(
            "POST", "\(realm)/migrations",
            ["targetVersion": 2, "dryRun": true, "migration": ["language": "javascript", "source": .string(secret)]])
        #expect(other.status == 202)
        let declared = try server.send("POST", "\(realm)/migrations", ["targetVersion": 2, "dryRun": true])
        let own = try #require(try send("POST", "\(realm)/migrations", ["targetVersion": 2]).json["id"]?.string)
        for id in [other, declared].compactMap({ $0.json["id"]?.string }) {
            let shown = try send("GET", "/v1/jobs/\(id)")
            #expect(shown.problem == "job_not_found" && !String(decoding: shown.body, as: UTF8.self).contains(secret))
            #expect(try server.send("GET", "/v1/jobs/\(id)").status == 200)
        }
        let key = try server.access.keys.create(named: "all devices", scopes: [.device], apps: .all).secret
        func asked(by secret: String) throws -> SocketResponse {
            try server.client().request("GET", "/v1/jobs/\(own)", fields: [("Authorization", "Bearer \(secret)")])
        }
        #expect(try asked(by: key).problem == "job_not_found")
        #expect(try asked(by: backend).json["state"] == "queued")
        #expect(try asked(by: token).json["state"] == "queued")
    }

    @Test(
        arguments: [
            ["targetVersion": 2, "schema": []],
            ["targetVersion": 2, "migration": ["language": "javascript", "source": ""]],
            ["targetVersion": 2, "dryRun": true], ["targetVersion": 2, "limits": [:]],
            ["targetVersion": 2, "onError": .null],
        ] as [JSONValue])
    func `brings no script and no options of its own`(order: JSONValue) throws {
        _ = try server.upload(Samples.realm().encoded())
        let response = try send("POST", "/v1/apps/shop/realms/ada/migrations", order)
        #expect(response.status == 403)
        #expect(response.problem == "scope_missing")
    }

    @Test func `is given by a key that has the three scopes which include it, and by none that lacks one`() throws {
        for (scopes, status) in [([.read, .write, .migrate], 201), ([.read, .write, .admin], 403)]
            as [(Set<KeyScope>, Int)]
        {
            let key = try server.access.keys.create(named: "backend", scopes: scopes, apps: .all).secret
            let response = try server.client().request(
                "POST", "/v1/tokens",
                fields: [("Authorization", "Bearer \(key)"), ("Content-Type", "application/json")],
                body: (["app": "shop", "realms": ["ada"], "scopes": ["device"]] as JSONValue).encoded())
            #expect(response.status == status)
        }
        #expect(try server.access.keys.hasAdministrator())
        #expect(KeyScope.administrator == [.read, .write, .migrate, .admin])
    }
}
