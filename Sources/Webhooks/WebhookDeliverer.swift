import Glibc
import JobStore
import RealmModel
import StoreCore
import Threads

/// Delivers events to the webhooks of all apps: claims what is due, sends it, and writes down what came of it.
///
/// Any number of processes may do so at once: a lease keeps a delivery from being attempted twice at a time.
public final class WebhookDeliverer: Sendable {
    private struct State {
        var isRunning = false
        var outcomes: [WebhookOutcome] = []
        var gone: Set<WebhookKey> = []
        var slots = WebhookSlots()
    }

    /// Between two looks for what is due.
    ///
    /// Changes are told of by NOTIFY as well, but to look for each would cost a busy service more.
    private static let pollInterval = Duration.milliseconds(500)
    private let outbox: WebhookOutbox
    private let sender: WebhookSender
    private let schedule: RetrySchedule
    private let failed: @Sendable (any Error) -> Void
    private let state = Monitor(State())
    private let thread = ThreadGroup()

    /// - Parameters:
    ///   - addresses: where to something is sent.
    ///   - failed: is told where the database failed, and where no request can be begun.
    public init(
        _ jobs: JobStore, addresses: AddressPolicy, schedule: RetrySchedule = RetrySchedule(),
        failed: @escaping @Sendable (any Error) -> Void
    ) {
        outbox = WebhookOutbox(jobs)
        sender = WebhookSender(addresses, failed: failed)
        self.schedule = schedule
        self.failed = failed
    }

    /// Starts the threads.
    public func start() {
        let starts = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard starts else { return }
        sender.start()
        thread.start("webhooks") { [self] in run() }
    }

    /// Ends what is on its way, after a moment for what comes back; other processes, or this one later, attempt it again when the leases
    /// are over.
    public func stop() {
        state.change { $0.isRunning = false }
        thread.wait(timeout: .seconds(5))
        sender.stop()
    }

    private func run() {
        while state.withLock({ $0.isRunning }) {
            do {
                try recordOutcomes()
                if try claim() { continue }
            } catch {
                // Outcomes that were not written down wait, and keep their slots.
                failed(error)
                state.wait(timeout: Self.pollInterval * 4) { !$0.isRunning }
            }
            // Answers that come together are written down together.
            if state.wait(timeout: Self.pollInterval, until: { !$0.outcomes.isEmpty || !$0.isRunning }) {
                state.wait(timeout: .milliseconds(10)) { !$0.isRunning }
            }
        }
        // Answers that come now are written down, so that their events are not sent again.
        state.wait(timeout: .seconds(2)) { $0.outcomes.count >= $0.slots.count }
        do { try recordOutcomes() } catch { failed(error) }
    }

    private func recordOutcomes() throws {
        let (outcomes, gone) = state.withLock { ($0.outcomes, $0.gone) }
        try outbox.record(outcomes)
        for webhook in gone { try outbox.disable(webhook, .gone) }
        state.withLock { state in
            state.outcomes.removeFirst(outcomes.count)
            state.gone.subtract(gone)
            for outcome in outcomes {
                state.slots.end(outcome.delivery.webhook, isDelivered: outcome.state == .delivered)
            }
        }
    }

    /// Begins what is due and has room.
    ///
    /// - Returns: whether there are more deliveries to be given up.
    private func claim() throws -> Bool {
        var hasMore = false
        let lanes = try outbox.lanes()
        state.withLock { $0.slots.keep(lanes.map(\.key)) }
        for lane in lanes.sorted(by: { $0.pause < $1.pause }) {
            guard lane.isEnabled else {
                if try outbox.giveUp(lane.key) { hasMore = true }
                continue
            }
            let room = state.withLock { $0.slots.room(for: lane.key) }
            guard lane.pause <= .zero, room > 0 else { continue }
            for delivery in try outbox.claim(lane.key, atMost: room) {
                state.withLock { $0.slots.begin(lane.key) }
                send(delivery, by: lane)
            }
        }
        return hasMore
    }

    private func send(_ delivery: ClaimedDelivery, by lane: WebhookLane) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let fields = WebhookSignature.fields(
            id: "\(delivery.event)", timestamp: now.tv_sec, body: delivery.body, secrets: lane.secrets)
        sender.send(WebhookRequest(url: lane.url, fields: fields, body: delivery.body)) { [weak self] answer in
            self?.answered(delivery, answer)
        }
    }

    private func answered(_ delivery: ClaimedDelivery, _ answer: WebhookAnswer) {
        let outcome = schedule.outcome(of: delivery, answer, share: .random(in: 0...1))
        state.change { state in
            state.outcomes.append(outcome)
            if answer.status == 410 { state.gone.insert(delivery.webhook) }
            if let pause = schedule.heeded(answer.retryAfter) {
                state.slots.pause(delivery.webhook, until: .now + pause)
            }
        }
    }
}

extension RetrySchedule {
    /// The outcome of an attempt, by its answer.
    func outcome(of delivery: ClaimedDelivery, _ answer: WebhookAnswer, share: Double) -> WebhookOutcome {
        if let status = answer.status, 200..<300 ~= status {
            return WebhookOutcome(delivery, .delivered, status: status)
        }
        let error = answer.failure ?? answer.status.map(Self.text(of:)) ?? ""
        let pause = pause(
            afterAttempts: delivery.retry, age: delivery.age, share: share, asked: answer.retryAfter)
        guard answer.status != 410, let pause else {
            return WebhookOutcome(delivery, .failed, status: answer.status, error: error)
        }
        return WebhookOutcome(delivery, .pending, after: pause, status: answer.status, error: error)
    }

    private static func text(of status: Int) -> String {
        switch status {
        case 300..<400: "The receiver redirects, which is not followed."
        case 410: "The receiver is gone, and the webhook disabled."
        default: "The receiver answered \(status)."
        }
    }
}
