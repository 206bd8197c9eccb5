/// How long maintenance leaves alone what nothing names any more.
public struct MaintenanceLimits: Hashable, Sendable {
    /// Between the moment at which segments become garbage and their removal; more than any pause of an upload.
    public var grace: Duration

    /// An hour, unless said otherwise.
    public init(grace: Duration = .seconds(3600)) {
        self.grace = grace
    }
}
