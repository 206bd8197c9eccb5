import Threads

/// A bounded number of connections shared by threads; a thread waits while all are lent.
public final class PostgresPool: Sendable {
    private struct State {
        var idle: [PostgresConnection] = []
        var lent = 0
        var isClosed = false
    }

    /// Where the connections lead to.
    public let url: String
    private let size: Int
    private let waitLimit: Duration
    private let timeouts: PostgresTimeouts
    private let schema: String?
    private let state = Monitor(State())

    /// Makes a pool; connections are opened when they are asked for.
    ///
    /// - Parameters:
    ///   - size: the most connections at once, at least 1.
    ///   - waitLimit: how long a thread waits for a connection before it gets an error of SQLSTATE 53300.
    ///   - timeouts: how long connections wait for the server.
    ///   - schema: where tables are looked up and made, unless the URL names other schemas; nil leaves that to the server.
    public init(
        _ url: String, size: Int = 8, waitLimit: Duration = .seconds(30),
        timeouts: PostgresTimeouts = PostgresTimeouts(), schema: String? = nil
    ) {
        self.url = url
        self.size = max(size, 1)
        self.waitLimit = waitLimit
        self.timeouts = timeouts
        self.schema = schema
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
    ///
    /// Where the server takes no changes any more, the body runs once again elsewhere.
    public func transaction<Result>(
        isLong: Bool = false, _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        do {
            return try withConnection { try $0.transaction(isLong: isLong) { try body($0) } }
        } catch let error as PostgresError where error.isReadOnly {
            return try withConnection { try $0.transaction(isLong: isLong) { try body($0) } }
        }
    }

    /// Opens a connection that the pool neither counts nor keeps: for heartbeats and notifications.
    public func connect() throws(PostgresError) -> PostgresConnection {
        try PostgresConnection(url, timeouts: timeouts, schema: schema)
    }

    /// Connections that are lent, and how many may be at once.
    public var usage: (lent: Int, limit: Int) { (state.withLock { $0.lent }, size) }

    /// Closes idle connections and refuses to lend any more.
    public func close() {
        state.change {
            $0.isClosed = true
            $0.idle = []
        }
    }

    private func take() throws(PostgresError) -> PostgresConnection {
        while let connection = try reserve() {
            if connection.isUsable { return connection }
            release()
        }
        do {
            return try connect()
        } catch {
            release()
            throw error
        }
    }

    /// Counts one connection as lent; nil where it has to be opened.
    private func reserve() throws(PostgresError) -> PostgresConnection? {
        let reserved = state.wait(timeout: waitLimit) { state -> Result<PostgresConnection?, PostgresError>? in
            guard !state.isClosed else { return .failure(.connection("The pool of connections is closed.")) }
            guard state.lent < size else { return nil }
            state.lent += 1
            return .success(state.idle.popLast())
        }
        guard let reserved else {
            throw PostgresError(sqlState: "53300", message: "All \(size) connections of the pool are in use.")
        }
        return try reserved.get()
    }

    private func release() {
        state.change(waking: .one) { $0.lent -= 1 }
    }

    private func giveBack(_ connection: PostgresConnection) {
        let isReusable = !connection.isBroken && connection.isIdle
        state.change(waking: .one) { state in
            state.lent -= 1
            // The others lead to the same server, which takes no changes.
            if connection.isReadOnly { state.idle = [] }
            if isReusable, !state.isClosed { state.idle.append(connection) }
        }
    }
}
