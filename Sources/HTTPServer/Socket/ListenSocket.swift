import CEpoll
import Glibc

/// A socket that listens for TCP connections.
enum ListenSocket {
    /// Listens at the first address of a host that permits it.
    ///
    /// - Returns: the socket, which the caller closes, and its port.
    static func open(host: String, port: UInt16) throws(HTTPError) -> (descriptor: Int32, port: UInt16) {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, String(port), &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard result == 0 else { throw refusal(host, port, String(cString: gai_strerror(result))) }
        var reason = "no address"
        var next = found
        while let address = next {
            let descriptor = listen(at: address.pointee)
            if descriptor >= 0 { return (descriptor, self.port(of: descriptor)) }
            reason = String(cString: strerror(errno))
            next = address.pointee.ai_next
        }
        throw refusal(host, port, reason)
    }

    private static func listen(at address: addrinfo) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.ai_family, type, address.ai_protocol)
        guard descriptor >= 0 else { return -1 }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0, Glibc.listen(descriptor, 1024) == 0 else {
            let code = errno
            close(descriptor)
            errno = code
            return -1
        }
        return descriptor
    }

    private static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        _ = withUnsafeMutableBytes(of: &address) {
            getsockname(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
        }
        // IPv4 and IPv6 addresses have their port in the same place.
        return UInt16(bigEndian: address.sin6_port)
    }

    private static func refusal(_ host: String, _ port: UInt16, _ reason: String) -> HTTPError {
        .cannotListen(reason: "\(host), port \(port): \(reason)")
    }
}
