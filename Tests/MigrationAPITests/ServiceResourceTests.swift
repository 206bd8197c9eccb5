import FileStore
import Foundation
import JobStore
import Postgres
import RealmJSON
import TestDatabase
import TestHTTP
import Testing

@testable import MigrationAPI

struct ServiceResourceTests {
    @Test(arguments: ["/livez", "/readyz", "/v1/version", "/openapi.json", "/"])
    func `life, readiness, version and description need no key`(path: String) throws {
        let server = try APIServer()
        let response = try server.client().request("GET", path)
        #expect(response.status == 200)
        #expect(response.fields["content-type"] != nil)
        #expect(try server.client().request("HEAD", path).status == 200)
    }

    @Test func `the service is not ready before the program is`() throws {
        let server = try APIServer()
        server.readiness.isReady = false
        let response = try server.client().request("GET", "/readyz")
        #expect(response.status == 503)
        #expect(response.problem == "not_ready")
        #expect(try server.client().request("GET", "/livez").status == 200)
    }

    @Test func `the service is not ready without its database`() throws {
        let server = try APIServer()
        server.pool.close()
        for _ in 0..<200 where try server.client().request("GET", "/readyz").status == 200 { usleep(10_000) }
        #expect(try server.client().request("GET", "/readyz").problem == "database_unavailable")
        #expect(try server.send("GET", "/v1/apps").problem == "database_unavailable")
    }

    @Test func `a database that takes no changes is told as one, until one does`() throws {
        let server = try APIServer(database: try TestDatabase.make(alone: true))
        let name = try server.pool.withConnection { connection -> String in
            try connection.query("SELECT current_database() AS name")[0].value("name")
        }
        func set(_ isReadOnly: Bool) throws {
            // As a failover leaves it: connections stay, and say so.
            let direct = try PostgresConnection(server.pool.url + "&target_session_attrs=any")
            let setting = isReadOnly ? "on" : "off"
            try direct.execute(
                script: """
                    BEGIN READ WRITE; ALTER DATABASE "\(name)" SET default_transaction_read_only = \(setting); COMMIT
                    """)
        }
        try server.pool.withConnection { try $0.execute(script: "SET default_transaction_read_only = on") }
        try set(true)
        for _ in 0..<500 where try server.client().request("GET", "/readyz").status == 200 { usleep(10_000) }
        #expect(try server.client().request("GET", "/readyz").problem == "database_read_only")
        let refused = try server.send("PUT", "/v1/apps/shop")
        #expect(refused.status == 503)
        #expect(refused.problem == "database_read_only")
        #expect(refused.fields["retry-after"] != nil)
        try set(false)
        for _ in 0..<500 where try server.client().request("GET", "/readyz").status != 200 { usleep(10_000) }
        #expect(try server.send("PUT", "/v1/apps/shop").status == 201)
    }

    @Test func `a full disk of the database is told as one`() {
        let problem = ErrorResponse.problem(for: PostgresError(sqlState: "53100", message: ""))
        #expect(problem.status == 503)
        #expect(problem.document.code == "insufficient_storage")
        let other = ErrorResponse.problem(for: PostgresError(sqlState: "53200", message: ""))
        #expect(other.document.code == "database_unavailable")
    }

    @Test(arguments: [ENOSPC, EDQUOT, EFBIG, EIO]) func `a full disk of the service is told as one`(code: Int32) {
        errno = code
        let problem = ErrorResponse.problem(for: FileError.last("a temporary file"))
        #expect(problem.document.code == (code == EIO ? "internal_error" : "insufficient_storage"))
    }

    @Test func `the answer comes at once where the database hangs, and says so`() throws {
        let server = try APIServer()
        // All connections of the pool are taken and wait for a lock, as they do where the database hangs.
        let holder = try server.pool.connect()
        try holder.execute(script: "BEGIN; LOCK TABLE database_migration IN ACCESS EXCLUSIVE MODE")
        let clock = ContinuousClock()
        var problem: String?
        let end = clock.now + .seconds(20)
        while problem == nil, clock.now < end {
            let elapsed = try clock.measure {
                let response = try server.client().request("GET", "/readyz")
                if response.status != 200 { problem = response.problem }
            }
            #expect(elapsed < .seconds(10))
            usleep(50_000)
        }
        #expect(problem == "database_unavailable")
        try holder.execute(script: "ROLLBACK")
        for _ in 0..<500 where try server.client().request("GET", "/readyz").status != 200 { usleep(10_000) }
        #expect(try server.client().request("GET", "/readyz").status == 200)
    }

    @Test func `the dashboard loads nothing from elsewhere, and its files are for good`() throws {
        let server = try APIServer()
        let page = try server.client().request("GET", "/")
        #expect(page.fields["content-type"] == "text/html; charset=utf-8" && page.fields["cache-control"] == "no-cache")
        let policy = try #require(page.fields["content-security-policy"])
        #expect(policy.hasPrefix("default-src 'none';") && !policy.contains("unsafe") && !policy.contains("*"))
        let links = page.text.matches(of: /"(\/dashboard\/[^"]+)"/).map { String($0.1) }
        #expect(links.count > 3)
        for link in links {
            let file = try server.client().request("GET", link)
            #expect(file.status == 200 && !file.body.isEmpty, "\(link)")
            #expect(file.fields["cache-control"] == "public, max-age=31536000, immutable")
            #expect(file.fields["x-content-type-options"] == "nosniff")
        }
        let revision = try #require(links.first?.split(separator: "/").dropFirst().first)
        for path in ["main.js", "pages/jobs.js"] {
            #expect(try server.client().request("GET", "/dashboard/\(revision)/\(path)").status == 200)
            #expect(try server.client().request("GET", "/dashboard/0123456789abcdef/\(path)").problem == "not_found")
        }
        for path in ["none.js", "pages/none.js", "pages/..%2Fmain.js", "..%2Fmain.js"] {
            #expect(try server.client().request("GET", "/dashboard/\(revision)/\(path)").problem == "not_found")
        }
    }

    @Test func `every other path needs a key`() throws {
        let server = try APIServer()
        for (method, path, name, _) in server.api.operations {
            let open =
                ["getLiveness", "getReadiness", "getVersion", "getOpenAPI"].contains(name)
                || name.hasPrefix("getDashboard")
            guard !open else { continue }
            let target = path.replacing("{version}", with: "1").replacing("{", with: "").replacing("}", with: "")
            let without = try server.client().request(method, target)
            #expect(without.status == 401)
            #expect(without.problem == "unauthorized")
            #expect(without.fields["www-authenticate"] == "Bearer realm=\"realmshift\"")
            for field in ["Bearer wrong", "Bearer ", "Basic \(server.key)", "Bearer \(server.key)x"] {
                #expect(try server.client().request(method, target, fields: [("Authorization", field)]).status == 401)
            }
        }
    }

    @Test func `paths that are not there and methods that they have not are told apart`() throws {
        let server = try APIServer()
        #expect(try server.send("GET", "/v1/nothing").problem == "not_found")
        #expect(try server.send("GET", "/v1/apps/").problem == "not_found")
        let response = try server.send("POST", "/v1/apps/shop")
        #expect(response.status == 405)
        #expect(response.problem == "method_not_allowed")
        #expect(response.fields["allow"] == "PUT, GET, HEAD, DELETE")
    }

    @Test func `requests are counted by operation and jobs by state`() throws {
        let server = try APIServer()
        _ = try server.send("GET", "/v1/apps")
        let response = try server.send("GET", "/metrics")
        #expect(response.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(response.text.contains("realmshift_jobs{state=\"queued\"} 0\n"))
        #expect(response.text.contains("realmshift_http_requests_total{operation=\"listApps\",status=\"200\"} 1\n"))
        let name = "realmshift_http_request_duration_seconds"
        #expect(response.text.contains("\(name)_bucket{operation=\"listApps\",le=\"+Inf\"} 1\n"))
        #expect(response.text.contains("\(name)_count{operation=\"listApps\"} 1\n"))
        for gauge in ["queue_jobs 0", "queue_age_seconds 0.0", "database_connections_limit 4"] {
            #expect(response.text.contains("realmshift_\(gauge)\n"))
        }
    }

    @Test func `jobs are counted by all workers, and bear the name of the request that asked for them`() throws {
        let server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
        _ = try server.upload(Samples.realm().encoded())
        _ = try server.send(
            "POST", "/v1/apps/shop/realms/ada/migrations", ["targetVersion": 2, "schema": Samples.grownSchema],
            fields: [("X-Request-Id", "mine")])
        let lease = try #require(try server.jobs.claim(lease: .seconds(60)))
        #expect(lease.job.requestID == "mine")
        var figures = JobFigures()
        figures.observe(.milliseconds(3), .duration, ["kind": "migration", "end": "succeeded"])
        figures.count(.leasesLost, by: 2)
        figures.count(.scriptKills, ["reason": "script_timeout"])
        try server.jobs.add(figures)
        let text = try server.send("GET", "/metrics").text
        for line in [
            "# TYPE realmshift_job_wait_seconds histogram",
            "realmshift_job_duration_seconds_bucket{kind=\"migration\",end=\"succeeded\",le=\"0.0025\"} 0",
            "realmshift_job_duration_seconds_bucket{kind=\"migration\",end=\"succeeded\",le=\"0.005\"} 1",
            "# TYPE realmshift_leases_lost_total counter", "realmshift_leases_lost_total 2",
            "realmshift_script_kills_total{reason=\"script_timeout\"} 1",
        ] { #expect(text.contains("\(line)\n"), "\(line)") }
    }
}
