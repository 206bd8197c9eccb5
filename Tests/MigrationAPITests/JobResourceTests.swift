import Foundation
import MigrationJobs
import RealmJSON
import TestHTTP
import Testing
import Threads

@testable import MigrationAPI

struct JobResourceTests {
    /// A server with a queued migration; its path.
    private func queued() throws -> (server: APIServer, job: String) {
        let server = try APIServer(followsJobs: true)
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.upload(Samples.realm().encoded())
        let started = try server.send(
            "POST", "/v1/apps/shop/realms/ada/migrations", ["targetVersion": 2, "schema": Samples.grownSchema])
        return (server, try #require(started.fields["location"]))
    }

    @Test func `jobs are listed newest first and filtered`() throws {
        let (server, job) = try queued()
        _ = try server.send("POST", "\(job)/cancel")
        let second = try server.send(
            "POST", "/v1/apps/shop/realms/ada/migrations", ["targetVersion": 2, "schema": Samples.grownSchema])
        func ids(_ query: String) throws -> [String?] {
            try server.send("GET", "/v1/jobs\(query)").json["items"]?.elements?.map { $0["id"]?.string } ?? []
        }
        let (first, last) = (String(job.dropFirst("/v1/jobs/".count)), second.json["id"]?.string)
        #expect(try ids("") == [last, first])
        #expect(try ids("?state=cancelled") == [first])
        #expect(try ids("?app=shop&realm=ada&state=queued") == [last])
        #expect(try ids("?app=other") == [])
        #expect(try server.send("GET", "/v1/jobs?limit=1").json["next"]?.string != nil)
        #expect(try server.send("GET", "/v1/jobs?state=odd").problem == "invalid_parameter")
        #expect(try server.send("GET", "/v1/jobs?realm=ada").problem == "invalid_parameter")
        #expect(try server.send("GET", "/v1/jobs?app=%00").problem == "invalid_parameter")
    }

    @Test func `a job that can't be read is listed as such, and the log says why`() throws {
        let (server, job) = try queued()
        let id = String(job.dropFirst("/v1/jobs/".count))
        try server.pool.withConnection {
            try $0.execute(script: "UPDATE migration_job SET request = '[]' WHERE job_id = '\(id)'")
        }
        let listed = try server.send("GET", "/v1/jobs").json["items"]?.elements ?? []
        #expect(listed.map { $0["id"]?.string } == [id])
        #expect(listed.first?["error"]?["code"] == "internal_error")
        #expect(server.log.failures.withLock { $0.contains { $0.contains(id) } })
    }

    @Test(arguments: ["ada@example.org", "auth0|5f7c8ec7", "oidc:g+1=2"])
    func `17: realms have the names that identity providers give, raw and encoded`(name: String) throws {
        let server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        let encoded = name.utf8.reduce("") { $0 + "%" + String($1, radix: 16) }
        let path = "/v1/apps/shop/realms"
        #expect(try server.upload(Samples.realm().encoded(), to: "\(path)/\(name)").status == 201)
        for target in [name, encoded] {
            #expect(try server.send("GET", "\(path)/\(target)").json["name"] == .string(name))
        }
        #expect(try server.send("PUT", "\(path)/\(encoded)", ["kind": "local"]).status == 200)
        let started = try server.send(
            "POST", "\(path)/\(encoded)/migrations", ["targetVersion": 2, "schema": Samples.grownSchema])
        #expect(started.json["realm"] == .string(name))
        let listed = try server.send("GET", "/v1/jobs?app=shop&realm=\(encoded)").json["items"]?.elements ?? []
        #expect(listed.map { $0["realm"] } == [.string(name)])
        #expect(try server.send("PUT", "/v1/apps/\(encoded)").problem == "invalid_name")
    }

    @Test func `11: a job says what it runs, by reference where declared, in full where not`() throws {
        let (server, job) = try queued()
        let inFull = try server.send("GET", job).json
        #expect(inFull["mode"] == "automatic" && inFull["resolveEmbeddedConstraints"] == false)
        #expect(
            inFull["limits"] == [
                "timeoutSeconds": 600.0, "memoryBytes": .int(384 << 20), "createdCount": 100_000_000,
                "writtenBytes": .int(64 << 30), "logBytes": .int(64 << 20),
            ])
        let step = try #require(inFull["steps"]?.elements?.first)
        #expect(step["version"] == 2 && step["migration"] == .null)
        #expect(step["schema"]?.elements?.count == 2)
        _ = try server.send("POST", "\(job)/cancel")

        let declared = "/v1/apps/shop/schemas/2"
        let migration: JSONValue = ["renames": []]
        _ = try server.send("PUT", declared, ["schema": Samples.grownSchema, "migration": migration])
        let started = try server.send(
            "POST", "/v1/apps/shop/realms/ada/migrations",
            ["targetVersion": 2, "dryRun": true, "limits": ["timeoutSeconds": 2.5]])
        let reference: JSONValue = ["app": "shop", "version": 2, "revision": 1]
        #expect(started.json["steps"] == [["version": 2, "schema": reference, "migration": reference]])
        #expect(started.json["dryRun"] == true)
        #expect(started.json["limits"]?["timeoutSeconds"] == 2.5)
        let listed = try server.send("GET", "/v1/jobs").json["items"]?.elements ?? []
        #expect(listed.count == 2 && listed.allSatisfy { $0["steps"] == nil && $0["mode"] == "automatic" })
    }

    @Test func `12: a job begins no earlier than its time, says how urgent it is, and how its attempts ended`() throws {
        let server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.upload(Samples.realm().encoded())
        func start(_ members: [JSONMember]) throws -> SocketResponse {
            try server.send(
                "POST", "/v1/apps/shop/realms/ada/migrations",
                .object(
                    [JSONMember("targetVersion", 2), JSONMember("schema", Samples.grownSchema)] + members))
        }
        for (name, value) in [("priority", "urgent"), ("runAt", "tomorrow"), ("runAt", "+999999-01-01T00:00:00Z")] {
            let refused = try start([JSONMember(name, .string(value))])
            #expect(refused.problem == "malformed_document")
            #expect(refused.json["errors"]?.elements?.first?["pointer"] == .string("/\(name)"))
        }
        let later = "2999-12-31T23:59:59.500Z"
        let job = try start([JSONMember("priority", "high"), JSONMember("runAt", .string(later))]).json
        #expect(job["priority"] == "high" && job["runAt"] == .string(later) && job["attempts"] == [])
        #expect(try server.jobs.claim(lease: .seconds(60)) == nil)
        let path = "/v1/jobs/\(job["id"]?.string ?? "")"
        _ = try server.send("POST", "\(path)/cancel")
        #expect(try start([]).json["priority"] == "normal")
        let lease = try #require(try server.jobs.claim(lease: .seconds(60)))
        _ = try server.jobs.release(lease, .handBack)
        let lost = try server.send("GET", "/v1/jobs/\(lease.job.id)").json
        #expect(lost["state"] == "queued" && lost["attempt"] == 1)
        let attempt = try #require(lost["attempts"]?.elements?.first)
        #expect(attempt["attempt"] == 1 && attempt["error"]?["code"] == "worker_stopped")
        #expect(attempt["startedAt"]?.string ?? "z" <= attempt["endedAt"]?.string ?? "")
    }

    @Test func `a job that is not there is not found`() throws {
        let server = try APIServer()
        for job in ["x", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"] {
            for (method, path) in [
                ("GET", ""), ("GET", "/log"), ("GET", "/events"), ("POST", "/cancel"), ("POST", "/retry"),
            ] {
                #expect(try server.send(method, "/v1/jobs/\(job)\(path)").problem == "job_not_found")
            }
        }
    }

    @Test func `requests that come together each get their own answer`() throws {
        let (server, job) = try queued()
        let absent = "/v1/jobs/0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"
        let answers = Mutex<[String: Set<String>]>([:])
        let paths = [job, absent, "/v1/jobs/x"]
        DispatchQueue.concurrentPerform(iterations: 60) { index in
            let path = paths[index % paths.count]
            let answer = try? server.send("GET", path)
            let text = answer.flatMap { $0.status == 200 ? $0.json["id"]?.string : $0.problem } ?? "none"
            _ = answers.withLock { $0[path, default: []].insert(text) }
        }
        let id = String(job.dropFirst("/v1/jobs/".count))
        #expect(
            answers.withLock { $0 } == [job: [id], absent: ["job_not_found"], "/v1/jobs/x": ["job_not_found"]])
    }

    @Test func `a job is seen as it is when the request comes, however many ask for it`() throws {
        let (server, job) = try queued()
        let isDone = Mutex(false)
        let others = Thread { while !isDone.withLock({ $0 }) { _ = try? server.send("GET", job) } }
        others.start()
        defer { isDone.withLock { $0 = true } }
        for _ in 0..<10 {
            _ = try server.send("POST", "\(job)/cancel")
            #expect(try server.send("GET", job).json["state"] == "cancelled")
            _ = try server.send("POST", "\(job)/retry")
            #expect(try server.send("GET", job).json["state"] == "queued")
        }
    }

    @Test func `a wait ends with its time, and an answer that is known is not repeated`() throws {
        let (server, job) = try queued()
        let start = ContinuousClock.now
        let waited = try server.send("GET", job, fields: [("Prefer", "wait=1")])
        #expect(ContinuousClock.now - start >= .seconds(1))
        #expect(waited.json["state"] == "queued")
        let tag = try #require(waited.fields["etag"])
        #expect(tag.hasPrefix("W/"))
        for field in [tag, "\"other\", \(tag)"] {
            #expect(try server.send("GET", job, fields: [("If-None-Match", field)]).status == 304, "\(field)")
        }
        _ = try server.send("POST", "\(job)/cancel")
        #expect(try server.send("GET", job, fields: [("If-None-Match", tag)]).status == 200)
    }

    @Test func `a wait ends with the job`() throws {
        let (server, job) = try queued()
        let client = try server.client()
        try client.send(
            SocketClient.head("GET", job, [("Authorization", "Bearer \(server.key)"), ("Prefer", "wait=60")]))
        let start = ContinuousClock.now
        _ = try server.send("POST", "\(job)/cancel")
        #expect(try client.response().json["state"] == "cancelled")
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test func `a job that has ended is removed, and no other`() throws {
        let (server, job) = try queued()
        let refused = try server.send("DELETE", job)
        #expect((refused.status, refused.problem) == (409, "job_state"))
        #expect(refused.json["detail"]?.string?.hasPrefix("The job is queued") ?? false, "\(refused.json)")
        _ = try server.send("POST", "\(job)/cancel")
        #expect(try server.send("DELETE", job).status == 204)
        #expect(try server.send("GET", job).problem == "job_not_found")
        #expect(try server.send("DELETE", job).problem == "job_not_found")
    }

    @Test func `a snapshot is deleted unless it is the current one`() throws {
        let server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        let ids = try (0..<2).compactMap { _ in try server.upload(Samples.realm().encoded()).json["id"]?.string }
        try #require(ids.count == 2)
        #expect(try server.send("DELETE", "/v1/snapshots/\(ids[1])").problem == "snapshot_in_use")
        #expect(try server.send("DELETE", "/v1/snapshots/\(ids[0])").status == 204)
        #expect(try server.send("GET", "/v1/snapshots/\(ids[0])").problem == "snapshot_not_found")
    }

    @Test func `events tell of progress and end with the job`() throws {
        let (server, job) = try queued()
        let client = try server.client()
        try client.send(SocketClient.head("GET", "\(job)/events", [("Authorization", "Bearer \(server.key)")]))
        let workers = JobWorkers(server.jobs, events: server.events, host: nil, log: server.log)
        workers.start()
        defer { workers.stop() }
        let response = try client.response()
        #expect(response.fields["content-type"] == "text/event-stream")
        #expect(response.isComplete)
        #expect(response.text.hasPrefix("retry: 2000\n\n"))
        let events = response.text.components(separatedBy: "\n\n").filter { $0.hasPrefix("id:") }
        let done = try #require(events.last)
        #expect(done.contains("\nevent: done\ndata: {\"id\":"))
        #expect(done.contains("\"state\":\"succeeded\""))
        for event in events {
            #expect(event.wholeMatch(of: /id: \d+\nevent: (progress|log|done)\ndata: \{.*\}/) != nil)
        }
    }

    @Test func `events of a job that has ended end at once`() throws {
        let (server, job) = try queued()
        _ = try server.send("POST", "\(job)/cancel")
        let response = try server.send("GET", "\(job)/events", fields: [("Last-Event-ID", "0")])
        #expect(response.isComplete)
        #expect(response.text.contains("event: done\n"))
        #expect(try server.send("GET", "\(job)/log").json["next"] == .null)
    }
}
