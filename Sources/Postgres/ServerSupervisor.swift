import Threads

/// Keeps a private server running: one that ends by itself, or is killed, is started again.
///
/// PostgreSQL starts its own processes again when one of them dies; what is left is the death of the first, the postmaster, and
/// a recovery that can't be, as on a full disk. Then there is a pause that grows, for as long as it takes.
final class ServerSupervisor: Sendable {
    private struct State {
        var process: ServerProcess
        var isStopping = false
    }

    private let cluster: PostgresCluster
    private let settings: [String: String]
    private let note: @Sendable (String) -> Void
    private let state: Monitor<State>
    private let thread = ThreadGroup()

    /// Starts a server on files that are ready for one.
    ///
    /// - Parameter note: is told of ends and starts.
    init(
        _ cluster: PostgresCluster, settings: [String: String], note: @escaping @Sendable (String) -> Void
    ) throws(PostgresError) {
        self.cluster = cluster
        self.settings = settings
        self.note = note
        state = Monitor(State(process: try cluster.startServer(settings: settings)))
    }

    /// The server that was started last, which may have ended.
    var process: ServerProcess { state.withLock { $0.process } }

    /// Begins to watch.
    func start() {
        thread.start("postgres-supervisor") { [self] in watch() }
    }

    /// Starts no server any more.
    ///
    /// - Returns: the last one.
    func stop() -> ServerProcess {
        state.change { state in
            state.isStopping = true
            return state.process
        }
    }

    private func watch() {
        var pause = RestartPause()
        var start = ContinuousClock.now
        while waitForEnd() {
            let wait = pause.next(afterRunning: .now - start)
            note("PostgreSQL has ended and is started again: \(PostgresCluster.lastLine(of: cluster.log))")
            if state.wait(timeout: wait, until: { $0.isStopping }) { return }
            start = .now
            do {
                try restart()
            } catch {
                note("PostgreSQL could not be started again: \(error)")
            }
        }
    }

    /// Waits until the server has ended; false where nobody wants another.
    private func waitForEnd() -> Bool {
        while true {
            let process = process
            _ = process.waitForEnd(timeout: .seconds(3600))
            if state.withLock({ $0.isStopping }) { return false }
            if process.processID == nil { return true }
        }
    }

    private func restart() throws(PostgresError) {
        try cluster.clearUp()
        let failure = state.withLock { state -> PostgresError? in
            guard !state.isStopping else { return nil }
            do throws(PostgresError) {
                state.process = try cluster.startServer(settings: settings)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }
}
