import RealmModel
import Threads

/// How many requests a key may send: a budget of each key that fills up evenly; of each process for itself.
///
/// A whole budget may be spent at once, and every request comes back a share of the window later.
final class RateLimiter: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The budget of a key.
    struct Policy: Hashable, Sendable {
        /// Requests in a window, at least 1.
        var requests: Int
        /// In which a budget that was spent is whole again.
        var window = Duration.seconds(60)

        /// The share of the window that one request costs, in whole nanoseconds, so that counts come out even.
        fileprivate var interval: Duration { .nanoseconds(window.wholeNanoseconds / Int64(max(1, requests))) }
    }

    /// The verdict on a request.
    struct Verdict: Hashable, Sendable {
        /// Whether it may be answered.
        var isAllowed: Bool
        /// Requests that may follow at once.
        var remaining: Int
        /// Until the budget is whole.
        var untilWhole: Duration
        /// Until another request may come; zero where it may at once.
        var untilNext: Duration
    }

    let policy: Policy
    /// When the budget of each key is whole; of those alone that have spent some of it.
    private let wholeAt = Mutex<[RealmModel.UUID: Instant]>([:])
    private static let capacity = 10_000

    init(_ policy: Policy) { self.policy = policy }

    /// Counts a request of a key; one that is refused costs nothing.
    func take(_ key: RealmModel.UUID, now: Instant = .now) -> Verdict {
        wholeAt.withLock { wholeAt in
            let before = max(wholeAt[key] ?? now, now)
            let after = before + policy.interval
            guard after - now <= policy.window else { return verdict(isAllowed: false, wholeAt: before, now) }
            if wholeAt.count >= Self.capacity { wholeAt = wholeAt.filter { $0.value > now } }
            wholeAt[key] = after
            return verdict(isAllowed: true, wholeAt: after, now)
        }
    }

    private func verdict(isAllowed: Bool, wholeAt: Instant, _ now: Instant) -> Verdict {
        let spent = wholeAt - now
        return Verdict(
            isAllowed: isAllowed, remaining: remaining(spent), untilWhole: spent,
            untilNext: max(.zero, spent + policy.interval - policy.window))
    }

    private func remaining(_ spent: Duration) -> Int {
        Int((policy.window - spent).wholeNanoseconds / max(1, policy.interval.wholeNanoseconds))
    }
}

extension Duration {
    fileprivate var wholeNanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
