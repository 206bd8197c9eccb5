import Postgres
import RealmModel
import StoreCore

/// The events of webhooks that are older than a week, the oldest first, with their deliveries.
struct OldWebhookEvents {
    /// How long an event is kept.
    private static let age = Duration.seconds(7 * 86_400)
    /// The last one that was looked at: one that is still to be delivered stays.
    private var last = RealmModel.UUID.lowest

    /// Removes some of them.
    ///
    /// - Returns: whether these were the last.
    mutating func step(in store: SnapshotStore, _ report: inout RetentionReport) throws -> Bool {
        let rows = try store.pool.withConnection { connection in
            try connection.query(
                """
                SELECT app_id, event_id FROM webhook_event
                WHERE event_id > \(last) AND event_id < \(.lowestVersion7(ago: Self.age) as RealmModel.UUID)
                ORDER BY event_id LIMIT \(store.limits.portion)
                """)
        }
        let apps = try rows.map { try $0.value("app_id", as: RealmModel.UUID.self) }
        let events = try rows.map { try $0.value("event_id", as: RealmModel.UUID.self) }
        if let newest = events.last {
            last = newest
            report.webhookEvents += try Self.remove(apps, events, in: store)
        }
        return rows.count < store.limits.portion
    }

    private static func remove(
        _ apps: [RealmModel.UUID], _ events: [RealmModel.UUID], in store: SnapshotStore
    ) throws -> Int {
        try store.pool.transaction(isLong: true) { connection in
            try connection.execute(
                """
                DELETE FROM webhook_event e USING unnest(\(PostgresArray(apps)), \(PostgresArray(events))) AS old (app_id, event_id)
                WHERE e.app_id = old.app_id AND e.event_id = old.event_id AND NOT EXISTS (
                    SELECT FROM webhook_delivery d
                    WHERE d.app_id = e.app_id AND d.event_id = e.event_id AND d.state = 'pending')
                """)
        }
    }
}
