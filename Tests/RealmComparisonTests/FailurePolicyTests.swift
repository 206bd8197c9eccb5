import RealmJSON
import RealmModel
import Testing

@testable import RealmComparison

@Suite struct FailurePolicyTests {
    @Test(arguments: [
        (["error"], ["valueToEmpty"]), (["warning"], ["valueToEmpty", "droppedValue"]),
        (["droppedValue"], ["droppedValue"]),
        (["never"], []), (["note"], ["valueToEmpty", "droppedValue", "nullToZero"]),
    ])
    func `fails for what it is told to`(names: [String], rules: [String]) throws {
        var report = RehearsalReport(fromVersion: 1, toVersion: 2)
        report.losses = [Rehearsal.Loss.Kind.emptied, .dropped, .nullToZero].map {
            RehearsalReport.Loss(className: "A", property: "p", kind: $0, objects: NamedObjects(1, first: [0]))
        }
        report.policy = try FailurePolicy(names)
        #expect(report.failures.map(\.rule.rawValue) == rules && report.hasPassed == rules.isEmpty)
        let junit = RehearsalReport.junit([("a", report)])
        #expect(
            junit.contains("<testsuites tests=\"\(RehearsalRule.allCases.count - 1)\" failures=\"\(rules.count)\">"))
        report.error = ["detail": "It fails."]
        #expect(!report.hasPassed)
    }

    @Test func `knows its names, and the nearest one of a mistyped one`() {
        for name in FailurePolicy.known { #expect(throws: Never.self) { try FailurePolicy([name]) } }
        let error = #expect(throws: FailurePolicy.UnknownName.self) { try FailurePolicy(["warnning"]) }
        #expect(error?.message.contains("“warning” is the nearest") == true)
        let several = #expect(throws: FailurePolicy.UnknownName.self) { try FailurePolicy(["never", "error"]) }
        #expect(several?.message.contains("stands alone") == true)
        #expect(throws: FailurePolicy.UnknownName.self) { try FailurePolicy([]) }
    }

    @Test func `writes the rules of a group in its place`() throws {
        let policy = try FailurePolicy(["loss", "orphan"])
        #expect(policy.names.first == "valueToNull" && policy.names.last == "orphan" && !policy.names.contains("loss"))
        #expect(try FailurePolicy(policy.names) == policy)
        for (rule, isFailed) in [
            (RehearsalRule.droppedValue, true), (.deletedObjects, true), (.unfilledProperty, false),
        ] {
            #expect(policy.isFailed(by: RehearsalFinding(rule, .warning, "m")) == isFailed)
        }
    }
}
