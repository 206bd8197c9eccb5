import Columns
import RealmModel
import TestRandomness
import Testing

@testable import RealmMigration

/// Shares that come to their stages in any order say and end as they would one after the other.
@Suite struct `Shares of a migration` {
    /// The deeds of a share: lines by stage, and the stage and line before which it fails.
    private struct Plan {
        var stages: [[String]]
        var failure: (stage: Int, line: Int)?

        /// Its lines, up to its failure.
        func reports() -> [ShareMachine.Report] {
            var reports: [ShareMachine.Report] = []
            for (stage, lines) in stages.enumerated() {
                if stage > 0 { reports.append(.enumerating(stage % 2 == 1 ? "C\(stage)" : nil)) }
                for (place, line) in lines.enumerated() {
                    if let failure, failure == (stage, place) { return reports }
                    reports.append(.line(line, .log))
                }
                if let failure, failure.stage == stage { return reports }
            }
            return reports
        }
    }

    private static func error(_ share: Int) -> MigrationError {
        MigrationError(nil, "share \(share)", script: .exception)
    }

    private static func plans(_ random: inout SeededGenerator) -> [Plan] {
        let enumerations = 1 + random.below(3)
        let outside = (0...enumerations).map { stage in (0..<random.below(3)).map { "outside \(stage).\($0)" } }
        return (0..<2 + random.below(4)).map { share in
            var plan = Plan(
                stages: (0...2 * enumerations).map { stage in
                    stage % 2 == 0
                        ? outside[stage / 2] : (0..<random.below(4)).map { "stage \(stage), share \(share).\($0)" }
                })
            if random.below(5) == 0 {
                let stage = 1 + 2 * random.below(enumerations)
                plan.failure = (stage, random.below(plan.stages[stage].count + 1))
            }
            return plan
        }
    }

    /// The lines of one script that visits the row groups of all shares, and the share whose object it fails at.
    private static func model(_ plans: [Plan]) -> (lines: [String], failing: Int?) {
        var lines: [String] = []
        for stage in plans[0].stages.indices {
            for (share, plan) in plans.enumerated() where stage % 2 == 1 || share == 0 {
                if let failure = plan.failure, failure.stage == stage {
                    return (lines + plan.stages[stage].prefix(failure.line), share)
                }
                lines += plan.stages[stage]
            }
        }
        return (lines, nil)
    }

    private static func result() -> MigrationResult {
        MigrationResult(snapshot: Snapshot(schemaVersion: 1, declared: Schema(), classes: []), scriptRan: true)
    }

    @Test(arguments: 0..<500)
    func `come to what one script comes to`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let plans = Self.plans(&random)
        let hostCount = 1 + random.below(4)
        var machine = ShareMachine(count: plans.count, limits: ScriptLimits())
        var running: [(share: Int, rest: [ShareMachine.Report])] = []
        var told: [String] = []
        while machine.end == nil {
            while running.count < hostCount, let share = machine.begin() {
                running.append((share, plans[share].reports().reversed()))
            }
            running.removeAll { machine.isUseless($0.share) }
            guard !running.isEmpty else { continue }
            let place = random.below(running.count)
            let share = running[place].share
            if let report = running[place].rest.popLast() {
                machine.take(report, of: share)
            } else {
                machine.ended(
                    share, plans[share].failure == nil ? .success(Self.result()) : .failure(Self.error(share)))
                running.remove(at: place)
            }
            for case .line(let line, _) in machine.takeTold() { told.append(line) }
        }
        let expected = Self.model(plans)
        #expect(told == expected.lines)
        switch machine.end {
        case .success(let results): #expect(expected.failing == nil && results.count == plans.count)
        case .failure(let error): #expect(error as? MigrationError == expected.failing.map(Self.error))
        case nil: Issue.record("The machine came to no end.")
        }
    }

    @Test func `are refused where a share says something else outside of its callbacks`() {
        var machine = ShareMachine(count: 2, limits: ScriptLimits())
        for share in 0..<2 {
            #expect(machine.begin() == share)
            machine.take(.enumerating("C"), of: share)
            machine.take(.enumerating(nil), of: share)
            machine.take(.line("\(share) objects", .log), of: share)
            machine.ended(share, .success(Self.result()))
        }
        #expect(throws: MigrationError.self) { try machine.end?.get() }
    }

    @Test func `count the lines of all against one limit, in order`() {
        var limits = ScriptLimits()
        limits.output.logBytes = 6
        var machine = ShareMachine(count: 2, limits: limits)
        for share in [1, 0] {
            _ = machine.begin()
            machine.take(.enumerating("C"), of: share)
            machine.take(.line("line", .log), of: share)
            machine.take(.enumerating(nil), of: share)
        }
        let lines = machine.takeTold().compactMap { if case .line(let line, _) = $0 { line } else { nil } }
        #expect(lines == ["line"])
        let error = #expect(throws: MigrationError.self) { try machine.end?.get() }
        #expect(error?.script == .outputLimit)
    }

    @Test func `end where a host is lost or the migration is cancelled`() {
        var machine = ShareMachine(count: 3, limits: ScriptLimits())
        _ = machine.begin()
        _ = machine.begin()
        machine.ended(1, .failure(MigrationError(nil, "gone", script: .crash)))
        #expect(machine.isUseless(0) && machine.begin() == nil)
        let error = #expect(throws: MigrationError.self) { try machine.end?.get() }
        #expect(error?.script == .crash)
    }

    @Test(arguments: 0..<40)
    func `divide row groups without leaving one out`(count: Int) {
        for shares in 1..<9 {
            let ranges = (0..<shares).map { MigrationShare($0, of: shares).rowGroups(of: count) }
            #expect(ranges.flatMap { Array($0) } == Array(0..<count))
        }
    }
}
