import JobStore
import Postgres
import Problems
import RealmModel
import StoreCore
import Testing

@testable import MigrationJobs

@Suite struct JobProblemTests {
    private let fixture: JobFixture

    init() throws { fixture = try JobFixture() }

    /// A job that failed with a problem.
    private func failed(_ problem: ProblemDocument) throws -> Job {
        let job = try fixture.enqueue()
        let lease = try #require(try fixture.jobs.claim(lease: .seconds(60)))
        #expect(lease.job.id == job.id)
        return try fixture.jobs.release(lease, .failed(problem)).job
    }

    @Test func `keeps all that a problem says`() throws {
        let problem = ProblemDocument(
            .scriptFailed, "d \u{0} “”", realmCode: "TypeMismatch",
            errors: [
                ProblemItem(
                    "m", pointer: "/p", className: "A", property: "p", key: ObjectKey(.max),
                    primaryKey: .string("Ada"), step: 3, line: 1, column: 2, offset: 4), ProblemItem(""),
            ], stack: ["f (1:2)", "migrate (3:4)"], objectsDone: 0)
        let job = try failed(problem)
        #expect(job.problem == problem)
        #expect(try fixture.jobs.find(job.id).problem == problem)
    }

    @Test func `14: cuts what is too long, and counts what is left out`() throws {
        let long = String(repeating: "é", count: 1 << 20)
        let problem = ProblemDocument(
            .scriptFailed, long,
            errors: (0..<1_000).map { ProblemItem("\($0)", key: ObjectKey(Int64($0)), primaryKey: .string(long)) },
            stack: Array(repeating: long, count: 1_000))
        #expect(problem.detail.utf8.count <= 8 << 10 && problem.detail.hasSuffix("…"))
        #expect(problem.errors.count == 100)
        #expect(problem.errors.last == ProblemItem("901 more are left out."))
        #expect(problem.errors.allSatisfy { $0.primaryKey == nil })
        #expect(problem.stack.count == 50 && problem.stack.allSatisfy { $0.utf8.count <= 1 << 10 })
        let messages = ProblemDocument(.migrationRefused, "y", errors: Array(repeating: ProblemItem(long), count: 50))
        #expect(messages.errors.reduce(0) { $0 + $1.message.utf8.count } <= 65 << 10)
        #expect(messages.errors.last == ProblemItem("43 more are left out."))
        #expect(try failed(problem).problem == problem)
    }

    @Test func `14: a page of jobs is bounded in bytes`() throws {
        let job = try failed(ProblemDocument(.migrationRefused, "b"))
        let problem = #"{"code":"a","detail":"\#(String(repeating: "x", count: 3 << 20))"}"#
        try fixture.pool.withConnection {
            for _ in 0..<5 {
                _ = try $0.execute(
                    """
                    WITH copy AS (
                        INSERT INTO job (job_id, kind, exclusive, app_id, realm_id, app_name, realm_name, state, attempt, problem,
                            started_at, finished_at)
                        SELECT \(RealmModel.UUID.version7()), kind, exclusive, app_id, realm_id, app_name, realm_name, state, attempt,
                            \(PostgresJSON(problem)), started_at, finished_at FROM job WHERE job_id = \(job.id)
                        RETURNING app_id, job_id
                    )
                    INSERT INTO migration_job (app_id, job_id, source_id, from_version, to_version, request)
                    SELECT app_id, copy.job_id, source_id, from_version, to_version, request
                    FROM copy JOIN migration_job m USING (app_id) WHERE m.job_id = \(job.id)
                    """)
            }
        }
        var found: [RealmModel.UUID] = []
        var next: String?
        repeat {
            let page = try fixture.jobs.list(JobFilter(), PageRequest(limit: 100, cursor: next))
            #expect(page.items.count <= 2)
            found += page.items.map(\.id)
            next = page.next
        } while next != nil
        #expect(found.count == 6 && Set(found).count == 6)
    }

    @Test(arguments: ["job SET problem = '{\"x\":1}'", "migration_job SET request = '[]'"])
    func `a job that can't be read keeps none of the others from being listed`(damage: String) throws {
        let job = try failed(ProblemDocument(.migrationRefused, "b"))
        try fixture.upload(1, to: "other")
        let other = try fixture.enqueue(realm: "other")
        try fixture.pool.withConnection {
            try $0.execute(script: "UPDATE \(damage) WHERE job_id = '\(job.id)'")
        }
        let listed = try fixture.jobs.list().items
        #expect(listed.map(\.id) == [other.id, job.id])
        #expect(listed.map { $0.job?.id } == [other.id, nil])
        #expect(throws: StoreError.self) { try fixture.jobs.find(job.id) }
    }

    @Test func `reads what an older program kept`() throws {
        let job = try failed(ProblemDocument(.migrationRefused, "y"))
        let stored =
            #"{"code":"migration_refused","detail":"b","errors":[{"class":"A","key":7,"line":2,"message":"c"}]}"#
        try fixture.pool.withConnection {
            _ = try $0.query("UPDATE job SET problem = \(PostgresJSON(stored)) WHERE job_id = \(job.id)")
        }
        #expect(
            try fixture.jobs.find(job.id).problem
                == ProblemDocument(
                    .migrationRefused, "b", errors: [ProblemItem("c", className: "A", key: ObjectKey(7), line: 2)]))
    }
}
