import Foundation
import Postgres
import TestDatabase
import Testing

@Suite struct PostgresConnectionTests {
    let connection: PostgresConnection

    init() throws {
        connection = try PostgresConnection(try TestDatabase.make())
    }

    @Test(arguments: [Int.min, -1, 0, 1, Int.max])
    func `gives back integers as they were`(_ number: Int) throws {
        #expect(try connection.query("SELECT \(number) AS v")[0].value("v", as: Int.self) == number)
    }

    @Test(arguments: ["", "a'b\"c\\", "ünï \u{1F600}"], [1, 10_000])
    func `gives back strings as they were`(_ piece: String, times: Int) throws {
        let text = String(repeating: piece, count: times)
        #expect(try connection.query("SELECT \(text) AS v")[0].value("v", as: String.self) == text)
    }

    @Test(arguments: [0, 1, 255, 1 << 20])
    func `gives back bytes as they were`(_ count: Int) throws {
        let bytes = PostgresBytes((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        #expect(try connection.query("SELECT \(bytes) AS v")[0].value("v", as: PostgresBytes.self) == bytes)
    }

    @Test(arguments: [[], [1], [3, -4, 5]] as [[Int32]])
    func `gives back arrays as they were`(_ numbers: [Int32]) throws {
        let row = try connection.query("SELECT \(PostgresArray(numbers)) AS v")[0]
        #expect(try row.value("v", as: PostgresArray<Int32>.self).elements == numbers)
    }

    @Test func `takes arrays with nulls, and refuses to read them as others`() throws {
        let row = try connection.query(
            """
            SELECT array_agg(v IS NULL ORDER BY place) AS nulls, array_agg(v ORDER BY place) AS v
            FROM unnest(\(PostgresArray(nullable: ["a", nil, ""]))) WITH ORDINALITY AS given (v, place)
            """)[0]
        #expect(try row.value("nulls", as: PostgresArray<Bool>.self).elements == [false, true, false])
        #expect(throws: PostgresError.self) { try row.value("v", as: PostgresArray<String>.self) }
    }

    @Test func `tells null from a value of no bytes`() throws {
        let none: String? = nil
        let row = try connection.query("SELECT \(none) AS a, \("") AS b, \(2.5) AS c, \(true) AS d")[0]
        #expect(try row.optional("a", as: String.self) == nil)
        #expect(try row.optional("b", as: String.self) == "")
        #expect(try row.value("c", as: Double.self) == 2.5)
        #expect(try row.value("d", as: Bool.self))
        #expect(throws: PostgresError.self) { try row.value("a", as: String.self) }
        #expect(throws: PostgresError.self) { try row.value("b", as: Int.self) }
    }

    @Test func `says the state and the constraint of an error and no value`() throws {
        try connection.execute(script: "CREATE TABLE t (v text CONSTRAINT once UNIQUE)")
        try connection.execute("INSERT INTO t VALUES (\("secret"))")
        let error = #expect(throws: PostgresError.self) { try connection.execute("INSERT INTO t VALUES (\("secret"))") }
        #expect(error?.sqlState == "23505")
        #expect(error?.constraint == "once")
        #expect(error.map { "\($0)".contains("secret") } == false)
    }

    @Test func `rolls back what a body does before it throws`() throws {
        struct Stop: Error {}
        try connection.execute(script: "CREATE TABLE t (v bigint)")
        #expect(throws: Stop.self) {
            try connection.transaction {
                try $0.execute("INSERT INTO t VALUES (\(1))")
                throw Stop()
            }
        }
        #expect(try connection.query("SELECT count(*) AS n FROM t")[0].value("n", as: Int.self) == 0)
        #expect(connection.isIdle)
    }

    @Test func `does not take a transaction for committed in which a statement failed`() throws {
        try connection.execute(script: "CREATE TABLE t (v bigint)")
        let error = #expect(throws: PostgresError.self) {
            try connection.transaction { connection in
                try connection.execute("INSERT INTO t VALUES (\(1))")
                _ = try? connection.query("SELECT 1 / 0")
            }
        }
        #expect(error?.sqlState == "25P02")
        #expect(try connection.query("SELECT FROM t").isEmpty)
    }

    @Test func `runs a transaction again where PostgreSQL asks for that`() throws {
        var runs = 0
        let result = try connection.transaction { connection in
            runs += 1
            if runs < 3 { try connection.execute(script: "DO $$BEGIN RAISE SQLSTATE '40001'; END$$") }
            return runs
        }
        #expect(result == 3)
    }

    @Test func `hears notifications and gives up after the time`() throws {
        try connection.listen("news")
        #expect(try connection.waitForNotifications(timeout: .milliseconds(5)).isEmpty)
        try connection.execute(script: "NOTIFY news, 'hello'")
        let heard = try connection.waitForNotifications(timeout: .seconds(5))
        #expect(heard.map(\.payload) == ["hello"])
    }

    @Test func `drops prepared statements when there are too many`() throws {
        for width in 0..<600 {
            let statement = PostgresStatement(
                stringLiteral: "SELECT 1 AS " + String(repeating: "a", count: width % 60 + 1)
                    + String(width))
            try connection.query(statement)
        }
        #expect(try connection.query("SELECT \(1) AS v").count == 1)
    }
}
