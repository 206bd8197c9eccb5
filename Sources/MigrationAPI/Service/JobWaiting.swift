import Foundation
import HTTPServer
import MigrationJobs
import SnapshotStore

/// `Prefer: wait`: answers as soon as a job ends, or after the time that the client would wait.
struct JobWaiting: Sendable {
    let jobs: JobQueue
    let events: JobEvents
    let longestSeconds: Int

    /// The job after the wait, and the fields that an answer with it has.
    func wait(for job: Job, _ request: APIRequest) throws -> (job: Job, fields: HTTPFields) {
        guard let asked = Prefer(request.head.fields["Prefer"]).wait else { return (job, Self.fields(of: job)) }
        let seconds = min(asked, longestSeconds)
        let deadline = Date(timeIntervalSinceNow: Double(seconds))
        let wait = JobWait(job.id, events)
        var known = wait.changeCount
        var latest = try jobs.job(job.id)
        while !latest.state.isFinished, Date() < deadline, !request.shouldStopWaiting {
            wait.wait(known: known, until: deadline) { request.shouldStopWaiting }
            known = wait.changeCount
            latest = try jobs.job(job.id)
        }
        var fields = Self.fields(of: latest)
        fields["Preference-Applied"] = "wait=\(seconds)"
        return (latest, fields)
    }

    static func fields(of job: Job) -> HTTPFields {
        var fields: HTTPFields = ["ETag": job.entityTag, "Cache-Control": "no-store"]
        if !job.state.isFinished { fields["Retry-After"] = "1" }
        return fields
    }
}
