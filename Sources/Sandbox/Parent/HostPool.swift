import Columns
import Glibc
import RealmModel
import Threads

/// Hosts that wait for tasks, so that a task need not wait for a host.
///
/// Two sorts wait. A spare has done nothing yet and is for anybody; a thread of the pool replaces those that are taken.
/// A host that has done a task may, for all that is known, be in the hands of that task's script: it is kept for tasks of
/// the same app alone, by when it has forgotten the script (`HostWork.reset`). A host that failed in any way is not kept.
public final class HostPool: Sendable {
    /// A host that waits.
    private struct Waiting {
        let host: HostProcess
        /// Whose tasks it has done; nil where it has done none.
        let app: RealmModel.UUID?
        var taskCount = 0
        var since = MonotonicClock.now
    }

    private struct State {
        var waiting: [Waiting] = []
        /// Whether a spare was taken that is to be replaced at once.
        var lacksSpare = false
        var isRunning = false
        var isClosed = false

        mutating func remove(at indices: some Collection<Int>) -> [Waiting] {
            let removed = indices.map { waiting[$0] }
            waiting = waiting.indices.filter { !indices.contains($0) }.map { waiting[$0] }
            return removed
        }
    }

    /// Tasks after which a host is let go: the virtual machine's heap gets no tidier.
    private static let taskLimit = 500
    /// Processor time for forgetting a task, and more than waiting takes.
    private static let resetSeconds = 10
    /// How long a host may take to be ready that should have been long ago.
    private static let patience = 2.0
    private let program: HostProgram
    private let policy: Policy
    /// How often the pool's thread looks at those who wait, in seconds.
    private let interval: Double
    private let state = Monitor(State())

    /// Makes a pool without hosts; until `start` is called none is started ahead of its task.
    ///
    /// - Parameters:
    ///   - executable: the path of a program whose `host` command calls `HostMain.run`; this program itself unless said otherwise.
    ///   - policy: how many hosts wait; none unless said otherwise.
    public init(executable: String = "/proc/self/exe", policy: Policy = .none) {
        program = HostProgram(executable)
        self.policy = policy
        interval = min(max(policy.idleSeconds / 4, 0.05), 5)
    }

    /// Starts the thread that keeps spares ready and ends hosts that have waited for long.
    public func start() {
        let starts = state.withLock { state in
            guard !state.isRunning, !state.isClosed else { return false }
            state.isRunning = true
            return true
        }
        guard starts else { return }
        PlainThread.start("host-pool", stackBytes: 1 << 20) { [self] in keepHouse() }
    }

    /// Ends the hosts that wait, and from now on keeps none.
    public func close() {
        // The hosts end with the array, outside the lock.
        let ended = state.change { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        withExtendedLifetime(ended) {}
    }

    /// The processes of the hosts that wait: spares, and those kept for an app.
    var waitingProcesses: (spares: [pid_t], kept: [pid_t]) {
        state.withLock { state in
            (
                state.waiting.filter { $0.app == nil }.map(\.host.processID),
                state.waiting.filter { $0.app != nil }.map(\.host.processID)
            )
        }
    }

    /// Has a host do a task, and waits for the end.
    ///
    /// - Parameter read: makes something of the answer; where it throws, the host is not kept. A `ColumnError` or
    ///   `ServedStore.Refused` is taken for a host that talks nonsense.
    /// - Throws: `HostFailure`, what the store throws, and what `read` throws.
    public func perform<Result>(_ order: HostOrder, read: (HostAnswer) throws -> Result) throws -> Result {
        let (session, taskCount) = try begin(order)
        let answer = try session.run()
        let result = try session.believed { try read(answer) }
        keep(Waiting(host: session.host, app: order.app, taskCount: taskCount + 1))
        return result
    }

    /// The protections that keep hosts apart on this machine; starts one to see.
    ///
    /// - Throws: `HostFailure`.
    public func isolation(of profile: HostProfile) throws -> Isolation {
        let host = try HostProcess(program, profile: profile)
        let limits = HostLimits(timeoutSeconds: 60, memoryBytes: profile.memoryBytes)
        let served = ServedStore(MemorySegmentStore(), source: nil)
        return try HostSession(host, HostOrder(profile.role, [], limits: limits, of: nil, serving: served))
            .waitUntilReady()
    }

    // MARK: Taking and giving back

    /// A session with a host that is ready: one that waited, or a new one.
    private func begin(_ order: HostOrder) throws -> (HostSession, taskCount: Int) {
        while let waiting = take(order) {
            let session = HostSession(waiting.host, order)
            do {
                try session.waitUntilReady(patience: Self.patience)
                // One that was ready once may have been killed since.
                if !waiting.host.hasEnded, waiting.host.limitProcessorTime(seconds: order.limits.processorSeconds) {
                    return (session, waiting.taskCount)
                }
            } catch let failure as HostFailure where failure != .cancelled {
                // It ended, or lied, before it had anything of this task: that is none of the task's business.
            }
        }
        let host = try HostProcess(program, profile: order.profile)
        let session = HostSession(host, order)
        try session.waitUntilReady()
        _ = host.limitProcessorTime(seconds: order.limits.processorSeconds)
        return (session, 0)
    }

    /// The host of the order's app that has waited longest and so is surely ready, else a spare.
    private func take(_ order: HostOrder) -> Waiting? {
        guard let app = order.app else { return nil }
        return state.change { state in
            let fitting = state.waiting.indices.filter { state.waiting[$0].host.profile == order.profile }
            let index =
                fitting.first { state.waiting[$0].app == app } ?? fitting.first { state.waiting[$0].app == nil }
            guard let index else { return nil }
            if state.waiting[index].app == nil { state.lacksSpare = true }
            return state.waiting.remove(at: index)
        }
    }

    private func keep(_ done: Waiting) {
        guard done.app != nil, done.taskCount < Self.taskLimit,
            done.host.limitProcessorTime(seconds: Self.resetSeconds)
        else { return }
        // Those that make room end with the array, outside the lock.
        let ended = state.withLock { state in
            guard !state.isClosed, policy.kept > 0 else { return [done] }
            state.waiting.append(done)
            let kept = state.waiting.indices.filter { state.waiting[$0].app != nil }
            return state.remove(at: kept.prefix(max(kept.count - policy.kept, 0)))
        }
        withExtendedLifetime(ended) {}
    }

    // MARK: Housekeeping

    private func keepHouse() {
        while !state.withLock({ $0.isClosed }) {
            // These end here, outside the lock.
            _ = state.withLock { removeEnded(&$0) }
            startSpares()
            _ = state.wait(timeout: .seconds(interval)) { state -> Void? in
                guard state.isClosed || state.lacksSpare else { return nil }
                state.lacksSpare = false
                return ()
            }
        }
    }

    /// Takes out what has waited too long for its app, and what has ended by itself.
    private func removeEnded(_ state: inout State) -> [Waiting] {
        let now = MonotonicClock.now
        let idle = UInt64(max(policy.idleSeconds, 0) * 1e9)
        let ended = state.waiting.indices.filter {
            let waiting = state.waiting[$0]
            return waiting.host.hasEnded || (waiting.app != nil && now - waiting.since > idle)
        }
        return state.remove(at: ended)
    }

    private func startSpares() {
        for (profile, count) in policy.spares {
            let missing = state.withLock { state in
                count - state.waiting.filter { $0.app == nil && $0.host.profile == profile }.count
            }
            for _ in 0..<max(missing, 0) {
                // Where no host can be started, the task that needs one says so.
                guard let host = try? HostProcess(program, profile: profile) else { return }
                state.withLock { if !$0.isClosed { $0.waiting.append(Waiting(host: host, app: nil)) } }
            }
        }
    }
}
