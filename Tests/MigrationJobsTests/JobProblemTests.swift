import Postgres
import RealmModel
import SnapshotStore
import Testing

@testable import MigrationJobs

@Suite struct JobProblemTests {
    private let fixture: JobFixture

    init() throws { fixture = try JobFixture() }

    /// A job that failed with a problem.
    private func failed(_ problem: JobProblem) throws -> Job {
        let job = try fixture.enqueue()
        let lease = try #require(try fixture.store.claimJob(lease: .seconds(60)))
        #expect(lease.job.id == job.id)
        return try fixture.store.release(lease, .failed(problem))
    }

    @Test func `keeps all that a problem says`() throws {
        let problem = JobProblem(
            code: "script_failed", realmCode: "TypeMismatch", detail: "d \u{0} “”",
            errors: [
                ProblemItem(
                    "m", pointer: "/p", className: "A", property: "p", key: ObjectKey(.max),
                    primaryKey: .string("Ada"), step: 3, line: 1, column: 2, offset: 4), ProblemItem(""),
            ], stack: ["f (1:2)", "migrate (3:4)"], objectsDone: 0)
        let job = try failed(problem)
        #expect(job.problem == problem)
        #expect(try fixture.queue.job(job.id).problem == problem)
    }

    @Test func `reads what an older program kept`() throws {
        let job = try failed(JobProblem(code: "x", detail: "y"))
        let stored = #"{"code":"a","detail":"b","errors":[{"class":"A","key":7,"line":2,"message":"c"}]}"#
        try fixture.pool.withConnection {
            _ = try $0.query("UPDATE job SET problem = \(PostgresJSON(stored)) WHERE job_id = \(job.id)")
        }
        #expect(
            try fixture.queue.job(job.id).problem
                == JobProblem(
                    code: "a", detail: "b", errors: [ProblemItem("c", className: "A", key: ObjectKey(7), line: 2)]))
    }
}
