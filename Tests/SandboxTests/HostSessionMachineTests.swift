import Columns
import TestRandomness
import Testing

@testable import Sandbox

/// The laws of every session, whatever a host sends and whenever.
@Suite struct HostSessionMachineTests {
    private static let second: UInt64 = 1_000_000_000
    private static let fromHost: [Frame.Kind] = [
        .ready, .readSegment, .writeSegment, .readColumn, .writeColumn, .report, .done, .refused, .failed,
    ]
    private static let kinds = fromHost + [.prepare, .task, .bytes]

    private static func machine(seconds: Double = 5, at now: UInt64 = 0) -> HostSessionMachine {
        HostSessionMachine(HostLimits(timeoutSeconds: seconds), at: now)
    }

    /// A session whose host has the task.
    private static func working(at now: UInt64 = 0) -> HostSessionMachine {
        var machine = machine(at: now)
        _ = machine.received(Frame(.ready, [0]))
        machine.begun()
        return machine
    }

    private static let outOfTurn = HostSessionMachine.Action.end(.crash("it sent a frame out of turn"))

    private static func reason(_ text: String) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(string: text)
        return writer.bytes
    }

    /// The action after a frame of a host that has a task.
    private static func expected(_ kind: Frame.Kind, _ payload: [UInt8]) -> HostSessionMachine.Action {
        switch kind {
        case .report: .report
        case .writeSegment: .keepSegment
        case .writeColumn: .keepColumn
        case .readSegment, .readColumn: .answer
        case .done: .finish(.done(payload))
        case .refused: .finish(.refused(payload))
        case .failed: .end(.crash("gone"))
        default: outOfTurn
        }
    }

    @Test(arguments: 0..<200)
    func `a host is believed in its turn alone`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var machine = Self.working()
        var isOver = false
        for _ in 0..<20 {
            let kind = Self.kinds[random.below(Self.kinds.count)]
            let payload = kind == .failed ? Self.reason("gone") : [UInt8](repeating: 7, count: random.below(4))
            let action = machine.received(Frame(kind, payload))
            #expect(action == (isOver ? Self.outOfTurn : Self.expected(kind, payload)))
            switch action {
            case .finish, .end: isOver = true
            default: break
            }
        }
    }

    @Test(arguments: kinds) func `nothing comes before a host is ready`(kind: Frame.Kind) {
        var machine = Self.machine()
        let (first, second) = (machine.received(Frame(kind, [3])), machine.received(Frame(kind, [3])))
        #expect(first == (kind == .ready ? .begin(Isolation(rawValue: 3)) : Self.outOfTurn))
        #expect(second == Self.outOfTurn)
    }

    @Test func `a host that says no reason for its failure talks nonsense`() {
        var machine = Self.working()
        let action = machine.received(Frame(.failed, [255]))
        #expect(action == .end(.crash("it sent what no host sends")))
    }

    @Test(arguments: 0..<200)
    func `a host is ended at its time, and asked about in between`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var machine = Self.working()
        var now: UInt64 = 0
        var deadline = 5 * Self.second
        var asked: UInt64?
        while true {
            now += UInt64(random.below(400_000_000))
            if random.below(8) == 0, now < deadline {
                machine.partBegan(at: now)
                deadline = now + 5 * Self.second
            }
            let isDue = asked.map { now >= $0 + Self.second / 10 } ?? true
            switch machine.look(at: now) {
            case .end(let failure):
                #expect(failure == .timeLimit)
                #expect(now >= deadline)
                return
            case .ask:
                #expect(isDue && now < deadline)
                asked = now
                let isCancelled = random.below(30) == 0
                let failure = machine.found(beyondProcessorLimit: false, cancelled: isCancelled)
                #expect(failure == (isCancelled ? .cancelled : nil))
                if isCancelled { return }
            case .rest(let milliseconds):
                #expect(!isDue && now < deadline)
                let next = min(deadline, (asked ?? 0) + Self.second / 10)
                #expect((now + milliseconds * 1_000_000 > next) && milliseconds <= 101)
            }
        }
    }

    @Test func `a host that should be ready has less time than its task`() {
        var machine = Self.machine(seconds: 100)
        machine.expectReady(within: 2, at: Self.second)
        let looks = [1, 3].map { machine.look(at: $0 * Self.second) }
        #expect(looks == [.ask, .end(.timeLimit)])
        var ready = Self.machine(seconds: 100)
        ready.expectReady(within: 2, at: Self.second)
        _ = ready.received(Frame(.ready, [0]))
        let later = [3, 100].map { ready.look(at: $0 * Self.second) }
        #expect(later == [.ask, .end(.timeLimit)])
    }

    @Test func `time on the processor counts before a wish to stop`() {
        var machine = Self.working()
        let failure = machine.found(beyondProcessorLimit: true, cancelled: true)
        #expect(failure == .timeLimit)
    }

    @Test(
        arguments: [
            (nil, 24, HostFailure.timeLimit), (nil, 9, .crash("signal 9")),
            (MemoryExhaustion.exitCode, nil, .memoryLimit),
            (127, nil, .notLoaded), (0, nil, .crash("exit code 0")),
        ] as [(Int32?, Int32?, HostFailure)])
    func `the way a host ended says why`(code: Int32?, signal: Int32?, failure: HostFailure) {
        var machine = Self.working()
        let found = machine.ended(HostProcess.Ending(exitCode: code, signal: signal))
        #expect(found == failure)
    }
}
