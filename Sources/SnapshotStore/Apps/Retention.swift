/// How long snapshots and finished jobs of an app are kept; nil members say nothing, and what nothing is said of is kept for good.
///
/// Where both a number and an age are given, what either keeps is kept.
public struct Retention: Hashable, Sendable {
    /// The newest snapshots of each realm that are kept, at least 1.
    public var keepSnapshots: Int?
    /// The age in days up to which snapshots are kept, more than 0.
    public var keepDays: Double?
    /// The last jobs of the app to end that are kept, with their logs.
    public var keepJobs: Int?
    /// The age in days, counted from their end, up to which jobs are kept, more than 0.
    public var keepJobDays: Double?

    /// Keeps everything, unless something is set.
    public init(
        keepSnapshots: Int? = nil, keepDays: Double? = nil, keepJobs: Int? = nil, keepJobDays: Double? = nil
    ) {
        self.keepSnapshots = keepSnapshots
        self.keepDays = keepDays
        self.keepJobs = keepJobs
        self.keepJobDays = keepJobDays
    }
}
