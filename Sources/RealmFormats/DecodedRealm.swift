import Columns
import RealmFile

/// What was read of a file.
public struct DecodedRealm: Hashable, Sendable {
    /// The realm, whose segments are in the store that the reader was given.
    public var snapshot: Snapshot
    /// What is to be told of the file beside it.
    public var report: ReadingReport

    /// A realm of a format whose files hold nothing else, by default.
    public init(_ snapshot: Snapshot, report: ReadingReport = ReadingReport()) {
        self.snapshot = snapshot
        self.report = report
    }
}
