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
    /// Workers for `HTTPExecution.working`, at least 1; one client's requests have half of them at most.
    ///
    /// There are half as many more for clients that have none.
    public var workers: Int
    /// Connections at once, at least 1; others wait until one ends.
    public var connections: Int
    /// Connections of one address at once, at least 1, more are closed as they come; nil for any number.
    public var connectionsPerPeer: Int?
    /// Requests that may wait for a worker, one client's half of them at most; more are refused.
    public var queueLimit: Int
    /// Bytes of answers of 1 MiB and more that clients have not taken yet, of all together; further ones are refused meanwhile.
    public var heldBytes: Int
    /// How long it waits for its clients.
    public var patience: Patience

    /// The defaults suit two cores: sixteen workers for one client.
    public init(
        host: String = "127.0.0.1", port: UInt16 = 8080, tls: TLS? = nil, eventThreads: Int = 2, workers: Int = 32,
        connections: Int = 16_384, connectionsPerPeer: Int? = nil, queueLimit: Int = 32_768,
        heldBytes: Int = 256 << 20, patience: Patience = Patience()
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.eventThreads = eventThreads
        self.workers = workers
        self.connections = connections
        self.connectionsPerPeer = connectionsPerPeer
        self.queueLimit = queueLimit
        self.heldBytes = heldBytes
        self.patience = patience
    }
}
