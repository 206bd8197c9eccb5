import RealmModel

/// An event on its way to a webhook.
public struct WebhookDelivery: Hashable, Sendable {
    /// The id of the event, by which receivers know it.
    public var id: RealmModel.UUID
    /// The type of the event, which this program may not know.
    public var type: String
    /// Grows from event to event of the same object.
    public var sequence: Int
    /// Where it stands.
    public var state: State
    /// Attempts so far, the one included that is under way.
    public var attempts: Int
    /// When it was queued last, by the event or by a request.
    public var queuedAt: Timestamp
    /// When the last attempt began.
    public var lastAttemptAt: Timestamp?
    /// The status that the last attempt was answered with; nil where it was not answered.
    public var lastStatus: Int?
    /// Why the last attempt did not deliver it.
    public var lastError: String?
    /// When it is attempted next; nil where it is not.
    public var nextAttemptAt: Timestamp?

    /// Where a delivery stands; the raw values are the API's.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// It is attempted, now or later.
        case pending
        /// An attempt was answered with a status of 2xx.
        case delivered
        /// It was given up.
        case failed
    }
}

/// The deliveries that a list is asked for.
public struct WebhookDeliveryFilter: Hashable, Sendable {
    /// Where they stand; nil for all.
    public var state: WebhookDelivery.State?
    /// The earliest time of their events; nil for all.
    public var since: Timestamp?

    /// Asks for some deliveries.
    public init(state: WebhookDelivery.State? = nil, since: Timestamp? = nil) {
        (self.state, self.since) = (state, since)
    }
}
