import Foundation
import Postgres
import Testing
import Threads

@Suite struct PrivatePostgresTests {
    /// A directory that belongs to this user and is closed to all others, as `mkdtemp` makes them.
    private let directory: String

    init() throws {
        directory = "\(NSTemporaryDirectory())/realmshift-private-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    @Test func `keeps what was written from start to start, also after being killed`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let data = "\(directory)/\(String(repeating: "long-", count: 30))/data"
        try write(1, to: try PrivatePostgres(directory: data))
        let killed = try PrivatePostgres(directory: data)
        try write(2, to: killed, stop: false)
        kill(try #require(killed.processID), SIGKILL)
        killed.stop()
        let server = try PrivatePostgres(directory: data)
        let rows = try PostgresConnection(server.url).query("SELECT v FROM t ORDER BY v")
        #expect(try rows.map { try $0.value("v", as: Int.self) } == [1, 2])
        server.stop()
        #expect(!server.isRunning)
    }

    @Test(arguments: [SIGKILL, SIGQUIT, SIGTERM])
    func `is started again when its first process ends, as often as it does`(signal: Int32) throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let notes = Mutex<[String]>([])
        let server = try PrivatePostgres(directory: directory) { note in notes.withLock { $0.append(note) } }
        defer { server.stop() }
        for number in 1...3 {
            try write(number, to: server, stop: false)
            let first = try #require(server.processID)
            kill(first, signal)
            try wait { server.processID ?? first != first && (try? PostgresConnection(server.url)) != nil }
        }
        let rows = try PostgresConnection(server.url).query("SELECT v FROM t ORDER BY v")
        #expect(try rows.map { try $0.value("v", as: Int.self) } == [1, 2, 3])
        #expect(notes.withLock { $0.count } == 3)
        server.stop()
        Thread.sleep(forTimeInterval: 0.3)
        #expect(!server.isRunning)
    }

    private func wait(until condition: () throws -> Bool) throws {
        for _ in 0..<3000 {
            if try condition() { return }
            Thread.sleep(forTimeInterval: 0.01)
        }
        Issue.record("The condition did not come true.")
    }

    @Test func `keeps a directory to one process`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let server = try PrivatePostgres(directory: directory)
        defer { server.stop() }
        let error = #expect(throws: PostgresError.self) { try PrivatePostgres(directory: directory) }
        #expect(error?.message == "\(directory) is in use by another realmshift.")
    }

    @Test func `makes the cluster anew where initdb was interrupted`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(
            atPath: "\(directory)/postgres.partial/base", withIntermediateDirectories: true)
        let server = try PrivatePostgres(directory: directory)
        #expect(server.isRunning)
        server.stop()
    }

    private func write(_ number: Int, to server: PrivatePostgres, stop: Bool = true) throws {
        let connection = try PostgresConnection(server.url)
        try connection.execute(script: "CREATE TABLE IF NOT EXISTS t (v bigint)")
        try connection.execute("INSERT INTO t VALUES (\(number))")
        if stop { server.stop() }
    }
}
