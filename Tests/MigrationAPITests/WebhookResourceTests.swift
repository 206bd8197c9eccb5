import JobStore
import RealmJSON
import RealmModel
import StoreCore
import Testing

@testable import MigrationAPI

/// Webhooks as clients declare them, and the events of changes.
@Suite struct WebhookResourceTests {
    private static let hooks = "/v1/apps/shop/webhooks"
    private let server: APIServer

    init() throws {
        server = try APIServer()
        _ = try server.send("PUT", "/v1/apps/shop")
    }

    private func make(_ members: JSONValue = ["url": "https://example.com/hook"]) throws -> JSONValue {
        let response = try server.send("POST", Self.hooks, members)
        #expect(response.status == 201, "\(response.text)")
        return response.json
    }

    private func path(_ webhook: JSONValue) throws -> String { "\(Self.hooks)/\(try #require(webhook["id"]?.string))" }

    /// The deliveries to a webhook, the oldest first, with their events.
    private func deliveries(_ webhook: JSONValue) throws -> [JSONValue] {
        let list = try server.send("GET", "\(path(webhook))/deliveries").json["items"]?.elements ?? []
        return try list.reversed().map { item in
            try server.send("GET", "\(path(webhook))/deliveries/\(try #require(item["id"]?.string))").json
        }
    }

    // MARK: Declarations

    @Test func `a webhook is declared, changed and removed, and its secret shown once`() throws {
        let made = try make(["url": "https://example.com/hook", "events": ["job.failed", "job.succeeded"]])
        let secret = try #require(made["secret"]?.string)
        #expect(secret.hasPrefix("whsec_"))
        #expect(Base64.decode(String(secret.dropFirst(6)))?.count == 32)
        #expect(made["events"] == ["job.succeeded", "job.failed"])
        let shown = try server.send("GET", path(made))
        #expect(shown.json["secret"] == nil)
        #expect(shown.json.adding([JSONMember("secret", .string(secret))]) == made)
        let listed = try server.send("GET", Self.hooks).json["items"]?.elements
        #expect(listed == [shown.json])
        let changed = try server.send(
            "PUT", path(made), ["url": "https://example.com/other", "enabled": false, "description": "of ours"])
        #expect(changed.json["url"] == "https://example.com/other")
        #expect(changed.json["events"] == .null)
        #expect(changed.json["enabled"] == false)
        #expect(try server.send("DELETE", path(made)).status == 204)
        #expect(try server.send("GET", path(made)).problem == "webhook_not_found")
        #expect(try server.send("DELETE", path(made)).problem == "webhook_not_found")
    }

    @Test func `a rotated secret has another beside it for some time`() throws {
        let made = try make()
        let rotated = try server.send("POST", "\(path(made))/rotate-secret", ["overlapSeconds": 60]).json
        #expect(rotated["secret"]?.string != made["secret"]?.string)
        #expect(rotated["previousSecretUntil"]?.string != nil)
        let over = try server.send("POST", "\(path(made))/rotate-secret", ["overlapSeconds": 0]).json
        #expect(over["previousSecretUntil"] == .null)
        let long = try server.send("POST", "\(path(made))/rotate-secret", ["overlapSeconds": 2_592_001])
        #expect(long.problem == "malformed_document")
    }

    @Test func `an address inside the network is refused, with the place`() throws {
        for url in ["https://127.0.0.1/", "https://10.0.0.1/", "http://example.com/", "https://[::1]/", "gopher://a/"] {
            let response = try server.send("POST", Self.hooks, ["url": .string(url)])
            #expect(response.status == 422)
            #expect(response.problem == "webhook_url_refused")
            #expect(response.json["errors"]?.elements?.first?["pointer"] == "/url")
        }
    }

    @Test func `an unknown type is told with the nearest`() throws {
        let response = try server.send(
            "POST", Self.hooks, ["url": "https://example.com/", "events": ["job.failed", "job.sucseeded"]])
        #expect(response.problem == "malformed_document")
        #expect(response.json["errors"]?.elements?.first?["pointer"] == "/events/1")
        #expect(response.text.contains("Did you mean 'job.succeeded'?"))
        let none = try server.send("POST", Self.hooks, ["url": "https://example.com/", "events": []])
        #expect(none.problem == "malformed_document")
    }

    @Test func `an app has a bounded number`() throws {
        for _ in 0..<Webhook.limit { _ = try make() }
        #expect(try server.send("POST", Self.hooks, ["url": "https://example.com/"]).problem == "webhooks_full")
    }

    // MARK: Events

    @Test func `what happens to a realm is an event, in the order of its numbers`() throws {
        let hook = try make()
        let jobsAlone = try make(["url": "https://example.com/", "events": ["job.failed"]])
        let disabled = try make(["url": "https://example.com/", "enabled": false])
        _ = try server.upload(Samples.realm().encoded())
        _ = try server.send("PUT", "/v1/apps/shop/realms/ada", ["labels": ["tier": "gold"]])
        let shown = try server.send("GET", "/v1/apps/shop/realms/ada").json
        #expect(try server.send("DELETE", "/v1/apps/shop/realms/ada").status == 204)
        _ = try server.send("PUT", "/v1/apps/shop/realms/ada", [:])
        let events = try deliveries(hook).compactMap { $0["event"] }
        #expect(
            events.map { $0["type"]?.string } == [
                "realm.created", "realm.changed", "realm.changed", "realm.deleted", "realm.created",
            ])
        let numbers = events.compactMap { $0["sequence"]?.int }
        #expect(numbers.count == 5)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        for member in events[2]["data"]?.members ?? [] where member.name != "createdAt" {
            #expect(member.value == shown[member.name], "\(member.name)")
        }
        #expect(try deliveries(jobsAlone).isEmpty)
        #expect(try deliveries(disabled).isEmpty)
    }

    @Test func `a job that is cancelled is an event with the members that the API shows`() throws {
        _ = try server.upload(Samples.realm().encoded())
        let hook = try make()
        let job = try server.send(
            "POST", "/v1/apps/shop/realms/ada/migrations", ["targetVersion": 2, "schema": Samples.grownSchema])
        let id = try #require(job.json["id"]?.string)
        _ = try server.send("POST", "/v1/jobs/\(id)/cancel")
        let events = try deliveries(hook).compactMap { $0["event"] }
        #expect(events.map { $0["type"]?.string } == ["job.cancelled"])
        let shown = try server.send("GET", "/v1/jobs/\(id)").json
        let data = try #require(events.first?["data"]?.members)
        #expect(data.count == 15)
        for member in data where !member.name.hasSuffix("At") {
            #expect(member.value == shown[member.name], "\(member.name)")
        }
    }

    @Test func `an app that is removed leaves nothing behind`() throws {
        _ = try make()
        _ = try server.upload(Samples.realm().encoded())
        #expect(try server.send("DELETE", "/v1/apps/shop").status == 204)
        let left = try server.pool.withConnection { connection in
            try connection.query(
                """
                SELECT (SELECT count(*) FROM webhook) + (SELECT count(*) FROM webhook_event)
                    + (SELECT count(*) FROM webhook_delivery) + (SELECT count(*) FROM webhook_sequence) AS count
                """)[0].value("count", as: Int.self)
        }
        #expect(left == 0)
    }

    // MARK: Deliveries

    @Test func `what was given up is sent again, one by one or since a time`() throws {
        let hook = try make()
        for number in 0..<3 { _ = try server.send("PUT", "/v1/apps/shop/realms/r\(number)", [:]) }
        #expect(try deliveries(hook).map { $0["state"]?.string } == ["pending", "pending", "pending"])
        _ = try server.send("PUT", path(hook), ["url": "https://example.com/", "enabled": false])
        let outbox = WebhookOutbox(server.jobs)
        let lane = try #require(try outbox.lanes().first)
        #expect(!lane.isEnabled)
        #expect(try !outbox.giveUp(lane.key))
        let given = try deliveries(hook)
        #expect(given.map { $0["state"]?.string } == ["failed", "failed", "failed"])
        #expect(given.allSatisfy { $0["nextAttemptAt"] == .null })
        let resend = "\(try path(hook))/deliveries/\(try #require(given[0]["id"]?.string))/resend"
        #expect(try server.send("POST", resend).problem == "webhook_disabled")
        _ = try server.send("PUT", path(hook), ["url": "https://example.com/"])
        #expect(try server.send("POST", resend).json["state"] == "pending")
        let none = try server.send("POST", "\(path(hook))/recover", ["since": "2100-01-01T00:00:00Z"])
        #expect(none.json == ["count": 0, "isComplete": true])
        let rest = try server.send("POST", "\(path(hook))/recover", ["since": "0001-01-01T00:00:00Z"])
        #expect(rest.json == ["count": 2, "isComplete": true])
        let states = try server.send("GET", "\(path(hook))/deliveries?state=pending&limit=2").json
        #expect(states["items"]?.elements?.count == 2)
        #expect(states["next"]?.string != nil)
        #expect(try server.send("POST", "\(path(hook))/recover", [:]).problem == "malformed_document")
    }

    @Test func `a delivery that is attempted is nobody else's, and an old outcome does not count`() throws {
        let hook = try make()
        _ = try server.send("PUT", "/v1/apps/shop/realms/ada", [:])
        let outbox = WebhookOutbox(server.jobs)
        let lane = try #require(try outbox.lanes().first)
        let first = try #require(try outbox.claim(lane.key, atMost: 8).first)
        #expect(try outbox.claim(lane.key, atMost: 8).isEmpty)
        // One that is on its way is not sent a second time meanwhile.
        _ = try server.send("POST", "\(path(hook))/deliveries/\(first.event)/resend")
        #expect(try outbox.claim(lane.key, atMost: 8).isEmpty)
        try server.pool.withConnection { connection in
            _ = try connection.execute(
                "UPDATE webhook_delivery SET lease_until = now() - interval '1 second', next_attempt_at = now()")
        }
        let second = try #require(try outbox.claim(lane.key, atMost: 8).first)
        #expect((first.event, second.attempt) == (second.event, 2))
        try outbox.record([WebhookOutcome(first, .failed, status: 500, error: "late")])
        #expect(try deliveries(hook).first?["state"] == "pending")
        try outbox.record([WebhookOutcome(first, .delivered, status: 200)])
        #expect(try deliveries(hook).first?["state"] == "delivered")
        try outbox.record([WebhookOutcome(second, .failed, status: 500, error: "later")])
        #expect(try deliveries(hook).first?["state"] == "delivered")
        #expect(try deliveries(hook).first?["lastStatus"] == 200)
    }

    @Test func `events are kept for a week, and those that are to be sent for longer`() throws {
        let hook = try make()
        for number in 0..<3 { _ = try server.send("PUT", "/v1/apps/shop/realms/r\(number)", [:]) }
        try server.pool.withConnection { connection in
            // Ids of eight days ago, and of six.
            _ = try connection.execute(
                """
                WITH moved AS (
                    SELECT event_id, row_number() OVER (ORDER BY event_id) AS n FROM webhook_event
                ), made AS (
                    INSERT INTO webhook_event (app_id, event_id, type, sequence, body)
                    SELECT app_id, (lpad(to_hex((extract(epoch FROM now() - CASE n WHEN 3 THEN interval '6 days' ELSE interval '8 days' END)
                        * 1000)::bigint), 12, '0') || substr(replace(event_id::text, '-', ''), 13))::uuid, type, sequence, body
                    FROM webhook_event JOIN moved USING (event_id) RETURNING app_id, event_id, sequence
                )
                INSERT INTO webhook_delivery (app_id, event_id, webhook_id, state, next_attempt_at)
                SELECT app_id, event_id, (SELECT webhook_id FROM webhook), 'pending', now() FROM made
                """)
            _ = try connection.execute(
                """
                UPDATE webhook_delivery SET state = 'failed', next_attempt_at = NULL
                WHERE event_id = (SELECT event_id FROM webhook_event ORDER BY event_id LIMIT 1)
                """)
        }
        #expect(try server.store.maintenance.removeOld().webhookEvents == 1)
        #expect(try deliveries(hook).count == 5)
    }
}
