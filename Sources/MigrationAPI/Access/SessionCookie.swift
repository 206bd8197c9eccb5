import AccessStore
import HTTPServer

/// The cookie that a browser keeps the secret of a session in, and the pages that may use it.
///
/// A browser sends it by itself, whoever's page it shows. So it goes with requests of the service's own pages alone (`SameSite`), and a
/// request that changes something has to say that it comes from there, too: pages of the same machine's other ports and of sister domains
/// are of the same site, and of another origin.
struct SessionCookie: Hashable, Sendable {
    /// Whether it travels by TLS alone.
    private let isSecure: Bool
    /// The origin by which browsers know the service, where the operator has said it.
    private let publicOrigin: String?

    init(publicOrigin: String?, speaksTLS: Bool) {
        self.publicOrigin = publicOrigin
        isSecure = speaksTLS || publicOrigin?.hasPrefix("https://") == true
    }

    /// `__Host-`: no other host and no plain HTTP can have set it.
    private var name: String { isSecure ? "__Host-realmshift-session" : "realmshift-session" }

    /// The secret in a request's `Cookie` field; nil where there is none.
    func secret(in field: String?) -> String? {
        guard let field else { return nil }
        let values = field.split(separator: ";").compactMap { pair -> Substring? in
            let pair = pair.drop { $0 == " " }
            return pair.hasPrefix(name + "=") ? pair.dropFirst(name.count + 1) : nil
        }
        return values.first { $0.hasPrefix(Session.mark) }.map(String.init)
    }

    /// The field that gives a browser the secret, or with nil takes it away.
    func field(_ secret: String?) -> String {
        "\(name)=\(secret ?? ""); Path=/; HttpOnly; SameSite=Strict" + (secret == nil ? "; Max-Age=0" : "")
            + (isSecure ? "; Secure" : "")
    }

    /// Refuses to give the secret where it would travel in the clear.
    func checkMayTravel(by head: HTTPRequestHead) throws(APIError) {
        let host = head.fields["Host"] ?? ""
        // A proxy may have put this machine's name there: the browser's own field has the one that it knows.
        let isHere = Self.isLoopback(host) && head.fields["Origin"].map { isOwn($0, host: host) } ?? true
        guard isSecure || isHere else { throw .sessionNeedsHTTPS }
    }

    /// Refuses a request by cookie that may be another site's.
    func checkOrigin(of head: HTTPRequestHead, changes: Bool) throws(APIError) {
        // Browsers write both fields themselves, and let no page change them.
        if let site = head.fields["Sec-Fetch-Site"] {
            guard site == "same-origin" || (site == "none" && !changes) else { throw .foreignOrigin }
        } else if changes {
            guard let origin = head.fields["Origin"], isOwn(origin, host: head.fields["Host"] ?? "") else {
                throw .foreignOrigin
            }
        }
    }

    private func isOwn(_ origin: String, host: String) -> Bool {
        origin == publicOrigin ?? "\(isSecure ? "https" : "http")://\(host)"
    }

    /// Whether a `Host` field names the machine that the browser itself runs on.
    static func isLoopback(_ host: String) -> Bool {
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        let numbers = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return name == "localhost" || name == "[::1]"
            || (numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil))
    }
}

extension APIRequest {
    /// Fields of every answer to a session: an answer that a browser shows runs nothing in the service's own origin, and neither the
    /// browser nor a cache on the way keeps it beyond the session.
    static let sessionFields: HTTPFields = [
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    ]
}
