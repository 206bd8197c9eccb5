import Glibc

/// The origin of a web page, as browsers write it (RFC 6454): a scheme, a host, and a port that is not the scheme's own.
struct WebOrigin {
    let text: String

    /// Reads the address of a host; nil where it is not a scheme and a host of ASCII, with no path.
    init?(_ address: String) {
        guard address.utf8.allSatisfy({ $0 < 0x80 }),
            let match = address.lowercased().wholeMatch(
                of: #/(https?)://((?:[a-z0-9_-]+\.)*[a-z0-9_-]+\.?|\[([0-9a-f:.]+)\])(?::([0-9]+))?/?/#)
        else { return nil }
        var bytes = in6_addr()
        if let numbers = match.3, inet_pton(AF_INET6, String(numbers), &bytes) != 1 { return nil }
        let usual: UInt16 = match.1 == "https" ? 443 : 80
        guard let port = match.4.map({ UInt16($0) }) ?? usual else { return nil }
        text = "\(match.1)://\(match.2)" + (port == usual ? "" : ":\(port)")
    }
}
