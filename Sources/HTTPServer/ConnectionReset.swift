import Glibc

/// Ends a connection so that no client takes what it received for the whole.
enum ConnectionReset {
    /// Resets a TCP connection at once (RFC 9293, section 3.10.7.4); the descriptor stays open for its owner to close.
    ///
    /// A body in chunks shows its end, but one sent to an HTTP/1.0 client, as proxies often are, ends with its
    /// connection: closed in order, half a body would be a whole one.
    static func send(on socket: Int32) {
        // To connect to no address is what dissolves a connection.
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_UNSPEC)
        _ = connect(socket, &address, socklen_t(MemoryLayout<sockaddr>.size))
    }
}
