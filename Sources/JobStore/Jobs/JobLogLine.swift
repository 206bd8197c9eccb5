import RealmModel

/// One line of a job's log.
public struct JobLogLine: Hashable, Sendable {
    /// Its number in the job's log, from 1, ascending over all attempts.
    public var ordinal: Int
    /// The attempt that wrote it.
    public var attempt: Int
    /// When it was written.
    public var createdAt: Timestamp
    /// How much it matters.
    public var level: LogLevel
    /// The text, 8 KiB at most.
    public var text: String
}
