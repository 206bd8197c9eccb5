import Foundation
import RealmJSON
import TestHTTP
import Testing

@Suite struct WorkerHealthTests {
    /// A `realmshift worker` of a service's database that tells how it is.
    private final class Worker {
        let process = Process()
        private(set) var port: UInt16 = 0

        init(_ service: RunningService) throws {
            let log = try service.folder.file("worker.log", "")
            process.executableURL = URL(fileURLWithPath: try BuiltProgram.path())
            process.arguments = ["worker", "--database-url", service.databaseURL, "--health", "127.0.0.1:0"]
            process.standardError = FileHandle(forWritingAtPath: log)
            try process.run()
            for _ in 0..<600 where port == 0 {
                let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
                let line = lines.first { $0.contains("health is at http://127.0.0.1:") }
                port = line?.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
                if port == 0 { Thread.sleep(forTimeInterval: 0.1) }
            }
        }

        func get(_ path: String, method: String = "GET") throws -> SocketResponse {
            try SocketClient(port: port, patience: 20).request(method, path, fields: [], body: nil)
        }
    }

    @Test func `says whether it takes jobs, and whether its database is there`() throws {
        let service = try RunningService(["--workers", "0"])
        let worker = try Worker(service)
        defer {
            kill(worker.process.processIdentifier, SIGKILL)
            worker.process.waitUntilExit()
        }
        #expect(try worker.get("/livez").status == 200)
        #expect(try worker.get("/readyz").status == 200)
        #expect(try worker.get("/metrics").status == 404)
        #expect(try worker.get("/readyz", method: "POST").status == 405)
        var text = ""
        for _ in 0..<300 where !text.contains("realmshift_worker_slots 2\n") {
            text = String(decoding: try service.send("GET", "/metrics").body, as: UTF8.self)
            Thread.sleep(forTimeInterval: 0.1)
        }
        #expect(text.contains("realmshift_worker_processes 1\n"))
        #expect(service.stop() == 0)
        var status = 200
        for _ in 0..<300 where status == 200 {
            status = try worker.get("/readyz").status
            Thread.sleep(forTimeInterval: 0.1)
        }
        #expect(status == 503)
        #expect(try worker.get("/livez").status == 200)
    }
}
