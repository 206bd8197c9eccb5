import CMicroHTTPD
import Foundation
import Synchronization

/// An HTTP/1.1 server on libmicrohttpd: some threads that poll sockets, and workers for what takes longer.
///
/// Serves from its making until `stop`, which has to be called before the object goes.
public final class HTTPServer: Sendable {
    /// The port that it listens at.
    public let port: UInt16

    private let core: ServerCore
    private let certificate: PEMFile?
    private let key: PEMFile?
    private let daemon: Mutex<Daemon?>

    private struct Daemon: @unchecked Sendable {
        // libmicrohttpd's handle may be used by any thread.
        let handle: OpaquePointer
    }

    /// TLS 1.2 and 1.3 (RFC 9325).
    private static let priorities: StaticString = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

    /// Listens and serves.
    ///
    /// - Throws: `HTTPError`: the address is taken or not known, a file of the certificate can't be read or used.
    public init(_ configuration: HTTPServerConfiguration, handler: any HTTPHandler) throws(HTTPError) {
        certificate = try configuration.tls.map { tls throws(HTTPError) in try PEMFile(path: tls.certificatePath) }
        key = try configuration.tls.map { tls throws(HTTPError) in try PEMFile(path: tls.keyPath) }
        core = ServerCore(handler: handler, configuration: configuration)
        let listener = try ListenSocket.open(host: configuration.host, port: configuration.port)
        port = listener.port
        let options = Self.options(
            configuration, core: core, listener: listener.descriptor, certificate: certificate, key: key)
        guard let handle = realmshift_start_daemon(options) else {
            close(listener.descriptor)
            let address = "\(configuration.host), port \(listener.port)"
            throw .cannotListen(reason: "\(address): the certificate does not fit its key, or no memory")
        }
        daemon = Mutex(Daemon(handle: handle))
    }

    /// Takes no more connections, lets requests come to their end until a deadline, and breaks off the rest.
    ///
    /// Handlers that wait learn of it by `HTTPRequest.shouldStopWaiting`. Does nothing when called again.
    public func stop(within patience: Duration) {
        let taken = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        guard let handle = taken?.handle else { return }
        let listener = MHD_quiesce_daemon(handle)
        // Whoever connects from now on is refused, rather than kept in the backlog.
        if listener >= 0 { shutdown(listener, Int32(SHUT_RDWR)) }
        core.drain(until: Date(timeIntervalSinceNow: patience / .seconds(1)))
        core.abandon()
        MHD_stop_daemon(handle)
        if listener >= 0 { close(listener) }
    }

    private static func options(
        _ configuration: HTTPServerConfiguration, core: ServerCore, listener: Int32, certificate: PEMFile?,
        key: PEMFile?
    ) -> realmshift_daemon_options {
        let polling = MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
        var options = realmshift_daemon_options()
        options.flags = certificate == nil ? polling : polling | MHD_USE_TLS.rawValue
        options.listenSocket = listener
        options.threadCount = UInt32(max(1, configuration.eventThreads))
        options.connectionMemoryBytes = 64 << 10
        options.connectionLimit = UInt32(max(configuration.connections, configuration.eventThreads))
        options.idleTimeoutSeconds = core.idleTimeoutSeconds
        options.certificate = certificate?.text
        options.privateKey = key?.text
        options.priorities = UnsafeRawPointer(priorities.utf8Start).assumingMemoryBound(to: CChar.self)
        options.handler = MicroHTTPDCallbacks.handle
        options.completed = MicroHTTPDCallbacks.completed
        // The server keeps the core alive for as long as the daemon runs.
        options.context = Unmanaged.passUnretained(core).toOpaque()
        return options
    }
}
