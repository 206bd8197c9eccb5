import Foundation
import MigrationJobs
import RealmModel
import SnapshotStore

/// Waits for changes of a job on the thread of a request, without a connection to the database meanwhile.
final class JobWait: @unchecked Sendable {
    // `changes` is read and written under `condition`; the observation does not change.
    private let condition = NSCondition()
    private var changes = 0
    private var observation: JobObservation?

    /// How often a waiting request looks whether its client is still there.
    private static let step = 0.5
    /// How long a change may go unnoticed where the notice of it was lost.
    private static let longestUnseen = 10.0

    /// Begins to notice changes.
    init(_ job: RealmModel.UUID, _ events: JobEvents) {
        observation = events.observe(job) { [weak self] _, _ in self?.notice() }
    }

    deinit { observation?.cancel() }

    /// The changes noticed so far, to be given to `wait`.
    var changeCount: Int { condition.withLock { changes } }

    /// Waits until there are more changes than known, a time is reached, or nothing is gained by waiting.
    func wait(known: Int, until deadline: Date, orWhen isOver: () -> Bool) {
        let end = min(deadline, Date(timeIntervalSinceNow: Self.longestUnseen))
        condition.lock()
        defer { condition.unlock() }
        while changes == known, Date() < end, !isOver() {
            _ = condition.wait(until: min(end, Date(timeIntervalSinceNow: Self.step)))
        }
    }

    private func notice() {
        condition.withLock {
            changes += 1
            condition.broadcast()
        }
    }
}
