import Foundation

/// A bounded number of connections shared by threads; a thread waits while all are lent.
public final class PostgresPool: @unchecked Sendable {
    // Sendable because everything mutable is under the lock of `condition`.
    /// Where the connections lead to.
    public let url: String
    private let size: Int
    private let waitLimit: Duration
    private let condition = NSCondition()
    private var idle: [PostgresConnection] = []
    private var lent = 0
    private var isClosed = false

    /// Makes a pool; connections are opened when they are asked for.
    ///
    /// - Parameters:
    ///   - size: the most connections at once, at least 1.
    ///   - waitLimit: how long a thread waits for a connection before it gets an error of SQLSTATE 53300.
    public init(_ url: String, size: Int = 8, waitLimit: Duration = .seconds(30)) {
        self.url = url
        self.size = max(size, 1)
        self.waitLimit = waitLimit
    }

    /// Lends a connection to a body; one that comes back broken or in a transaction is replaced.
    ///
    /// - Throws: `PostgresError` where no connection is to be had; what the body throws.
    public func withConnection<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        let connection = try take()
        defer { giveBack(connection) }
        return try body(connection)
    }

    /// Lends a connection to a body that runs in a transaction, as `PostgresConnection.transaction` runs it.
    public func transaction<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        try withConnection { try $0.transaction { try body($0) } }
    }

    /// Opens a connection that the pool neither counts nor keeps: for heartbeats and notifications.
    public func connect() throws(PostgresError) -> PostgresConnection {
        try PostgresConnection(url)
    }

    /// Closes idle connections and refuses to lend any more.
    public func close() {
        condition.withLock {
            isClosed = true
            idle = []
            condition.broadcast()
        }
    }

    private func take() throws(PostgresError) -> PostgresConnection {
        while let connection = try reserve() {
            if connection.isUsable { return connection }
            release()
        }
        do {
            return try PostgresConnection(url)
        } catch {
            release()
            throw error
        }
    }

    /// Counts one connection as lent; nil where it has to be opened.
    private func reserve() throws(PostgresError) -> PostgresConnection? {
        let deadline = Date(timeIntervalSinceNow: waitLimit / .seconds(1))
        condition.lock()
        defer { condition.unlock() }
        while lent >= size, !isClosed {
            guard condition.wait(until: deadline) else {
                throw PostgresError(sqlState: "53300", message: "All \(size) connections of the pool are in use.")
            }
        }
        guard !isClosed else { throw .connection("The pool of connections is closed.") }
        lent += 1
        return idle.popLast()
    }

    private func release() {
        condition.withLock {
            lent -= 1
            condition.signal()
        }
    }

    private func giveBack(_ connection: PostgresConnection) {
        condition.withLock {
            lent -= 1
            if !isClosed, !connection.isBroken, connection.isIdle { idle.append(connection) }
            condition.signal()
        }
    }
}
