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
    }

    /// The method, the path and the fields.
    public let head: HTTPRequestHead
    /// The body, its content coding undone.
    public let body: Body
    private let waitIsPointless: @Sendable () -> Bool

    init(head: HTTPRequestHead, body: Body, waitIsPointless: @escaping @Sendable () -> Bool) {
        self.head = head
        self.body = body
        self.waitIsPointless = waitIsPointless
    }

    /// The bytes of a buffered body; empty where there is none.
    public var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }

    /// Whether the client has closed its side or the server is stopping; a handler that waits asks some times a second.
    public var shouldStopWaiting: Bool { waitIsPointless() }
}
