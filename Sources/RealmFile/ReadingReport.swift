/// What whoever hands in a file should know of it, beside the realm that was read.
public struct ReadingReport: Hashable, Sendable {
    /// Changesets of a sync client that its server never acknowledged.
    ///
    /// They are changes that are in this file and may be nowhere else. Nil where the file was never synced, where its history is of a kind that is not understood, or, in a file that was
    /// rescued, can't be read.
    public var unsentChangesets: Int?
    /// What was read and what was lost, of a file that was rescued; nil of one that was read.
    public var rescue: RescueReport?

    /// Reports nothing by default.
    public init(unsentChangesets: Int? = nil, rescue: RescueReport? = nil) {
        self.unsentChangesets = unsentChangesets
        self.rescue = rescue
    }
}
