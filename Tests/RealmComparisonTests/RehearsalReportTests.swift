import RealmJSON
import RealmModel
import Testing

@testable import RealmComparison

@Suite struct RehearsalReportTests {
    @Test func `is read back from its JSON as it was`() throws {
        var report = RehearsalReport(fromVersion: 1, toVersion: .max)
        report.objects = (1, 2, 3)
        report.losses = [
            RehearsalReport.Loss(
                className: "A", property: nil, kind: .dropped, objects: NamedObjects(30, first: [1, 2]))
        ]
        report.collisions = [
            RehearsalReport.Collision(className: "A", property: "id", value: "x", first: 1, second: 2, count: 2)
        ]
        report.missingBranches = [0]
        report.others = [RehearsalFinding(.unknownClass, .error, "<&>", className: "B")]
        report.add(unrun: ["<&>"])
        report.error = ["detail": "It <fails> & \"stops\"."]
        report.seconds = 0.5
        #expect(RehearsalReport(json: report.json) == report)
        #expect(report.page(named: "<script>").contains("&lt;script&gt;"))
        #expect(!report.page(named: "a").contains("<fails>"))
        report.losses[0].examples = [.init(key: 1, before: "secret", after: .null)]
        report.policy = try FailurePolicy(["warning"])
        #expect(RehearsalReport(json: report.json) == report)
        #expect(!report.hasPassed && report.page(named: "a").contains("secret"))
        #expect(!report.withoutValues.page(named: "a").contains("secret"))
        #expect(report.withoutValues.json["losses"]?.elements?.first?["examples"] == [["key": 1]])
        let old = RehearsalReport(json: ["warnings": ["not run"]])
        #expect(old.findings == [RehearsalFinding(.scriptNotRun, .warning, "not run")])
        #expect(RehearsalReport.junit([("a\u{1}\"b", report)]).contains("name=\"a\u{FFFD}&quot;b\""))
    }
}
