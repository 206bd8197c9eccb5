import Glibc
import Threads

/// An HTTP/1.1 server: some threads that hear of what happens on sockets, and workers for what takes longer.
///
/// Who waits takes memory and a descriptor, and no thread. Serves from its making until `stop`, which has to be called
/// before the object goes.
public final class HTTPServer: Sendable {
    /// The port that it listens at.
    public let port: UInt16

    private let core: ServerCore
    private let listener: Mutex<Int32?>

    /// Listens and serves.
    ///
    /// - Throws: `HTTPError`: the address is taken or not known, a file of the certificate can't be read or used.
    public init(_ configuration: HTTPServerConfiguration, handler: any HTTPHandler) throws(HTTPError) {
        core = try ServerCore(handler: handler, configuration: configuration)
        let socket = try ListenSocket.open(host: configuration.host, port: configuration.port)
        port = socket.port
        listener = Mutex(socket.descriptor)
        for (number, loop) in core.loops.enumerated() { loop.start(number == 0 ? Listener(socket.descriptor) : nil) }
    }

    /// How long the request has waited for a worker that is next; zero where none waits for more than its own client's others.
    ///
    /// Seconds of it mean that all workers hang.
    public var longestWait: Duration { core.longestWait }

    /// Reads the files of the certificate again, for connections that come from now on.
    ///
    /// - Throws: `HTTPError` where they can't be read or used; the certificate of before stays then.
    public func reloadCertificate() throws(HTTPError) { try core.reloadCertificate() }

    /// Takes no more connections, lets requests come to their end until a deadline, and breaks off the rest.
    ///
    /// Handlers that wait learn of it by `HTTPRequest.shouldStopWaiting`. Does nothing when called again.
    public func stop(within patience: Duration) {
        let socket = listener.withLock { listener in
            defer { listener = nil }
            return listener
        }
        guard let socket else { return }
        // A client that connects from now on is refused, rather than kept in the backlog.
        shutdown(socket, Int32(SHUT_RDWR))
        core.drain(within: patience)
        core.stop()
        close(socket)
    }
}
