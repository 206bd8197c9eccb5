import Columns
import RealmFile

/// A realm that was read from a file.
public struct DecodedRealm: Hashable, Sendable {
    /// The realm, whose segments are in the store that the reader was given.
    public var snapshot: Snapshot
    /// The report on the file beside it.
    public var report: ReadingReport

    /// A realm of a format whose files hold nothing else, by default.
    public init(_ snapshot: Snapshot, report: ReadingReport = ReadingReport()) {
        self.snapshot = snapshot
        self.report = report
    }
}
