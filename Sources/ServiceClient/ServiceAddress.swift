/// Where a service is, as a user writes it: `https://realms.example.com`.
public struct ServiceAddress: Hashable, Sendable {
    /// Its URL, without a slash at the end.
    public let url: String
    /// Certificates to trust instead of the system's.
    public let caFile: String?

    /// Why a text is no address.
    public enum Fault: Error {
        /// It is no URL of a scheme and a host.
        case malformed
        /// The key would go over the network in the clear.
        case inTheClear
    }

    /// - Parameter permitsClear: whether the key may go over a network in the clear.
    public init(_ text: String, caFile: String? = nil, permitsClear: Bool = false) throws(Fault) {
        var text = text[...]
        while text.hasSuffix("/") { text.removeLast() }
        let isPlain = text.hasPrefix("http://")
        guard isPlain || text.hasPrefix("https://") else { throw .malformed }
        let place = text.dropFirst(isPlain ? 7 : 8)
        guard !place.isEmpty, !place.contains(where: { "/?#@\\ ".contains($0) || $0.isWhitespace }) else {
            throw .malformed
        }
        guard !isPlain || permitsClear || Self.isLoopback(place) else { throw .inTheClear }
        (url, self.caFile) = (String(text), caFile)
    }

    private static func isLoopback(_ place: Substring) -> Bool {
        let host = place.hasPrefix("[") ? place.prefix { $0 != "]" }.dropFirst() : place.prefix { $0 != ":" }
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
