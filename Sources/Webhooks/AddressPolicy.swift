/// The addresses to which webhooks may lead: those of the Internet by HTTPS, and those that the operator permits by either protocol.
public struct AddressPolicy: Hashable, Sendable {
    /// The ranges that the operator permits.
    public var permitted: [AddressRange]

    /// Permits the addresses of the Internet, and some others.
    public init(permitted: [AddressRange] = []) { self.permitted = permitted }

    /// Why nothing is sent to an address.
    public enum Refusal: Hashable, Sendable {
        /// The address is none of the Internet, and the operator does not permit it.
        case inside
        /// The address is one of the Internet, and the events would travel in the clear.
        case plain
    }

    /// Why nothing is sent to an address; nil where something is.
    ///
    /// - Parameter isPlain: whether it would be sent without TLS.
    func refusal(of address: NetworkAddress, isPlain: Bool) -> Refusal? {
        let meant = address.inner ?? address
        if permitted.contains(where: { $0.contains(meant) || $0.contains(address) }) { return nil }
        guard Self.isPublic(meant) else { return .inside }
        return isPlain ? .plain : nil
    }

    private static func isPublic(_ address: NetworkAddress) -> Bool {
        if address.bytes.count == 4 { return !special4.contains { $0.contains(address) } }
        return global6.contains { $0.contains(address) } && !special6.contains { $0.contains(address) }
    }

    /// The ranges of IANA's registry of special addresses, and those of multicast and above.
    private static let special4 = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3",
    ].compactMap(AddressRange.init)

    /// The only range of IPv6 that was given to the Internet.
    private static let global6 = ["2000::/3"].compactMap(AddressRange.init)

    /// Those of it that are special: protocols and tunnels (Teredo), documentation, 6to4.
    private static let special6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"]
        .compactMap(AddressRange.init)
}

extension AddressPolicy.Refusal {
    /// The reason in a sentence, which names no address: what a name stands for inside the network is nobody's business outside.
    var text: String {
        switch self {
        case .inside:
            "The address is inside the network: the operator has to permit it (--webhook-allow)."
        case .plain: "The address is one of the Internet, and takes https."
        }
    }
}
