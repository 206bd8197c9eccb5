import CLibPQ

extension PostgresConnection {
    /// Refuses an address behind which each transaction gets another connection of the server, as by PgBouncer's
    /// `pool_mode = transaction`: prepared statements, settings and `LISTEN` would be lost on the way.
    ///
    /// A pooler gives its clients numbers of their own for the server's processes. Where the first connection has done its
    /// transaction and a second one is in another, they share no process of the server unless transactions are pooled.
    ///
    /// - Throws: `PostgresError` of 0A000; of class 08 where the server is not there.
    public static func refuseTransactionPooling(_ url: String, timeouts: PostgresTimeouts = .init())
        throws(PostgresError)
    {
        let first = try PostgresConnection(url, timeouts: timeouts)
        let process = try first.serverProcess("SELECT pg_backend_pid()")
        guard process != PQbackendPID(first.handle) else { return }
        let second = try PostgresConnection(url, timeouts: timeouts)
        let other = try second.serverProcess("BEGIN; SELECT pg_backend_pid()")
        let again = try first.serverProcess("SELECT pg_backend_pid()")
        guard process == again, other != process else {
            throw PostgresError(
                sqlState: "0A000",
                message:
                    "The database is behind a pooler that gives each transaction another connection, such as PgBouncer "
                    + "with pool_mode = transaction: give it pool_mode = session, or the server's own address.")
        }
    }

    /// The server's process that answers; asked without preparing anything, which a pooler may not bear.
    private func serverProcess(_ script: String) throws(PostgresError) -> Int32 {
        let result = PQexec(handle, script)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK, let text = PQgetvalue(result, 0, 0),
            let process = Int32(String(cString: text))
        else { throw .connection(Self.message(of: handle)) }
        return process
    }
}
