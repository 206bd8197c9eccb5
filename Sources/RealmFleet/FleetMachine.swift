/// Decides what a fleet does next: its states, and the steps from one to another.
///
/// It knows how many realms stand where and not which; it has no clock. Its keeper changes the counts, calls `settle`, and
/// asks for the `allowance`.
public struct FleetMachine: Hashable, Sendable {
    /// Why a fleet is paused.
    public enum Pause: String, Hashable, Sendable, CaseIterable {
        /// Somebody asked for it.
        case asked
        /// As many realms failed as may.
        case failures
        /// The canary has ended well, and nobody said that the others may follow.
        case canary
    }

    /// A request to a fleet.
    public enum Verb: String, Hashable, Sendable, CaseIterable {
        case pause
        case resume
        case cancel
        case retryFailed = "retry-failed"
        case undo

        /// The verb for the end of a sentence.
        public var words: String {
            switch self {
            case .pause: "pause it"
            case .resume: "resume it"
            case .cancel: "cancel it"
            case .retryFailed: "retry what failed"
            case .undo: "undo it"
            }
        }
    }

    /// The state does not permit what is asked for.
    public struct Refused: Error, Hashable, Sendable {
        /// The verb that was asked for.
        public let verb: Verb
        /// The state.
        public let state: FleetState
        /// The obstacle beside the state; nil where that is all.
        public let reason: String?

        /// Describes a refusal.
        public init(verb: Verb, state: FleetState, reason: String?) {
            self.verb = verb
            self.state = state
            self.reason = reason
        }
    }

    /// How it goes about its realms.
    public let policy: FleetPolicy
    /// Where it stands.
    public private(set) var state: FleetState
    /// Why it is paused; nil in every other state.
    public private(set) var pause: Pause?
    /// How many realms stand where.
    public var counts: FleetCounts
    /// Whether the canary is over, or there is none.
    public private(set) var hasPassedCanary: Bool
    /// Whether the canary has ended well and its pause is on.
    public private(set) var isHeld: Bool
    /// Failures that somebody has seen and gone on from.
    public private(set) var forgiven: Int

    /// The state of a fleet that is kept elsewhere.
    public init(
        _ policy: FleetPolicy, state: FleetState, pause: Pause?, counts: FleetCounts, hasPassedCanary: Bool,
        isHeld: Bool, forgiven: Int
    ) {
        self.policy = policy
        self.state = state
        self.pause = pause
        self.counts = counts
        self.hasPassedCanary = hasPassedCanary
        self.isHeld = isHeld
        self.forgiven = forgiven
    }

    /// A fleet that begins with so many realms; it has ended where there are none.
    public init(_ policy: FleetPolicy, realms: Int) {
        self.init(
            policy, state: policy.canary == nil ? .running : .canary, pause: nil, counts: FleetCounts(pending: realms),
            hasPassedCanary: policy.canary == nil, isHeld: false, forgiven: 0)
        settle()
    }

    /// The realms that go first.
    public var canarySize: Int { policy.canary?.size.realms(of: counts.total) ?? 0 }

    // MARK: The next realms

    /// How many realms may be begun now; of one that undoes, put back.
    public var allowance: Int {
        switch state {
        case .canary: isHeld ? 0 : withinConcurrency(canarySize - counts.begun)
        case .running: withinConcurrency(counts[.pending])
        case .undoing: counts[.succeeded]
        case .paused, .succeeded, .failed, .cancelled, .undone: 0
        }
    }

    private func withinConcurrency(_ wanted: Int) -> Int {
        let room = policy.concurrency.map { $0 - counts[.running] } ?? .max
        return max(min(wanted, counts[.pending], room), 0)
    }

    // MARK: Consequences

    /// Draws the consequences of what the counts say.
    public mutating func settle() {
        switch state {
        case .canary, .running:
            if isThrough {
                end()
            } else if hasFailedTooOften {
                stop(.failures)
            } else if state == .canary, !isHeld, counts.begun >= canarySize, counts[.running] == 0 {
                endCanary()
            }
        case .paused: if isThrough { end() }
        case .undoing: if counts[.succeeded] == 0 { state = .undone }
        case .succeeded, .failed, .cancelled, .undone: break
        }
    }

    /// The canary's pause is over.
    public mutating func release() {
        guard state == .canary, isHeld else { return }
        passCanary()
        settle()
    }

    /// Whether every realm has had its turn.
    private var isThrough: Bool { counts[.pending] == 0 && counts[.running] == 0 }

    private var hasFailedTooOften: Bool {
        let isCanary = state == .canary
        let total = isCanary ? canarySize : counts.total
        guard let limit = policy.stopAfter?.realms(of: total) ?? (isCanary ? 1 : nil) else { return false }
        return counts[.failed] - forgiven >= limit
    }

    private mutating func end() {
        pause = nil
        isHeld = false
        state = counts[.failed] == 0 ? .succeeded : .failed
    }

    private mutating func stop(_ pause: Pause) {
        state = .paused
        isHeld = false
        self.pause = pause
    }

    private mutating func endCanary() {
        switch policy.canary?.pauseSeconds {
        case nil:
            hasPassedCanary = true
            stop(.canary)
        case .some(let seconds) where seconds > 0: isHeld = true
        case .some: passCanary()
        }
    }

    private mutating func passCanary() {
        hasPassedCanary = true
        isHeld = false
        state = .running
    }

    // MARK: Verbs

    /// Does what is asked for; `retryFailed` moves the failed realms to those that wait.
    ///
    /// - Parameter isRehearsal: whether it commits nothing.
    /// - Throws: `Refused`, and nothing is changed then.
    public mutating func take(_ verb: Verb, ofRehearsal isRehearsal: Bool = false) throws(Refused) {
        switch verb {
        case .pause:
            try require(state == .canary || state == .running, verb)
            stop(.asked)
        case .resume:
            try require(state == .paused || state == .canary && isHeld, verb)
            goOn()
        case .cancel:
            try require(state == .canary || state == .running || state == .paused, verb)
            pause = nil
            isHeld = false
            state = .cancelled
        case .retryFailed:
            try require(state == .paused || state == .failed, verb)
            try require(counts[.failed] > 0, verb, "no realm has failed")
            counts.move(counts[.failed], from: .failed, to: .pending)
            goOn()
        case .undo:
            try require([.paused, .succeeded, .failed, .cancelled].contains(state), verb)
            try require(counts[.running] == 0, verb, "some of its realms are being migrated still")
            try require(!isRehearsal, verb, "a rehearsal has migrated nothing")
            pause = nil
            state = .undoing
        }
        settle()
    }

    private mutating func goOn() {
        pause = nil
        forgiven = counts[.failed]
        if state == .canary { hasPassedCanary = true }
        isHeld = false
        state = hasPassedCanary || counts.begun >= canarySize ? .running : .canary
        if state == .running { hasPassedCanary = true }
    }

    private func require(_ condition: Bool, _ verb: Verb, _ reason: String? = nil) throws(Refused) {
        guard condition else { throw Refused(verb: verb, state: state, reason: reason) }
    }
}
