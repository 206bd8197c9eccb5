import RealmJSON

extension RehearsalReport {
    /// The reports of some realms as JUnit's XML: a suite for each, in which every rule is a test, and every assertion one.
    ///
    /// A test fails for the findings that fail whoever asked for the report; the others are its output.
    ///
    /// - Parameter reports: with the name of the realm or the file of each.
    public static func junit(_ reports: [(name: String, report: RehearsalReport)]) -> String {
        let suites = reports.map { $0.report.suite(named: $0.name) }
        let tests = suites.reduce(0) { $0 + $1.tests }
        let failures = suites.reduce(0) { $0 + $1.failures }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"\(tests)\" failures=\"\(failures)\">\n"
            + suites.map(\.text).joined() + "</testsuites>\n"
    }

    private func suite(named name: String) -> (text: String, tests: Int, failures: Int) {
        let found = findings
        var cases = RehearsalRule.allCases.filter { $0 != .checkFailed }.map { rule -> TestCase in
            let findings = found.filter { $0.rule == rule }
            return TestCase(
                name: rule.rawValue, failures: findings.filter(policy.isFailed),
                others: findings.filter { !policy.isFailed(by: $0) })
        }
        cases += checks.map { check in
            TestCase(
                name: "check: \(check.name)",
                failures: check.passed
                    ? [] : [RehearsalFinding(.checkFailed, .error, check.message ?? "The check does not hold.")],
                others: [])
        }
        let failures = cases.filter { !$0.failures.isEmpty }.count
        let time = seconds.map { " time=\"\($0)\"" } ?? ""
        let head =
            "  <testsuite name=\"\(MarkupText.escaped(name))\" tests=\"\(cases.count)\" failures=\"\(failures)\"\(time)>\n"
        let properties = sample.map { sample in
            "    <properties>\n      <property name=\"sample\" value=\"\(MarkupText.escaped(sample))\"/>\n    </properties>\n"
        }
        return (head + (properties ?? "") + cases.map(\.text).joined() + "  </testsuite>\n", cases.count, failures)
    }
}

/// One test of a suite.
private struct TestCase {
    let name: String
    let failures: [RehearsalFinding]
    let others: [RehearsalFinding]

    var text: String {
        let head = "    <testcase classname=\"rehearsal\" name=\"\(MarkupText.escaped(name))\""
        guard !failures.isEmpty || !others.isEmpty else { return head + "/>\n" }
        // A test has one failure.
        let failure = failures.first.map { first in
            "      <failure message=\"\(MarkupText.escaped(first.message))\" type=\"\(first.rule.rawValue)\">"
                + failures.map { MarkupText.escaped($0.message) + "\n" }.joined() + "</failure>\n"
        }
        let output = others.map { "\($0.level.rawValue): \(MarkupText.escaped($0.message))\n" }.joined()
        return head + ">\n" + (failure ?? "") + (output.isEmpty ? "" : "      <system-out>\(output)</system-out>\n")
            + "    </testcase>\n"
    }
}
