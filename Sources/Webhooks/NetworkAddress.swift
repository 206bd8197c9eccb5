import Glibc

/// An address of IPv4 or IPv6.
public struct NetworkAddress: Hashable, Sendable {
    /// 4 or 16 bytes, the most significant first.
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads an address as people write it; nil for anything else, names included.
    public init?(_ text: String) {
        for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: size)
            if inet_pton(family, text, &bytes) == 1 {
                self.bytes = bytes
                return
            }
        }
        return nil
    }

    /// Reads an address as sockets have it; nil for one of neither family.
    init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
            }
        default: return nil
        }
    }

    /// The IPv4 address that an IPv6 one stands for: a mapped one (RFC 4291), or one behind a translator (NAT64, RFC 6052).
    var inner: NetworkAddress? {
        let prefixes: [[UInt8]] = [
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0],
        ]
        guard bytes.count == 16, prefixes.contains(Array(bytes.prefix(12))) else { return nil }
        return NetworkAddress(bytes: Array(bytes.suffix(4)))
    }
}

/// The addresses that begin with the same bits.
public struct AddressRange: Hashable, Sendable {
    private let first: NetworkAddress
    private let bits: Int

    /// Reads `10.0.0.0/8`, `fd00::/8` or a single address; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = NetworkAddress(String(parts[0])) else { return nil }
        let most = address.bytes.count * 8
        guard parts.count == 2 else {
            (first, bits) = (address, most)
            return
        }
        guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let bits = Int(parts[1]), bits <= most else {
            return nil
        }
        (first, self.bits) = (address, bits)
    }

    /// Whether an address is among them.
    func contains(_ address: NetworkAddress) -> Bool {
        guard address.bytes.count == first.bytes.count else { return false }
        return zip(address.bytes, first.bytes).enumerated().allSatisfy { index, pair in
            let kept = min(max(bits - index * 8, 0), 8)
            return (pair.0 ^ pair.1) & ~UInt8(truncatingIfNeeded: 0xff >> kept) == 0
        }
    }
}
