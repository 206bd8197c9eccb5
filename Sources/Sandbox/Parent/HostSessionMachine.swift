import Columns
import Glibc

/// Decides what the parent does in the task of a host: after each frame, each look at the clock, and the host's end.
///
/// It has no clock, and reads and sends nothing. Nothing that the host says is believed: a frame that is not its turn ends it.
struct HostSessionMachine {
    /// The next action after a frame.
    enum Action: Equatable {
        /// The host is ready: it may get the task.
        case begin(Isolation)
        /// The payload goes to the task's caller.
        case report
        /// The payload is a segment for the store.
        case keepSegment
        /// The payload is a column for the store.
        case keepColumn
        /// The payload is a segment for scratch space.
        case keepScratch
        /// The store has what the host asks for.
        case answer
        /// The task is done.
        case finish(HostAnswer)
        /// The host is to be ended.
        case end(HostFailure)
    }

    /// The result of a look at the clock.
    enum Look: Equatable {
        /// Nothing is to be done before so many milliseconds have passed.
        case rest(milliseconds: UInt64)
        /// It is to be found out whether the host is beyond its processor time, and else whether the task was cancelled.
        case ask
        /// The host is to be ended.
        case end(HostFailure)
    }

    private enum State {
        case starting
        case ready
        case working
        case over
    }

    /// How often cancellation is asked about, in nanoseconds.
    private static let tick: UInt64 = 100_000_000
    /// The loader's code for a program whose libraries it does not find.
    private static let notLoadedCode: Int32 = 127

    private var state = State.starting
    private let limits: HostLimits
    private var deadline: UInt64
    /// When a host that is starting has to be ready.
    private var readyBy: UInt64
    private var nextQuestion: UInt64 = 0

    /// Begins with a host that is starting.
    init(_ limits: HostLimits, at now: UInt64) {
        self.limits = limits
        deadline = Self.deadline(limits, now)
        readyBy = deadline
    }

    private static func deadline(_ limits: HostLimits, _ now: UInt64) -> UInt64 {
        now + UInt64(min(max(limits.timeoutSeconds, 0), 1e9) * 1e9)
    }

    // MARK: Events

    /// The parent waits for the host to be ready, for so many seconds at most.
    mutating func expectReady(within seconds: Double, at now: UInt64) {
        readyBy = min(deadline, now + UInt64(seconds * 1e9))
    }

    /// The host was sent the task.
    mutating func begun() { state = .working }

    /// The task has come to its next part, which has the time limit for itself.
    mutating func partBegan(at now: UInt64) { deadline = Self.deadline(limits, now) }

    /// A frame has come.
    mutating func received(_ frame: Frame) -> Action {
        switch (state, frame.kind) {
        case (.starting, .ready) where frame.payload.count == 1:
            state = .ready
            return .begin(Isolation(rawValue: frame.payload[0]))
        case (.working, .report): return .report
        case (.working, .writeSegment): return .keepSegment
        case (.working, .writeColumn): return .keepColumn
        case (.working, .writeScratch): return .keepScratch
        case (.working, .readSegment), (.working, .readColumn): return .answer
        case (.working, .done): return finish(.done(frame.payload))
        case (.working, .refused): return finish(.refused(frame.payload))
        case (.working, .failed): return end(Self.failure(toldBy: frame))
        default: return end(.crash("it sent a frame out of turn"))
        }
    }

    /// The bytes that came are no frame, or can't be read.
    mutating func receivedNonsense() -> HostFailure {
        state = .over
        return Self.nonsense
    }

    /// Looks at the clock.
    mutating func look(at now: UInt64) -> Look {
        let last = state == .starting ? min(readyBy, deadline) : deadline
        guard now < last else { return over(.timeLimit) }
        guard now < nextQuestion else {
            nextQuestion = now + Self.tick
            return .ask
        }
        return .rest(milliseconds: (min(nextQuestion, last) - now) / 1_000_000 + 1)
    }

    /// It was found out what `ask` asks for, and the host may go on where both are false.
    mutating func found(beyondProcessorLimit: Bool, cancelled: Bool) -> HostFailure? {
        guard beyondProcessorLimit || cancelled else { return nil }
        state = .over
        return beyondProcessorLimit ? .timeLimit : .cancelled
    }

    /// The host has ended by itself.
    ///
    /// - Returns: why it gave no answer.
    mutating func ended(_ ending: HostProcess.Ending) -> HostFailure {
        state = .over
        switch ending.signal {
        case .some(SIGXCPU): return .timeLimit
        case .some(let signal): return .crash("signal \(signal)")
        case nil where ending.exitCode == MemoryExhaustion.exitCode: return .memoryLimit
        case nil where ending.exitCode == Self.notLoadedCode: return .notLoaded
        case nil: return .crash("exit code \(ending.exitCode ?? 0)")
        }
    }

    // MARK: Endings

    private static let nonsense = HostFailure.crash("it sent what no host sends")

    /// The failure of a host that could not do its task for a reason of its own.
    private static func failure(toldBy frame: Frame) -> HostFailure {
        var reader = ByteReader(frame.payload)
        guard let reason = try? reader.readString() else { return nonsense }
        return .crash(reason)
    }

    private mutating func finish(_ answer: HostAnswer) -> Action {
        state = .over
        return .finish(answer)
    }

    private mutating func end(_ failure: HostFailure) -> Action {
        state = .over
        return .end(failure)
    }

    private mutating func over(_ failure: HostFailure) -> Look {
        state = .over
        return .end(failure)
    }
}
