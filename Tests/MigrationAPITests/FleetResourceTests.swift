import Foundation
import MigrationJobs
import RealmJSON
import SnapshotStore
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

    @Test func `are followed by events, each once, until they are over`() throws {
        let server = try APIServer(followsJobs: true)
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.send("PUT", "/v1/apps/shop/schemas/2", ["schema": Samples.grownSchema])
        _ = try server.upload(Samples.realm().encoded())
        let fleet = try #require(
            try server.send("POST", path, ["targetVersion": 2, "canary": ["count": 1]]).fields["location"])
        func follow(after id: String? = nil) throws -> SocketClient {
            let client = try server.client()
            let last = id.map { [("Last-Event-ID", $0)] } ?? []
            let fields = [("Authorization", "Bearer \(server.key)")] + last
            try client.send(SocketClient.head("GET", "\(fleet)/events", fields))
            _ = try client.read(until: "retry: 2000")
            return client
        }
        func event(_ client: SocketClient) throws -> (id: String, name: String, state: String?) {
            _ = try client.read(until: "id: ")
            let id = try client.read(until: "\nevent: ").dropLast("\nevent: ".count)
            let name = try client.read(until: "\ndata: ").dropLast("\ndata: ".count)
            let data = try client.read(until: "\n\n")
            return (String(id), String(name), try JSONValue.parse(Array(data.utf8))["state"]?.string)
        }
        let client = try follow()
        let first = try event(client)
        #expect(first.name == "fleet" && first.state == "canary")
        #expect(try server.send("POST", "\(fleet)/pause").status == 202)
        let second = try event(client)
        #expect(second.name == "fleet" && second.state == "paused" && second.id != first.id)
        // Who was there hears of what comes next; who was away of where it stands now.
        let (there, away) = (try follow(after: second.id), try follow(after: first.id))
        #expect(try event(away).state == "paused")
        #expect(try server.send("POST", "\(fleet)/resume").status == 202)
        #expect(try event(there).state == "canary")
        #expect(try server.send("POST", "\(fleet)/cancel").status == 202)
        for follower in [client, there, away] {
            while true {
                let next = try event(follower)
                if next.name == "done" {
                    #expect(next.state == "cancelled")
                    break
                }
            }
            _ = try follower.read(until: "0\r\n\r\n")
        }
        #expect(try event(try follow()).name == "done")
        let none = "\(path)/0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000/events"
        #expect(try server.send("GET", none).problem == "fleet_not_found")
    }

    @Test func `keep their app while a job of theirs waits, and are named then`() throws {
        let app = "/v1/apps/shop"
        let fleet = try #require(try server.send("POST", path, ["targetVersion": 2]).json["id"]?.string)
        let refused = try server.send("DELETE", app)
        #expect(refused.status == 409 && refused.problem == "migration_active")
        #expect(refused.json["detail"]?.string?.contains(" of the fleet \(fleet) is queued or running") == true)
        #expect(try server.send("GET", app).status == 200)
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

    // MARK: Rehearsed and quarantined

    private func ended(_ server: APIServer, _ members: JSONValue) throws -> (path: String, fleet: JSONValue) {
        let workers = JobWorkers(server.jobs, events: server.events, host: server.scripts, log: server.log)
        workers.start()
        defer { workers.stop() }
        let made = try server.send("POST", path, members)
        let one = try #require(made.fields["location"], "\(made.text)")
        for _ in 0..<400 {
            let fleet = try server.send("GET", one).json
            if fleet["finishedAt"] != .null { return (one, fleet) }
            Thread.sleep(forTimeInterval: 0.05)
        }
        Issue.record("The fleet does not end.")
        return (one, .null)
    }

    @Test func `that are rehearsed gather what would be lost in all realms`() throws {
        _ = try server.send("PUT", "/v1/apps/shop/schemas/3", ["schema": Samples.shrunkSchema])
        _ = try server.upload(Samples.realm(persons: 5).encoded(), to: "/v1/apps/shop/realms/cat")
        let (one, fleet) = try ended(server, ["targetVersion": 3, "dryRun": true])
        #expect(fleet["state"] == "succeeded" && fleet["counts"]?["succeeded"] == 3)
        let findings = fleet["findings"]?.elements ?? []
        let dropped = try #require(findings.first { $0["rule"] == "droppedValue" }, "\(findings)")
        #expect(dropped["class"] == "Person" && dropped["property"] == "name" && dropped["level"] == "warning")
        #expect(dropped["realmCount"] == 3 && dropped["objectCount"] == 9)
        let sample = Set((dropped["sample"]?.elements ?? []).compactMap(\.string))
        #expect(sample == ["ada", "bob", "cat"])
        for item in try server.send("GET", "\(one)/realms").json["items"]?.elements ?? [] {
            #expect(item["state"] == "succeeded" && item["resultSnapshot"] == .null)
        }
        #expect(try server.send("GET", "/v1/apps/shop/versions").json["items"] == [["version": 1, "count": 3]])
        // A fleet that commits something gathers nothing.
        let (_, real) = try ended(server, ["targetVersion": 3, "select": ["names": ["cat"]]])
        #expect(real["findings"] == [] && real["counts"]?["succeeded"] == 1)
    }

    @Test(arguments: [true, false])
    func `fail realms for findings that they are told of, and commit nothing of these`(isDry: Bool) throws {
        _ = try server.send("PUT", "/v1/apps/shop/schemas/3", ["schema": Samples.shrunkSchema])
        let (one, fleet) = try ended(
            server, ["targetVersion": 3, "dryRun": .bool(isDry), "failOn": ["droppedValue"]])
        #expect(fleet["state"] == "failed" && fleet["counts"]?["failed"] == 2 && fleet["failOn"] == ["droppedValue"])
        let failures = fleet["failures"]?.elements ?? []
        #expect(failures.map { $0["reason"] } == ["rehearsal_failed: droppedValue of Person.name"])
        #expect(failures.first?["count"] == 2)
        let findings = fleet["findings"]?.elements ?? []
        #expect(findings.map { $0["rule"] } == ["droppedValue"] && findings.first?["realmCount"] == 2)
        let realm = try server.send("GET", "\(one)/realms").json["items"]?.elements?.first
        #expect(realm?["error"]?["code"] == "rehearsal_failed" && realm?["error"]?["errors"]?.elements?.count == 1)
        #expect(try server.send("GET", "/v1/apps/shop/versions").json["items"] == [["version": 1, "count": 2]])
        // Findings that are not named fail nothing.
        let (_, done) = try ended(server, ["targetVersion": 3, "failOn": ["error"]])
        #expect(done["state"] == "succeeded" && done["counts"]?["succeeded"] == 2)
    }

    @Test func `are selected by few patterns and many names`() throws {
        func selecting(_ names: [String]) throws -> SocketResponse {
            try server.send(
                "POST", path, ["targetVersion": 2, "select": ["names": .array(names.map { .string($0) })]])
        }
        let many = try selecting((0...100).map { "*x\($0)" })
        #expect(many.status == 422 && many.json["detail"]?.string?.contains("100 elements with *") == true)
        #expect(try selecting((0..<5_000).map { "x\($0)" }).problem == "no_realm_selected")
    }

    @Test func `of no realm are refused, and say so`() throws {
        let refused = try server.send("POST", path, ["targetVersion": 2, "select": ["version": ">=2"]])
        #expect(refused.status == 422 && refused.problem == "no_realm_selected")
        #expect(
            refused.json["detail"] == "The fleet selects no realm: none of the app's 2 local ones agrees with `select`."
        )
        #expect(refused.json["errors"]?.elements?.first?["pointer"] == "/select")
        #expect(try server.send("GET", path).json["items"] == [])
        #expect(
            try server.send("POST", path, ["targetVersion": 2, "failOn": ["eror"]]).problem == "malformed_document")
    }

    @Test func `set objects aside in each realm, which a job of its own retries`() throws {
        let server = try APIServer(followsJobs: true)
        _ = try server.send("PUT", "/v1/apps/shop")
        let strict = """
            function migrate(migration) {
              migration.enumerateObjects("Person", (before, now) => {
                now.age = 7;
                if (before.id % 2 === 1) throw new Error(`odd ${before.id}`);
              });
            }
            """
        func migration(_ source: String) -> JSONValue { ["language": "javascript", "source": .string(source)] }
        _ = try server.send("PUT", "/v1/apps/shop/schemas/1", ["schema": Samples.schema])
        _ = try server.send(
            "PUT", "/v1/apps/shop/schemas/2", ["schema": Samples.grownSchema, "migration": migration(strict)])
        for (name, count) in [("ada", 5), ("bob", 1), ("cat", 3)] {
            _ = try server.upload(Samples.realm(persons: count).encoded(), to: "/v1/apps/shop/realms/\(name)")
        }
        let (rehearsed, dry) = try ended(server, ["targetVersion": 2, "dryRun": true, "onError": "quarantine"])
        #expect(dry["quarantinedCount"] == 3 && dry["state"] == "succeeded")
        let (one, fleet) = try ended(server, ["targetVersion": 2, "onError": "quarantine"])
        #expect(fleet["state"] == "succeeded" && fleet["onError"] == "quarantine" && fleet["quarantinedCount"] == 3)
        let realms = try server.send("GET", "\(one)/realms").json["items"]?.elements ?? []
        #expect(realms.map { $0["quarantinedCount"] } == [2, 0, 1] && realms[1]["quarantineJob"] == .null)
        for item in try server.send("GET", "\(rehearsed)/realms").json["items"]?.elements ?? [] {
            #expect(item["quarantineJob"] == .null)
        }
        let job = "/v1/jobs/\(try #require(realms[0]["quarantineJob"]?.string))"
        let told = try server.send("GET", job).json
        #expect(told["state"] == "succeeded" && told["realm"] == "ada" && told["quarantinedCount"] == 2)
        #expect(told["resultSnapshot"] == realms[0]["resultSnapshot"])
        let items = try server.send("GET", "\(job)/quarantine").json["items"]?.elements ?? []
        #expect(items.map { $0["object"]?["id"] } == [1, 3])
        #expect(items.first?["error"]?["message"] == "odd 1")
        let workers = JobWorkers(server.jobs, events: server.events, host: server.scripts, log: server.log)
        workers.start()
        defer { workers.stop() }
        let mended = strict.replacing("throw new Error", with: "new Error")
        let retry = try server.send("POST", "\(job)/quarantine/retry", ["migration": migration(mended)])
        let again = try server.send("GET", try #require(retry.fields["location"]), fields: [("Prefer", "wait=20")])
        #expect(again.json["state"] == "succeeded" && again.json["quarantinedCount"] == 0, "\(again.text)")
        let current = try #require(again.json["resultSnapshot"]?.string)
        let people = try server.send("GET", "/v1/snapshots/\(current)/objects/Person").json["items"]?.elements ?? []
        #expect(people.map { $0["age"] } == [7, 7, 7, 7, 7])
        #expect(try server.send("GET", job).json["quarantinedCount"] == 0)
    }

    @Test func `are the last job of each realm that had its turn, and say there how it fared`() throws {
        let server = try APIServer(followsJobs: true)
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.send("PUT", "/v1/apps/shop/schemas/1", ["schema": Samples.schema])
        let script = "function migrate(m) { if (m.newRealm.objects('Person').length > 3) throw new Error('too many'); }"
        _ = try server.send(
            "PUT", "/v1/apps/shop/schemas/2",
            ["schema": Samples.grownSchema, "migration": ["language": "javascript", "source": .string(script)]])
        for (name, count) in [("ada", 3), ("bob", 5), ("cat", 1)] {
            _ = try server.upload(Samples.realm(persons: count).encoded(), to: "/v1/apps/shop/realms/\(name)")
        }
        func lastJobs() throws -> [JSONValue?] {
            try (server.send("GET", "/v1/apps/shop/realms").json["items"]?.elements ?? []).map { $0["lastJob"] }
        }
        let (one, _) = try ended(server, ["targetVersion": 2, "select": ["names": ["ada", "bob"]]])
        let jobs = try server.send("GET", "\(one)/realms").json["items"]?.elements?.map { $0["job"] ?? .null }
        let job = try #require(jobs?.first)
        #expect(jobs == [job, job])
        #expect(
            try lastJobs() == [["id": job, "state": "succeeded"], ["id": job, "state": "failed"], .null])
        // A job of the realm's own is the last one then.
        let own = try server.send("POST", "/v1/apps/shop/realms/bob/migrations", ["targetVersion": 2])
        #expect(try lastJobs()[1]?["id"] == own.json["id"])
        #expect(try lastJobs()[0] == ["id": job, "state": "succeeded"])
    }

    @Test func `are the last job of realms that they left or put back, and do not call that success`() throws {
        let server = try APIServer(followsJobs: true)
        _ = try server.send("PUT", "/v1/apps/shop")
        for (version, schema) in [(1, Samples.schema), (2, Samples.grownSchema)] {
            _ = try server.send("PUT", "/v1/apps/shop/schemas/\(version)", ["schema": schema])
        }
        for name in ["ada", "bob"] {
            _ = try server.upload(Samples.realm().encoded(), to: "/v1/apps/shop/realms/\(name)")
        }
        func realms(_ state: String) throws -> [String] {
            let found = try server.send("GET", "/v1/apps/shop/realms?lastJob=\(state)&total=true").json
            let items = found["items"]?.elements ?? []
            #expect(found["total"]?["count"] == .int(Int64(items.count)))
            #expect(items.allSatisfy { $0["lastJob"]?["state"] == .string(state) })
            return items.compactMap { $0["name"]?.string }
        }
        let trial = try ended(server, ["targetVersion": 2, "dryRun": true])
        #expect(try trial.fleet["state"] == "succeeded" && realms("unchanged") == ["ada", "bob"])
        let (one, _) = try ended(server, ["targetVersion": 2])
        #expect(try realms("succeeded") == ["ada", "bob"] && realms("unchanged") == [])
        _ = try server.upload(Samples.realm().encoded(), to: "/v1/apps/shop/realms/bob")
        let workers = JobWorkers(server.jobs, events: server.events, host: server.scripts, log: server.log)
        workers.start()
        defer { workers.stop() }
        _ = try server.send("POST", "\(one)/undo", [:])
        for _ in 0..<400 where try server.send("GET", one).json["state"] != "undone" {
            Thread.sleep(forTimeInterval: 0.05)
        }
        #expect(try realms("undone") == ["ada"] && realms("kept") == ["bob"] && realms("succeeded") == [])
    }

    @Test func `say of a job of theirs who tries its realms again`() throws {
        let one = try #require(try server.send("POST", path, ["targetVersion": 2]).fields["location"])
        _ = try server.send("POST", "\(one)/cancel")
        let job = try server.send("GET", "/v1/jobs?state=cancelled").json["items"]?.elements?.first
        let refused = try server.send("POST", "/v1/jobs/\(try #require(job?["id"]?.string))/retry")
        #expect(refused.status == 409 && refused.problem == "job_of_fleet")
        #expect(refused.json["detail"]?.string?.contains("retry-failed") == true)
    }

    @Test func `are not made of more realms than the app may have snapshots more`() throws {
        let server = try APIServer(quota: AppQuota(snapshots: 3))
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.send("PUT", "/v1/apps/shop/schemas/2", ["schema": Samples.grownSchema])
        for name in ["ada", "bob"] {
            _ = try server.upload(Samples.realm().encoded(), to: "/v1/apps/shop/realms/\(name)")
        }
        let refused = try server.send("POST", path, ["targetVersion": 2])
        #expect(refused.status == 507 && refused.problem == "quota_exceeded")
        #expect(try server.send("GET", path).json["items"] == [])
        #expect(try server.send("POST", path, ["targetVersion": 2, "dryRun": true]).status == 202)
        #expect(try server.send("POST", path, ["targetVersion": 2, "select": ["names": ["ada"]]]).status == 202)
    }
}
