import Foundation
import Postgres
import TestDatabase
import Testing
import Threads

@Suite struct PostgresTimeoutsTests {
    private static let short = PostgresTimeouts(connect: .seconds(2), statement: .milliseconds(100))

    @Test func `end a statement that takes too long, and the connection stays usable`() throws {
        let connection = try PostgresConnection(try TestDatabase.make(), timeouts: Self.short)
        let start = ContinuousClock.now
        let error = #expect(throws: PostgresError.self) { try connection.query("SELECT pg_sleep(60)") }
        #expect(error?.sqlState == "57014")
        #expect(error?.isTransient == true)
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(try connection.query("SELECT \(1) AS v").count == 1)
    }

    @Test func `end a transaction whose client stands still, and its locks`() throws {
        let url = try TestDatabase.make()
        let still = try PostgresConnection(url, timeouts: Self.short)
        try still.execute(script: "CREATE TABLE t (n bigint)")
        let error = #expect(throws: PostgresError.self) {
            try still.transaction { connection in
                try connection.execute("LOCK TABLE t")
                let other = try PostgresConnection(url)
                #expect(try other.query("SELECT n FROM t").isEmpty)
                try connection.execute("INSERT INTO t VALUES (1)")
            }
        }
        #expect(error?.isTransient == true)
        #expect(try PostgresConnection(url).query("SELECT n FROM t").isEmpty)
    }

    @Test func `leave a long transaction its time, and count again after it`() throws {
        let connection = try PostgresConnection(try TestDatabase.make(), timeouts: Self.short)
        _ = try connection.transaction(isLong: true) { try $0.query("SELECT pg_sleep(0.3)") }
        #expect(throws: PostgresError.self) { try connection.query("SELECT pg_sleep(60)") }
        #expect(throws: PostgresError.self) { try connection.transaction { try $0.query("SELECT pg_sleep(60)") } }
    }

    @Test func `leave a COPY its time in a long transaction`() throws {
        let connection = try PostgresConnection(try TestDatabase.make(), timeouts: Self.short)
        try connection.execute(script: "CREATE TABLE t (n bigint)")
        _ = try connection.transaction(isLong: true) { connection in
            try connection.copyIn("COPY t (n) FROM STDIN (FORMAT binary)") { writer in
                Thread.sleep(forTimeInterval: 0.3)
                try writer.write([PostgresParameter(1)])
            }
        }
        #expect(try connection.query("SELECT n FROM t").count == 1)
    }

    @Test func `take no commit for one that the synchronous standby may not have`() throws {
        let directory = NSTemporaryDirectory() + "realmshift-unreplicated-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let server = try PrivatePostgres(
            directory: directory, settings: ["fsync": "off", "synchronous_standby_names": "nobody"])
        defer { server.stop() }
        let connection = try PostgresConnection(server.url)
        // Commits that wait for the standby are told to go on without it.
        let isOver = Mutex(false)
        let operators = ThreadGroup()
        let url = server.url
        operators.start("operator") {
            guard let connection = try? PostgresConnection(url) else { return }
            while !isOver.withLock({ $0 }) {
                _ = try? connection.query(
                    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                usleep(20_000)
            }
        }
        defer {
            isOver.withLock { $0 = true }
            operators.wait(timeout: .seconds(10))
        }
        for statement in ["CREATE TABLE t (n int)", "INSERT INTO t VALUES (1)"] {
            let error = #expect(throws: PostgresError.self) { try connection.execute(script: statement) }
            #expect(error?.sqlState == "08007" && error?.isTransient == true)
        }
        let late = #expect(throws: PostgresError.self) {
            try connection.transaction { try $0.execute("INSERT INTO t VALUES (2)") }
        }
        #expect(late?.sqlState == "08007")
        #expect(try connection.query("SELECT n FROM t").count == 2)
    }

    @Test func `yield to what the URL says`() throws {
        let url = try TestDatabase.make().replacingOccurrences(
            of: "-csearch", with: "-cstatement_timeout%3D7777%20-csearch")
        let connection = try PostgresConnection(url, timeouts: Self.short)
        let row = try connection.query("SELECT current_setting('statement_timeout') AS v")[0]
        #expect(try row.value("v", as: String.self) == "7777ms")
    }

    @Test func `end a connection to a server that says nothing`() throws {
        // Takes connections and never reads from them.
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        try #require(isListening)
        let start = ContinuousClock.now
        let error = #expect(throws: PostgresError.self) {
            try PostgresConnection(
                "postgresql://a@127.0.0.1:\(UInt16(bigEndian: address.sin_port))/a?sslmode=disable",
                timeouts: Self.short)
        }
        #expect(error?.isTransient == true)
        #expect(ContinuousClock.now - start < .seconds(30))
    }
}
