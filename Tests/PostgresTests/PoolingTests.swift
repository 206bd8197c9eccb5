import Foundation
import TestDatabase
import Testing

@testable import Postgres

/// A pooler that gives each transaction another connection is refused, and no other address is.
struct PoolingTests {
    private static let pgbouncer = "/usr/sbin/pgbouncer"

    @Test func `the server's own address is taken`() throws {
        try PostgresConnection.refuseTransactionPooling(try TestDatabase.make())
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: pgbouncer), "pgbouncer is missing"),
        arguments: ["session", "transaction"])
    func `PgBouncer is taken where it pools sessions`(mode: String) throws {
        let pooler = try PgBouncer(at: Self.pgbouncer, mode: mode, before: try TestDatabase.make())
        defer { pooler.stop() }
        if mode == "session" {
            try PostgresConnection.refuseTransactionPooling(pooler.url)
        } else {
            let error = #expect(throws: PostgresError.self) {
                try PostgresConnection.refuseTransactionPooling(pooler.url)
            }
            #expect(error?.sqlState == "0A000")
            #expect(error?.message.contains("pool_mode = session") == true)
        }
    }
}
