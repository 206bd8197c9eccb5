import AccessStore
import Columns
import HTTPServer
import Postgres
import RealmJSON
import RealmModel
import StoreCore
import TestHTTP
import Testing

@testable import MigrationAPI

/// A key does what its scopes permit, in the apps that it has; of others it learns nothing.
@Suite struct AccessTests {
    private let server: APIServer

    init() throws {
        server = try APIServer()
        for app in ["shop", "other"] { _ = try server.send("PUT", "/v1/apps/\(app)") }
    }

    private func key(_ scopes: Set<KeyScope> = Set(KeyScope.allCases), apps: VisibleApps = .all) throws -> String {
        try server.access.keys.create(named: "test", scopes: scopes, apps: apps).secret
    }

    /// Sends a request to an operation, with whatever body it takes.
    private func send(
        _ route: APIRoute, _ names: [String: String], key: String
    ) throws -> SocketResponse {
        let path = names.reduce(route.path.text) { $0.replacing("{\($1.key)}", with: $1.value) }
        let query = route.operation == "getSnapshotModels" ? "?target=realm-swift" : ""
        let body: JSONValue? =
            switch route.operation {
            case "restoreSnapshot": ["snapshot": .string(names["snapshot"] ?? "")]
            case "uploadSnapshot": [:]
            case "makeKey": ["name": "made", "scopes": ["admin"]]
            case "makeWebhook", "putWebhook": ["url": "https://example.com/"]
            case "recoverDeliveries": ["since": "2026-01-01T00:00:00Z"]
            case "makeToken": ["app": .string(names["app"] ?? ""), "realms": ["ada"], "scopes": ["read"]]
            default: nil
            }
        return try server.client().request(
            route.method, path + query,
            fields: [("Authorization", "Bearer \(key)"), ("Content-Type", "application/json")],
            body: body?.encoded())
    }

    /// An app with a schema version, a realm, a snapshot and a job that waits.
    private func fillShop() throws -> [String: String] {
        let snapshot = try server.upload(Samples.realm().encoded()).json
        let declared = try server.send("PUT", "/v1/apps/shop/schemas/1", ["schema": Samples.schema])
        #expect(declared.status == 201)
        let job = try server.send(
            "POST", "/v1/apps/shop/realms/ada/migrations", ["targetVersion": 2, "schema": Samples.grownSchema])
        #expect(job.status == 202)
        let fleet = try server.send(
            "POST", "/v1/apps/shop/fleets", ["targetVersion": 1, "select": ["names": ["ada"]]])
        #expect(fleet.status == 202)
        let key = try server.access.keys.create(named: "of shop", scopes: [.read], apps: .named(["shop"])).key
        let token = try server.send("POST", "/v1/tokens", ["app": "shop", "realms": ["ada"], "scopes": ["read"]])
        let (webhook, delivery) = try makeWebhook()
        return [
            "webhook": webhook, "delivery": delivery,
            "apiKey": key.id.description, "token": try #require(token.json["id"]?.string), "app": "shop",
            "realm": "ada", "version": "1", "from": "1", "to": "1",
            "class": "Dog", "key": "4", "partner": try makePartner(),
            "upload": try server.store.uploads.begin(
                for: "ada", in: "shop", length: 9, mediaType: "application/json", metadata: "", totalLimit: 9
            ).id.description,
            "snapshot": try #require(snapshot["id"]?.string), "other": try #require(snapshot["id"]?.string),
            "job": try #require(job.json["id"]?.string), "fleet": try #require(fleet.json["id"]?.string),
        ]
    }

    /// A webhook, and the delivery of an event to it.
    private func makeWebhook() throws -> (String, String) {
        let made = try server.send("POST", "/v1/apps/shop/webhooks", ["url": "https://example.com/"])
        _ = try server.send("PUT", "/v1/apps/shop/realms/eve", [:])
        let id = try #require(made.json["id"]?.string)
        let deliveries = try server.send("GET", "/v1/apps/shop/webhooks/\(id)/deliveries").json["items"]?.elements
        return (id, try #require(deliveries?.first?["id"]?.string))
    }

    /// A partner as an operator would find it whose realm was a synced one once.
    private func makePartner() throws -> String {
        let id = RealmModel.UUID.version7()
        var writer = ByteWriter()
        SchemaCoding.encode(Schema([ObjectSchema("Wolf", properties: [Property("_id", .int)])]), into: &writer)
        try server.pool.withConnection { connection in
            _ = try connection.execute(
                """
                INSERT INTO partner (app_id, partner_id, realm_id, class_name, partner, functions, fill_end, total_count)
                SELECT app_id, \(id), realm_id, 'Dog', \(PostgresBytes(writer.bytes)),
                    '{"forward": "o => o", "backward": "o => o"}', 0, 0 FROM realm WHERE name = 'ada'
                """)
        }
        return "\(id)"
    }

    // MARK: Scopes

    @Test(arguments: KeyScope.allCases)
    func `refuses exactly what needs a scope that the key has not`(missing: KeyScope) throws {
        let key = try key(Set(KeyScope.allCases).subtracting([missing]))
        let nothing = [
            "app": "none", "realm": "none", "snapshot": "none", "job": "none", "partner": "none", "version": "9",
            "apiKey": "none", "upload": "none", "fleet": "none", "token": "none", "webhook": "none", "delivery": "none",
        ]
        for route in server.api.routes {
            // The walk has made the app `none`, and an app's events never end.
            let names = nothing.merging(route.operation == "followApp" ? ["app": "nowhere"] : [:]) { $1 }
            let response = try send(route, names, key: key)
            // A token has no scope that its maker has not.
            let isRefused =
                route.requirement == .scope(missing) || (route.operation == "makeToken" && missing == .read)
            #expect((response.status == 403) == isRefused, "\(route.operation)")
            if isRefused { #expect(response.problem == "scope_missing", "\(route.operation)") }
        }
    }

    @Test func `asks nothing of those who ask whether the service is there, and a key of all others`() throws {
        for route in server.api.routes {
            let path = route.path.text.replacing("{", with: "").replacing("}", with: "")
            let status = try server.client().request(route.method, path).status
            #expect((status == 401) == (route.requirement != .noKey), "\(route.operation)")
        }
        #expect(server.api.routes.count { $0.requirement == .noKey } == 7)
    }

    // MARK: Apps

    @Test func `finds nothing of another app, by whatever name`() throws {
        let names = try fillShop()
        let others = try key(apps: .named(["other"]))
        let owns = try key(apps: .named(["shop"]))
        for route in server.api.routes where route.requirement != .noKey {
            guard let first = route.path.parameterNames.first else { continue }
            let response = try send(route, names, key: others)
            #expect(response.status == 404, "\(route.operation)")
            let thing = first == "apiKey" ? "api_key" : first
            #expect(response.problem == "\(thing)_not_found", "\(route.operation)")
            // The same as of what nobody has.
            var missing = names
            missing[first] = first == "app" ? "nowhere" : "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"
            let none = try send(route, missing, key: others)
            let detail = none.json["detail"]?.string?.replacing(missing[first] ?? "", with: names[first] ?? "")
            #expect(response.json["detail"]?.string == detail, "\(route.operation)")
        }
        // Nothing happened to any of it, and whoever may see it does.
        for route in server.api.routes
        where route.method == "GET"
            && ![
                // The values of no property are none.
                "getFacets",
                "followJob", "followFleet", "followApp", "getRecovery", "getReport", "listDifferences",
                "getExportPolicy",
                "getRealmExport",
            ]
            .contains(route.operation)
            && !route.operation.hasPrefix("getDashboard")
        {
            let status = try send(route, names, key: owns).status
            // A key of one app has no figures of all.
            #expect(
                status == (["getMetrics", "getFigures"].contains(route.operation) ? 403 : 200), "\(route.operation)")
        }
    }

    @Test func `lists what it may see`() throws {
        let job = try fillShop()["job"]
        let (owns, others) = (try key(apps: .named(["shop"])), try key(apps: .named(["other", "later"])))
        func items(_ path: String, _ key: String) throws -> [JSONValue] {
            let response = try server.client().request("GET", path, fields: [("Authorization", "Bearer \(key)")])
            return try #require(response.json["items"]?.elements)
        }
        #expect(try items("/v1/apps", owns).compactMap { $0["name"]?.string } == ["shop"])
        #expect(try items("/v1/apps", others).compactMap { $0["name"]?.string } == ["other"])
        #expect(try items("/v1/apps", server.key).count == 2)
        // The fleet has a job, too.
        #expect(try items("/v1/jobs", owns).contains { $0["id"]?.string == job })
        for query in ["", "?app=shop", "?app=shop&realm=ada", "?state=queued"] {
            #expect(try items("/v1/jobs\(query)", others).isEmpty)
        }
    }

    @Test func `makes an app that it has a name of, and no other`() throws {
        let key = try key([.write], apps: .named(["later"]))
        let statuses = try ["later", "latest"].map { name in
            try server.client().request("PUT", "/v1/apps/\(name)", fields: [("Authorization", "Bearer \(key)")]).status
        }
        #expect(statuses == [201, 404])
        #expect(throws: StoreError.notFound(.app, "latest")) { try server.store.apps.find("latest") }
    }

    @Test func `answers together, and each by its own key`() throws {
        let job = try #require(try fillShop()["job"])
        let (owns, others) = (try key(apps: .named(["shop"])), try key(apps: .named(["other"])))
        let reading = try key([.write, .migrate, .admin])
        let keys = (0..<60).map { [owns, others, server.key, reading][$0 % 4] }
        for _ in 0..<3 {
            let clients = try keys.map { _ in try server.client() }
            for (client, key) in zip(clients, keys) {
                try client.send(
                    SocketClient.head("GET", "/v1/jobs/\(job)", [("Authorization", "Bearer \(key)")]))
            }
            let statuses = try clients.map { try $0.response().status }
            #expect(statuses == (0..<60).map { [200, 404, 200, 403][$0 % 4] })
        }
    }

    @Test func `waits for no job that it may not see`() throws {
        let job = try #require(try fillShop()["job"])
        let others = try key(apps: .named(["other"]))
        let clock = ContinuousClock()
        let elapsed = try clock.measure {
            for path in ["/v1/jobs/\(job)", "/v1/jobs/\(job)/events"] {
                let response = try server.client().request(
                    "GET", path, fields: [("Authorization", "Bearer \(others)"), ("Prefer", "wait=30")])
                #expect(response.problem == "job_not_found")
            }
        }
        #expect(elapsed < .seconds(10))
    }
}
