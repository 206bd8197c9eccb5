import Foundation
import Postgres
import RealmJSON
import TestDatabase
import TestHTTP
import Testing

/// How the service meets the network, and a database that is none of its own.
@Suite(.serialized) struct `The service on the network` {
    @Test(arguments: ["0.0.0.0:0", "[::]:0", "192.0.2.1:8080", "example.org:8080"])
    func `is not reached from other machines without TLS, and says what to do`(address: String) throws {
        let folder = try TemporaryFolder()
        let run = try BuiltProgram.run(["serve", "--listen", address, "--data", folder.path("data")])
        #expect(run.status == 2)
        #expect(run.error.contains("--tls-cert") && run.error.contains("--insecure"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("data")))
    }

    @Test func `is reached from other machines where the operator says so, and goes on after SIGHUP`() throws {
        let service = try RunningService(["--listen", "0.0.0.0:0", "--insecure"])
        for _ in 0..<3 { kill(service.process.processIdentifier, SIGHUP) }
        #expect(try service.call("PUT", "/v1/apps/notes").status == 201)
        #expect(service.process.isRunning)
        #expect(service.stop() == 0)
        #expect(try service.log().contains("SIGHUP: there is no certificate"))
    }

    @Test(arguments: ["serve", "worker"]) func `leaves a database of something else as it is, and says so`(
        command: String
    ) throws {
        let url = try TestDatabase.make(alone: true)
        let connection = try PostgresConnection(url)
        try connection.execute(script: "CREATE TABLE invoice (id bigint)")
        let folder = try TemporaryFolder()
        let listen = command == "serve" ? ["--listen", "127.0.0.1:0", "--data", folder.path("data")] : []
        let run = try BuiltProgram.run([command, "--database-url", url] + listen)
        #expect(run.status == 1)
        #expect(run.error.contains("none of realmshift's: nothing in it was changed"))
        let count = try connection.query(
            "SELECT FROM pg_tables WHERE tablename <> 'invoice' AND schemaname !~ '^pg_|^info'"
        ).count
        #expect(count == 0)
        #expect(try connection.query("SELECT FROM pg_namespace WHERE nspname = 'realmshift'").isEmpty)
    }

    @Test(arguments: ["serve", "worker"]) func `waits for a database that is away, and ends when it is told to`(
        command: String
    ) throws {
        let folder = try TemporaryFolder()
        let listen = command == "serve" ? ["--listen", "127.0.0.1:0", "--data", folder.path("data")] : []
        let log = try folder.file("service.log", "")
        let postgres = try PrivatePostgres(directory: folder.path("database"))
        postgres.stop()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try BuiltProgram.path())
        process.arguments = [command, "--database-url", postgres.url] + listen
        process.standardError = FileHandle(forWritingAtPath: log)
        try process.run()
        func wait(for text: String) throws {
            for _ in 0..<600 where try !String(contentsOfFile: log, encoding: .utf8).contains(text) {
                Thread.sleep(forTimeInterval: 0.1)
            }
            #expect(try String(contentsOfFile: log, encoding: .utf8).contains(text))
        }
        try wait(for: "waiting for the database: ")
        let again = try PrivatePostgres(directory: folder.path("database"))
        defer { again.stop() }
        try wait(for: command == "serve" ? "listening on" : "workers are waiting for jobs")
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)

        again.stop()
        let second = Process()
        second.executableURL = process.executableURL
        second.arguments = process.arguments
        second.standardError = FileHandle(forWritingAtPath: try folder.file("second.log", ""))
        try second.run()
        for _ in 0..<600 where try String(contentsOfFile: folder.path("second.log"), encoding: .utf8).isEmpty {
            Thread.sleep(forTimeInterval: 0.1)
        }
        second.terminate()
        second.waitUntilExit()
        #expect(second.terminationStatus == 0)
    }

    @Test func `does not wait where the database refuses it`() throws {
        let url = try TestDatabase.make(alone: true).replacingOccurrences(of: "user=", with: "user=nobody_of_this_name")
        let run = try BuiltProgram.run(["worker", "--database-url", url])
        #expect(run.status == 1)
        #expect(!run.error.contains("waiting for the database"))
    }
}
