import RealmModel

/// Decides which shares of a migration run next, and what comes of them: as if one script had visited all row groups in their order.
///
/// It has no clock and starts nothing. A script goes through stages: what stands before its first enumeration, that, what stands
/// between it and the next, and so on. Shares come to a stage in any order; lines are told, and failures count, by stage and then by
/// share. What stands outside of enumerations is the same in every share, and is told once.
public struct ShareMachine: Sendable {
    /// Something that a share says while it runs.
    public enum Report: Sendable {
        case progress(MigrationProgress)
        case line(String, LogLevel)
        /// It comes to an enumeration of a class; nil where it comes from one.
        case enumerating(String?)
    }

    /// Something that the migration says to its observer.
    public enum Told: Sendable {
        case progress(MigrationProgress)
        case line(String, LogLevel)
    }

    /// Bytes of lines that may wait for their turn.
    static let heldLimit = 64 << 20

    private struct Line: Equatable, Sendable {
        var text: String
        var level: LogLevel
    }

    private struct Share: Sendable {
        var hasBegun = false
        /// Even outside of enumerations.
        var stage = 0
        /// The lines of each stage that were not told yet; those outside of enumerations stay, to be compared.
        var lines: [[Line]] = [[]]
        /// The classes of the enumerations so far, and the objects done in each.
        var classes: [String] = []
        var done: [Int] = []
        var end: Result<MigrationResult, MigrationError>?

        var failure: MigrationError? {
            guard case .failure(let error) = end else { return nil }
            return error
        }
    }

    private let limits: ScriptLimits
    private var shares: [Share]
    /// The stage and the share whose lines are told.
    private var turn = (stage: 0, share: 0)
    private var heldBytes = 0
    /// Bytes of the lines that were told, each with its end.
    public private(set) var logBytes = 0
    private var waiting: [Told] = []
    /// The end of all shares, once it is known: their results, or the failure that one script would have had.
    public private(set) var end: Result<[MigrationResult], any Error>?

    /// Begins with shares that have not begun.
    ///
    /// - Parameter limits: of all together.
    public init(count: Int, limits: ScriptLimits) {
        shares = (0..<max(count, 1)).map { _ in Share() }
        self.limits = limits
    }

    // MARK: Events

    /// The next share to begin; nil where none is of use.
    public mutating func begin() -> Int? {
        guard end == nil, let next = shares.firstIndex(where: { !$0.hasBegun }), !isUseless(next) else { return nil }
        shares[next].hasBegun = true
        return next
    }

    /// Whether nothing that a share may still do matters: the migration is over, or one before it in order has failed.
    public func isUseless(_ index: Int) -> Bool {
        guard end == nil else { return true }
        return shares.indices.contains { other in
            guard shares[other].failure != nil else { return false }
            // Nothing that a share does comes before the stage that it is in, or before its first enumeration.
            return (max(shares[other].stage, 1), other) < (max(shares[index].stage, 1), index)
        }
    }

    /// A share has said something.
    public mutating func take(_ report: Report, of index: Int) {
        guard shares[index].end == nil else { return }
        switch report {
        case .progress(let progress): note(progress, of: index)
        case .line(let text, let level):
            heldBytes += text.utf8.count
            shares[index].lines[shares[index].stage].append(Line(text: text, level: level))
            advance()
            guard heldBytes <= Self.heldLimit else {
                return stop(MigrationError(nil, Self.holdsTooMuch, script: .outputLimit))
            }
        case .enumerating(let className):
            guard (className != nil) == (shares[index].stage % 2 == 0) else {
                return stop(MigrationError(nil, "A share of the migration has lost its place.", script: .crash))
            }
            shares[index].stage += 1
            shares[index].lines.append([])
            if let className {
                shares[index].classes.append(className)
                shares[index].done.append(0)
            }
            advance()
        }
    }

    /// A share has come to its end.
    ///
    /// - Parameter result: what the script left, or why it failed. What says nothing of the script is the end of all shares.
    public mutating func ended(_ index: Int, _ result: Result<MigrationResult, any Error>) {
        guard !isUseless(index), shares[index].end == nil else { return }
        switch result {
        case .success(let result) where shares[index].stage % 2 == 0: shares[index].end = .success(result)
        case .success: stop(MigrationError(nil, "A share of the migration has lost its place.", script: .crash))
        case .failure(let error):
            guard let error = error as? MigrationError, Self.isOfScript(error) else { return stop(error) }
            shares[index].end = .failure(error)
        }
        advance()
    }

    /// Nothing more is to come: of time that is over, say.
    public mutating func stop(_ error: any Error) {
        guard end == nil else { return }
        end = .failure(error)
    }

    /// The observer is to be told this, in order.
    public mutating func takeTold() -> [Told] {
        defer { waiting = [] }
        return waiting
    }

    /// How far all shares together were last.
    public private(set) var progress: MigrationProgress?

    // MARK: Order

    private static func isOfScript(_ error: MigrationError) -> Bool {
        switch error.script {
        case .cancelled, .unavailable, .crash, .timeLimit: false
        default: true
        }
    }

    /// Tells what is due, and finds the end.
    private mutating func advance() {
        while end == nil {
            let (stage, index) = turn
            tell(stage, index)
            if end != nil { return }
            // Outside of enumerations the others fail where the first does, or the next stage finds that they did.
            if let failure = shares[index].failure, shares[index].stage <= stage { return stop(failure) }
            guard shares[index].stage > stage || shares[index].end != nil else { return }
            if stage % 2 == 0, shares[0].end != nil, shares[0].stage <= stage { return finish() }
            turn = stage % 2 == 1 && index + 1 < shares.count ? (stage, index + 1) : (stage + 1, 0)
            toldOutside = 0
        }
    }

    private mutating func tell(_ stage: Int, _ index: Int) {
        guard shares[index].lines.indices.contains(stage) else { return }
        let lines = shares[index].lines[stage]
        let isKept = stage % 2 == 0
        let fresh = isKept ? Array(lines.dropFirst(toldOutside)) : lines
        for line in fresh {
            logBytes += line.text.utf8.count + 1
            guard logBytes <= limits.outputLeft.logBytes else {
                return stop(MigrationError(exceeding: .logBytes, of: limits))
            }
            waiting.append(.line(line.text, line.level))
        }
        if isKept {
            toldOutside = lines.count
        } else {
            shares[index].lines[stage] = []
            heldBytes -= fresh.reduce(0) { $0 + $1.text.utf8.count }
        }
    }

    /// How many lines of the stage whose turn it is were told, where they are kept.
    private var toldOutside = 0

    /// Ends where the first share's script has ended: the others have to have done the same outside of their enumerations.
    private mutating func finish() {
        if let failure = shares.lazy.compactMap(\.failure).first { return stop(failure) }
        var results: [MigrationResult] = []
        for share in shares {
            guard case .success(let result) = share.end else { return }
            results.append(result)
        }
        let outside = shares.map { share in share.lines.indices.filter { $0 % 2 == 0 }.map { share.lines[$0] } }
        guard shares.allSatisfy({ $0.classes == shares[0].classes }), outside.allSatisfy({ $0 == outside[0] }) else {
            return stop(MigrationError.notIndependent(Self.differs))
        }
        let written = results.reduce(0) { $0 + $1.output.writtenBytes }
        guard written <= limits.outputLeft.writtenBytes else {
            return stop(MigrationError(exceeding: .writtenBytes, of: limits))
        }
        end = .success(results)
    }

    private static let differs =
        "outside of its callbacks it does not do the same in every part, so it keeps something between calls"
    private static let holdsTooMuch =
        "The script logs more than \(heldLimit) bytes before their turn, side by side: log less, or leave out `independent`."

    // MARK: Progress

    /// Adds up the objects that all shares have done in an enumeration.
    private mutating func note(_ progress: MigrationProgress, of index: Int) {
        guard let className = progress.className, let place = shares[index].done.indices.last else {
            let isFurther = self.progress?.phase == "prepare" && progress.phase != "prepare"
            if self.progress == nil || isFurther { tell(progress) }
            return
        }
        shares[index].done[place] = progress.objectsDone
        // Of several enumerations the first one is told of that is not done.
        guard place == max(turn.stage - 1, 0) / 2 else { return }
        let done = shares.reduce(0) { $0 + ($1.done.indices.contains(place) ? $1.done[place] : 0) }
        tell(
            MigrationProgress(
                phase: progress.phase, className: className, objectsDone: min(done, progress.objectsTotal),
                objectsTotal: progress.objectsTotal))
    }

    private mutating func tell(_ progress: MigrationProgress) {
        self.progress = progress
        waiting.append(.progress(progress))
    }
}
