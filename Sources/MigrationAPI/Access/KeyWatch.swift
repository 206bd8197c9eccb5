import RealmModel
import SnapshotStore
import Synchronization
import Threads

/// Tells answers that go on for long when their key is gone, by expiry or because somebody removed it.
///
/// One statement every two seconds asks about all keys of such answers, and none is sent while there are no such answers.
final class KeyWatch: Sendable {
    /// One answer that goes on; what it is told of ends with it.
    final class Hold: Sendable {
        fileprivate let key: RealmModel.UUID
        fileprivate let wake: @Sendable () -> Void
        private let ended = Atomic(false)

        fileprivate init(_ key: RealmModel.UUID, _ wake: @escaping @Sendable () -> Void) {
            self.key = key
            self.wake = wake
        }

        /// Whether the key gives access to nothing any more.
        var hasEnded: Bool { ended.load(ordering: .acquiring) }

        fileprivate func end() {
            ended.store(true, ordering: .releasing)
            wake()
        }
    }

    private struct Entry {
        weak var hold: Hold?
    }

    private struct State {
        var entries: [Entry] = []
        var isStopping = false
    }

    private static let interval = Duration.seconds(2)

    private let store: SnapshotStore
    private let failed: @Sendable (any Error) -> Void
    private let state = Monitor(State())
    private let thread = ThreadGroup()

    /// - Parameter failed: is told where the database can't be asked; nothing ends then.
    init(_ store: SnapshotStore, failed: @escaping @Sendable (any Error) -> Void) {
        self.store = store
        self.failed = failed
        thread.start("keys") { [self] in
            while !state.wait(timeout: Self.interval, until: \.isStopping) { look() }
        }
    }

    func stop() {
        state.change { $0.isStopping = true }
        thread.wait(timeout: .seconds(5))
    }

    /// Watches the key of an answer for as long as the answer holds on to what this gives.
    ///
    /// - Parameter wake: called when the key is gone; must not block.
    func hold(_ key: RealmModel.UUID, wake: @escaping @Sendable () -> Void) -> Hold {
        let hold = Hold(key, wake)
        state.withLock { $0.entries.append(Entry(hold: hold)) }
        return hold
    }

    /// Ends the answers of a key that was removed.
    func end(_ key: RealmModel.UUID) {
        for hold in held() where hold.key == key { hold.end() }
    }

    private func held() -> [Hold] {
        state.withLock { state in
            state.entries.removeAll { $0.hold == nil }
            return state.entries.compactMap(\.hold)
        }
    }

    private func look() {
        let held = held()
        guard !held.isEmpty else { return }
        do {
            let valid = try store.keys.valid(among: Set(held.map(\.key)))
            for hold in held where !valid.contains(hold.key) { hold.end() }
        } catch {
            failed(error)
        }
    }
}

extension APIRequest {
    /// Watches the request's key while it is answered; nil where the request came without one.
    func holdKey() -> KeyWatch.Hold? {
        guard let key = access.key, let waker = whole?.waker else { return nil }
        return keyWatch?.hold(key) { waker.wake() }
    }
}
