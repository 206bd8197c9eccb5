import Foundation
import JobStore
import MigrationJobs
import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

@Suite struct `Events of an app` {
    private let server: APIServer
    private let path = "/v1/apps/shop"

    init() throws {
        server = try APIServer(followsJobs: true)
        _ = try server.send("PUT", path)
        _ = try server.send("PUT", "/v1/apps/other")
    }

    private func follow(_ target: String = "/v1/apps/shop/events", after id: String? = nil) throws -> SocketClient {
        let client = try server.client()
        let last = id.map { [("Last-Event-ID", $0)] } ?? []
        let fields = [("Authorization", "Bearer \(server.key)"), ("Accept", "text/event-stream")]
        try client.send(SocketClient.head("GET", target, fields + last))
        _ = try client.read(until: "retry: 2000")
        return client
    }

    private func event(_ client: SocketClient) throws -> (id: String, name: String, data: JSONValue) {
        let head = try client.read(until: "\ndata: ")
        // The ends of chunks are lines of their own.
        let lines = String(decoding: head.utf8.filter { $0 != 13 }, as: UTF8.self).split(separator: "\n")
        let id = lines.last { $0.hasPrefix("id: ") }?.dropFirst(4)
        let name = lines.last { $0.hasPrefix("event: ") }?.dropFirst(7)
        let data = try client.read(until: "\n\n")
        return (String(try #require(id)), String(try #require(name)), try JSONValue.parse(Array(data.utf8)))
    }

    /// The next event that is of a kind.
    private func next(_ name: String, _ client: SocketClient) throws -> (id: String, data: JSONValue) {
        while true {
            let found = try event(client)
            if found.name == name { return (found.id, found.data) }
        }
    }

    @Test func `tell of realms, versions, jobs and fleets of this app, in the order in which they changed`() throws {
        let client = try follow()
        _ = try server.send("PUT", "/v1/apps/other/realms/eve")
        _ = try server.upload(Samples.realm().encoded())
        #expect(try event(client).data == ["name": "ada"])
        _ = try server.send("PUT", "\(path)/schemas/2", ["schema": Samples.grownSchema])
        let version = try event(client)
        #expect(version.data == ["version": 2], "\(version)")
        let job = try server.send("POST", "\(path)/realms/ada/migrations", ["targetVersion": 2]).json["id"]
        let queued = try next("job", client).data
        #expect(queued["id"] == job && queued["state"] == "queued" && queued["realm"] == "ada")
        let workers = JobWorkers(server.jobs, events: server.events, host: nil, log: server.log)
        workers.start()
        var state: JSONValue?
        while state != "succeeded" { state = try next("job", client).data["state"] }
        #expect(try next("realm", client).data == ["name": "ada"])
        workers.stop(timeout: .seconds(5))
        _ = try server.upload(Samples.realm().encoded(), to: "\(path)/realms/bob")
        let fleet = try server.send("POST", "\(path)/fleets", ["targetVersion": 2, "canary": ["count": 1]]).json["id"]
        #expect(try next("fleet", client).data == ["id": fleet ?? .null])
        _ = try server.send("POST", "\(path)/fleets/\(fleet?.string ?? "")/cancel")
        #expect(try next("fleet", client).data == ["id": fleet ?? .null])
    }

    @Test func `tell of jobs and snapshots that are removed`() throws {
        let first = try server.upload(Samples.realm().encoded()).json["id"]?.string ?? ""
        _ = try server.upload(Samples.realm().encoded())
        let order: JSONValue = ["targetVersion": 2, "schema": Samples.grownSchema]
        let job = try server.send("POST", "\(path)/realms/ada/migrations", order).json["id"]?.string ?? ""
        _ = try server.send("POST", "/v1/jobs/\(job)/cancel")
        let client = try follow()
        _ = try server.send("PUT", "\(path)/realms/last")
        while try next("realm", client).data != ["name": "last"] {}
        #expect(try server.send("DELETE", "/v1/snapshots/\(first)").status == 204)
        #expect(try event(client).data == ["name": "ada"])
        #expect(try server.send("DELETE", "/v1/jobs/\(job)").status == 204)
        let removed: JSONValue = [
            "id": .string(job), "kind": "migration", "realm": "ada", "fleet": .null, "state": "removed",
        ]
        #expect(try event(client).data == removed)
        // It is told once.
        #expect(try server.send("DELETE", "/v1/jobs/\(job)").status == 404)
        _ = try server.send("PUT", "\(path)/realms/last", ["labels": ["a": "b"]])
        #expect(try event(client).data == ["name": "last"])
    }

    @Test func `go on where they broke off, or begin anew where nobody knows that place any more`() throws {
        let client = try follow()
        _ = try server.send("PUT", "\(path)/realms/r1")
        let first = try event(client)
        client.hangUp()
        let other = try follow()
        _ = try server.send("PUT", "\(path)/realms/r2")
        let second = try event(other)
        #expect(second.data == ["name": "r2"], "\(second)")
        let again = try follow(after: first.id)
        #expect(try event(again).data == ["name": "r2"])
        for unknown in ["7", "x-1", "\(first.id)9", ""] {
            let late = try follow(after: unknown)
            #expect(try event(late).name == "reset")
            _ = try server.send("PUT", "\(path)/realms/r3", ["labels": ["of": .string("a" + unknown)]])
            #expect(try event(late).data == ["name": "r3"])
        }
    }

    @Test func `a request that was refused is no event, and tokens follow no app`() throws {
        let client = try follow()
        #expect(try server.send("PUT", "\(path)/realms/ada", ["kind": "none"]).status == 422)
        _ = try server.send("PUT", "\(path)/realms/bob")
        #expect(try event(client).data == ["name": "bob"])
        #expect(try server.send("GET", "/v1/apps/none/events").problem == "app_not_found")
    }

    @Test func `end with gone where the app is removed, as those of its fleets and realms do`() throws {
        let workers = JobWorkers(server.jobs, events: server.events, host: nil, log: server.log)
        workers.start()
        defer { workers.stop(timeout: .seconds(5)) }
        _ = try server.send("PUT", "\(path)/schemas/2", ["schema": Samples.grownSchema])
        for name in ["ada", "bob"] {
            _ = try server.upload(Samples.realm().encoded(), to: "\(path)/realms/\(name)")
        }
        let synced = "\(path)/realms/team"
        _ = try server.send("PUT", synced, ["kind": "synced"])
        #expect(try server.upload(Samples.sharedRealm().encoded(), to: synced).status == 201)
        let made = try server.send("POST", "\(path)/fleets", ["targetVersion": 2, "canary": ["count": 1]])
        let fleet = "\(path)/fleets/\(try #require(made.json["id"]?.string))"
        let (ofFleet, ofRealm) = (try follow("\(fleet)/events"), try follow("\(synced)/changes"))
        _ = try ofFleet.read(until: "\"state\":\"paused\"")
        _ = try ofRealm.read(until: "\"snapshot\"")
        let (ofApp, ofOther) = (try follow(), try follow("/v1/apps/other/events"))
        // The worker that paused the fleet ends the job after that.
        while try server.send("GET", "/v1/jobs?app=shop&state=running,queued").json["items"] != [] {}
        #expect(try server.send("DELETE", path).status == 204)
        for stream in [ofApp, ofFleet] {
            #expect(try stream.read(until: "event: gone\ndata: {}\n\n").contains("event: problem") == false)
            _ = try stream.read(until: "0\r\n\r\n")
        }
        _ = try ofRealm.read(until: "event: problem\ndata: ")
        #expect(try ofRealm.read(until: "0\r\n\r\n").contains("app_not_found"))
        // An app of the same name is another one.
        _ = try server.send("PUT", path)
        _ = try server.send("PUT", "\(path)/realms/new")
        #expect(try event(follow(after: "1-1")).name == "reset")
        _ = try server.send("PUT", "/v1/apps/other/realms/eve")
        #expect(try event(ofOther).data == ["name": "eve"])
        #expect(try server.send("GET", "\(fleet)/events").problem == "fleet_not_found")
        _ = try server.send("DELETE", path)
        for id in ["", "1-1"] {
            let answer = try server.send("GET", "\(path)/events", fields: [("Last-Event-ID", id)])
            #expect(answer.problem == "app_not_found")
        }
    }

    @Test(arguments: ["/realms/ada", ""])
    func `of a rehearsal end with gone where its realm or its app is removed`(removed: String) throws {
        _ = try server.upload(Samples.realm().encoded())
        let rehearsal: JSONValue = ["targetVersion": 2, "schema": Samples.grownSchema, "dryRun": true]
        let made = try server.send("POST", "\(path)/realms/ada/migrations", rehearsal)
        let job = try #require(made.fields["location"])
        let client = try follow("\(job)/events")
        #expect(try server.send("DELETE", path + removed).status == 204)
        _ = try client.read(until: "event: gone\ndata: {}\n\n")
        _ = try client.read(until: "0\r\n\r\n")
        #expect(try server.send("GET", "\(job)/events").problem == "job_not_found")
    }
}
