import Postgres
import RealmModel

/// Why a `JobListener` woke.
public enum JobSignal: Hashable, Sendable {
    /// A job was queued: workers may look.
    case queued
    /// A job changed its state or was asked to stop.
    case changed(RealmModel.UUID)
}

extension SnapshotStore.Jobs {
    /// Tells listeners of a job, after the transaction that changed it.
    ///
    /// A hint and no more: listeners poll too, and engines without NOTIFY answer with an error that means nothing.
    /// Outside the transaction, because NOTIFY makes all committing sessions wait for one another.
    func announce(_ job: RealmModel.UUID, isQueued: Bool) {
        _ = try? pool.withConnection { connection in
            // A transaction that notifies writes a record to the log, which nobody need wait for.
            try connection.query(
                """
                SELECT pg_notify('realmshift_job', \(job.description)),
                    CASE WHEN \(isQueued) THEN pg_notify('realmshift_queue', '') END,
                    set_config('synchronous_commit', 'off', true)
                """)
        }
    }
}

/// Waits for signals on a connection of its own.
///
/// For one thread.
public final class JobListener {
    private let store: SnapshotStore
    private var connection: PostgresConnection?
    private var hasNotify = true

    /// Connects at the first wait.
    public init(_ store: SnapshotStore) { self.store = store }

    /// Waits for signals.
    ///
    /// - Parameter timeout: how long at most; the caller looks for itself then, because signals may get lost.
    /// - Returns: nil at once where it can't wait: the connection is lost, or the engine has no LISTEN.
    public func wait(timeout: Duration) -> [JobSignal]? {
        do {
            return try connect()?.waitForNotifications(timeout: timeout).compactMap(Self.signal)
        } catch {
            // The next wait connects again.
            connection = nil
            return nil
        }
    }

    private func connect() throws(PostgresError) -> PostgresConnection? {
        if let connection { return connection }
        guard hasNotify else { return nil }
        let fresh = try store.pool.connect()
        do {
            try fresh.listen("realmshift_job")
            try fresh.listen("realmshift_queue")
        } catch {
            hasNotify = error.isTransient
            throw error
        }
        connection = fresh
        return fresh
    }

    private static func signal(_ notification: PostgresNotification) -> JobSignal? {
        switch notification.channel {
        case "realmshift_queue": .queued
        case "realmshift_job": RealmModel.UUID(notification.payload).map { .changed($0) }
        default: nil
        }
    }
}
