import HTTPServer

/// The origins of dashboards elsewhere whose scripts may ask the service, with keys and tokens (CORS, in the Fetch standard).
///
/// Never with cookies: no answer permits credentials, and an answer to a session permits no origin.
struct AllowedOrigins: Sendable {
    private let origins: Set<String>

    init(_ origins: [String]) { self.origins = Set(origins) }

    /// The answer to a browser that asks before a request; nil for any other request, and for an origin that is not allowed.
    func preflight(_ head: HTTPRequestHead) -> HTTPResponse? {
        guard head.method == "OPTIONS", head.fields["Access-Control-Request-Method"] != nil,
            let origin = head.fields["Origin"], origins.contains(origin)
        else { return nil }
        return HTTPResponse(
            status: 204,
            fields: [
                "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Methods": Self.methods,
                "Access-Control-Allow-Headers": Self.requestFields, "Access-Control-Max-Age": "600",
                "Vary": "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
            ])
    }

    /// Fields of every answer to a request: caches have to know that others get others.
    func fields(of head: HTTPRequestHead) -> HTTPFields {
        guard !origins.isEmpty else { return [:] }
        guard let origin = head.fields["Origin"], origins.contains(origin) else { return ["Vary": "Origin"] }
        return [
            "Vary": "Origin", "Access-Control-Allow-Origin": origin,
            "Access-Control-Expose-Headers": Self.answerFields,
        ]
    }

    private static let methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"

    private static let requestFields = [
        "Accept", "Authorization", "Content-Encoding", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match",
        "Last-Event-ID", "Prefer", "Realm-Encryption-Key", "Realm-Schema-Version", "traceparent",
        "Tus-Resumable", "Upload-Checksum", "Upload-Length", "Upload-Metadata", "Upload-Offset", "X-Request-Id",
    ].joined(separator: ", ")

    private static let answerFields = [
        "Content-Disposition", "ETag", "Idempotent-Replayed", "Location", "RateLimit", "RateLimit-Policy",
        "Retry-After", "Tus-Resumable", "Upload-Expires", "Upload-Length", "Upload-Metadata", "Upload-Offset",
        "X-Request-Id",
    ].joined(separator: ", ")
}
