import CLibPQ
import Glibc

/// The content of a `NOTIFY`.
public struct PostgresNotification: Hashable, Sendable {
    /// The channel.
    public let channel: String
    /// The text that came with it; may be empty.
    public let payload: String
}

extension PostgresConnection {
    /// Starts to receive what is notified on a channel.
    ///
    /// - Parameter channel: a plain name; written into the statement, which takes no parameter.
    public func listen(_ channel: StaticString) throws(PostgresError) {
        try execute(script: "LISTEN \(channel)")
    }

    /// Waits for notifications.
    ///
    /// - Parameter timeout: how long at most; zero only looks.
    /// - Returns: all that arrived; none after the time or a signal.
    public func waitForNotifications(timeout: Duration) throws(PostgresError) -> [PostgresNotification] {
        var arrived = takeNotifications()
        if arrived.isEmpty, isReadable(within: timeout) {
            guard PQconsumeInput(handle) == 1 else { throw .connection(lastMessage) }
            arrived = takeNotifications()
        }
        return arrived
    }

    /// Whether the connection can still be used, seen without a round trip.
    ///
    /// A server that closed the connection leaves it readable.
    var isUsable: Bool {
        guard !isBroken, isIdle else { return false }
        return !isReadable(within: .zero) || PQconsumeInput(handle) == 1 && !isBroken
    }

    private func isReadable(within timeout: Duration) -> Bool {
        var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        let milliseconds = (timeout / .milliseconds(1)).rounded(.up)
        return poll(&descriptor, 1, Int32(min(max(milliseconds, 0), 3_600_000))) > 0
    }

    private func takeNotifications() -> [PostgresNotification] {
        var taken: [PostgresNotification] = []
        while let notification = PQnotifies(handle) {
            taken.append(
                PostgresNotification(
                    channel: String(cString: notification.pointee.relname),
                    payload: String(cString: notification.pointee.extra)))
            PQfreemem(notification)
        }
        return taken
    }
}
