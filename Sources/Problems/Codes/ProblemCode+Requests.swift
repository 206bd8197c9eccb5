extension ProblemCode {
    /// Requests: the HTTP message, its path, fields, parameters and body.
    static let requests: KeyValuePairs<ProblemCode, Row> = [
        .malformedRequest: Row(
            400, meaning: "The message is not HTTP/1.1.",
            remedy: "Send it with an HTTP client; the detail says which rule it breaks."),
        .malformedTarget: Row(
            400, meaning: "The request's target is not a path with a query.",
            remedy: "Percent-encode what is no letter or digit in names and values."),
        .requestTimeout: Row(
            408, meaning: "The request did not arrive in time.",
            remedy: "Send it again; upload large realms in parts over a slow connection."),
        .contentTooLarge: Row(
            413, meaning: "The body is larger than the service takes.",
            remedy: "Send less, or have the operator raise `--upload-limit`."),
        .unsupportedMediaType: Row(
            415, meaning: "The operation does not take a body of this type.",
            remedy: "Set `Content-Type` to one of those that the detail and `Accept` list."),
        .unsupportedContentEncoding: Row(
            415, meaning: "The body is compressed in a way that the service does not read.",
            remedy: "Send it plain, or with `Content-Encoding: gzip` or `zstd`."),
        .malformedContentEncoding: Row(
            400, meaning: "The body is not compressed as `Content-Encoding` says.",
            remedy: "Compress it anew, or leave the field out."),
        .expectationFailed: Row(
            417, meaning: "`Expect` asks for something other than `100-continue`.",
            remedy: "Leave the field out."),
        .requestHeadTooLarge: Row(
            431, meaning: "The request line and the fields are too large together.",
            remedy: "Send fewer or shorter fields."),
        .unsupportedTransferCoding: Row(
            501, meaning: "The body has a transfer coding other than `chunked`.",
            remedy: "Send `Content-Length`, or chunks."),
        .httpVersionNotSupported: Row(
            505, meaning: "The message is of another version of HTTP.",
            remedy: "Use HTTP/1.1."),
        .notFound: Row(
            404, meaning: "No operation has this path.",
            remedy: "Look the path up in `/openapi.json`."),
        .methodNotAllowed: Row(
            405, meaning: "The path has operations, but none of this method.",
            remedy: "Use a method that `Allow` lists."),
        .notAcceptable: Row(
            406, meaning: "Nothing that there is fits `Accept`.",
            remedy: "Accept one of the types that the detail lists."),
        .invalidHeader: Row(
            400, meaning: "A field has a value that it can't have.",
            remedy: "Correct the field that the detail names."),
        .invalidParameter: Row(
            400, meaning: "A query parameter has a value that it can't have, or stands twice.",
            remedy: "Correct the parameter that the detail names; `offset` is the byte of a query that is at fault."),
        .unknownParameter: Row(
            400, meaning: "The operation has no query parameter of this name.",
            remedy: "Use the nearest name, which the detail says, or one of those that it lists."),
        .invalidCursor: Row(
            400, meaning: "The cursor is none that the list gave.",
            remedy: "Begin the list anew without `cursor`."),
        .idempotencyInFlight: Row(
            409, meaning: "A request with the same `Idempotency-Key` is being answered.",
            remedy: "Send it again in a moment."),
        .idempotencyMismatch: Row(
            422, meaning: "Another request had the same `Idempotency-Key` in the last day.",
            remedy: "Give each request a key of its own."),
        .preconditionFailed: Row(
            412, meaning: "The thing is in another state than `If-Match` asks for.",
            remedy: "Read it again, and decide with what it is now."),
        .requestLimitExceeded: Row(
            422, meaning: "The request takes more time, memory or columns than one request may.",
            remedy: "Ask about fewer objects, or more simply; the detail names the operator's option."),
        .rateLimited: Row(
            429, meaning: "The key has sent as many requests as it may.",
            remedy: "Wait as long as `Retry-After` says."),
        .checksumMismatch: Row(
            460, meaning: "The bytes are not those that `Upload-Checksum` is of.",
            remedy: "Send the part again."),
        .tusVersionUnsupported: Row(
            412, meaning: "`Tus-Resumable` is missing, or of another version.",
            remedy: "Send `Tus-Resumable: 1.0.0`."),
        .uploadOffset: Row(
            409, meaning: "The upload goes on at another byte.",
            remedy: "Ask for the offset by `HEAD`, and go on from there."),
        .uploadExpired: Row(
            409, meaning: "The upload took too long, and what there was of it is removed.",
            remedy: "Begin it anew."),
    ]
}
