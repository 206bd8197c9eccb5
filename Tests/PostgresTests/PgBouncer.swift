import Foundation
import Glibc
import Testing

/// Debian's PgBouncer in front of a test's database, on a socket of its own.
final class PgBouncer {
    let url: String
    private let process = Process()
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pgbouncer-\(UUID())")

    /// - Parameter database: a URL of the test's private server.
    init(at path: String, mode: String, before database: String) throws {
        let items = try #require(URLComponents(string: database)?.queryItems)
        let values = Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
        let (host, user) = (try #require(values["host"]), try #require(values["user"]))
        url = "postgresql:///postgres?user=\(user)&host=\(folder.path)&port=6432"
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let settings = """
            [databases]
            postgres = host=\(host) user=\(user)
            [pgbouncer]
            listen_addr =
            listen_port = 6432
            unix_socket_dir = \(folder.path)
            auth_type = any
            pool_mode = \(mode)

            """
        let file = folder.appendingPathComponent("pgbouncer.ini")
        try Data(settings.utf8).write(to: file)
        // It does not run as root, nor does the server.
        let isRoot = geteuid() == 0
        if isRoot { chmod(folder.path, 0o777) }
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["--quiet"] + (isRoot ? ["--user", "postgres"] : []) + [file.path]
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let socket = folder.appendingPathComponent(".s.PGSQL.6432").path
        for _ in 0..<1000 where access(socket, F_OK) != 0 { usleep(10_000) }
        try #require(access(socket, F_OK) == 0, "PgBouncer did not start")
    }

    func stop() {
        // It has inherited that SIGTERM is blocked.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}
