import HTTPServer

extension RateLimiter.Verdict {
    /// The fields for clients (RateLimit header fields for HTTP, draft 10): `"key";r=59;t=1` of `"key";q=60;w=60`.
    func fields(of policy: RateLimiter.Policy) -> HTTPFields {
        [
            "RateLimit-Policy": "\"key\";q=\(policy.requests);w=\(policy.window.wholeSeconds)",
            "RateLimit": "\"key\";r=\(remaining);t=\(untilWhole.wholeSeconds)",
        ]
    }
}

extension Duration {
    /// Seconds, of which a begun one counts.
    var wholeSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
