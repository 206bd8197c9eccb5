import Synchronization

/// The bytes that budgets hold together, such as those of all requests that a service works on.
public final class SharedMemory: Sendable {
    private let limit: Int
    private let held = Atomic(0)

    /// - Parameter limit: the most bytes that are held at once.
    public init(limit: Int) { self.limit = limit }

    /// Counts bytes; false where there is no room for them.
    func claim(_ bytes: Int) -> Bool {
        guard held.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit else {
            giveBack(bytes)
            return false
        }
        return true
    }

    func giveBack(_ bytes: Int) { held.wrappingSubtract(bytes, ordering: .relaxed) }
}
