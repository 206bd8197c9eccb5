import Foundation
import Postgres
import Threads

/// A PostgreSQL for tests: one private server a process, started by whoever asks first, and a schema for each test.
public enum TestDatabase {
    private struct Running {
        let server: PrivatePostgres
        /// Leads to the database that has the newest schemas.
        var url: String
        var schemaCount = 0
    }

    /// A database with more schemas of the service takes longer than a new one does to look through its catalogue.
    private static let schemasPerDatabase = 32
    private static let server = Mutex<Running?>(nil)
    private static let directory = "\(NSTemporaryDirectory())/realmshift-tests-\(getpid())"

    /// Makes an empty place for tables and gives a URL that leads there.
    ///
    /// - Parameter alone: whether it is a database, which costs more than a schema in one that others use too: for
    ///   tests that disturb everybody there.
    public static func make(alone: Bool = false) throws -> String {
        try server.withLock { running in
            var now = try running ?? start()
            defer { running = now }
            if alone || now.schemaCount % schemasPerDatabase == 0 {
                let name = newName()
                try PostgresConnection(now.server.url).execute(script: "CREATE DATABASE \(name)")
                let url = now.server.url.replacingOccurrences(of: "///postgres?", with: "///\(name)?")
                if alone { return url }
                now.url = url
            }
            now.schemaCount += 1
            let name = newName()
            try PostgresConnection(now.url).execute(script: "CREATE SCHEMA \(name)")
            return now.url + "&options=-csearch_path%3D\(name)"
        }
    }

    private static func newName() -> String { "t\(UInt64.random(in: .min ... .max))" }

    /// Starts the server; nothing there has to survive a power cut.
    private static func start() throws -> Running {
        let server = try PrivatePostgres(
            directory: directory,
            settings: [
                "fsync": "off", "full_page_writes": "off", "wal_level": "minimal", "max_wal_senders": "0",
                "autovacuum": "off", "max_connections": "300",
            ])
        atexit { TestDatabase.stop() }
        return Running(server: server, url: server.url)
    }

    private static func stop() {
        server.withLock { server in
            // A stop in order would write all databases to disk, which are removed.
            server?.server.stop(timeout: .zero)
            server = nil
        }
        try? FileManager.default.removeItem(atPath: directory)
    }
}
