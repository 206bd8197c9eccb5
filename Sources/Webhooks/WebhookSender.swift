import CCurl
import Threads

/// Sends requests by libcurl, many at once: one thread for all of them.
final class WebhookSender: Sendable {
    private struct State {
        var isRunning = false
        var waiting: [(request: WebhookRequest, completed: @Sendable (WebhookAnswer) -> Void)] = []
        /// Called under the lock, so that libcurl is still there.
        var wake: (@Sendable () -> Void)?
    }

    /// libcurl has no memory to begin with.
    struct Failure: Error, CustomStringConvertible {
        let description = "Webhooks can't be sent, because libcurl can't begin: it is tried again."
    }

    private let policy: AddressPolicy
    private let failed: @Sendable (any Error) -> Void
    private let begin: @Sendable () -> UnsafeMutableRawPointer?
    private let state = Monitor(State())
    private let thread = ThreadGroup()

    /// - Parameters:
    ///   - failed: is told where nothing can be sent for now.
    ///   - begin: begins libcurl's work; nil where there is no memory for it.
    init(
        _ policy: AddressPolicy, failed: @escaping @Sendable (any Error) -> Void,
        begin: @escaping @Sendable () -> UnsafeMutableRawPointer? = { curl_multi_init() }
    ) {
        self.policy = policy
        self.failed = failed
        self.begin = begin
    }

    func start() {
        let starts = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { thread.start("webhook-sender") { [self] in run() } }
    }

    /// Drops what is on its way, of which nothing is told any more.
    func stop() {
        state.change { state in
            state.isRunning = false
            state.wake?()
        }
        thread.wait(timeout: .seconds(5))
    }

    /// Sends a request.
    ///
    /// - Parameter completed: is called by the sender's thread, so it has to be short and must not block.
    func send(_ request: WebhookRequest, _ completed: @escaping @Sendable (WebhookAnswer) -> Void) {
        state.withLock { state in
            state.waiting.append((request, completed))
            state.wake?()
        }
    }

    private func run() {
        var pause = Duration.seconds(1)
        while state.withLock({ $0.isRunning }) {
            if let multi = begin() { return send(by: multi) }
            failed(Failure())
            // Their deliveries are attempted again as any others, be it by another process.
            for (_, completed) in takeWaiting() { Transfer.fail(completed) }
            state.wait(timeout: pause) { !$0.isRunning }
            pause = min(pause * 2, .seconds(10))
        }
    }

    private func send(by multi: UnsafeMutableRawPointer) {
        let wake = Waking(multi: multi)
        state.withLock { $0.wake = { wake.wake() } }
        var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
        defer {
            state.withLock { $0.wake = nil }
            for handle in transfers.keys { curl_multi_remove_handle(multi, handle) }
            transfers = [:]
            curl_multi_cleanup(multi)
        }
        while state.withLock({ $0.isRunning }) {
            for (request, completed) in takeWaiting() {
                guard let transfer = Transfer(request, policy, completed: completed),
                    curl_multi_add_handle(multi, transfer.handle) == CURLM_OK
                else {
                    Transfer.fail(completed)
                    continue
                }
                transfers[transfer.handle] = transfer
            }
            var (running, left): (Int32, Int32) = (0, 0)
            curl_multi_perform(multi, &running)
            while let message = curl_multi_info_read(multi, &left) {
                guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
                let outcome = message.pointee.data.result
                curl_multi_remove_handle(multi, handle)
                transfers.removeValue(forKey: handle)?.complete(outcome)
            }
            curl_multi_poll(multi, nil, 0, 1000, nil)
        }
    }

    private func takeWaiting() -> [(request: WebhookRequest, completed: @Sendable (WebhookAnswer) -> Void)] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}

/// Wakes the thread that waits for libcurl, which any thread may do.
private struct Waking: @unchecked Sendable {
    // Sendable because libcurl permits this one function from other threads.
    let multi: UnsafeMutableRawPointer

    func wake() { curl_multi_wakeup(multi) }
}
