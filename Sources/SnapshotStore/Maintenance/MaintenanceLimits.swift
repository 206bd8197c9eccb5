/// How long maintenance leaves alone what nothing names any more, and how much it does at once.
public struct MaintenanceLimits: Hashable, Sendable {
    /// Between the moment at which segments become garbage and their removal; more than any pause of an upload.
    public var grace: Duration
    /// Rows that a transaction removes, at most: others may have to wait until it is over.
    public var portion: Int

    /// An hour and 200 rows, unless said otherwise.
    public init(grace: Duration = .seconds(3600), portion: Int = 200) {
        self.grace = grace
        self.portion = max(portion, 1)
    }
}
