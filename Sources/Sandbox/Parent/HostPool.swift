import Columns
import Glibc
import RealmModel
import Threads

/// Hosts that wait for tasks, so that a task need not wait for a host.
///
/// Two sorts wait. A spare has done nothing yet and is for anybody; a thread of the pool replaces those that are taken.
/// A host that has done a task may, for all that is known, be in the hands of that task's script: it is kept for tasks of
/// the same app alone, by when it has forgotten the script (`HostWork.reset`). A host that failed in any way is not kept. A
/// `HostPoolMachine` decides all that; hosts end where its answers are let go of, outside the lock.
public final class HostPool: Sendable {
    private struct State {
        var machine: HostPoolMachine<HostProcess>
        var isRunning = false
    }

    /// Processor time for forgetting a task, and more than waiting takes.
    private static let resetSeconds = 10
    /// How long a host may take to be ready that should have been long ago.
    private static let patience = 2.0
    private let program: HostProgram
    /// How often the pool's thread looks at those who wait, in seconds.
    private let interval: Double
    private let state: Monitor<State>

    /// Makes a pool without hosts; until `start` is called none is started ahead of its task.
    ///
    /// - Parameters:
    ///   - executable: the path of a program whose `host` command calls `HostMain.run`; this program itself unless said otherwise.
    ///   - policy: how many hosts wait; none unless said otherwise.
    public init(executable: String = "/proc/self/exe", policy: Policy = .none) {
        program = HostProgram(executable)
        state = Monitor(State(machine: HostPoolMachine(policy)))
        interval = min(max(policy.idleSeconds / 4, 0.05), 5)
    }

    /// Starts the thread that keeps spares ready and ends hosts that have waited for long.
    public func start() {
        let starts = state.withLock { state in
            guard !state.isRunning, !state.machine.isClosed else { return false }
            state.isRunning = true
            return true
        }
        guard starts else { return }
        PlainThread.start("host-pool", stackBytes: 1 << 20) { [self] in keepReady() }
    }

    /// Ends the hosts that wait, and from now on keeps none.
    public func close() {
        let ended = state.change { $0.machine.close() }
        withExtendedLifetime(ended) {}
    }

    /// The processes of the hosts that wait: spares, and those kept for an app.
    var waitingProcesses: (spares: [pid_t], kept: [pid_t]) {
        let waiting = state.withLock { $0.machine.waiting }
        return (
            waiting.filter { $0.app == nil }.map(\.host.processID),
            waiting.filter { $0.app != nil }.map(\.host.processID)
        )
    }

    /// Has a host do a task, and waits for the end.
    ///
    /// - Parameter read: makes something of the answer; where it throws, the host is not kept. A `ColumnError` or
    ///   `ServedStore.Refused` is taken for a host that talks nonsense.
    /// - Throws: `HostFailure`, what the store throws, and what `read` throws.
    public func perform<Result>(_ order: HostOrder, read: (HostAnswer) throws -> Result) throws -> Result {
        let (session, taskCount) = try begin(order)
        order.begins(taskCount)
        let answer = try session.run()
        let result = try session.believed { try read(answer) }
        giveBack(session.host, order, taskCount: taskCount + 1)
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
        while let waiting = state.change({ $0.machine.take(order.profile, for: order.app) }) {
            let session = HostSession(waiting.host, order)
            do {
                try session.waitUntilReady(patience: Self.patience)
                // One that was ready once may have been killed since.
                if !waiting.host.hasEnded, waiting.host.limitProcessorTime(seconds: order.limits.processorSeconds) {
                    return (session, waiting.taskCount)
                }
            } catch let failure as HostFailure where HostPoolMachine<HostProcess>.replaces(after: failure) {
                // Another one has the task.
            }
        }
        let host = try HostProcess(program, profile: order.profile)
        let session = HostSession(host, order)
        try session.waitUntilReady()
        _ = host.limitProcessorTime(seconds: order.limits.processorSeconds)
        return (session, 0)
    }

    private func giveBack(_ host: HostProcess, _ order: HostOrder, taskCount: Int) {
        guard order.app != nil, host.limitProcessorTime(seconds: Self.resetSeconds) else { return }
        let ended = state.withLock {
            $0.machine.giveBack(host, order.profile, of: order.app, taskCount: taskCount, at: MonotonicClock.now)
        }
        withExtendedLifetime(ended) {}
    }

    // MARK: Spares and time

    private func keepReady() {
        while !state.withLock({ $0.machine.isClosed }) {
            let ended = state.withLock { $0.machine.timePassed(MonotonicClock.now, hasEnded: \.hasEnded) }
            withExtendedLifetime(ended) {}
            startSpares()
            _ = state.wait(timeout: .seconds(interval)) { $0.machine.wantsSpares() ? () : nil }
        }
    }

    private func startSpares() {
        for (profile, count) in state.withLock({ $0.machine.missingSpares }) {
            for _ in 0..<count {
                // Where no host can be started, the task that needs one says so.
                guard let host = try? HostProcess(program, profile: profile) else { return }
                let ended = state.withLock { $0.machine.add(spare: host, profile, at: MonotonicClock.now) }
                withExtendedLifetime(ended) {}
            }
        }
    }
}
