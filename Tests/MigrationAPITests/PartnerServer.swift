import Foundation
import MigrationJobs
import RealmJSON
import SnapshotStore
import TestHTTP
import Testing

@testable import MigrationAPI

/// The API with persons in a synced realm, whose ages are to become texts: version 1 of the app declares `Person`, version 2
/// `PersonV2` alone.
final class PartnerServer: Sendable {
    static let realm = "/v1/apps/shop/realms/team"
    static let person: JSONValue = [
        "name": "Person", "primaryKey": "_id", "properties": ["_id": "int", "name": "string", "age": "int"],
    ]
    static let newPerson: JSONValue = [
        "name": "PersonV2", "primaryKey": "_id",
        "properties": ["_id": "int", "name": "string", "age": "string", "email": "string?"],
    ]
    static let forward = "o => ({ name: o.name, age: String(o.age) })"
    static let backward = "o => ({ name: o.name, age: Number(o.age) })"

    let server: APIServer
    private let workers: JobWorkers

    convenience init(persons: Int = 3, age: (Int) -> JSONValue = { .int(Int64(20 + $0)) }) throws {
        let objects = (0..<persons).map { number -> JSONValue in
            ["_id": .int(Int64(number)), "name": .string("person \(number)"), "age": age(number)]
        }
        try self.init([Self.person], ["Person": .array(objects)], versions: [[Self.person], [Self.newPerson]])
    }

    /// The API with a synced realm.
    ///
    /// - Parameter versions: what clients declare, from version 1 on.
    init(_ schema: JSONValue, _ objects: JSONValue = [:], versions: [JSONValue] = []) throws {
        server = try APIServer(followsJobs: true, documentLimit: 20_000_000)
        workers = JobWorkers(
            server.jobs, events: server.events, host: server.scripts, log: server.log)
        #expect(try server.send("PUT", "/v1/apps/shop").status == 201)
        for (index, declared) in versions.enumerated() {
            let put = try server.send("PUT", "/v1/apps/shop/schemas/\(index + 1)", ["schema": declared])
            #expect(put.status == 201, "\(put.json)")
        }
        #expect(try server.send("PUT", Self.realm, ["kind": "synced"]).status == 201)
        let realm: JSONValue = ["schemaVersion": 1, "schema": schema, "objects": objects]
        let put = try server.upload(realm.encoded(), to: Self.realm)
        #expect(put.status == 201, "\(put.json)")
    }

    deinit { workers.stop() }

    func send(
        _ method: String, _ path: String = "", _ body: JSONValue? = nil, version: Int? = nil
    ) throws -> SocketResponse {
        try server.send(
            method, Self.realm + path, body, fields: version.map { [("Realm-Schema-Version", "\($0)")] } ?? [])
    }

    /// Makes the partner, and waits until every object has its own.
    @discardableResult
    func makePartner(
        of className: String = "Person", as partner: JSONValue = newPerson, forward: String = forward,
        backward: String = backward, more: [JSONMember] = [], fills: Bool = true
    ) throws -> String {
        let body =
            ([
                "class": .string(className), "partner": partner, "forward": .string(forward),
                "backward": .string(backward),
            ] as JSONValue).adding(more)
        let made = try send("POST", "/partners", body)
        #expect(made.status == 201, "\(made.json) \(server.log.failures.withLock { $0 })")
        let id = try #require(made.json["id"]?.string)
        if fills { try fill(id) }
        return id
    }

    /// Lets workers fill a partner.
    func fill(_ id: String) throws {
        workers.start()
        try wait { try partner(id)["state"] == "dual" }
    }

    /// The realm's last job, when workers have brought it to its end.
    func endedJob() throws -> JSONValue {
        workers.start()
        var job: JSONValue = .null
        try wait {
            job = try server.send("GET", "/v1/jobs?app=shop").json["items"]?.elements?.first ?? .null
            return job["state"] != "queued" && job["state"] != "running" && !job.isNull
        }
        return job
    }

    /// Adds to the server's schema.
    func migrate(to schema: JSONValue) throws {
        workers.start()
        let job = try server.send(
            "POST", Self.realm + "/migrations", ["schema": schema], fields: [("Prefer", "wait=20")])
        #expect(job.json["state"] == "succeeded", "\(job.json)")
    }

    func wait(_ seconds: Double = 20, until isSo: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while try !isSo() {
            try #require(ContinuousClock.now < end, "it took too long: \(server.log.failures.withLock { $0 })")
            usleep(20_000)
        }
    }

    func partner(_ id: String) throws -> JSONValue { try send("GET", "/partners/\(id)").json }

    /// An object as no version in particular shows it; nil where there is none.
    func object(_ name: String, _ id: Int) throws -> JSONValue? {
        let found = try send("GET", "/objects/\(name)/\(id)")
        guard found.status == 200 else { return .none }
        return found.json
    }

    @discardableResult
    func upsert(_ name: String, _ object: JSONValue, version: Int? = nil) throws -> SocketResponse {
        try send("POST", "/changes", ["upserts": [["class": .string(name), "object": object]]], version: version)
    }

    /// The path of the recovery that a client of a version is told to send its changes to, whatever it asks for.
    func recovery(of version: Int) throws -> String {
        let refused = try send("GET", "/objects/Any", version: version)
        #expect(refused.problem == "client_reset_required")
        return "/recoveries/\(try #require(refused.json["recovery"]?.string, "\(refused.json)"))"
    }

    /// Keeps and does the changes that a client of a version had not sent.
    func replay(_ changes: JSONValue, of version: Int) throws -> JSONValue {
        let path = try recovery(of: version)
        let kept = try send("POST", "\(path)/changes", changes, version: version)
        #expect(kept.status == 201, "\(kept.json)")
        let replayed = try send("POST", "\(path)/replay")
        #expect(replayed.status == 200, "\(replayed.json)")
        return replayed.json
    }

    @discardableResult
    func delete(_ name: String, _ id: Int, version: Int? = nil) throws -> SocketResponse {
        try send(
            "POST", "/changes", ["deletes": [["class": .string(name), "key": .int(Int64(id))]]], version: version)
    }
}
