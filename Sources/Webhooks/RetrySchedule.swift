/// When a delivery that failed is attempted again.
///
/// Pauses grow threefold from five seconds to four hours, so that a day has some thirteen attempts.
public struct RetrySchedule: Hashable, Sendable {
    /// How long a delivery is attempted, from when it was queued.
    public var patience: Duration

    private static let firstPause = Duration.seconds(5)
    private static let longestPause = Duration.seconds(4 * 3600)

    /// A day, unless said otherwise.
    public init(patience: Duration = .seconds(86_400)) { self.patience = patience }

    /// The pause before the next attempt; nil where the delivery is given up.
    ///
    /// - Parameters:
    ///   - attempts: those that failed since it was queued, at least 1.
    ///   - age: since it was queued.
    ///   - share: from 0 to 1, at random: what failed together is not to come back together.
    ///   - asked: the least pause that the receiver asks for, heeded up to the longest pause; it gives up no delivery.
    func pause(
        afterAttempts attempts: Int, age: Duration, share: Double, asked: Duration? = nil
    ) -> Duration? {
        // The tenth pause is longer than the longest.
        let grown = (1..<min(max(attempts, 1), 10)).reduce(Self.firstPause) { pause, _ in pause * 3 }
        let pause = min(grown, Self.longestPause) * (0.75 + share / 2)
        guard age + pause <= patience else { return nil }
        return max(pause, heeded(asked) ?? pause)
    }

    /// As much of the pause that a receiver asks for as is heeded.
    func heeded(_ asked: Duration?) -> Duration? { asked.map { min($0, Self.longestPause) } }
}
