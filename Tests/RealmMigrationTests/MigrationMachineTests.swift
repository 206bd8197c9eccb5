import Columns
import RealmModel
import TestRandomness
import Testing

@testable import RealmMigration

/// The laws of every slice, whatever becomes of its steps; a realm's version stands for what was done to it.
@Suite struct MigrationMachineTests {
    private struct Loss: Error {}

    private static func snapshot(_ version: UInt64) -> Snapshot {
        Snapshot(schemaVersion: version, declared: Schema(), classes: [])
    }

    /// A realm of version 0, whose steps lead to the versions from 1.
    private static func realm(steps count: Int, script: String?, isSmall: Bool = false) -> MigrationMachine.Realm {
        let script = script.map { ScriptSource(.javaScript, $0) }
        let steps = (1...count).map { version in
            MigrationRequest(
                source: snapshot(0), target: Schema(), targetVersion: UInt64(version),
                migration: DeclaredMigration(script: script))
        }
        return MigrationMachine.Realm(snapshot(0), steps: steps, isSmall: isSmall)
    }

    private static func done(_ request: MigrationRequest, created: Int = 1) -> Result<MigrationResult, any Error> {
        var result = MigrationResult(snapshot: snapshot(request.targetVersion), scriptRan: true)
        result.output.createdCount = created
        return .success(result)
    }

    private static func error(_ failure: MigrationError.ScriptFailure?) -> MigrationError {
        MigrationError(nil, "no", script: failure)
    }

    /// A slice whose steps end at random, as the place, the step and the try of each decide.
    private struct Walk {
        var machine: MigrationMachine
        var calls: [MigrationMachine.Call] = []
        let hostLimit: Int
        private let seed: UInt64
        private var tries: [[UInt64]: UInt64] = [:]

        init(seed: UInt64, only place: Int? = nil) {
            var random = SeededGenerator(seed: seed)
            let realms = (0..<random.below(12)).map { _ in
                MigrationMachineTests.realm(
                    steps: random.below(3) + 1, script: random.pick(["a", "b", nil]) ?? nil,
                    isSmall: random.below(3) > 0)
            }
            hostLimit = random.below(3) + 1
            machine = MigrationMachine(
                place.map { [realms[$0]] } ?? realms,
                limits: ScriptLimits(), hostLimit: hostLimit)
            self.seed = seed
        }

        private mutating func result(
            _ request: MigrationRequest, of place: Int
        ) -> Result<MigrationResult, any Error> {
            let key = [UInt64(place), request.targetVersion]
            tries[key, default: 0] += 1
            var random = SeededGenerator(seed: seed, iteration: key[0] << 40 | key[1] << 20 | tries[key, default: 0])
            switch random.below(8) {
            case 0, 1: return .failure(MigrationMachineTests.error(.crash))
            case 2: return .failure(MigrationMachineTests.error(.exception))
            case 3: return .failure(Loss())
            default: return MigrationMachineTests.done(request)
            }
        }

        /// - Parameter shift: what the places of the realms begin with.
        mutating func run(from shift: Int = 0) {
            var random = SeededGenerator(seed: seed ^ 1)
            while let call = machine.next() {
                calls.append(call)
                // A host may leave some for another call.
                for index in 0...random.below(call.places.count) {
                    let place = call.places[index]
                    machine.take(result(call.requests[index], of: place + shift), of: place)
                }
            }
        }

        /// The end of a realm in words.
        func end(_ place: Int) -> String {
            let realm = machine.realms[place]
            return "\(realm.results.count) \(realm.failure.map { "\($0)" } ?? "") \(realm.snapshot.schemaVersion ?? 0)"
        }
    }

    @Test(arguments: 0..<300)
    func `every realm comes to an end, by its steps in their order`(seed: UInt64) {
        var walk = Walk(seed: seed)
        walk.run()
        for realm in walk.machine.realms {
            #expect(realm.isOver)
            #expect(realm.snapshot.schemaVersion == UInt64(realm.results.count))
            #expect(realm.results.map(\.snapshot.schemaVersion) == (0..<realm.results.count).map { UInt64($0 + 1) })
        }
        for request in walk.calls.flatMap(\.requests) {
            #expect(request.source.schemaVersion == request.targetVersion - 1)
        }
    }

    @Test(arguments: 0..<300)
    func `a realm ends among others as it does alone`(seed: UInt64) {
        var walk = Walk(seed: seed)
        walk.run()
        for place in walk.machine.realms.indices {
            var alone = Walk(seed: seed, only: place)
            alone.run(from: place)
            #expect(alone.end(0) == walk.end(place))
        }
    }

    @Test(arguments: 0..<300)
    func `a call has one script, and no realm that has lost a host, or is not small, beside another`(seed: UInt64) {
        var walk = Walk(seed: seed)
        walk.run()
        var tries: [Int: Int] = [:]
        for call in walk.calls {
            #expect(call.places.count == call.requests.count && !call.places.isEmpty)
            #expect(Set(call.requests.map(\.migration.runnableScript)).count == 1)
            if call.places.count > 1 { #expect(call.requests.allSatisfy { $0.targetVersion == 1 }) }
            for place in call.places where call.places.count == 1 { tries[place, default: 0] += 1 }
        }
        // Three steps, each as often as hosts may be lost.
        #expect(tries.values.allSatisfy { $0 <= 3 + walk.hostLimit })
    }

    // MARK: Examples

    private func machine(_ realms: [MigrationMachine.Realm], hostLimit: Int = 3) -> MigrationMachine {
        MigrationMachine(realms, limits: ScriptLimits(timeoutSeconds: 7), hostLimit: hostLimit)
    }

    private func next(_ machine: inout MigrationMachine, _ left: Double? = nil) throws -> MigrationMachine.Call {
        let call = machine.next(secondsLeft: left)
        return try #require(call)
    }

    private func failure(_ machine: MigrationMachine) throws -> MigrationError {
        try #require(throws: MigrationError.self) { _ = try machine.realms[0].end.get() }
    }

    @Test func `what scripts made is left to none of the later steps`() throws {
        var machine = machine([Self.realm(steps: 3, script: "a")])
        for step in 0..<3 {
            let call = try next(&machine, 5 - Double(step))
            #expect(call.limits.made.createdCount == 10 * step)
            #expect(call.limits.timeoutSeconds == 5 - Double(step))
            machine.take(Self.done(call.requests[0], created: 10), of: 0)
        }
        let none = machine.next(secondsLeft: 1)
        #expect(none == nil)
        #expect(try machine.realms[0].end.get().schemaVersion == 3)
    }

    @Test func `a realm that nothing has changed goes on from where it was`() throws {
        var machine = machine([Self.realm(steps: 2, script: nil)])
        _ = machine.next()
        machine.take(
            .success(MigrationResult(snapshot: Self.snapshot(9), scriptRan: false, isUnchanged: true)), of: 0)
        let call = try next(&machine)
        #expect(call.requests[0].source.schemaVersion == 0)
    }

    @Test func `small realms go together behind the others, and one whose host died goes alone`() throws {
        let small = Self.realm(steps: 1, script: "a", isSmall: true)
        var machine = machine([
            small, Self.realm(steps: 1, script: "a"), small, Self.realm(steps: 1, script: "b", isSmall: true), small,
        ])
        var calls: [[Int]] = []
        while let call = machine.next() {
            calls.append(call.places)
            let dies = calls.count == 2
            machine.take(dies ? .failure(Self.error(.crash)) : Self.done(call.requests[0]), of: call.places[0])
        }
        #expect(
            calls == [[1], [0, 2, 4], [0], [2, 4], [3], [4]] || calls == [[1], [0, 2, 4], [0], [2, 4], [4], [3]])
    }

    @Test(arguments: [1, 2, 3])
    func `a realm fails with the last host that it may lose`(hostLimit: Int) throws {
        var machine = machine([Self.realm(steps: 1, script: "a")], hostLimit: hostLimit)
        var count = 0
        while machine.next() != nil {
            count += 1
            machine.take(.failure(Self.error(.crash)), of: 0)
        }
        #expect(count == hostLimit)
        #expect(try failure(machine).script == .crash)
    }

    @Test func `errors name their step, and the limit of all steps where they share it`() throws {
        var machine = machine([Self.realm(steps: 2, script: "a")])
        machine.take(Self.done(try next(&machine).requests[0]), of: 0)
        let none = machine.next(secondsLeft: 0)
        #expect(none == nil)
        let error = try failure(machine)
        #expect(error.message == "The scripts of the 2 steps together ran longer than the limit of 7 s.")
        #expect(error.details.map(\.step) == [2] && error.details.map(\.message) == [error.message])
        machine = self.machine([Self.realm(steps: 2, script: "a")])
        _ = try next(&machine)
        machine.take(.failure(Self.error(.timeLimit)), of: 0)
        let alone = try failure(machine)
        #expect(alone.message == Self.error(.timeLimit).message && alone.details.map(\.step) == [1])
    }

    @Test func `a step without a script needs no time`() {
        var machine = machine([Self.realm(steps: 1, script: nil)])
        let call = machine.next(secondsLeft: -1)
        #expect(call != nil)
    }
}
