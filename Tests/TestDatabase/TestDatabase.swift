import Foundation
import Postgres
import Threads

/// A PostgreSQL for tests: one private server a process, started by whoever asks first, and a schema for each test.
public enum TestDatabase {
    private static let server = Mutex<PrivatePostgres?>(nil)
    private static let directory = "\(NSTemporaryDirectory())/realmshift-tests-\(getpid())"

    /// Makes an empty place for tables and gives a URL that leads there.
    ///
    /// - Parameter alone: whether it is a database, which costs more than a schema in one that others use too: for
    ///   tests that disturb everybody there.
    public static func make(alone: Bool = false) throws -> String {
        let server = try running()
        let name = "t\(UInt64.random(in: .min ... .max))"
        try PostgresConnection(server.url).execute(script: "CREATE \(alone ? "DATABASE" : "SCHEMA") \(name)")
        return alone
            ? server.url.replacingOccurrences(of: "///postgres?", with: "///\(name)?")
            : server.url + "&options=-csearch_path%3D\(name)"
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
