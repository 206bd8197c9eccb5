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
    func `gives back by COPY what it took by COPY`(_ sizes: [Int]) throws {
        let written = try connection.copyIn("COPY t (n, b) FROM STDIN (FORMAT binary)") { writer in
            for size in sizes {
                try writer.write([PostgresParameter(size), PostgresParameter(PostgresBytes(Self.bytes(size)))])
            }
        }
        #expect(written == sizes.count)
        var read: [Int] = []
        try connection.copyOut("COPY t (n, b) TO STDOUT (FORMAT binary)") { row in
            let size = try #require(try row.optional(0, as: Int.self))
            read.append(size)
            #expect(try row.optional(1, as: PostgresBytes.self)?.bytes == Self.bytes(size))
        }
        #expect(read == sizes)
        #expect(connection.isIdle)
    }

    @Test func `streams more rows than a buffer holds, nulls among them`() throws {
        let none: PostgresBytes? = nil
        try connection.copyIn("COPY t (n, b) FROM STDIN (FORMAT binary)") { writer in
            for number in 0..<100_000 { try writer.write([PostgresParameter(number), PostgresParameter(none)]) }
        }
        var sum = 0
        try connection.copyOut("COPY t (n, b) TO STDOUT (FORMAT binary)") { row in
            sum += try row.optional(0) ?? 0
            #expect(row.columns[1] == nil)
        }
        #expect(sum == 4_999_950_000)
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

    @Test func `stops in the middle where the reader throws, and stays usable`() throws {
        struct Stop: Error {}
        try connection.execute(
            script: "INSERT INTO t SELECT n, decode(repeat('00', 1000), 'hex') FROM generate_series(1, 50000) n")
        #expect(throws: Stop.self) {
            try connection.copyOut("COPY t (n, b) TO STDOUT (FORMAT binary)") { _ in throw Stop() }
        }
        #expect(try connection.query("SELECT \(1) AS v").count == 1)
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
