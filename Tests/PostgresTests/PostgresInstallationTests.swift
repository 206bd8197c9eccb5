import Foundation
import Postgres
import Testing

@Suite struct PostgresInstallationTests {
    @Test func `says how to install a server that is missing`() {
        let error = #expect(throws: PostgresError.self) {
            try PostgresInstallation.find(debianRoot: "/nowhere", path: "/nowhere")
        }
        #expect(error?.message.contains("apt-get install postgresql-15") == true)
    }

    @Test(arguments: [(nil, "17"), (15, "15"), (9, "17")] as [(Int?, String)])
    func `prefers the version that made the files, then the newest`(_ version: Int?, _ folder: String) throws {
        let root = "\(NSTemporaryDirectory())/installations-\(UInt32.random(in: .min ... .max))"
        defer { try? FileManager.default.removeItem(atPath: root) }
        for installed in ["15", "17", "main"] {
            let programs = "\(root)/\(installed)/bin"
            try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
            for program in ["initdb", "postgres"] {
                _ = FileManager.default.createFile(
                    atPath: "\(programs)/\(program)", contents: nil, attributes: [.posixPermissions: 0o755])
            }
        }
        let found = try PostgresInstallation.find(version: version, debianRoot: root, path: "")
        #expect(found.programs == "\(root)/\(folder)/bin")
    }

    @Test func `finds the server that is installed`() throws {
        #expect(try PostgresInstallation.find().programs.isEmpty == false)
    }
}
