import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

@Suite struct `Fleets of an app` {
    private let server: APIServer
    private let path = "/v1/apps/shop/fleets"

    init() throws {
        server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.send("PUT", "/v1/apps/shop/schemas/1", ["schema": Samples.schema])
        _ = try server.send("PUT", "/v1/apps/shop/schemas/2", ["schema": Samples.grownSchema])
        for name in ["ada", "bob"] {
            _ = try server.upload(Samples.realm().encoded(), to: "/v1/apps/shop/realms/\(name)")
        }
    }

    @Test(
        arguments: [
            (["targetVersion": .null], "/targetVersion"), (["targetVersion": -1], "/targetVersion"),
            (["canary": [:]], "/canary/count"), (["canary": ["count": 0]], "/canary/count"),
            (["canary": ["percent": 101]], "/canary/percent"),
            (["canary": ["count": 1, "percent": 1]], "/canary/count"),
            (["canary": ["count": 1, "pauseSeconds": -1]], "/canary/pauseSeconds"),
            (["concurrency": 0], "/concurrency"),
            (["stopAfter": ["failures": 1.5]], "/stopAfter/failures"), (["stopAfter": 3], "/stopAfter"),
            (["select": ["version": "three"]], "/select/version"), (["select": ["labels": ["a": 1]]], "/select/labels"),
            (["select": ["names": ["a b"]]], "/select/names"), (["onError": "ignore"], "/onError"),
        ] as [(JSONValue, String)])
    func `say what of a request is wrong`(change: JSONValue, pointer: String) throws {
        var members = [JSONMember("targetVersion", 2)].filter { change[$0.name] == nil }
        members += change.members ?? []
        let refused = try server.send("POST", path, .object(members))
        #expect(refused.status == 422)
        #expect(refused.problem == "malformed_document")
        #expect(refused.json["errors"]?.elements?.first?["pointer"] == .string(pointer))
    }

    @Test func `refuse what there is not`() throws {
        #expect(try server.send("POST", path, ["targetVersion": 9]).problem == "schema_version_unknown")
        #expect(try server.send("POST", path, ["targetVersion": 2, "speed": 1]).problem == "unknown_member")
        let script: JSONValue = ["language": "javascript", "source": "function migrate( {"]
        #expect(try server.send("POST", path, ["targetVersion": 2, "migration": script]).problem == "script_invalid")
        let none = "\(path)/0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"
        for path in [none, "\(none)/realms"] { #expect(try server.send("GET", path).problem == "fleet_not_found") }
        for verb in ["pause", "resume", "cancel", "retry-failed", "undo"] {
            #expect(try server.send("POST", "\(none)/\(verb)", [:]).problem == "fleet_not_found")
        }
        #expect(try server.send("GET", "\(none)/realms?state=lost").status == 404)
    }

    @Test func `are told as a whole, by realm and in the list`() throws {
        let asked: JSONValue = [
            "targetVersion": 2, "select": ["version": "<2", "names": ["a*"]],
            "canary": ["percent": 50.0, "pauseSeconds": 60.0],
            "stopAfter": ["failures": 3], "concurrency": 2,
        ]
        let made = try server.send("POST", path, asked)
        #expect(made.status == 202)
        for member in asked.members ?? [] { #expect(made.json[member.name] == member.value, "\(member.name)") }
        #expect(made.json["state"] == "canary")
        #expect(made.json["counts"]?["pending"] == 1)
        #expect(made.json["failures"] == [])
        #expect(made.json["versions"]?.elements?.first?["version"] == 1)
        let one = try #require(made.fields["location"])
        #expect(try server.send("GET", one).json == made.json)
        let realms = try server.send("GET", "\(one)/realms").json["items"]?.elements
        #expect(realms?.map { $0["realm"] } == ["ada"])
        #expect(try server.send("GET", "\(one)/realms?state=failed").json["items"] == [])
        #expect(try server.send("GET", "\(one)/realms?state=lost").problem == "invalid_parameter")
        let listed = try server.send("GET", path).json["items"]?.elements
        #expect(listed?.map { $0["id"] } == [made.json["id"]])
        #expect(listed?.first?["failures"] == nil)
    }

    @Test func `take what their state permits`() throws {
        let one = try #require(try server.send("POST", path, ["targetVersion": 2]).fields["location"])
        #expect(try server.send("POST", "\(one)/resume", [:]).problem == "fleet_state")
        let paused = try server.send("POST", "\(one)/pause", [:])
        #expect(paused.status == 202)
        #expect(paused.json["state"] == "paused")
        #expect(paused.json["pauseReason"] == "asked")
        #expect(try server.send("POST", "\(one)/pause", [:]).problem == "fleet_state")
        #expect(try server.send("POST", "\(one)/retry-failed", [:]).problem == "fleet_state")
        #expect(try server.send("POST", "\(one)/resume", ["speed": 1]).problem == "unknown_member")
        #expect(try server.send("POST", "\(one)/resume").json["state"] == "running")
        #expect(try server.send("POST", "\(one)/cancel").json["state"] == "cancelled")
        #expect(try server.send("GET", "/v1/jobs?state=cancelled").json["items"]?.elements?.isEmpty == false)
    }

    @Test func `keep a schema as it is that they lead to`() throws {
        _ = try server.send("POST", path, ["targetVersion": 2])
        let changed = try server.send("PUT", "/v1/apps/shop/schemas/2", ["schema": Samples.shrunkSchema])
        #expect(changed.problem == "schema_version_in_use")
    }

    @Test func `find realms by their labels, which a realm keeps`() throws {
        let realm = "/v1/apps/shop/realms/ada"
        #expect(try server.send("GET", realm).json["labels"] == [:])
        let put = try server.send("PUT", realm, ["labels": ["ring": "0", "plan": "free"]])
        #expect(put.json["labels"] == ["plan": "free", "ring": "0"])
        #expect(try server.send("PUT", realm, [:]).json["labels"] == ["plan": "free", "ring": "0"])
        #expect(try server.send("PUT", realm, ["labels": ["a": "b\u{7}"]]).problem == "malformed_document")
        let made = try server.send(
            "POST", path, ["targetVersion": 2, "select": ["labels": ["ring": "0"]]])
        #expect(made.json["counts"]?["pending"] == 1)
        #expect(try server.send("PUT", realm, ["labels": [:]]).json["labels"] == [:])
    }

    @Test func `begin with how many realms stand where`() throws {
        let versions = try server.send("GET", "/v1/apps/shop/versions").json
        #expect(versions == ["items": [["version": 1, "count": 2]], "next": .null])
    }
}
