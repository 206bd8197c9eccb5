import RealmModel
import StoreCore
import Testing

@testable import JobStore
@testable import Webhooks

/// Who may have how many requests on their way.
@Suite struct WebhookSlotsTests {
    private func key(of app: RealmModel.UUID = .version7()) -> WebhookKey { WebhookKey(app: app, id: .version7()) }

    /// Begins as many as there is room for.
    private func fill(_ slots: inout WebhookSlots, _ webhook: WebhookKey) -> Int {
        let room = slots.room(for: webhook)
        for _ in 0..<room { slots.begin(webhook) }
        return room
    }

    @Test func `a webhook has eight, its app sixteen`() {
        var slots = WebhookSlots()
        let app = RealmModel.UUID.version7()
        #expect((0..<3).map { _ in fill(&slots, key(of: app)) } == [8, 8, 0])
        #expect(fill(&slots, key()) == 8)
    }

    @Test func `one that fails has one, until it takes an event`() {
        var slots = WebhookSlots()
        let webhook = key()
        #expect(fill(&slots, webhook) == 8)
        slots.end(webhook, isDelivered: false)
        #expect(slots.room(for: webhook) == 0)
        for _ in 0..<7 { slots.end(webhook, isDelivered: false) }
        #expect(fill(&slots, webhook) == 1)
        slots.end(webhook, isDelivered: true)
        #expect(slots.room(for: webhook) == 8)
        #expect(slots.count == 0)
    }

    @Test func `a receiver that asks for a pause has it, however short the next one is`() {
        var slots = WebhookSlots()
        let (webhook, now) = (key(), ContinuousClock.now)
        slots.pause(webhook, until: now + .seconds(60))
        slots.pause(webhook, until: now + .seconds(5))
        #expect(slots.room(for: webhook, at: now + .seconds(59)) == 0)
        #expect(slots.room(for: webhook, at: now + .seconds(60)) == 8)
        slots.keep([])
        #expect(slots.room(for: webhook, at: now) == 8)
    }

    @Test func `forgets the failures of those that nothing is sent to`() {
        var slots = WebhookSlots()
        let webhook = key()
        slots.begin(webhook)
        slots.end(webhook, isDelivered: false)
        slots.keep([webhook])
        #expect(slots.room(for: webhook) == 1)
        slots.keep([])
        #expect(slots.room(for: webhook) == 8)
    }

    @Test func `all together have a bound`() {
        var slots = WebhookSlots()
        let begun = (0..<50).reduce(0) { sum, _ in sum + fill(&slots, key()) }
        #expect(begun == 256)
    }
}
