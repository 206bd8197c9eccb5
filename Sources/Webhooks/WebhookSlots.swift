import JobStore
import RealmModel

/// Who may have how many requests on their way: a value without I/O.
///
/// A webhook that fails, or is slow until it fails, keeps one slot; so the receivers of an app that does not answer hold nobody else back.
struct WebhookSlots: Sendable {
    /// Requests at once, of all webhooks, of an app's, of one, and of one whose last attempt failed.
    private static let (ofAll, ofApp, ofOne, ofFailing) = (256, 16, 8, 1)

    private var busy: [WebhookKey: Int] = [:]
    private var busyApps: [RealmModel.UUID: Int] = [:]
    private var failing: Set<WebhookKey> = []
    /// Until when receivers have asked for a pause.
    private var pauses: [WebhookKey: ContinuousClock.Instant] = [:]
    /// Requests on their way.
    private(set) var count = 0

    /// How many requests may begin.
    func room(for webhook: WebhookKey, at now: ContinuousClock.Instant = .now) -> Int {
        if let end = pauses[webhook], now < end { return 0 }
        let own = (failing.contains(webhook) ? Self.ofFailing : Self.ofOne) - (busy[webhook] ?? 0)
        return max(min(own, Self.ofApp - (busyApps[webhook.app] ?? 0), Self.ofAll - count), 0)
    }

    /// Forgets the failures of webhooks to which nothing is to be sent.
    mutating func keep(_ webhooks: some Sequence<WebhookKey>) {
        let known = Set(webhooks)
        failing.formIntersection(known)
        pauses = pauses.filter { known.contains($0.key) }
    }

    /// Begins nothing for a webhook until then.
    mutating func pause(_ webhook: WebhookKey, until end: ContinuousClock.Instant) {
        pauses[webhook] = max(pauses[webhook] ?? end, end)
    }

    mutating func begin(_ webhook: WebhookKey) {
        busy[webhook, default: 0] += 1
        busyApps[webhook.app, default: 0] += 1
        count += 1
    }

    mutating func end(_ webhook: WebhookKey, isDelivered: Bool) {
        busy[webhook] = busy[webhook].flatMap { $0 > 1 ? $0 - 1 : nil }
        busyApps[webhook.app] = busyApps[webhook.app].flatMap { $0 > 1 ? $0 - 1 : nil }
        count -= 1
        if isDelivered { failing.remove(webhook) } else { failing.insert(webhook) }
    }
}
