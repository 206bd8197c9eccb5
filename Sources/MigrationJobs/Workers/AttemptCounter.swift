import JobStore
import StoreCore
import Threads

/// Counts what happens to attempts, and carries it to the database now and then.
final class AttemptCounter: Sendable {
    private let figures = Mutex(JobFigures())
    private let ended = Mutex(EndedJobs())

    func count(_ event: AttemptEvent) {
        let kind = event.kind.rawValue
        figures.withLock { figures in
            switch event.what {
            case .started(let waited): figures.observe(waited, .wait, ["kind": kind])
            case .ended(let end, let duration, let problem, _):
                if let duration { figures.observe(duration, .duration, ["kind": kind, "end": end.rawValue]) }
                // Its own worker may never hear of it, and who finds it does once.
                if problem == "worker_lost" { figures.count(.leasesLost) }
                if let state = end.jobState {
                    let series = EndedJobs.Series(app: event.appID, kind: event.kind, state: state)
                    ended.withLock { $0.count(series, after: duration ?? .zero) }
                }
                if event.isKill, let problem { figures.count(.scriptKills, ["reason": problem]) }
            }
        }
    }

    /// Adds what was counted to what the database has; where that fails it is kept until the next time.
    func save(in jobs: JobStore) throws {
        try saveFigures(in: jobs)
        let counted = ended.withLock { ended in
            defer { ended = EndedJobs() }
            return ended
        }
        guard !counted.isEmpty else { return }
        do {
            for app in try jobs.add(counted) { jobs.note(.figures, of: app) }
        } catch {
            ended.withLock { $0.add(counted) }
            throw error
        }
        jobs.tellAppChanges()
    }

    private func saveFigures(in jobs: JobStore) throws {
        let counted = figures.withLock { figures in
            defer { figures = JobFigures() }
            return figures
        }
        guard !counted.isEmpty else { return }
        do {
            try jobs.add(counted)
        } catch {
            figures.withLock { $0.add(counted) }
            throw error
        }
    }
}

extension AttemptEvent.End {
    /// The state in which the job is for good; nil where another attempt comes.
    fileprivate var jobState: JobState? {
        switch self {
        case .succeeded: .succeeded
        case .failed: .failed
        case .cancelled: .cancelled
        case .lost, .handedBack, .leaseLost: nil
        }
    }
}
