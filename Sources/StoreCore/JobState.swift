/// Where a job stands.
public enum JobState: String, Hashable, Sendable, CaseIterable {
    case queued
    case running
    case succeeded
    case failed
    case cancelled

    /// Whether nothing happens to the job any more unless it is retried.
    public var isFinished: Bool { self != .queued && self != .running }
}
