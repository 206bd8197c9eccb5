import Foundation
import Glibc
import Threads

/// A server in front of a private PostgreSQL that loses an answer when it is told to: what was asked for is done, and the connection is
/// gone before anybody hears of it.
public final class LossyServer: Sendable {
    private struct State {
        /// A part of the statement whose answer is lost.
        var statement: [UInt8]?
        var lost = 0
        var isStopped = false
    }

    /// Leads to what the other URL leads to, through this server.
    public let url: String
    private let directory: String
    private let target: String
    private let listener: Int32
    private let state = Mutex(State())
    private let threads = ThreadGroup()

    /// Stands before the server of a URL of `TestDatabase`.
    public init(before url: String) throws {
        guard let host = url.firstMatch(of: /host=([^&]+)/)?.1, let path = String(host).removingPercentEncoding else {
            throw CocoaError(.fileNoSuchFile)
        }
        directory = "\(NSTemporaryDirectory())/lossy-\(UInt32.random(in: 0 ... .max))"
        mkdir(directory, 0o755)
        target = path + "/.s.PGSQL.5432"
        self.url = url.replacingOccurrences(
            of: "host=\(host)",
            with: "host=\(directory.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? directory)")
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.named(directory + "/.s.PGSQL.5432", { bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0
        else {
            throw CocoaError(.fileWriteUnknown)
        }
        threads.start("lossy") { [self] in accept() }
    }

    /// How the answer to a statement ends that has inserted a row, or has and gives it.
    private static let ends = ["INSERT 0 1", "SELECT 1"].map { Array($0.utf8) }

    /// Loses the answer to the next statement that has this text, and inserts a row or gives one.
    public func loseAnswer(to statement: String) {
        state.withLock { $0.statement = Array(statement.utf8) }
    }

    /// How many answers were lost.
    public var lostCount: Int { state.withLock { $0.lost } }

    /// Ends the server; connections go on until one side closes them.
    public func stop() {
        state.withLock { $0.isStopped = true }
        shutdown(listener, Int32(SHUT_RDWR))
        threads.wait(timeout: .seconds(5))
        close(listener)
        unlink(directory + "/.s.PGSQL.5432")
        rmdir(directory)
    }

    private static func named(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0, !state.withLock({ $0.isStopped }) else { return }
            let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            guard Self.named(target, { connect(server, $0, $1) }) == 0 else {
                close(client)
                close(server)
                continue
            }
            threads.start("lossy") { [self] in carry(between: client, and: server) }
        }
    }

    /// Carries bytes to and fro until one side closes, or the answer is there that is to be lost.
    private func carry(between client: Int32, and server: Int32) {
        defer {
            close(client)
            close(server)
        }
        var isWatched = false
        var ends = [
            pollfd(fd: client, events: Int16(POLLIN), revents: 0),
            pollfd(fd: server, events: Int16(POLLIN), revents: 0),
        ]
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while poll(&ends, 2, -1) > 0 {
            for (from, to) in [(0, 1), (1, 0)] where ends[from].revents != 0 {
                let count = recv(ends[from].fd, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                let bytes = buffer[..<count]
                if from == 0 {
                    isWatched = isWatched || state.withLock { $0.statement.map { bytes.contains($0) } ?? false }
                } else if isWatched, Self.ends.contains(where: { bytes.contains($0) }) {
                    state.withLock { state in
                        state.statement = nil
                        state.lost += 1
                    }
                    return
                }
                guard send(ends[to].fd, buffer, count, Int32(MSG_NOSIGNAL)) == count else { return }
            }
        }
    }
}
