import Postgres
import RealmModel
import SnapshotStore
import StoreCore

extension JobStore.Webhooks {
    /// Deliveries that one statement queues again.
    private static let portion = 1_000
    /// Deliveries that `recover` queues again at most.
    public static let mostRecovered = 10_000

    /// The deliveries to a webhook, those of the newest events first.
    ///
    /// - Throws: `StoreError.notFound` (app, webhook).
    public func deliveries(
        to id: RealmModel.UUID, in app: String, _ filter: WebhookDeliveryFilter = WebhookDeliveryFilter(),
        _ page: PageRequest = PageRequest()
    ) throws -> Page<WebhookDelivery> {
        let cursor = try Cursor.key(.webhookDeliveries, page)
        guard let before = cursor.map({ RealmModel.UUID($0) }) ?? .greatest else { throw StoreError.invalidCursor }
        return try pool.withConnection { connection in
            let appID = try require(id, in: app, connection)
            let rows = try connection.query(
                """
                SELECT \(unsafeSQL: WebhookDelivery.columns) FROM webhook_delivery d JOIN webhook_event e USING (app_id, event_id)
                WHERE d.app_id = \(appID) AND d.webhook_id = \(id) AND d.event_id < \(before)
                    AND d.event_id >= lowest_id(greatest(\(filter.since), 'epoch'))\(and: "d.state", is: filter.state?.rawValue)
                ORDER BY d.event_id DESC LIMIT \(page.rowLimit)
                """)
            return try Page(rows, page, .webhookDeliveries, item: WebhookDelivery.init(row:)) { "\($0.id)" }
        }
    }

    /// A delivery, with the JSON that is sent.
    ///
    /// - Throws: `StoreError.notFound` (app, webhook, delivery).
    public func delivery(
        of event: RealmModel.UUID, to id: RealmModel.UUID, in app: String
    ) throws -> (delivery: WebhookDelivery, body: String) {
        try pool.withConnection { connection in
            let appID = try require(id, in: app, connection)
            let rows = try connection.query(
                """
                SELECT \(unsafeSQL: WebhookDelivery.columns), e.body
                FROM webhook_delivery d JOIN webhook_event e USING (app_id, event_id)
                WHERE d.app_id = \(appID) AND d.event_id = \(event) AND d.webhook_id = \(id)
                """)
            guard let row = rows.first else { throw StoreError.notFound(.webhookDelivery, "\(event)") }
            return (try WebhookDelivery(row: row), try row.value("body"))
        }
    }

    /// Queues a delivery once more, whatever became of it; one that is attempted just now stays as it is.
    ///
    /// - Throws: `StoreError.notFound` (app, webhook, delivery); `webhookDisabled`.
    public func resend(_ event: RealmModel.UUID, to id: RealmModel.UUID, in app: String) throws -> WebhookDelivery {
        try pool.withConnection { connection in
            let appID = try requireEnabled(id, in: app, connection)
            try connection.execute(
                """
                UPDATE webhook_delivery SET \(unsafeSQL: WebhookDelivery.queuedAgain)
                WHERE app_id = \(appID) AND event_id = \(event) AND webhook_id = \(id)
                    AND (lease_until IS NULL OR lease_until < now())
                """)
        }
        return try delivery(of: event, to: id, in: app).delivery
    }

    /// Queues deliveries once more that were given up, of events since a time.
    ///
    /// - Returns: how many, `mostRecovered` at most, and whether these are all.
    /// - Throws: `StoreError.notFound` (app, webhook); `webhookDisabled`.
    public func recover(
        _ id: RealmModel.UUID, in app: String, since: Timestamp
    ) throws -> (count: Int, isComplete: Bool) {
        var count = 0
        while count < Self.mostRecovered {
            let queued = try pool.withConnection { connection in
                let appID = try requireEnabled(id, in: app, connection)
                return try connection.execute(
                    """
                    UPDATE webhook_delivery SET \(unsafeSQL: WebhookDelivery.queuedAgain)
                    WHERE app_id = \(appID) AND webhook_id = \(id) AND state = 'failed' AND event_id IN (
                        SELECT event_id FROM webhook_delivery
                        WHERE app_id = \(appID) AND webhook_id = \(id) AND state = 'failed' AND event_id >= lowest_id(greatest(\(since), 'epoch'))
                        ORDER BY event_id LIMIT \(Self.portion)
                    )
                    """)
            }
            count += queued
            if queued < Self.portion { return (count, true) }
        }
        return (count, false)
    }

    /// The id of the app of a webhook that is there.
    private func require(
        _ id: RealmModel.UUID, in app: String, _ connection: PostgresConnection
    ) throws -> RealmModel.UUID {
        try state(of: id, in: app, connection).app
    }

    /// The id of the app of a webhook that is there and enabled.
    private func requireEnabled(
        _ id: RealmModel.UUID, in app: String, _ connection: PostgresConnection
    ) throws -> RealmModel.UUID {
        let found = try state(of: id, in: app, connection)
        guard found.isEnabled else { throw StoreError.webhookDisabled }
        return found.app
    }

    private func state(
        of id: RealmModel.UUID, in app: String, _ connection: PostgresConnection
    ) throws -> (app: RealmModel.UUID, isEnabled: Bool) {
        let appID = try SnapshotStore.Apps.app(app, connection).id
        let rows = try connection.query(
            "SELECT enabled FROM webhook WHERE app_id = \(appID) AND webhook_id = \(id)")
        guard let row = rows.first else { throw StoreError.notFound(.webhook, "\(id)") }
        return (appID, try row.value("enabled"))
    }
}

extension WebhookDelivery {
    static let columns: StaticString = """
        d.event_id, e.type, e.sequence, d.state, d.attempts, d.queued_at, d.last_attempt_at, d.last_status, d.last_error,
        d.next_attempt_at
        """

    /// Makes a delivery wait as at its beginning.
    static let queuedAgain: StaticString =
        "state = 'pending', retries = 0, queued_at = now(), next_attempt_at = now(), lease_until = NULL"

    init(row: PostgresRow) throws {
        guard let state = State(rawValue: try row.value("state")) else {
            throw StoreError.damaged("the state of a delivery")
        }
        self.init(
            id: try row.value("event_id"), type: try row.value("type"), sequence: try row.value("sequence"),
            state: state, attempts: try row.value("attempts"), queuedAt: try row.value("queued_at"),
            lastAttemptAt: try row.optional("last_attempt_at"), lastStatus: try row.optional("last_status"),
            lastError: try row.optional("last_error"), nextAttemptAt: try row.optional("next_attempt_at"))
    }
}
