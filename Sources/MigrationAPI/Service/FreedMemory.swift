import CAllocator
import Synchronization
import Threads

/// Memory that was freed, and that the allocator keeps until it is told to give it back to the system.
enum FreedMemory {
    private static let isGivingBack = Atomic(false)

    /// Gives it back, on a thread of its own: that takes tens of milliseconds where much was freed.
    ///
    /// One run serves all who ask before it begins.
    static func giveBack() {
        guard !isGivingBack.exchange(true, ordering: .relaxed) else { return }
        PlainThread.start("memory", stackBytes: 256 << 10) {
            isGivingBack.store(false, ordering: .relaxed)
            _ = malloc_trim(0)
        }
    }
}
