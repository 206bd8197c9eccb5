import Foundation
import Postgres
import Synchronization

/// A PostgreSQL for tests: one private server a process, started by whoever asks first, and a database for each suite.
public enum TestDatabase {
    private static let server = Mutex<PrivatePostgres?>(nil)
    private static let directory = "\(NSTemporaryDirectory())/realmshift-tests-\(getpid())"

    /// Makes an empty database and gives its URL.
    public static func make() throws -> String {
        let server = try running()
        let name = "t\(UInt64.random(in: .min ... .max))"
        try PostgresConnection(server.url).execute(script: "CREATE DATABASE \(name)")
        return server.url.replacingOccurrences(of: "///postgres?", with: "///\(name)?")
    }

    private static func running() throws -> PrivatePostgres {
        try server.withLock { server in
            if let server { return server }
            // Nothing here has to survive a power cut.
            let started = try PrivatePostgres(
                directory: directory, settings: ["fsync": "off", "max_connections": "300"])
            atexit { TestDatabase.stop() }
            server = started
            return started
        }
    }

    private static func stop() {
        server.withLock { server in
            server?.stop()
            server = nil
        }
        try? FileManager.default.removeItem(atPath: directory)
    }
}
