import RealmModel
import SnapshotStore
import Threads

/// Tells of new snapshots of realms: one thread and one question some times a second for all who wait, and none where nobody
/// does.
///
/// Who makes a snapshot in this process says so, and those who wait hear of it at once.
public final class RealmEvents: Sendable {
    private struct State {
        var isRunning = false
        var isHinted = false
        /// By the snapshots that the realms had.
        var realms = Watchers<RealmIdentity, RealmModel.UUID>()
    }

    private static let pollInterval = Duration.milliseconds(250)
    private let store: SnapshotStore
    private let failed: @Sendable (any Error) -> Void
    private let state = Monitor(State())
    private let thread = ThreadGroup()

    /// Events of a store's realms.
    ///
    /// - Parameter failed: is told where the realms could not be asked about.
    public init(_ store: SnapshotStore, failed: @escaping @Sendable (any Error) -> Void) {
        self.store = store
        self.failed = failed
    }

    /// Calls a closure after every new snapshot of a realm, until the observation is let go of.
    ///
    /// - Parameter changed: called by the one thread of this object, so it has to be short and must not block.
    public func observe(_ realm: RealmIdentity, _ changed: @escaping @Sendable () -> Void) -> Observation {
        let (id, starts) = state.change { state in
            defer { state.isRunning = true }
            return (state.realms.add(realm) { _ in changed() }, !state.isRunning)
        }
        if starts { thread.start("realm-events") { [self] in watch() } }
        return Observation { [weak self] in self?.state.change { $0.realms.remove(id, of: realm) } }
    }

    /// Says that this process has made a snapshot.
    public func hint() {
        state.change { if !$0.realms.isEmpty { $0.isHinted = true } }
    }

    /// Looks until nobody waits any more.
    private func watch() {
        while goesOn() {
            _ = state.wait(timeout: Self.pollInterval) { state -> Void? in
                guard state.isHinted || state.realms.isEmpty else { return nil }
                state.isHinted = false
                return ()
            }
            deliverChanges()
        }
    }

    private func goesOn() -> Bool {
        state.withLock { state in
            state.isRunning = !state.realms.isEmpty
            return state.isRunning
        }
    }

    private func deliverChanges() {
        let realms = state.withLock { $0.realms.watched }
        guard !realms.isEmpty else { return }
        let current: [RealmIdentity: RealmModel.UUID]
        do {
            current = try store.realms.currentSnapshots(of: realms)
        } catch {
            // The next round finds the changes.
            failed(error)
            return
        }
        for realm in realms {
            for tell in state.withLock({ $0.realms.note(realm, current[realm]) }) { tell(current[realm]) }
        }
    }
}
