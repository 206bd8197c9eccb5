import RealmModel

/// Decides which host of a pool does a task, and which hosts wait, end and are replaced.
///
/// It has no clock, and starts and ends no process: each function is one event, and its driver ends the hosts that it answers. A
/// host belongs to the machine while it waits, and to a task from `take` on.
struct HostPoolMachine<Host> {
    /// A host that waits.
    struct Waiting {
        let host: Host
        let profile: HostProfile
        /// Whose tasks it has done; nil where it has done none.
        let app: UUID?
        /// How many tasks it has done.
        let taskCount: Int
        /// When it began to wait, in nanoseconds.
        let since: UInt64
    }

    /// Tasks after which a host is let go: the virtual machine's heap gets no tidier.
    static var taskLimit: Int { 500 }

    /// The hosts that wait, the longest first.
    private(set) var waiting: [Waiting] = []
    private(set) var isClosed = false
    /// Whether a spare was taken that is to be replaced at once.
    private var lacksSpare = false
    private let policy: HostPool.Policy

    init(_ policy: HostPool.Policy) { self.policy = policy }

    // MARK: Tasks

    /// A task needs a host.
    ///
    /// - Returns: the host of its app that has waited longest and so is surely ready, else a spare; nil where it is to have a new one.
    mutating func take(_ profile: HostProfile, for app: UUID?) -> Waiting? {
        guard let app else { return nil }
        let fitting = waiting.indices.filter { waiting[$0].profile == profile }
        let index = fitting.first { waiting[$0].app == app } ?? fitting.first { waiting[$0].app == nil }
        guard let index else { return nil }
        if waiting[index].app == nil { lacksSpare = true }
        return waiting.remove(at: index)
    }

    /// A host that waited failed before it had anything of the task.
    ///
    /// - Returns: whether the task gets another: that a host ended, or lied, is none of its business then.
    static func replaces(after failure: HostFailure) -> Bool { failure != .cancelled }

    /// A host has done its task.
    ///
    /// - Parameters:
    ///   - app: whose task it was.
    ///   - taskCount: how many it has done, with this one.
    /// - Returns: the hosts that end.
    mutating func giveBack(
        _ host: Host, _ profile: HostProfile, of app: UUID?, taskCount: Int, at now: UInt64
    ) -> [Host] {
        guard !isClosed, policy.kept > 0, let app, taskCount < Self.taskLimit else { return [host] }
        waiting.append(Waiting(host: host, profile: profile, app: app, taskCount: taskCount, since: now))
        let kept = waiting.indices.filter { waiting[$0].app != nil }
        return remove(at: Set(kept.prefix(max(kept.count - policy.kept, 0))))
    }

    // MARK: Spares and time

    /// Whether spares are to be started at once; asked once, it is noted as done.
    mutating func wantsSpares() -> Bool {
        defer { lacksSpare = false }
        return isClosed || lacksSpare
    }

    /// The spares that are to be started.
    var missingSpares: [(profile: HostProfile, count: Int)] {
        guard !isClosed else { return [] }
        return policy.spares.compactMap { profile, count in
            let missing = count - waiting.count { $0.app == nil && $0.profile == profile }
            return missing > 0 ? (profile, missing) : nil
        }
    }

    /// A spare was started.
    ///
    /// - Returns: the hosts that end.
    mutating func add(spare host: Host, _ profile: HostProfile, at now: UInt64) -> [Host] {
        guard !isClosed else { return [host] }
        waiting.append(Waiting(host: host, profile: profile, app: nil, taskCount: 0, since: now))
        return []
    }

    /// Time has passed.
    ///
    /// - Parameter hasEnded: whether a host has ended by itself.
    /// - Returns: the hosts that end: those, and those that have waited too long for their app.
    mutating func timePassed(_ now: UInt64, hasEnded: (Host) -> Bool) -> [Host] {
        let idle = UInt64(max(policy.idleSeconds, 0) * 1e9)
        return remove(
            at: Set(
                waiting.indices.filter {
                    hasEnded(waiting[$0].host) || waiting[$0].app != nil && now - waiting[$0].since > idle
                }))
    }

    /// The pool is closed, and keeps no host from now on.
    ///
    /// - Returns: the hosts that end.
    mutating func close() -> [Host] {
        isClosed = true
        return remove(at: Set(waiting.indices))
    }

    private mutating func remove(at indices: Set<Int>) -> [Host] {
        let removed = waiting.indices.filter(indices.contains).map { waiting[$0].host }
        if !removed.isEmpty { waiting = waiting.indices.filter { !indices.contains($0) }.map { waiting[$0] } }
        return removed
    }
}
