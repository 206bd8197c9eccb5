/// How long a connection waits for its server.
///
/// The URL's own settings of `connect_timeout`, of TCP and, in `options`, of the server's timeouts are left as they are.
public struct PostgresTimeouts: Hashable, Sendable {
    /// Until a connection is open; 2 seconds at least.
    public var connect: Duration
    /// Until a statement has ended, as the server counts, without end in a transaction that is long by its nature; and until the
    /// next one of a transaction.
    public var statement: Duration
    /// Until what was sent over TCP is acknowledged, or a silent server is taken for gone.
    public var network: Duration

    /// 10 seconds to connect, a minute for a statement, half a minute for the network.
    public init(
        connect: Duration = .seconds(10), statement: Duration = .seconds(60), network: Duration = .seconds(30)
    ) {
        self.connect = connect
        self.statement = statement
        self.network = network
    }

    /// The connection parameters of libpq that say so.
    var parameters: [(keyword: String, value: String)] {
        let silence = max(Int(network / .seconds(1)), 3)
        return [
            ("connect_timeout", "\(max(Int((connect / .seconds(1)).rounded(.up)), 2))"),
            ("tcp_user_timeout", "\(silence * 1000)"), ("keepalives_idle", "\(silence / 3)"),
            ("keepalives_interval", "\(silence / 3)"), ("keepalives_count", "2"),
        ]
    }
}
