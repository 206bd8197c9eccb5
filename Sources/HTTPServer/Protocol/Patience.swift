/// How long a server waits for its clients.
public struct Patience: Hashable, Sendable {
    /// For the next request of a connection, and for a client that takes none of what is sent to it.
    public var idle: Duration
    /// For a whole head, from its first byte.
    public var head: Duration
    /// For a body before the least rate counts.
    public var body: Duration
    /// The bytes of a body that come in a second at least, on average behind the time before, and of an answer that are
    /// taken, at least 1.
    public var leastBytesPerSecond: Int
    /// For a client to take an answer that came before the end of its request.
    public var farewell: Duration

    /// A minute for the next request, 20 seconds for a head, and 1 KiB a second of a body behind its first 30 seconds, and of an
    /// answer behind its first minute.
    public init(
        idle: Duration = .seconds(60), head: Duration = .seconds(20), body: Duration = .seconds(30),
        leastBytesPerSecond: Int = 1024, farewell: Duration = .seconds(30)
    ) {
        self.idle = idle
        self.head = head
        self.body = body
        self.leastBytesPerSecond = leastBytesPerSecond
        self.farewell = farewell
    }

    /// When a body has come too slowly.
    ///
    /// - Parameters:
    ///   - start: when it was begun to be read.
    ///   - count: its bytes so far, the last of which came `now`.
    func deadline(ofBodySince start: ContinuousClock.Instant, count: Int, now: ContinuousClock.Instant)
        -> ContinuousClock.Instant
    {
        min(now + idle, start + body + .seconds(count / max(1, leastBytesPerSecond)))
    }

    /// How long a client may go on taking an answer that was waited for and took some of it.
    ///
    /// Never longer than for nothing at all: what it took fast before gives no right to be slow.
    ///
    /// - Parameters:
    ///   - allowance: how long it might before.
    ///   - waited: for how long nothing could be done but wait for it.
    ///   - count: the bytes that it took then.
    func allowance(_ allowance: Duration, after waited: Duration, taking count: Int) -> Duration {
        min(idle, allowance - waited + .seconds(Double(count) / Double(max(1, leastBytesPerSecond))))
    }
}
