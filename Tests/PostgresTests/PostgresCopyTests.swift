import Postgres
import TestDatabase
import Testing

@Suite struct PostgresCopyTests {
    let connection: PostgresConnection

    init() throws {
        connection = try PostgresConnection(try TestDatabase.make())
        try connection.execute(script: "CREATE TABLE t (n bigint, b bytea)")
    }

    @Test(arguments: [[], [0], [1, 0, 7], [70_000, 3, 5 << 20, 0, 1 << 18]] as [[Int]])
    func `gives back what it took by COPY`(_ sizes: [Int]) throws {
        let written = try connection.copyIn("COPY t (n, b) FROM STDIN (FORMAT binary)") { writer in
            for size in sizes {
                try writer.write([PostgresParameter(size), PostgresParameter(PostgresBytes(Self.bytes(size)))])
            }
        }
        #expect(written == sizes.count)
        let rows = try connection.query("SELECT n, b FROM t ORDER BY ctid")
        #expect(try rows.map { try $0.value("n") } == sizes)
        for (row, size) in zip(rows, sizes) {
            #expect(try row.value("b", as: PostgresBytes.self).bytes == Self.bytes(size))
        }
        #expect(connection.isIdle)
    }

    @Test func `streams more rows than a buffer holds, nulls among them`() throws {
        let none: PostgresBytes? = nil
        try connection.copyIn("COPY t (n, b) FROM STDIN (FORMAT binary)") { writer in
            for number in 0..<100_000 { try writer.write([PostgresParameter(number), PostgresParameter(none)]) }
        }
        let sums = try connection.query("SELECT sum(n)::bigint AS sum, count(b) AS count FROM t")[0]
        #expect(try sums.value("sum", as: Int.self) == 4_999_950_000)
        #expect(try sums.value("count", as: Int.self) == 0)
    }

    @Test func `takes nothing where the body throws, and stays usable`() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try connection.copyIn("COPY t (n, b) FROM STDIN (FORMAT binary)") { writer in
                try writer.write([PostgresParameter(1), PostgresParameter(PostgresBytes([]))])
                throw Stop()
            }
        }
        #expect(try connection.query("SELECT FROM t").isEmpty)
    }

    @Test func `says what PostgreSQL refuses in rows`() throws {
        let error = #expect(throws: PostgresError.self) {
            try connection.copyIn("COPY t (n, b) FROM STDIN (FORMAT binary)") { writer in
                try writer.write([PostgresParameter("no number")])
            }
        }
        #expect(error?.sqlState == "22P04")
        #expect(connection.isIdle)
    }

    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    }
}
