import Glibc

/// Who is at the other side, as far as connections are counted: an IPv4 address, or the network of 64 bits that an IPv6 address
/// is of, since whoever has one such address has all of its network.
struct Peer: Hashable {
    private let address: UInt64

    /// The peer of a socket; nil where the system does not say it any more.
    init?(of descriptor: Int32) {
        var storage = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutableBytes(of: &storage) {
            getpeername(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
        }
        guard result == 0 else { return nil }
        address = withUnsafeBytes(of: storage) { bytes in
            func word(at offset: Int) -> UInt64 { bytes[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) } }
            // IPv4 addresses stand behind the port; IPv6 ones behind a label of four bytes, and those that hold an IPv4 address
            // have it at their end.
            if storage.sin6_family == sa_family_t(AF_INET) { return word(at: 4) >> 32 }
            return word(at: 8) == 0 && word(at: 16) >> 32 == 0xffff ? word(at: 16) & 0xffff_ffff : word(at: 8)
        }
    }
}

/// A connection that was accepted.
struct Arrival {
    let descriptor: Int32
    let peer: Peer?
}
