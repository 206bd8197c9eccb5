/// A whole request: its head, and its body as the route asked for it.
public struct HTTPRequest: Sendable {
    /// A body that was received.
    public enum Body: Sendable {
        /// There is none, or the route takes none.
        case none
        /// In memory, decoded.
        case bytes([UInt8])
        /// In an unlinked file, decoded.
        case file(SpooledBody)
        /// With the receiver that took it.
        case handed(any HTTPBodyReceiver)
    }

    /// The method, the path and the fields.
    public let head: HTTPRequestHead
    /// The body, its content coding undone.
    public let body: Body
    /// Wakes the connection of this request.
    public let waker: HTTPWaker

    init(head: HTTPRequestHead, body: Body, waker: HTTPWaker) {
        self.head = head
        self.body = body
        self.waker = waker
    }

    /// The bytes of a buffered body; empty where there is none.
    public var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }

    /// Whether the client has closed its side or the server is stopping, so that nothing is gained by waiting.
    public var shouldStopWaiting: Bool { waker.isPointless }
}

/// Wakes a connection that sleeps; kept by whoever knows when there is something to say.
///
/// A call while nobody sleeps is not lost: the next sleep then ends at once.
public struct HTTPWaker: Sendable {
    private weak let connection: Connection?

    init(_ connection: Connection) { self.connection = connection }

    /// Wakes the connection; may be called by any thread, at any time, and does not block.
    public func wake() { connection?.wake() }

    fileprivate var isPointless: Bool { connection?.isWaitPointless ?? true }

    /// Whether the client has closed its side, so that nobody reads what may still be found; does not block.
    public var isAbandoned: Bool { connection?.isAbandoned ?? true }
}
