import RealmModel
import TestRandomness
import Testing

@testable import Sandbox

/// The laws of every pool, whatever tasks come and whatever becomes of its hosts; a host is a number here.
@Suite struct HostPoolMachineTests {
    private static let profiles = [HostProfile("scripts", memoryBytes: 32 << 20), HostProfile("files", memoryBytes: 0)]
    private static let apps: [RealmModel.UUID?] = [.uuid(1), .uuid(2), .uuid(3), nil]
    private static let idleSeconds = 3.0

    /// A pool, and all that is known of its hosts by what was done to them.
    private struct Walk {
        struct Known {
            let profile: HostProfile
            var app: RealmModel.UUID?
            var taskCount = 0
            var since: UInt64 = 0
        }

        var random: SeededGenerator
        let policy: HostPool.Policy
        var machine: HostPoolMachine<Int>
        var known: [Int: Known] = [:]
        /// The hosts that wait, in their order; those that have a task; and those that have ended.
        var waiting: [Int] = []
        var working: Set<Int> = []
        var ended: Set<Int> = []
        /// Hosts that have ended by themselves while they waited.
        var lost: Set<Int> = []
        var now: UInt64 = 1

        init(seed: UInt64) {
            var random = SeededGenerator(seed: seed)
            let spares = Dictionary(
                uniqueKeysWithValues: HostPoolMachineTests.profiles.map { ($0, random.below(3)) })
            policy = HostPool.Policy(
                kept: random.below(4), idleSeconds: HostPoolMachineTests.idleSeconds, spares: spares)
            self.random = random
            machine = HostPoolMachine(policy)
        }

        private mutating func started(_ profile: HostProfile) -> Int {
            known[known.count] = Known(profile: profile, since: now)
            return known.count - 1
        }

        func kept() -> [Int] { waiting.filter { known[$0]?.app != nil } }

        mutating func end(_ hosts: [Int], expected: Set<Int>) {
            #expect(Set(hosts) == expected)
            #expect(ended.isDisjoint(with: hosts))
            ended.formUnion(hosts)
            working.subtract(hosts)
            waiting.removeAll(where: expected.contains)
        }

        mutating func beginTask() {
            let profile = random.below(2) == 0 ? HostPoolMachineTests.profiles[0] : HostPoolMachineTests.profiles[1]
            let app = random.pick(HostPoolMachineTests.apps) ?? nil
            let fitting = waiting.filter { known[$0]?.profile == profile }
            let own = fitting.first { known[$0]?.app == app && app != nil }
            let spare = app == nil ? nil : fitting.first { known[$0]?.app == nil }
            let taken = machine.take(profile, for: app)
            #expect(taken?.host == own ?? spare)
            let wantsSpares = machine.wantsSpares()
            if taken != nil, own == nil { #expect(wantsSpares) }
            let host = taken?.host ?? started(profile)
            #expect(taken?.taskCount ?? 0 == known[host]?.taskCount)
            waiting.removeAll { $0 == host }
            // One that was lost meanwhile is no host that a task can have.
            if lost.contains(host) { ended.insert(host) } else { working.insert(host) }
            known[host]?.app = app
        }

        mutating func endTask() {
            guard let host = random.pick(working.sorted()), var facts = known[host] else { return }
            guard random.below(4) > 0 else {
                // It failed, and is nobody's.
                working.remove(host)
                ended.insert(host)
                return
            }
            facts.taskCount += random.below(10) == 0 ? HostPoolMachine<Int>.taskLimit : 1
            facts.since = now
            known[host] = facts
            let ended = machine.giveBack(
                host, facts.profile, of: facts.app, taskCount: facts.taskCount, at: now)
            let isKept =
                !machine.isClosed && policy.kept > 0 && facts.app != nil
                && facts.taskCount < HostPoolMachine<Int>.taskLimit
            guard isKept else { return end(ended, expected: [host]) }
            working.remove(host)
            waiting.append(host)
            end(ended, expected: Set(kept().prefix(max(kept().count - policy.kept, 0))))
        }

        mutating func startSpares() {
            for (profile, count) in machine.missingSpares {
                #expect(
                    count == policy.spares[profile, default: 0]
                        - waiting.count { known[$0]?.profile == profile && known[$0]?.app == nil })
                for _ in 0..<count {
                    let host = started(profile)
                    end(machine.add(spare: host, profile, at: now), expected: [])
                    waiting.append(host)
                }
            }
            #expect(machine.missingSpares.isEmpty)
        }

        mutating func timePasses() {
            now += UInt64(random.below(4)) * 1_000_000_000
            if random.below(3) == 0, let host = random.pick(waiting) { lost.insert(host) }
            let idle = waiting.filter { host in
                known[host].map { $0.app != nil && now - $0.since > UInt64(Self.idle * 1e9) } ?? false
            }
            let hosts = machine.timePassed(now) { lost.contains($0) }
            end(hosts, expected: Set(idle).union(lost.intersection(waiting)))
        }

        private static let idle = HostPoolMachineTests.idleSeconds

        mutating func step() {
            switch random.below(10) {
            case 0..<4: beginTask()
            case 4..<7: endTask()
            case 7: startSpares()
            default: timePasses()
            }
            #expect(machine.waiting.map(\.host) == waiting)
            #expect(kept().count <= policy.kept)
            #expect(waiting.count + working.count + ended.count == known.count)
        }
    }

    @Test(arguments: 0..<200)
    func `a host waits, works or has ended, and does tasks of one app alone`(seed: UInt64) {
        var walk = Walk(seed: seed)
        for _ in 0..<200 { walk.step() }
    }

    @Test(arguments: 0..<50)
    func `a closed pool keeps nothing`(seed: UInt64) {
        var walk = Walk(seed: seed)
        for _ in 0..<50 { walk.step() }
        walk.end(walk.machine.close(), expected: Set(walk.waiting))
        for _ in 0..<50 { walk.step() }
        #expect(walk.waiting.isEmpty)
        #expect(walk.machine.missingSpares.isEmpty)
        walk.end(walk.machine.add(spare: -1, Self.profiles[0], at: walk.now), expected: [-1])
    }

    @Test func `a task gets another host whatever one failed of, unless it was cancelled itself`() {
        #expect(HostPoolMachine<Int>.replaces(after: .timeLimit))
        #expect(HostPoolMachine<Int>.replaces(after: .crash("signal 9")))
        #expect(!HostPoolMachine<Int>.replaces(after: .cancelled))
    }
}
