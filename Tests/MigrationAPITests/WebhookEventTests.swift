import JobStore
import RealmJSON
import Testing

@testable import MigrationAPI

/// Events of fleets, jobs and partners: their data is what the API shows of these.
@Suite struct WebhookEventTests {
    /// The events that wait for a new webhook of an app, of everything that a body does.
    private func events(of server: APIServer, _ body: () throws -> Void) throws -> [JSONValue] {
        let hooks = "/v1/apps/shop/webhooks"
        let made = try server.send("POST", hooks, ["url": "https://example.com/"])
        let hook = "\(hooks)/\(try #require(made.json["id"]?.string))"
        try body()
        let items = try server.send("GET", "\(hook)/deliveries").json["items"]?.elements ?? []
        return try items.reversed().map { item in
            let path = "\(hook)/deliveries/\(try #require(item["id"]?.string))"
            return try #require(try server.send("GET", path).json["event"])
        }
    }

    private func types(_ events: [JSONValue]) -> [String] { events.compactMap { $0["type"]?.string } }

    /// Compares the data of an event with what the API shows, but for times, which PostgreSQL writes with all of their digits.
    private func expectShown(_ event: JSONValue?, _ shown: JSONValue) throws {
        let members = try #require(event?["data"]?.members)
        for member in members where !member.name.hasSuffix("At") {
            // PostgreSQL has an order of its own for the members of an object, and of an error the event has some.
            if let parts = member.value.members {
                for part in parts { #expect(part.value == shown[member.name]?[part.name], "\(part.name)") }
            } else {
                #expect(member.value == shown[member.name], "\(member.name)")
            }
        }
    }

    @Test func `a fleet that is paused, goes on and is cancelled`() throws {
        let server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.send("PUT", "/v1/apps/shop/schemas/2", ["schema": Samples.grownSchema])
        _ = try server.upload(Samples.realm().encoded())
        var shown: JSONValue = .null
        let events = try events(of: server) {
            let fleet = try server.send("POST", "/v1/apps/shop/fleets", ["targetVersion": 2])
            let path = "/v1/apps/shop/fleets/\(try #require(fleet.json["id"]?.string))"
            for verb in ["pause", "resume", "cancel"] {
                #expect(try server.send("POST", "\(path)/\(verb)").status == 202, "\(verb)")
            }
            shown = try server.send("GET", path).json
        }
        let ofFleet = events.filter { $0["type"]?.string?.hasPrefix("fleet.") == true }
        #expect(types(ofFleet) == ["fleet.paused", "fleet.resumed", "fleet.cancelled"])
        #expect(ofFleet[0]["data"]?["pauseReason"]?.string == "asked")
        let numbers = ofFleet.compactMap { $0["sequence"]?.int }
        #expect(numbers.count == 3 && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        try expectShown(ofFleet.last, shown)
    }

    @Test func `jobs that succeed and fail, with the code of the failure alone`() throws {
        let server = try PartnerServer()
        var (succeeded, failed): (JSONValue, JSONValue) = (.null, .null)
        let events = try events(of: server.server) {
            try server.migrate(to: [
                PartnerServer.person, ["name": "Cat", "primaryKey": "_id", "properties": ["_id": "int"]],
            ])
            succeeded = try server.endedJob()
            _ = try server.server.upload(Samples.realm().encoded())
            let script: JSONValue = [
                "language": "javascript", "source": "function migrate() { throw new Error('secret'); }",
            ]
            let job = try server.server.send(
                "POST", "/v1/apps/shop/realms/ada/migrations",
                ["targetVersion": 7, "schema": Samples.grownSchema, "migration": script],
                fields: [("Prefer", "wait=20")])
            failed = job.json
            #expect(failed["state"] == "failed")
        }
        let ofJobs = events.filter { $0["type"]?.string?.hasPrefix("job.") == true }
        #expect(types(ofJobs) == ["job.succeeded", "job.failed"])
        try expectShown(ofJobs.first, succeeded)
        try expectShown(ofJobs.last, failed)
        #expect(ofJobs.last?["data"]?["error"] == ["code": "script_failed", "status": 422])
        #expect(!ofJobs.contains { String(decoding: $0.encoded(), as: UTF8.self).contains("secret") })
    }

    @Test func `a partner whose functions do not fit together, and that is taken back`() throws {
        let server = try PartnerServer()
        var shown: JSONValue = .null
        let events = try events(of: server.server) {
            let id = try server.makePartner(backward: "o => ({ name: o.name, age: 0 })")
            shown = try server.partner(id)
            #expect(try server.send("POST", "/partners/\(id)/abort").status == 200)
        }
        let ofPartner = events.filter { $0["type"]?.string?.hasPrefix("partner.") == true }
        // The job fills it by batches: each that finds one says so.
        #expect(Set(types(ofPartner)) == ["partner.violation", "partner.dual", "partner.aborted"])
        let dual = ofPartner.first { $0["type"] == "partner.dual" }
        try expectShown(dual, shown)
        #expect(ofPartner.allSatisfy { $0["data"]?["realm"] == "team" && $0["data"]?["class"] == "Person" })
    }
}
