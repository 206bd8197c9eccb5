import Postgres
import RealmModel
import StoreCore

/// The side of the webhooks that sends: what is due is claimed, and what came of it is written down.
public struct WebhookOutbox: Sendable {
    private let pool: PostgresPool

    /// How long a process has a delivery that it attempts: longer than any attempt takes.
    public static let lease = Duration.seconds(30)
    /// Deliveries that one statement gives up.
    private static let portion = 1_000

    /// The outbox of a store.
    public init(_ jobs: JobStore) { pool = jobs.pool }

    /// The webhooks to which something is to be sent, and when its first attempt is due.
    ///
    /// It goes from webhook to webhook in an index, however many deliveries each has.
    public func lanes() throws -> [WebhookLane] {
        try pool.withConnection { connection in
            try connection.query(
                """
                WITH RECURSIVE lane (app_id, webhook_id, next_attempt_at) AS (
                    (
                        SELECT app_id, webhook_id, next_attempt_at FROM webhook_delivery
                        WHERE state = 'pending' ORDER BY app_id, webhook_id, next_attempt_at LIMIT 1
                    ) UNION ALL
                    SELECT next.* FROM lane CROSS JOIN LATERAL (
                        SELECT app_id, webhook_id, next_attempt_at FROM webhook_delivery
                        WHERE state = 'pending' AND (app_id, webhook_id) > (lane.app_id, lane.webhook_id)
                        ORDER BY app_id, webhook_id, next_attempt_at LIMIT 1
                    ) AS next
                )
                SELECT app_id, webhook_id, extract(epoch FROM next_attempt_at - now())::double precision AS pause,
                    w.url, w.secret, CASE WHEN w.previous_until > now() THEN w.previous_secret END AS previous_secret,
                    coalesce(w.enabled, false) AS enabled
                FROM lane LEFT JOIN webhook w USING (app_id, webhook_id)
                """
            ).map(WebhookLane.init(row:))
        }
    }

    /// Claims some deliveries that are due, those that waited longest first: nobody else attempts them while the lease lasts.
    public func claim(_ webhook: WebhookKey, atMost count: Int) throws -> [ClaimedDelivery] {
        try pool.withConnection { connection in
            try connection.query(
                """
                WITH due AS (
                    SELECT event_id FROM webhook_delivery
                    WHERE app_id = \(webhook.app) AND webhook_id = \(webhook.id) AND state = 'pending' AND next_attempt_at <= now()
                    ORDER BY next_attempt_at LIMIT \(count) FOR UPDATE SKIP LOCKED
                )
                UPDATE webhook_delivery d SET attempts = attempts + 1, retries = retries + 1, last_attempt_at = now(),
                    lease_until = now() + \(Self.lease.inSeconds) * interval '1 second',
                    next_attempt_at = now() + \(Self.lease.inSeconds) * interval '1 second'
                FROM due JOIN webhook_event e ON e.app_id = \(webhook.app) AND e.event_id = due.event_id
                WHERE d.app_id = \(webhook.app) AND d.webhook_id = \(webhook.id) AND d.event_id = due.event_id
                RETURNING d.event_id, d.attempts, d.retries, e.body,
                    extract(epoch FROM now() - d.queued_at)::double precision AS age
                """
            ).map { try ClaimedDelivery(row: $0, of: webhook) }
        }
    }

    /// Writes down what came of attempts.
    ///
    /// A success counts whoever has the delivery by now; anything else only where nobody has attempted it since.
    public func record(_ outcomes: [WebhookOutcome]) throws {
        guard !outcomes.isEmpty else { return }
        let keys = outcomes.map(\.delivery)
        _ = try pool.withConnection { connection in
            try connection.execute(
                """
                UPDATE webhook_delivery d SET state = o.state, lease_until = NULL, last_status = o.status, last_error = nullif(o.error, ''),
                    next_attempt_at = CASE o.state WHEN 'pending' THEN now() + o.pause * interval '1 second' END
                FROM unnest(\(PostgresArray(keys.map(\.webhook.app))), \(PostgresArray(keys.map(\.event))),
                    \(PostgresArray(keys.map(\.webhook.id))), \(PostgresArray(keys.map { Int32($0.attempt) })),
                    \(PostgresArray(outcomes.map(\.state.rawValue))), \(PostgresArray(outcomes.map { $0.pause.inSeconds })),
                    \(PostgresArray(nullable: outcomes.map { $0.status.map { Int32($0) } })),
                    \(PostgresArray(outcomes.map(\.error)))) AS o (app_id, event_id, webhook_id, attempt, state, pause, status, error)
                WHERE d.app_id = o.app_id AND d.event_id = o.event_id AND d.webhook_id = o.webhook_id AND d.state = 'pending'
                    AND (d.attempts = o.attempt OR o.state = 'delivered')
                """)
        }
    }

    /// Disables a webhook whose receiver is gone.
    public func disable(_ webhook: WebhookKey, _ reason: Webhook.DisabledReason) throws {
        _ = try pool.withConnection { connection in
            try connection.execute(
                """
                UPDATE webhook SET enabled = false, disabled_reason = \(reason.rawValue)
                WHERE app_id = \(webhook.app) AND webhook_id = \(webhook.id) AND enabled
                """)
        }
    }

    /// Gives up some deliveries to a webhook that is disabled, or gone.
    ///
    /// - Returns: whether there may be more.
    public func giveUp(_ webhook: WebhookKey) throws -> Bool {
        try pool.withConnection { connection in
            try connection.execute(
                """
                UPDATE webhook_delivery d SET state = 'failed', next_attempt_at = NULL, lease_until = NULL,
                    last_error = coalesce(last_error, 'The webhook is disabled.')
                FROM (
                    SELECT event_id FROM webhook_delivery p
                    WHERE app_id = \(webhook.app) AND webhook_id = \(webhook.id) AND state = 'pending'
                        AND (lease_until IS NULL OR lease_until < now()) AND NOT EXISTS (
                            SELECT FROM webhook w WHERE w.app_id = p.app_id AND w.webhook_id = p.webhook_id AND enabled)
                    LIMIT \(Self.portion) FOR UPDATE SKIP LOCKED
                ) AS left_over
                WHERE d.app_id = \(webhook.app) AND d.webhook_id = \(webhook.id) AND d.event_id = left_over.event_id
                """) == Self.portion
        }
    }

    /// Tells how much is to be sent yet, counted up to `ListTotal.largest`, and how long the first of it has been due.
    public func backlog() throws -> WebhookBacklog {
        let row = try pool.withConnection { connection in
            try connection.query(
                """
                SELECT (
                    SELECT count(*) FROM (
                        SELECT FROM webhook_delivery WHERE state = 'pending' LIMIT \(ListTotal.largest)
                    ) AS waiting
                ) AS deliveries, (SELECT count(*) FROM webhook WHERE disabled_reason IS NOT NULL) AS disabled
                """)[0]
        }
        return WebhookBacklog(
            deliveries: try row.value("deliveries"), disabled: try row.value("disabled"),
            age: try lanes().filter(\.isEnabled).map { .zero - $0.pause }.reduce(.zero, max))
    }
}

/// Names a webhook to those who send.
public struct WebhookKey: Hashable, Sendable {
    /// The app.
    public var app: RealmModel.UUID
    /// The webhook.
    public var id: RealmModel.UUID
}

/// A webhook to which something is to be sent.
public struct WebhookLane: Hashable, Sendable {
    /// The webhook.
    public var key: WebhookKey
    /// Until the first attempt is due; negative where it is.
    public var pause: Duration
    /// Whether anything is to be sent; else its deliveries are to be given up.
    public var isEnabled: Bool
    /// Where to; empty where the webhook is gone.
    public var url: String
    /// The secrets that sign: the newest first.
    public var secrets: [WebhookSecret]

    init(row: PostgresRow) throws {
        key = WebhookKey(app: try row.value("app_id"), id: try row.value("webhook_id"))
        pause = .seconds(try row.value("pause", as: Double.self))
        isEnabled = try row.value("enabled")
        url = try row.optional("url") ?? ""
        secrets = try ["secret", "previous_secret"].compactMap { column in
            try row.optional(column, as: PostgresBytes.self).map { WebhookSecret(bytes: $0.bytes) }
        }
    }
}

/// An attempt of a delivery that this process is to make.
public struct ClaimedDelivery: Hashable, Sendable {
    /// The webhook.
    public var webhook: WebhookKey
    /// The event.
    public var event: RealmModel.UUID
    /// Counts the attempts, from 1: the outcome of an older one does not count.
    public var attempt: Int
    /// Attempts since it was queued last, this one included.
    public var retry: Int
    /// Since it was queued last.
    public var age: Duration
    /// The JSON to send.
    public var body: String

    init(row: PostgresRow, of webhook: WebhookKey) throws {
        self.webhook = webhook
        event = try row.value("event_id")
        attempt = try row.value("attempts")
        retry = try row.value("retries")
        age = .seconds(try row.value("age", as: Double.self))
        body = try row.value("body")
    }
}

/// The outcome of an attempt.
public struct WebhookOutcome: Hashable, Sendable {
    /// The attempt.
    public var delivery: ClaimedDelivery
    /// Where the delivery stands now.
    public var state: WebhookDelivery.State
    /// Until the next attempt, of one that is pending.
    public var pause: Duration
    /// The status of the answer; nil where there was none.
    public var status: Int?
    /// Why it was not delivered; empty where it was.
    public var error: String

    /// Says what came of an attempt.
    public init(
        _ delivery: ClaimedDelivery, _ state: WebhookDelivery.State, after pause: Duration = .zero, status: Int?,
        error: String = ""
    ) {
        (self.delivery, self.state, self.pause, self.status, self.error) = (delivery, state, pause, status, error)
    }
}

/// How much is to be sent yet.
public struct WebhookBacklog: Hashable, Sendable {
    /// Deliveries that are attempted, now or later.
    public var deliveries: Int
    /// Webhooks that their receivers had disabled.
    public var disabled: Int
    /// How long the first attempt has been due.
    public var age: Duration
}
