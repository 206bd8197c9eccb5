import CSSL
import Glibc

/// A certificate and its key, ready for connections; TLS 1.2 and 1.3.
final class TLSContext: @unchecked Sendable {
    // OpenSSL's contexts may be used by any thread once they are set up.
    private let context: OpaquePointer
    private let method: OpaquePointer

    /// Reads both files.
    ///
    /// - Throws: `HTTPError.unreadableCertificate`, `cannotListen` where the certificate does not fit its key.
    init(_ files: HTTPServerConfiguration.TLS) throws(HTTPError) {
        for path in [files.certificatePath, files.keyPath] where access(path, R_OK) != 0 {
            throw .unreadableCertificate(reason: "\(path): \(String(cString: strerror(errno)))")
        }
        guard let context = realmshift_server_context(files.certificatePath, files.keyPath),
            let method = realmshift_socket_method()
        else {
            throw .unreadableCertificate(
                reason: "\(files.certificatePath) is no certificate that fits the key \(files.keyPath)")
        }
        self.context = context
        self.method = method
    }

    deinit {
        SSL_CTX_free(context)
        BIO_meth_free(method)
    }

    /// The server's side of a connection; nil where there is no memory.
    func session(_ descriptor: Int32) -> TLSSession? {
        realmshift_accepting(context, method, descriptor).map { TLSSession($0, of: self) }
    }
}

/// One connection's TLS; the handshake happens with the first bytes.
final class TLSSession {
    private let session: OpaquePointer
    /// Has what the session calls the socket by, which OpenSSL does not count: it stays while another certificate is served.
    private let context: TLSContext

    init(_ session: OpaquePointer, of context: TLSContext) {
        self.session = session
        self.context = context
    }

    deinit { SSL_free(session) }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> TransportResult {
        Self.result(realmshift_session_read(session, buffer.baseAddress, Int32(clamping: buffer.count)))
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> TransportResult {
        Self.result(realmshift_session_write(session, bytes.baseAddress, Int32(clamping: bytes.count)))
    }

    func endSending() { SSL_shutdown(session) }

    private static func result(_ outcome: Int32) -> TransportResult {
        switch outcome {
        case 0: .ended
        case -1: .blocked
        case ..<0: .failed
        default: .count(Int(outcome))
        }
    }
}
