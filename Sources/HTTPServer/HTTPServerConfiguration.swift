/// How a server listens and how much it takes at once.
public struct HTTPServerConfiguration: Hashable, Sendable {
    /// The files of a TLS certificate, PEM.
    public struct TLS: Hashable, Sendable {
        /// The path of the certificate with its chain.
        public var certificatePath: String
        /// The path of the private key.
        public var keyPath: String

        /// Names both files.
        public init(certificatePath: String, keyPath: String) {
            self.certificatePath = certificatePath
            self.keyPath = keyPath
        }
    }

    /// The host to listen at: a name or an address, without brackets.
    public var host: String
    /// The port; 0 for any that is free.
    public var port: UInt16
    /// The certificate; nil for plain HTTP.
    public var tls: TLS?
    /// Threads that serve sockets, at least 1.
    public var eventThreads: Int
    /// Workers for `HTTPExecution.working`, at least 1.
    public var workers: Int
    /// Workers for `HTTPExecution.waiting`, at least 1.
    public var waiters: Int
    /// Connections at once, at least one a thread.
    public var connections: Int
    /// Seconds without a byte after which a connection is closed; 0 for never.
    public var idleTimeoutSeconds: Int

    /// The defaults suit two cores.
    public init(
        host: String = "127.0.0.1", port: UInt16 = 8080, tls: TLS? = nil, eventThreads: Int = 2, workers: Int = 16,
        waiters: Int = 256, connections: Int = 2048, idleTimeoutSeconds: Int = 60
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.eventThreads = eventThreads
        self.workers = workers
        self.waiters = waiters
        self.connections = connections
        self.idleTimeoutSeconds = idleTimeoutSeconds
    }
}
