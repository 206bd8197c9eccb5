import Foundation

/// A number of places for work that takes much: who finds none free waits.
final class Slots: @unchecked Sendable {
    // `free` is read and written under `condition`.
    private let condition = NSCondition()
    private var free: Int

    /// How often one who waits looks whether that is worth it still.
    private static let step = 0.5

    /// - Parameter count: at least 1.
    init(_ count: Int) {
        free = max(1, count)
    }

    /// Takes a place, which has to be given back.
    ///
    /// - Returns: false where the wait was over first.
    func take(orWhen isOver: () -> Bool) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while free == 0 {
            if isOver() { return false }
            _ = condition.wait(until: Date(timeIntervalSinceNow: Self.step))
        }
        free -= 1
        return true
    }

    /// Gives a place back.
    func giveBack() {
        condition.withLock {
            free += 1
            condition.signal()
        }
    }
}
