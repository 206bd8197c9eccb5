/// How long a server that has ended stays down before it is started again.
///
/// A tenth of a second, and twice as long each time up to ten seconds where it ends as soon as it has begun, as on a full disk. One
/// that ran for some seconds did not fail at its start, however often something kills it: it is back at once.
struct RestartPause {
    static let first = Duration.milliseconds(100)
    static let longest = Duration.seconds(10)
    /// Long enough to be no failure to start; as a pause would be that kept starts from following one another.
    static let health = Duration.seconds(5)
    private var following = Self.first

    /// The pause before the next start.
    ///
    /// - Parameter time: how long the server ran.
    mutating func next(afterRunning time: Duration) -> Duration {
        if time > Self.health { following = Self.first }
        defer { following = min(following * 2, Self.longest) }
        return following
    }
}
