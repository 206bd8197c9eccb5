import Postgres
import RealmModel
import SnapshotStore
import StoreCore

extension JobStore {
    /// The webhooks of apps, and what is sent to them.
    public var webhooks: Webhooks { Webhooks(jobs: self) }

    /// The webhooks of apps, and what is sent to them.
    public struct Webhooks: Sendable {
        let jobs: JobStore
        var pool: PostgresPool { jobs.pool }
    }
}

extension JobStore.Webhooks {
    /// Makes a webhook with a secret of 256 random bits.
    ///
    /// - Returns: it, and the secret, which nobody is told again.
    /// - Throws: `StoreError.notFound` (app); `webhooksFull`.
    public func create(_ declaration: Webhook.Declaration, in app: String) throws -> (Webhook, WebhookSecret) {
        let (id, secret) = (RealmModel.UUID.version7(), WebhookSecret.random())
        let webhook = try pool.transaction { connection in
            // One after the other, so that the limit is none of each alone.
            let apps = try connection.query("SELECT app_id FROM app WHERE name = \(app) FOR NO KEY UPDATE")
            guard let appID = try apps.first?.value("app_id", as: RealmModel.UUID.self) else {
                throw StoreError.notFound(.app, app)
            }
            let count = try connection.query("SELECT count(*) AS count FROM webhook WHERE app_id = \(appID)")
            guard try count[0].value("count", as: Int.self) < Webhook.limit else {
                throw StoreError.webhooksFull(limit: Webhook.limit)
            }
            let rows = try connection.query(
                """
                INSERT INTO webhook AS w (app_id, webhook_id, url, description, events, enabled, secret)
                VALUES (\(appID), \(id), \(declaration.url), \(declaration.description), \(declaration.storedEvents),
                    \(declaration.isEnabled), \(PostgresBytes(secret.bytes)))
                RETURNING \(unsafeSQL: Webhook.columns)
                """)
            return try Webhook(row: rows[0], app: app)
        }
        return (webhook, secret)
    }

    /// The webhooks of an app in the order they were made.
    ///
    /// - Throws: `StoreError.notFound` (app).
    public func list(in app: String, _ page: PageRequest = PageRequest()) throws -> Page<Webhook> {
        let cursor = try Cursor.key(.webhooks, page)
        guard let after = cursor.map({ RealmModel.UUID($0) }) ?? .lowest else { throw StoreError.invalidCursor }
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT \(unsafeSQL: Webhook.columns) FROM webhook w
                WHERE w.app_id = \(try SnapshotStore.Apps.app(app, connection).id) AND w.webhook_id > \(after)
                ORDER BY w.webhook_id LIMIT \(page.rowLimit)
                """)
            return try Page(rows, page, .webhooks, item: { try Webhook(row: $0, app: app) }) { "\($0.id)" }
        }
    }

    /// A webhook.
    ///
    /// - Throws: `StoreError.notFound` (app, webhook).
    public func find(_ id: RealmModel.UUID, in app: String) throws -> Webhook {
        try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT \(unsafeSQL: Webhook.columns) FROM webhook w
                WHERE w.app_id = \(try SnapshotStore.Apps.app(app, connection).id) AND w.webhook_id = \(id)
                """)
            return try Self.webhook(rows, id, app)
        }
    }

    /// Says anew what a webhook is to be; its secret stays.
    ///
    /// One that its receiver had disabled may be enabled by that.
    ///
    /// - Throws: `StoreError.notFound` (app, webhook).
    public func replace(_ id: RealmModel.UUID, in app: String, by declaration: Webhook.Declaration) throws -> Webhook {
        try pool.withConnection { connection in
            let rows = try connection.query(
                """
                UPDATE webhook w SET url = \(declaration.url), description = \(declaration.description),
                    events = \(declaration.storedEvents), enabled = \(declaration.isEnabled),
                    disabled_reason = CASE WHEN NOT \(declaration.isEnabled) THEN disabled_reason END
                WHERE w.app_id = \(try SnapshotStore.Apps.app(app, connection).id) AND w.webhook_id = \(id)
                RETURNING \(unsafeSQL: Webhook.columns)
                """)
            return try Self.webhook(rows, id, app)
        }
    }

    /// Gives a webhook another secret; that of before signs as well for some time.
    ///
    /// - Parameter overlap: how long the secret of before signs, too.
    /// - Returns: it, and the new secret, which nobody is told again.
    /// - Throws: `StoreError.notFound` (app, webhook).
    public func rotateSecret(
        of id: RealmModel.UUID, in app: String, overlap: Duration
    ) throws -> (Webhook, WebhookSecret) {
        let secret = WebhookSecret.random()
        let webhook = try pool.withConnection { connection in
            let rows = try connection.query(
                """
                UPDATE webhook w SET secret = \(PostgresBytes(secret.bytes)), previous_secret = secret,
                    previous_until = now() + \(overlap / .seconds(1)) * interval '1 second'
                WHERE w.app_id = \(try SnapshotStore.Apps.app(app, connection).id) AND w.webhook_id = \(id)
                RETURNING \(unsafeSQL: Webhook.columns)
                """)
            return try Self.webhook(rows, id, app)
        }
        return (webhook, secret)
    }

    /// Removes a webhook; its deliveries are not sent any more, and maintenance removes them with their events.
    ///
    /// - Throws: `StoreError.notFound` (app, webhook).
    public func delete(_ id: RealmModel.UUID, in app: String) throws {
        let deleted = try pool.withConnection { connection in
            try connection.execute(
                """
                DELETE FROM webhook
                WHERE app_id = \(try SnapshotStore.Apps.app(app, connection).id) AND webhook_id = \(id)
                """)
        }
        guard deleted == 1 else { throw StoreError.notFound(.webhook, "\(id)") }
    }

    private static func webhook(_ rows: [PostgresRow], _ id: RealmModel.UUID, _ app: String) throws -> Webhook {
        guard let row = rows.first else { throw StoreError.notFound(.webhook, "\(id)") }
        return try Webhook(row: row, app: app)
    }
}

extension Webhook {
    static let columns: StaticString = """
        w.webhook_id, w.url, w.description, w.events, w.enabled, w.disabled_reason, w.created_at,
        CASE WHEN w.previous_until > now() THEN w.previous_until END AS previous_until
        """

    init(row: PostgresRow, app: String) throws {
        let names: PostgresArray<String>? = try row.optional("events")
        let declaration = Declaration(
            url: try row.value("url"),
            // A type of a later program is none that this one can name.
            events: names.map { $0.elements.compactMap(WebhookEventType.init) },
            description: try row.optional("description"), isEnabled: try row.value("enabled"))
        self.init(
            id: try row.value("webhook_id"), app: app, declaration: declaration,
            disabledReason: try row.optional("disabled_reason", as: String.self).flatMap(DisabledReason.init),
            previousSecretUntil: try row.optional("previous_until"), createdAt: try row.value("created_at"))
    }
}

extension Webhook.Declaration {
    fileprivate var storedEvents: PostgresArray<String>? { events.map { PostgresArray($0.map(\.rawValue)) } }
}
