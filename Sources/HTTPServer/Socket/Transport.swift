import CEpoll
import Glibc

/// The result of reading or writing.
enum TransportResult: Equatable {
    /// This many bytes, at least 1.
    case count(Int)
    /// Nothing at present.
    case blocked
    /// The other side has said its last.
    case ended
    /// The connection is broken.
    case failed
}

/// A socket that does not block, with or without TLS; closed with the object.
final class Transport {
    let descriptor: Int32
    private let session: TLSSession?

    init(descriptor: Int32, session: TLSSession?) {
        self.descriptor = descriptor
        self.session = session
    }

    deinit { close(descriptor) }

    /// Whether a read that gives less than was asked for has given all that there was.
    var endsShort: Bool { session == nil }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> TransportResult {
        if let session { return session.receive(into: buffer) }
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .count(count) }
            if count == 0 { return .ended }
            if errno != EINTR { return errno == EAGAIN ? .blocked : .failed }
        }
    }

    /// - Parameter more: whether the bytes that follow may share a packet with these.
    func send(_ bytes: UnsafeRawBufferPointer, more: Bool) -> TransportResult {
        if let session { return session.send(bytes) }
        let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
        while true {
            let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
            if count > 0 { return .count(count) }
            if errno != EINTR { return errno == EAGAIN ? .blocked : .failed }
        }
    }

    /// Says that nothing more is sent.
    func endSending() {
        session?.endSending()
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Ends both directions at once, from any thread.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Has the other side see an error when this one closes.
    func resetOnClose() { realmshift_reset_on_close(descriptor) }

    /// Whether the other side is to be asked now and then if it is still there.
    func watchPeer(within seconds: Int32) { realmshift_watch_peer(descriptor, seconds) }
}
