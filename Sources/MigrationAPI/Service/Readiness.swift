import Glibc
import Postgres
import SnapshotStore
import Threads

/// Whether the service can do its work, found out again and again by a thread of its own, so that who asks never waits for what
/// hangs.
final class Readiness: Sendable {
    /// A reason why the service is not ready.
    enum Obstacle: Error, Hashable, Sendable {
        /// The database is not there, hangs, or has no connection free.
        case database
        /// The database takes no changes.
        case readOnlyDatabase
        /// A disk that is written to is full.
        case disk
    }

    private struct State {
        /// When the database last answered.
        var answeredAt: ContinuousClock.Instant?
        var hasFailed = false
        var isReadOnly = false
        var isDiskFull = false
        var isStopping = false
    }

    private static let interval = Duration.milliseconds(200)
    /// After which a database that does not answer counts as away.
    private static let patience = Duration.seconds(1)
    /// Bytes that have to be free where uploads and the audit log are written.
    private static let leastFreeBytes = 64 << 20

    private let store: SnapshotStore
    private let directories: [String]
    private let state = Monitor(State())
    private let thread = ThreadGroup()

    /// Asks once, and goes on asking.
    ///
    /// - Parameter directories: where the service writes.
    init(_ store: SnapshotStore, directories: [String]) {
        self.store = store
        self.directories = directories
        look()
        thread.start("readiness") { [self] in
            while !state.wait(timeout: Self.interval, until: \.isStopping) { look() }
        }
    }

    /// Ends the thread, though not one that hangs.
    func stop() {
        state.change { $0.isStopping = true }
        thread.wait(timeout: .seconds(1))
    }

    /// The present obstacle; nil where the service is ready.
    ///
    /// Does not block.
    var obstacle: Obstacle? {
        state.withLock { state in
            if state.isReadOnly { return .readOnlyDatabase }
            guard let answeredAt = state.answeredAt, !state.hasFailed,
                ContinuousClock.now - answeredAt < Self.patience + Self.interval
            else { return .database }
            return state.isDiskFull ? .disk : nil
        }
    }

    private func look() {
        let isDiskFull = directories.contains { Self.freeBytes(of: $0).map { $0 < Self.leastFreeBytes } ?? false }
        state.withLock { $0.isDiskFull = isDiskFull }
        do {
            try store.ping()
            state.withLock { ($0.answeredAt, $0.hasFailed, $0.isReadOnly) = (.now, false, false) }
        } catch {
            // Why is told in the log by whoever needs the database; here it is only away.
            let isReadOnly = (error as? PostgresError)?.isReadOnly ?? false
            state.withLock { ($0.hasFailed, $0.isReadOnly) = (true, isReadOnly) }
        }
    }

    /// Bytes that a service may still write in a directory; nil where nobody says.
    private static func freeBytes(of directory: String) -> Int? {
        var space = statvfs()
        guard statvfs(directory, &space) == 0 else { return nil }
        return Int(clamping: UInt64(space.f_bavail) * UInt64(space.f_frsize))
    }
}
