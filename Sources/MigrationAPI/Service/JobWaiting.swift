import HTTPServer
import JobStore
import MigrationJobs
import RealmModel

/// `Prefer: wait`: answers as soon as a job ends, or after the time that the client would wait.
struct JobWaiting: Sendable {
    let jobs: JobStore
    let events: JobEvents
    let longestSeconds: Int

    /// An answer with the job after the wait.
    ///
    /// - Parameter respond: makes the answer of the job as it is then, and of the fields that an answer with it has.
    func answer(
        _ request: APIRequest, job id: RealmModel.UUID,
        respond: @escaping @Sendable (Job, HTTPFields) throws -> HTTPResponse
    ) throws -> APIAnswer {
        guard let asked = Prefer(request.head.fields["Prefer"]).wait, let waker = request.whole?.waker else {
            let job = try jobs.find(id)
            return .response(try respond(job, Self.fields(of: job)))
        }
        let seconds = min(asked, longestSeconds)
        // Watching begins before the first look, so that no change falls in between.
        let observation = events.observe(id) { _, state in
            if state.isFinished { waker.wake() }
        }
        return try Wait(
            job: id, jobs: jobs, request: request, seconds: seconds, deadline: .now + .seconds(seconds),
            observation: observation, keyHold: request.holdKey(), respond: respond
        ).look()
    }

    static func fields(of job: Job) -> HTTPFields {
        var fields: HTTPFields = ["ETag": job.entityTag, "Cache-Control": "no-store"]
        if !job.state.isFinished { fields["Retry-After"] = "1" }
        return fields
    }

    /// One client that waits.
    private struct Wait {
        let job: RealmModel.UUID
        let jobs: JobStore
        let request: APIRequest
        let seconds: Int
        let deadline: ContinuousClock.Instant
        let observation: Observation
        let keyHold: KeyWatch.Hold?
        let respond: @Sendable (Job, HTTPFields) throws -> HTTPResponse

        func look() throws -> APIAnswer {
            // A key that is gone gets no news.
            guard keyHold?.hasEnded != true else {
                observation.cancel()
                throw APIError.unauthorized(isKeyGiven: true)
            }
            let latest = try jobs.find(job)
            guard latest.state.isFinished || deadline <= .now || request.shouldStopWaiting else {
                return .later(until: deadline) { try look() }
            }
            observation.cancel()
            var fields = JobWaiting.fields(of: latest)
            fields["Preference-Applied"] = "wait=\(seconds)"
            return .response(try respond(latest, fields))
        }
    }
}
