import Threads

/// How many hosts run scripts at once: migrations that run side by side take what is free.
public final class HostSlots: Sendable {
    private let count: Int
    private let taken = Mutex(0)

    /// Describes so many slots.
    public init(_ count: Int) { self.count = max(count, 1) }

    /// Takes a slot for a script that runs in any case, be one free or not.
    func take() { taken.withLock { $0 += 1 } }

    /// Takes a slot if one is free.
    ///
    /// - Returns: whether one was.
    func takeFree() -> Bool {
        taken.withLock { taken in
            guard taken < count else { return false }
            taken += 1
            return true
        }
    }

    /// Gives a slot back.
    func giveBack() { taken.withLock { $0 -= 1 } }
}
