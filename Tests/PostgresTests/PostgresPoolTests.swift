import Foundation
import Postgres
import TestDatabase
import Testing
import Threads

@Suite struct PostgresPoolTests {
    @Test func `lends no more connections than it may have`() throws {
        let pool = PostgresPool(try TestDatabase.make(), size: 3)
        let counts = Mutex((now: 0, most: 0))
        DispatchQueue.concurrentPerform(iterations: 40) { _ in
            let lent: Void? = try? pool.withConnection { connection in
                counts.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                try connection.query("SELECT pg_sleep(0.002)")
                counts.withLock { $0.now -= 1 }
            }
            #expect(lent != nil)
        }
        #expect(counts.withLock { $0.most } <= 3)
    }

    @Test func `refuses a connection when all stay lent`() throws {
        let pool = PostgresPool(try TestDatabase.make(), size: 1, waitLimit: .milliseconds(20))
        try pool.withConnection { _ in
            let error = #expect(throws: PostgresError.self) { try pool.withConnection { _ in } }
            #expect(error?.sqlState == "53300")
        }
    }

    @Test func `replaces a connection that the server closed`() throws {
        let pool = PostgresPool(try TestDatabase.make(), size: 1)
        let pid = try pool.withConnection { try Self.backend($0) }
        try PostgresConnection(pool.url).query("SELECT pg_terminate_backend(\(Int32(pid)))")
        // The signal and the closing take a moment; what counts is that no caller meets the dead connection for long.
        var other = pid
        for _ in 0..<100 where other == pid {
            other = (try? pool.withConnection { try Self.backend($0) }) ?? pid
        }
        #expect(other != pid)
    }

    @Test func `replaces a connection that comes back in a transaction`() throws {
        let pool = PostgresPool(try TestDatabase.make(), size: 1)
        try pool.withConnection { try $0.execute(script: "BEGIN") }
        #expect(try pool.withConnection { $0.isIdle })
    }

    @Test func `replaces the connections to a server that takes no changes, and runs a transaction again`() throws {
        let pool = PostgresPool(try TestDatabase.make(), size: 3)
        var lent: [Int] = []
        try pool.withConnection { one in
            try pool.withConnection { other in
                for connection in [one, other] {
                    lent.append(try Self.backend(connection))
                    try connection.execute(script: "SET default_transaction_read_only = on")
                }
            }
        }
        var tries = 0
        let backend = try pool.transaction { connection in
            tries += 1
            let backend = try Self.backend(connection)
            try connection.execute(script: "CREATE TABLE made (id integer)")
            return backend
        }
        #expect(tries == 2)
        #expect(!lent.contains(backend))
        #expect(try pool.withConnection { try Self.backend($0) } == backend)
    }

    @Test func `says where no server is`() {
        let error = #expect(throws: PostgresError.self) {
            try PostgresPool("host=/nowhere user=nobody").withConnection { _ in }
        }
        #expect(error?.isTransient == true)
    }

    private static func backend(_ connection: PostgresConnection) throws -> Int {
        try connection.query("SELECT pg_backend_pid() AS pid")[0].value("pid")
    }
}
