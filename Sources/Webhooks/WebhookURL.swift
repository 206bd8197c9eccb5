import CCurl

/// The check of a webhook's URL when it is declared, by the parser that reads it when something is sent.
///
/// A name is not looked up: it may stand for another address by the time that something is sent, and that one is looked at then.
public enum WebhookURL {
    /// The most bytes that a URL has.
    public static let longest = 2_000

    /// Why nothing could be sent to a URL, in a sentence; nil where something could.
    public static func refusal(of url: String, _ policy: AddressPolicy) -> String? {
        guard url.utf8.count <= longest, url.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            let parts = curl_url()
        else { return "url has to be a URL of \(longest) visible ASCII characters at most." }
        defer { curl_url_cleanup(parts) }
        guard curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK, let scheme = part(CURLUPART_SCHEME, of: parts),
            let host = part(CURLUPART_HOST, of: parts)
        else { return "url has to be an absolute URL, as https://example.com/hook." }
        guard scheme == "https" || scheme == "http" else { return "url has to begin with https://." }
        guard part(CURLUPART_USER, of: parts) == nil, part(CURLUPART_PASSWORD, of: parts) == nil else {
            return "url may have no user and no password: receivers know the service by the signature."
        }
        guard part(CURLUPART_FRAGMENT, of: parts) == nil else { return "url may have no fragment." }
        let isPlain = scheme == "http"
        guard let address = NetworkAddress(host.filter { $0 != "[" && $0 != "]" }) else {
            return isPlain && policy.permitted.isEmpty ? "url has to begin with https://." : nil
        }
        return policy.refusal(of: address, isPlain: isPlain)?.text
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
