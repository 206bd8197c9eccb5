/// A POST of an event to a webhook.
struct WebhookRequest: Sendable {
    var url: String
    var fields: [(name: String, value: String)]
    var body: String
}

/// The answer to a request.
struct WebhookAnswer: Hashable, Sendable {
    /// The status of the answer; nil where there was none.
    var status: Int?
    /// Why there was none.
    var failure: String?
    /// The pause that a receiver asks for that is busy or down; nil where it asks for none.
    var retryAfter: Duration?
}
