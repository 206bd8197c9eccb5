import RealmModel

/// How much one request may do: the bytes of columns that it goes through, the memory that it holds on to, and the time and the
/// client that whoever made the budget watches.
///
/// Code that reads columns, follows links or compares values counts it here, before or while it does so: by row groups or by
/// objects, not by values. Where nobody has set a budget there is none, as in jobs and commands. It belongs to one thread
/// at a time, as stores do.
public final class WorkBudget: @unchecked Sendable {
    // Sendable because one thread at a time has the request.

    /// The bound that was exceeded, as it was given.
    public enum Excess: Error, Hashable, Sendable {
        /// Bytes of columns, gone through as often as the request asks for.
        case work(bytes: Int)
        /// Bytes that are held at once.
        case memory(bytes: Int)
        /// Since the work began.
        case time(seconds: Double)
        /// The client has left: nobody reads what would be found.
        case abandoned
        /// Bytes that all budgets of a service hold at once.
        case crowded
    }

    /// The budget of what this thread does; nil for none.
    @TaskLocal public static var current: WorkBudget?

    /// The least that is counted for anything, however little it is: what else could be gone through meanwhile.
    private static let leastBytes = 256

    private let workBytes: Int
    private let memoryBytes: Int
    private let shared: SharedMemory?
    private let owner: UUID?
    private let watch: () -> Excess?
    private let hostTurns: (any HostTurns)?
    /// The bytes that were gone through.
    public private(set) var spentBytes = 0
    /// The bytes that are held.
    public private(set) var heldBytes = 0
    /// The bytes that are claimed of the shared memory: what is held, and some that are likely to be.
    private var claimedBytes = 0
    /// The memory that the answer takes while it is made in pieces, as `announce` says.
    public private(set) var answerBytes = 0
    private let watchedBytes: Int
    private var nextWatch: Int
    private var changes = false

    /// A budget of which nothing is spent.
    ///
    /// - Parameters:
    ///   - workBytes: the most bytes of columns; nil for any number.
    ///   - memoryBytes: the most bytes that are held at once; nil for any number.
    ///   - shared: the memory that other budgets hold, too, until they are let go of; nil for any.
    ///   - owner: whose share of that it is.
    ///   - hostTurns: gives turns to processes that are started for the work; nil where any number may run.
    ///   - watchedBytes: the work after which `watch` is asked, and asked again.
    ///   - watch: says whether the work is to end, and why.
    public init(
        workBytes: Int? = nil, memoryBytes: Int? = nil, shared: SharedMemory? = nil, owner: UUID? = nil,
        hostTurns: (any HostTurns)? = nil, watchedBytes: Int = 1 << 20, watch: @escaping () -> Excess? = { nil }
    ) {
        self.watchedBytes = watchedBytes
        nextWatch = watchedBytes
        self.workBytes = workBytes ?? .max
        self.memoryBytes = memoryBytes ?? .max
        self.shared = shared
        self.owner = owner
        self.watch = watch
        self.hostTurns = hostTurns
    }

    /// Counts work.
    ///
    /// - Throws: `Excess` where it is too much, or the work is to end for another reason.
    public func spend(_ bytes: Int) throws(Excess) {
        spentBytes += max(bytes, Self.leastBytes)
        guard spentBytes <= workBytes else { throw .work(bytes: workBytes) }
        guard spentBytes >= nextWatch else { return }
        nextWatch = spentBytes + watchedBytes
        try look()
    }

    /// Ends the work where that is to be, however little of it was counted.
    ///
    /// - Throws: `Excess.time`, `Excess.abandoned`.
    public func look() throws(Excess) {
        guard let excess = watch(), excess != .abandoned || !changes else { return }
        throw excess
    }

    /// Says that something is changed from now on: whoever asked for it may leave, and it comes to its end.
    ///
    /// - Throws: as `look`, before anything is changed.
    public func beginChanging() throws(Excess) {
        try look()
        changes = true
    }

    /// Waits until a process may be started for the work, in this thread.
    ///
    /// - Returns: the turn, which ends when it is let go of.
    /// - Throws: as `look`, while it waits.
    public func waitForHost() throws -> AnyObject? { try hostTurns?.wait { try look() } }

    /// Counts memory that is held until the request ends; waits for others in this thread where it is the last to go on.
    ///
    /// - Throws: `Excess.memory` where it is too much, `Excess.crowded` where others hold too much; as `look`, while it waits.
    public func hold(_ bytes: Int) throws(Excess) {
        guard heldBytes + bytes <= memoryBytes else { throw .memory(bytes: memoryBytes) }
        if let shared, heldBytes + bytes > claimedBytes {
            try claim(heldBytes + bytes - claimedBytes, of: shared)
        }
        heldBytes += bytes
    }

    private func claim(_ bytes: Int, of shared: SharedMemory) throws(Excess) {
        // Mostly some more than it needs now, so that it need not ask each time.
        var claimed = max(bytes, shared.step)
        while true {
            switch shared.claim(claimed, for: ObjectIdentifier(self), of: owner) {
            case .granted:
                claimedBytes += claimed
                return
            case .refused where claimed == bytes: throw .crowded
            case .refused, .wait: claimed = bytes
            }
            try look()
            shared.pause()
        }
    }

    /// Counts memory that may be let go of before the request ends: only the most that is held at once counts.
    ///
    /// - Parameters:
    ///   - bytes: held now.
    ///   - peak: the most that was counted of the same; raised here.
    public func hold(_ bytes: Int, peak: inout Int) throws(Excess) {
        guard bytes > peak else { return }
        try hold(bytes - peak)
        peak = bytes
    }

    deinit { shared?.giveBack(of: ObjectIdentifier(self)) }

    /// Says how much memory the answer takes while it is made in pieces: whoever made the budget has it wait until there is room.
    ///
    /// - Parameter bytes: near enough.
    public func announce(answerOf bytes: Int) { answerBytes = bytes }

    /// Asks whether memory that is about to be held may be, and counts a little work.
    ///
    /// - Throws: as `hold` and `spend`.
    public func checkRoom(for bytes: Int) throws(Excess) {
        guard heldBytes + bytes <= memoryBytes else { throw .memory(bytes: memoryBytes) }
        try spend(0)
    }

    /// Counts work where this thread's has a budget.
    public static func spend(_ bytes: Int) throws(Excess) { try current?.spend(bytes) }

    /// Counts memory where this thread's work has a budget.
    public static func hold(_ bytes: Int) throws(Excess) { try current?.hold(bytes) }
}

/// Gives turns to processes that are started for requests: a few run at once.
public protocol HostTurns: Sendable {
    /// Waits for a turn, in this thread.
    ///
    /// - Parameter look: called now and then; ends the wait by an error.
    /// - Returns: the turn, which ends when it is let go of.
    func wait(looking look: () throws -> Void) throws -> AnyObject
}
