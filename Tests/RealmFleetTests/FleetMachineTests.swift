import RealmFleet
import TestRandomness
import Testing

/// The laws of every fleet, whatever is asked of it and whatever becomes of its realms.
@Suite struct FleetMachineTests {
    /// A fleet whose realms have their turns at random.
    private struct Walk {
        var machine: FleetMachine
        var random: SeededGenerator
        let total: Int

        init(seed: UInt64) {
            var random = SeededGenerator(seed: seed)
            total = .random(in: 0...40, using: &random)
            machine = FleetMachine(Self.policy(&random), realms: total)
            self.random = random
        }

        static func policy(_ random: inout SeededGenerator) -> FleetPolicy {
            func amount() -> FleetPolicy.Amount {
                .random(using: &random)
                    ? .count(.random(in: 1...10, using: &random)) : .percent(.random(in: 0.5...100, using: &random))
            }
            func maybe<Value>(_ value: () -> Value) -> Value? { Bool.random(using: &random) ? value() : nil }
            let pause = [nil, 0, 5][Int.random(in: 0..<3, using: &random)] as Double?
            return FleetPolicy(
                canary: maybe { FleetPolicy.Canary(amount(), pauseSeconds: pause) },
                concurrency: maybe { .random(in: 1...7, using: &random) }, stopAfter: maybe(amount))
        }

        /// Workers take what they may, or realms that they have come to an end.
        mutating func work() {
            if machine.state == .undoing {
                let count = Int.random(in: 0...machine.allowance, using: &random)
                machine.counts.move(count, from: .succeeded, to: .random(using: &random) ? .undone : .kept)
            } else if .random(using: &random) {
                machine.counts.move(
                    .random(in: 0...machine.allowance, using: &random), from: .pending, to: .running)
            } else {
                let ends: [FleetMemberState] = [.succeeded, .succeeded, .succeeded, .failed, .unchanged, .pending]
                let count = Int.random(in: 0...machine.counts[.running], using: &random)
                machine.counts.move(count, from: .running, to: ends.randomElement(using: &random) ?? .succeeded)
            }
            machine.settle()
        }

        mutating func step() {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: try? machine.take(FleetMachine.Verb.allCases.randomElement(using: &random) ?? .pause)
            case 1: machine.release()
            default: work()
            }
        }
    }

    @Test(arguments: 0..<500 as Range<UInt64>)
    func `counts every realm once and begins no more than it may`(seed: UInt64) {
        var walk = Walk(seed: seed)
        for _ in 0..<200 {
            walk.step()
            let (machine, counts) = (walk.machine, walk.machine.counts)
            #expect(counts.total == walk.total)
            #expect(FleetMemberState.allCases.allSatisfy { counts[$0] >= 0 })
            #expect(counts[.running] <= machine.policy.concurrency ?? .max)
            #expect(machine.hasPassedCanary || counts.begun <= machine.canarySize)
            #expect(machine.state.isActive || machine.allowance == 0)
            #expect((machine.pause != nil) == (machine.state == .paused))
            #expect(!machine.isHeld || machine.state == .canary)
            #expect(machine.forgiven <= walk.total)
        }
    }

    @Test(arguments: 0..<500 as Range<UInt64>)
    func `always has something to do or somebody to wait for until it has ended`(seed: UInt64) {
        var walk = Walk(seed: seed)
        for _ in 0..<100 {
            walk.step()
            let machine = walk.machine
            guard machine.state.isActive, machine.state != .undoing else { continue }
            #expect(machine.allowance > 0 || machine.counts[.running] > 0 || machine.isHeld)
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `comes to an end by itself where nobody keeps it from that`(seed: UInt64) throws {
        var walk = Walk(seed: seed)
        for _ in 0..<50 { walk.step() }
        for _ in 0..<5_000 where walk.machine.state.isActive || walk.machine.state == .paused {
            if walk.machine.state == .paused { try walk.machine.take(.resume) }
            walk.machine.release()
            walk.work()
        }
        let machine = walk.machine
        #expect(!machine.state.isActive && machine.state != .paused)
        if machine.state == .succeeded { #expect(machine.counts[.failed] == 0 && machine.counts[.pending] == 0) }
        if machine.state == .failed { #expect(machine.counts[.failed] > 0 && machine.counts[.pending] == 0) }
        if machine.state == .undone { #expect(machine.counts[.succeeded] == 0) }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `begins nothing once as many have failed as may`(seed: UInt64) {
        var walk = Walk(seed: seed)
        for _ in 0..<200 {
            walk.work()
            let machine = walk.machine
            let base = machine.hasPassedCanary ? walk.total : machine.canarySize
            guard let limit = machine.policy.stopAfter?.realms(of: base) ?? (machine.hasPassedCanary ? nil : 1) else {
                continue
            }
            if machine.counts[.failed] >= limit { #expect(machine.allowance == 0) }
        }
    }

    // MARK: The ways of a fleet

    private func machine(
        _ realms: Int, canary: FleetPolicy.Canary? = nil, stopAfter: FleetPolicy.Amount? = nil
    ) -> FleetMachine {
        FleetMachine(FleetPolicy(canary: canary, stopAfter: stopAfter), realms: realms)
    }

    private func run(_ machine: inout FleetMachine, failing failures: Int = 0) {
        let count = machine.allowance
        machine.counts.move(count, from: .pending, to: .running)
        machine.settle()
        machine.counts.move(failures, from: .running, to: .failed)
        machine.counts.move(count - failures, from: .running, to: .succeeded)
        machine.settle()
    }

    @Test func `migrates a canary, waits for a word, and migrates the others`() throws {
        var fleet = machine(100, canary: .init(.percent(5)))
        #expect(fleet.state == .canary && fleet.allowance == 5)
        run(&fleet)
        #expect(fleet.state == .paused && fleet.pause == .canary && fleet.allowance == 0)
        try fleet.take(.resume)
        #expect(fleet.state == .running && fleet.allowance == 95)
        run(&fleet)
        #expect(fleet.state == .succeeded)
    }

    @Test func `goes on by itself when the canary's pause is over`() {
        var fleet = machine(10, canary: .init(.count(2), pauseSeconds: 60))
        run(&fleet)
        #expect(fleet.state == .canary && fleet.isHeld && fleet.allowance == 0)
        fleet.release()
        #expect(fleet.state == .running && fleet.allowance == 8)
    }

    @Test func `stops at the first failure of a canary and retries what failed as a canary`() throws {
        var fleet = machine(10, canary: .init(.count(3), pauseSeconds: 0))
        run(&fleet, failing: 1)
        #expect(fleet.state == .paused && fleet.pause == .failures)
        try fleet.take(.retryFailed)
        #expect(fleet.state == .canary && fleet.allowance == 1)
        run(&fleet)
        #expect(fleet.state == .running && fleet.allowance == 7)
    }

    @Test func `stops at as many failures as may be, and goes on from those that were seen`() throws {
        var fleet = machine(10, stopAfter: .count(2))
        fleet.counts.move(6, from: .pending, to: .running)
        fleet.counts.move(2, from: .running, to: .failed)
        fleet.settle()
        #expect(fleet.state == .paused && fleet.pause == .failures)
        try fleet.take(.resume)
        #expect(fleet.state == .running && fleet.forgiven == 2)
        fleet.counts.move(1, from: .running, to: .failed)
        fleet.settle()
        #expect(fleet.state == .running)
        fleet.counts.move(1, from: .running, to: .failed)
        fleet.settle()
        #expect(fleet.state == .paused)
    }

    @Test func `undoes what it has migrated when none of its realms is at work`() throws {
        var fleet = machine(4)
        fleet.counts.move(4, from: .pending, to: .running)
        try fleet.take(.pause)
        #expect(
            throws: FleetMachine.Refused(
                verb: .undo, state: .paused, reason: "some of its realms are being migrated still")
        ) {
            try fleet.take(.undo)
        }
        fleet.counts.move(3, from: .running, to: .succeeded)
        fleet.counts.move(1, from: .running, to: .pending)
        try fleet.take(.undo)
        #expect(fleet.state == .undoing && fleet.allowance == 3)
        fleet.counts.move(2, from: .succeeded, to: .undone)
        fleet.counts.move(1, from: .succeeded, to: .kept)
        fleet.settle()
        #expect(fleet.state == .undone)
    }

    @Test func `has ended where there is no realm`() {
        #expect(machine(0, canary: .init(.count(1))).state == .succeeded)
    }

    @Test func `has use for as many jobs as there are realms for, up to a limit`() throws {
        var fleet = FleetMachine(FleetPolicy(canary: .init(.count(65), pauseSeconds: 60)), realms: 5_000)
        #expect(fleet.usefulJobs == 2)
        fleet.counts.move(65, from: .pending, to: .succeeded)
        fleet.settle()
        #expect(fleet.isHeld && fleet.usefulJobs == 1)
        fleet.release()
        #expect(fleet.usefulJobs == 16)
        try fleet.take(.cancel)
        #expect(fleet.usefulJobs == 0)
        try fleet.take(.undo)
        #expect(fleet.usefulJobs == 1)
        fleet.counts.move(FleetMachine.undoSize, from: .pending, to: .succeeded)
        #expect(fleet.usefulJobs == 2)
    }

    @Test func `undoes no rehearsal, and stays where it is`() throws {
        var fleet = FleetMachine(FleetPolicy(), realms: 1)
        fleet.counts.move(1, from: .pending, to: .succeeded)
        fleet.settle()
        let refused = #expect(throws: FleetMachine.Refused.self) { try fleet.take(.undo, ofRehearsal: true) }
        #expect(refused?.state == .succeeded && refused?.reason == "a rehearsal has migrated nothing")
        #expect(fleet.state == .succeeded)
    }
}
