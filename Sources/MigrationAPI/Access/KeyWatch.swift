import AccessStore
import RealmModel
import Synchronization
import Threads

/// Tells answers that go on for long when their key, token or session is gone, by expiry or because somebody removed it.
///
/// One statement every two seconds asks about those of all such answers, and none is sent while there are no such answers.
final class KeyWatch: Sendable {
    /// One answer that goes on; what it is told of ends with it.
    final class Hold: Sendable {
        fileprivate let credential: RealmModel.UUID
        /// The key; of a token the one that made it.
        fileprivate let key: RealmModel.UUID?
        fileprivate let wake: @Sendable () -> Void
        private let ended = Atomic(false)

        fileprivate init(_ credential: RealmModel.UUID, _ key: RealmModel.UUID?, _ wake: @escaping @Sendable () -> Void)
        {
            self.credential = credential
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
        /// The last keys and tokens that were removed: a request may have been let in just before, and hold its key just after.
        var removed: [RealmModel.UUID] = []
        var isStopping = false
    }

    private static let interval = Duration.seconds(2)
    private static let removedKept = 100

    private let access: AccessStore
    private let failed: @Sendable (any Error) -> Void
    private let state = Monitor(State())
    private let thread = ThreadGroup()

    /// - Parameter failed: is told where the database can't be asked; nothing ends then.
    init(_ access: AccessStore, failed: @escaping @Sendable (any Error) -> Void) {
        self.access = access
        self.failed = failed
        thread.start("keys") { [self] in
            while !state.wait(timeout: Self.interval, until: \.isStopping) { look() }
        }
    }

    func stop() {
        state.change { $0.isStopping = true }
        thread.wait(timeout: .seconds(5))
    }

    /// Watches the key or the token of an answer for as long as the answer holds on to what this gives.
    ///
    /// - Parameters:
    ///   - key: the key; of a token the one that made it.
    ///   - wake: called when the key or the token is gone; must not block.
    func hold(
        _ credential: RealmModel.UUID, of key: RealmModel.UUID?, wake: @escaping @Sendable () -> Void
    ) -> Hold {
        let hold = Hold(credential, key, wake)
        let isGone = state.withLock { state in
            state.entries.append(Entry(hold: hold))
            return state.removed.contains { $0 == credential || $0 == key }
        }
        if isGone { hold.end() }
        return hold
    }

    /// Ends the answers of a key or a token that was removed, of a key those of its tokens, too.
    func end(_ id: RealmModel.UUID) {
        state.withLock { state in
            state.removed.append(id)
            if state.removed.count > Self.removedKept { state.removed.removeFirst() }
        }
        for hold in held() where hold.credential == id || hold.key == id { hold.end() }
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
            let valid = try access.keys.valid(among: Set(held.map(\.credential)))
            for hold in held where !valid.contains(hold.credential) { hold.end() }
        } catch {
            failed(error)
        }
    }
}

/// Why an answer broke off: the key or token that asked for it is gone, which is no failure.
struct KeyEnded: Error {}

extension APIRequest {
    /// Watches the request's key or token while it is answered; nil where the request came without one.
    func holdKey() -> KeyWatch.Hold? {
        guard let holder = access.holder, let waker = whole?.waker else { return nil }
        return keyWatch?.hold(holder, of: access.key) { waker.wake() }
    }
}
