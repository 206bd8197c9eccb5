import FoundationEssentials
import Glibc
import Postgres
import StoreCore

/// The database of a service: one that is given, or a private one under the data directory.
struct ServiceDatabase {
    /// Leads to the database.
    let pool: PostgresPool
    private let server: PrivatePostgres?

    /// Connects, starting a private server where no address is given, and brings the tables up to date.
    ///
    /// - Parameters:
    ///   - url: of an existing database; nil for a private one.
    ///   - directory: where the private one has its files.
    ///   - connections: the most at once.
    init(url: String?, directory: String, connections: Int, log: ServiceLog) throws {
        if let url {
            Self.waitForServer(url, log)
            try PostgresConnection.refuseTransactionPooling(url)
            server = nil
            pool = PostgresPool(url, size: connections, schema: DatabaseSchema.name)
        } else {
            log.note("starting a private PostgreSQL in \(directory)")
            let server = try PrivatePostgres(directory: directory) { log.note($0) }
            self.server = server
            pool = PostgresPool(server.url, size: connections, schema: DatabaseSchema.name)
        }
        do {
            try DatabaseSchema.upgrade(pool) { log.note($0) }
        } catch {
            stop()
            throw error
        }
    }

    /// Waits until a server lets clients in, or the service is to end: whoever starts both at once need not care which is up first.
    private static func waitForServer(_ url: String, _ log: ServiceLog) {
        var tries = 0
        while let error = reasonToWait(url) {
            if tries % triesOfLine == 0 { log.note("waiting for the database: \(error.message)") }
            tries += 1
            guard ServiceSignals.isToEnd(within: 1) else { continue }
            log.note("stopping")
            // Nothing runs yet that would have to be stopped.
            exit(EXIT_SUCCESS)
        }
    }

    /// Why a server takes no changes yet, or is not there; nil where it does, or where waiting would not help.
    private static func reasonToWait(_ url: String) -> PostgresError? {
        do {
            let connection = try PostgresConnection(url)
            try connection.requireWritable()
            return nil
        } catch {
            return error.isReadOnly || !PostgresConnection.isServerThere(url) ? error : nil
        }
    }

    /// Tries, one a second, until it is said again that the database is not there.
    private static let triesOfLine = 60

    /// Closes the connections, and stops a private server in order.
    func stop() {
        pool.close()
        server?.stop(timeout: .seconds(10))
    }

    /// The address that an option or the environment gives.
    ///
    /// - Throws: `UsageError` for what is no address of a PostgreSQL: the client's library takes it for words of its own, or for
    ///   the name of a database, and looks for a server that nobody named.
    static func url(_ arguments: Arguments, of command: Command) throws(UsageError) -> String? {
        let variable = "REALMSHIFT_DATABASE_URL"
        let option = arguments["--database-url"]
        guard let url = option ?? ProcessInfo.processInfo.environment[variable], option != nil || !url.isEmpty else {
            return nil
        }
        guard PostgresOutput.isDatabase(url) else {
            throw UsageError(
                "\(option == nil ? variable : "--database-url") takes a PostgreSQL's address, as postgresql://user@host/database.",
                command: command)
        }
        return url
    }
}
