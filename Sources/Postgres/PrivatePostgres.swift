import FoundationEssentials
import Glibc

/// A PostgreSQL server of this process's own, under a data directory: a socket, no TCP, no other user.
///
/// Made on the first start and kept from then on; started again when it ends without being told to. The directory may belong to root: the server then runs as `postgres`.
public final class PrivatePostgres: Sendable {
    /// Leads to the server, for `PostgresPool`.
    public let url: String

    private let supervisor: ServerSupervisor
    private let lock: DirectoryLock
    private let socketDirectory: SocketDirectory

    /// Starts the server, after `initdb` where there is none yet, and returns when it answers.
    ///
    /// The remains of a killed process are cleared up first: its server, which is ending by itself, is waited for.
    ///
    /// - Parameters:
    ///   - directory: made where it is missing; the server's files are in its folder `postgres`, its messages in
    ///     `postgres.log`.
    ///   - settings: further settings of `postgresql.conf`.
    ///   - installation: the server's programs; nil for those that made the files, or the newest.
    ///   - patience: how long the server may take to answer; recovery after a crash may take minutes.
    ///   - note: is told when the server has ended and is started again.
    /// - Throws: `PostgresError`; 58P01 where no server is installed, 55006 where another process has the directory.
    public init(
        directory: String, settings: [String: String] = [:], installation: PostgresInstallation? = nil,
        patience: Duration = .seconds(300), note: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(PostgresError) {
        let directory = URL(fileURLWithPath: directory).path
        let version = PostgresCluster.majorVersion(in: directory)
        let installation =
            if let installation { installation } else { try PostgresInstallation.find(version: version) }
        let user = try ServerUser.find()
        try Self.makeDirectory(directory)
        lock = try DirectoryLock(directory)
        let cluster = PostgresCluster(directory: directory, installation: installation, user: user)
        try cluster.prepare()
        socketDirectory = try SocketDirectory(cluster.path)
        url = "postgresql:///postgres?user=realmshift&host=\(socketDirectory.path.percentEncoded)"
        supervisor = try ServerSupervisor(cluster, settings: settings, note: note)
        try waitUntilReady(log: cluster.log, patience: patience)
        supervisor.start()
    }

    deinit { stop() }

    /// Whether the server is running.
    public var isRunning: Bool { processID != nil }

    /// The server's process id; nil when it has ended.
    public var processID: Int32? { supervisor.process.processID }

    /// Stops the server in order (SIGINT: connections are closed, everything is on disk) and waits for its end.
    ///
    /// - Parameter timeout: after it the server is stopped without a checkpoint; the next start recovers.
    public func stop(timeout: Duration = .seconds(20)) {
        let process = supervisor.stop()
        process.send(SIGINT)
        if process.waitForEnd(timeout: timeout) == nil {
            process.send(SIGQUIT)
            _ = process.waitForEnd(timeout: .seconds(5))
        }
        lock.release()
    }

    private static func makeDirectory(_ directory: String) throws(PostgresError) {
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        } catch {
            throw PostgresError(sqlState: "58030", message: "The directory \(directory) can't be made.")
        }
    }

    private func waitUntilReady(log: String, patience: Duration) throws(PostgresError) {
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            if (try? PostgresConnection(url)) != nil { return }
            if supervisor.process.waitForEnd(timeout: .milliseconds(10)) != nil {
                throw PostgresError(
                    sqlState: "57P03", message: "PostgreSQL did not start: \(PostgresCluster.lastLine(of: log))")
            }
        }
        stop()
        throw PostgresError(sqlState: "57P03", message: "PostgreSQL did not answer within \(patience).")
    }
}

/// How clients of this process name the server's folder: paths of sockets have at most 107 bytes.
private final class SocketDirectory: Sendable {
    let path: String
    private let descriptor: Int32?

    init(_ directory: String) throws(PostgresError) {
        guard "\(directory)/.s.PGSQL.5432".utf8.count > 107 else {
            path = directory
            descriptor = nil
            return
        }
        let opened = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else {
            throw PostgresError(sqlState: "58030", message: "The directory \(directory) can't be opened.")
        }
        descriptor = opened
        path = "/proc/self/fd/\(opened)"
    }

    deinit { if let descriptor { close(descriptor) } }
}

extension String {
    /// The string with everything but unreserved characters of RFC 3986 escaped.
    fileprivate var percentEncoded: String {
        utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            return byte < 128 && (character.isLetter || character.isNumber || "-._~".contains(character))
                ? String(character) : "%" + String(UInt16(byte) + 0x100, radix: 16, uppercase: true).dropFirst()
        }.joined()
    }
}
