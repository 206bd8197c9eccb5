import JobStore
import RealmJSON
import RealmModel
import SnapshotStore
import StoreCore
import TestHTTP
import Testing

@testable import MigrationAPI

@Suite struct `Figures for charts` {
    private let server: APIServer
    private let path = "/v1/apps/shop/figures"

    init() throws {
        server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.send("PUT", "/v1/apps/other")
    }

    private func ended(_ app: String, _ state: JobState, _ seconds: [Double]) throws {
        try ended(of: (try? server.store.apps.find(app).id) ?? .version7(), state, seconds)
    }

    private func ended(of id: RealmModel.UUID, _ state: JobState, _ seconds: [Double]) throws {
        var ended = EndedJobs()
        for second in seconds {
            ended.count(EndedJobs.Series(app: id, kind: .migration, state: state), after: .seconds(second))
        }
        try server.jobs.add(ended)
    }

    @Test func `jobs of an app that was removed are not those of one that has its name now`() throws {
        let before = try server.store.apps.find("shop").id
        _ = try server.send("DELETE", "/v1/apps/shop")
        _ = try server.send("PUT", "/v1/apps/shop")
        try ended(of: before, .succeeded, [1])
        #expect(try server.send("GET", path).json["jobs"]?.elements == [])
        try ended("shop", .succeeded, [1])
        #expect(try server.send("GET", path).json["jobs"]?.elements?.count == 1)
    }

    @Test func `jobs that ended are counted by kind, with their durations`() throws {
        try ended("shop", .succeeded, [0.2, 0.2, 0.2])
        try ended("shop", .succeeded, [20])
        try ended("shop", .failed, [0.2])
        try ended("shop", .cancelled, [0])
        try ended("other", .succeeded, [1, 1])
        try ended("none", .succeeded, [1])
        let jobs = try #require(try server.send("GET", path).json["jobs"]?.elements)
        #expect(jobs.count == 1)
        #expect(jobs[0]["kind"] == "migration" && jobs[0]["succeeded"] == 4)
        #expect(jobs[0]["failed"] == 1 && jobs[0]["cancelled"] == 1)
        #expect(abs((jobs[0]["meanSeconds"]?.double ?? 0) - 20.8 / 5) < 0.001)
        let (half, most) = (try #require(jobs[0]["p50Seconds"]?.double), try #require(jobs[0]["p95Seconds"]?.double))
        #expect(half > 0.1 && half <= 0.25 && most > 10 && most <= 30)
        // An app that is gone, or was never there, counts among all.
        let all = try #require(try server.send("GET", "/v1/figures").json["jobs"]?.elements)
        #expect(all.map { $0["succeeded"] } == [7])
    }

    @Test func `hours become days, and what is not asked for is left out`() throws {
        try ended("shop", .succeeded, [1])
        try server.pool.withConnection {
            try $0.execute(
                script: """
                    UPDATE job_hour SET hour = '2026-01-02T10:00:00Z';
                    INSERT INTO job_hour SELECT app_id, hour + n * interval '6 hours', kind, 'failed', counts, seconds
                    FROM job_hour, generate_series(1, 3) AS n
                    """)
        }
        func steps(_ query: String) throws -> [JSONValue] {
            try server.send("GET", "\(path)?\(query)").json["jobs"]?.elements ?? []
        }
        let range = "since=2026-01-01T00:00:00Z&until=2026-01-04T00:00:00Z"
        #expect(try steps("step=hour&\(range)").count == 4)
        let days = try steps("step=day&\(range)")
        #expect(days.map { $0["at"] } == ["2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z"])
        #expect(days.map { $0["failed"] } == [2, 1] && days.map { $0["succeeded"] } == [1, 0])
        #expect(try steps("since=2026-01-02T16:00:00Z&until=2026-01-02T22:00:00Z").count == 1)
    }

    @Test func `realms are counted by version, and written down where something has changed`() throws {
        let empty = try #require(try server.send("GET", path).json["realms"]?.elements)
        #expect(empty.map { $0["count"] } == [0] && empty[0]["versions"] == [])
        for name in ["ada", "bob"] {
            _ = try server.upload(Samples.realm().encoded(), to: "/v1/apps/shop/realms/\(name)")
        }
        _ = try server.send("PUT", "/v1/apps/other/realms/eve")
        for _ in 0..<2 { try server.store.maintenance.countRealms() }
        let rows = try server.pool.withConnection { try $0.query("SELECT hour FROM realm_hour") }
        #expect(rows.count == 3)
        let before = "UPDATE realm_hour SET hour = hour - interval '2 days'"
        try server.pool.withConnection { try $0.execute(script: before) }
        try server.store.maintenance.countRealms()
        _ = try server.upload(Samples.realm().encoded(), to: "/v1/apps/shop/realms/carl")
        try server.store.maintenance.countRealms()
        let realms = try #require(try server.send("GET", path).json["realms"]?.elements)
        #expect(realms.map { $0["count"] } == [2, 3, 3])
        #expect(realms.map { $0["versions"]?.elements?[0]["count"] } == [2, 3, 3])
        #expect((realms[2]["storedBytes"]?.int ?? 0) > (realms[0]["storedBytes"]?.int ?? 0))
        // The state before the time in question still holds.
        let later = try server.send("GET", "\(path)?since=\(realms[1]["at"]?.string ?? "")").json["realms"]?.elements
        #expect(later?.map { $0["count"] } == [2, 3, 3])
        let all = try #require(try server.send("GET", "/v1/figures").json["realms"]?.elements)
        #expect(all.map { $0["count"] } == [3, 4, 4])
    }

    @Test func `a cancelled job counts, and figures of all apps are for keys of all apps`() throws {
        _ = try server.send("PUT", "/v1/apps/shop/schemas/2", ["schema": Samples.grownSchema])
        _ = try server.upload(Samples.realm().encoded())
        let job = try server.send("POST", "/v1/apps/shop/realms/ada/migrations", ["targetVersion": 2]).json["id"]
        _ = try server.send("POST", "/v1/jobs/\(job?.string ?? "")/cancel")
        #expect(try server.send("GET", path).json["jobs"]?.elements?.map { $0["cancelled"] } == [1])
        let key = try server.access.keys.create(named: "shop", scopes: [.read], apps: .named(["shop"])).secret
        func get(_ path: String) throws -> SocketResponse {
            try server.client().request("GET", path, fields: [("Authorization", "Bearer \(key)")])
        }
        #expect(try get("/v1/figures").problem == "scope_missing")
        #expect(try get(path).status == 200 && get("/v1/apps/other/figures").problem == "app_not_found")
    }

    @Test(arguments: [
        "since=2026-01-01T00:00:00Z&until=2026-02-02T00:00:00Z",
        "since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z",
        "step=day&since=2020-01-01T00:00:00Z", "step=week", "since=today",
    ])
    func `a time that no chart has is refused`(query: String) throws {
        #expect(try server.send("GET", "\(path)?\(query)").problem == "invalid_parameter")
    }
}
