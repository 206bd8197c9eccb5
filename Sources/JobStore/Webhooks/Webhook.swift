import RealmModel

/// An address at which an app's receiver is told of events.
public struct Webhook: Hashable, Sendable {
    /// Webhooks of an app at most.
    public static let limit = 20

    /// A UUIDv7.
    public var id: RealmModel.UUID
    /// The app's name.
    public var app: String
    /// The declaration of a client.
    public var declaration: Declaration
    /// Why the service has disabled it; nil where it has not.
    public var disabledReason: DisabledReason?
    /// Until when deliveries are signed with the secret before the last rotation, too; nil where there was none, or that is over.
    public var previousSecretUntil: Timestamp?
    /// When it was made.
    public var createdAt: Timestamp

    /// The part of a webhook that clients declare.
    public struct Declaration: Hashable, Sendable {
        /// Where events are sent to.
        public var url: String
        /// The types of the events that are wanted; nil for all.
        public var events: [WebhookEventType]?
        /// A text for people.
        public var description: String?
        /// Whether anything is sent.
        public var isEnabled: Bool

        /// Says what a webhook is to be.
        public init(url: String, events: [WebhookEventType]?, description: String?, isEnabled: Bool) {
            (self.url, self.events, self.description, self.isEnabled) = (url, events, description, isEnabled)
        }
    }

    /// Why the service has disabled a webhook; the raw value is the API's.
    public enum DisabledReason: String, Hashable, Sendable {
        /// Its receiver answered 410.
        case gone
    }
}

/// The types of events; the raw values are the API's, and the triggers of the tables write them.
public enum WebhookEventType: String, Hashable, Sendable, CaseIterable {
    case jobSucceeded = "job.succeeded"
    case jobFailed = "job.failed"
    case jobCancelled = "job.cancelled"
    case fleetPaused = "fleet.paused"
    case fleetResumed = "fleet.resumed"
    case fleetSucceeded = "fleet.succeeded"
    case fleetFailed = "fleet.failed"
    case fleetCancelled = "fleet.cancelled"
    case fleetUndone = "fleet.undone"
    case realmCreated = "realm.created"
    case realmChanged = "realm.changed"
    case realmDeleted = "realm.deleted"
    case partnerDual = "partner.dual"
    case partnerViolation = "partner.violation"
    case partnerCutOver = "partner.cut_over"
    case partnerDone = "partner.done"
    case partnerAborted = "partner.aborted"
}

/// A secret with which deliveries are signed.
public struct WebhookSecret: Hashable, Sendable {
    /// The bytes that sign.
    public let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// 256 random bits.
    static func random() -> WebhookSecret { WebhookSecret(bytes: (0..<32).map { _ in .random(in: 0...255) }) }

    /// The secret as Standard Webhooks writes it.
    public var text: String { "whsec_" + Base64.encode(bytes) }
}
