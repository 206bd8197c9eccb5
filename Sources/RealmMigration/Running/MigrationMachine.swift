import Columns
import RealmModel

/// Decides which migrations are run next of a slice: some realms, each with the steps that take it to its target.
///
/// It has no clock and does not know where anything runs. Its driver asks for the `next` call, makes it, and has the machine
/// `take` the results. A job, a rehearsal and a file are slices of one realm.
public struct MigrationMachine: Sendable {
    /// Hosts that a script may lose of one realm: nobody knows whose fault the first was, and the third is the script's.
    public static let hostLimit = 3

    /// A realm on the way to its target.
    public struct Realm: Sendable {
        /// The results of the steps so far.
        public fileprivate(set) var results: [MigrationResult] = []
        /// The realm after them.
        public fileprivate(set) var snapshot: Snapshot
        /// Why there is no further step; nil while nothing has failed for good.
        public fileprivate(set) var failure: (any Error)?
        fileprivate let steps: [MigrationRequest]
        private let isSmall: Bool
        fileprivate var made = ScriptOutput()
        fileprivate var hostLosses = 0

        /// Describes a realm that is at its source.
        ///
        /// - Parameters:
        ///   - steps: the requests; each begins with the result of the one before.
        ///   - isSmall: whether it may share a call with others.
        public init(_ source: Snapshot, steps: [MigrationRequest], isSmall: Bool = false) {
            snapshot = source
            self.steps = steps
            self.isSmall = isSmall
        }

        /// Whether its last step is done, or it has failed.
        public var isOver: Bool { failure != nil || results.count >= steps.count }

        /// The realm at its target, or why it is not there.
        public var end: Result<Snapshot, any Error> { failure.map { .failure($0) } ?? .success(snapshot) }
    }

    /// The next step of some realms, to be run by one call of a host; without a host where there is no script.
    public struct Call: Sendable {
        /// The places of the realms in the slice; at least one.
        public let places: [Int]
        /// Their requests, which have the same script.
        public let requests: [MigrationRequest]
        /// The limits of each.
        public let limits: ScriptLimits
    }

    /// The realms, those that are over among them.
    public private(set) var realms: [Realm]
    private let limits: ScriptLimits
    private let hostLimit: Int
    /// Whether the scripts of a realm have the time limit together.
    private var sharesTime = false

    /// Begins a slice.
    ///
    /// - Parameters:
    ///   - limits: of the scripts of each realm together; the time is that of each script, unless the driver tells how much is left.
    ///   - hostLimit: hosts that a realm may lose until it fails.
    public init(_ realms: [Realm], limits: ScriptLimits, hostLimit: Int = MigrationMachine.hostLimit) {
        self.realms = realms
        self.limits = limits
        self.hostLimit = hostLimit
    }

    /// The next call; nil where all realms are over.
    ///
    /// Realms that need a call for themselves come first.
    ///
    /// - Parameter secondsLeft: the time that is left to the scripts; nil where each has the whole limit.
    public mutating func next(secondsLeft: Double? = nil) -> Call? {
        sharesTime = secondsLeft != nil
        while let place = nextPlace {
            guard let secondsLeft, secondsLeft <= 0, let request = realms[place].request,
                request.migration.runnableScript != nil
            else { return call(of: place, secondsLeft) }
            let error = MigrationError(nil, "No time was left for the step.", script: .timeLimit)
            fail(place, error)
        }
        return nil
    }

    private var nextPlace: Int? {
        realms.firstIndex { !$0.isOver && !$0.canShare } ?? realms.firstIndex { !$0.isOver }
    }

    private func call(of first: Int, _ secondsLeft: Double?) -> Call {
        let script = realms[first].request?.migration.runnableScript
        let others = realms.indices.filter {
            $0 > first && realms[$0].canShare && realms[$0].request?.migration.runnableScript == script
        }
        let places = realms[first].canShare ? [first] + others : [first]
        var limits = limits
        limits.timeoutSeconds = secondsLeft ?? limits.timeoutSeconds
        limits.made = realms[first].made
        return Call(places: places, requests: places.compactMap { realms[$0].request }, limits: limits)
    }

    /// Takes the result of a realm's step.
    ///
    /// A failure is the realm's end, but for a lost host: then the step is run again, by a call of its own.
    public mutating func take(_ result: Result<MigrationResult, any Error>, of place: Int) {
        switch result {
        case .success(let result):
            realms[place].made += result.output
            realms[place].results.append(result)
            if !result.isUnchanged { realms[place].snapshot = result.snapshot }
        case .failure(let error):
            if (error as? MigrationError)?.script == .crash {
                realms[place].hostLosses += 1
                guard realms[place].hostLosses >= hostLimit else { return }
            }
            fail(place, error)
        }
    }

    private mutating func fail(_ place: Int, _ error: any Error) {
        realms[place].failure = realms[place].naming(error, sharedSeconds: sharesTime ? limits.timeoutSeconds : nil)
    }
}

extension MigrationMachine.Realm {
    /// The next step, from where the realm is; nil where it is over.
    fileprivate var request: MigrationRequest? {
        guard !isOver else { return nil }
        var request = steps[results.count]
        request.source = snapshot
        return request
    }

    /// Whether its next step may be run by one call with those of others: limits are the same for all of a call, and a host that
    /// died may have died of this one.
    fileprivate var canShare: Bool {
        isSmall && steps.count == 1 && hostLosses == 0 && request?.migration.runnableScript != nil
            && request.map { ShareDivision.standard.shareCount(of: $0) == 1 } == true
    }

    /// An error that says whose script or schema it was, and the limit that the steps share.
    fileprivate func naming(_ error: any Error, sharedSeconds: Double?) -> any Error {
        guard var error = error as? MigrationError, steps.indices.contains(results.count) else { return error }
        if let sharedSeconds, error.script == .timeLimit {
            // The host knows what was left of the limit and no more.
            error.message = Self.timeout(sharedSeconds, steps.count)
            for index in error.details.indices { error.details[index].message = error.message }
        }
        if error.details.isEmpty, steps.count > 1 { error.details = [ProblemItem(error.message)] }
        for index in error.details.indices where error.details[index].step == nil {
            error.details[index].step = steps[results.count].targetVersion
        }
        return error
    }

    private static func timeout(_ seconds: Double, _ steps: Int) -> String {
        let limit = seconds == seconds.rounded() && seconds < 1e9 ? "\(Int(seconds))" : "\(seconds)"
        return (steps == 1 ? "The script" : "The scripts of the \(steps) steps together")
            + " ran longer than the limit of \(limit) s."
    }
}
