import JobStore
import RealmMigration
import RealmModel
import StoreCore
import Testing
import Threads

@testable import MigrationJobs

@Suite("14: the log keeps its first and its last lines, with levels") struct JobLogTests {
    private let fixture: JobFixture
    private let job: Job
    private let lease: JobLease

    init() throws {
        fixture = try JobFixture()
        job = try fixture.enqueue()
        lease = try #require(try fixture.jobs.claim(lease: .seconds(600)))
    }

    /// All lines, read in pages.
    private func read(_ limit: Int, after ordinal: Int = 0) throws -> [JobLogLine] {
        var page = try fixture.jobs.log(of: job.id, after: ordinal, PageRequest(limit: limit))
        var lines = page.items
        while let next = page.next {
            page = try fixture.jobs.log(of: job.id, PageRequest(limit: limit, cursor: next))
            #expect(page.items.count <= limit)
            lines += page.items
        }
        return lines
    }

    private func report(_ range: Range<Int>) throws {
        _ = try fixture.jobs.report(lease, progress: nil, lines: range.map { "\($0)" }.log)
    }

    @Test(arguments: [
        [1..<10_001], [1..<12_346], [1..<4_000, 4_000..<9_000, 9_000..<16_000], [1..<40_000, 40_000..<40_001],
    ])
    func `says in one line how many are left out`(reports: [Range<Int>]) throws {
        for range in reports { try report(range) }
        let total = (reports.last?.upperBound ?? 1) - 1
        for limit in [1_000, 999] {
            let lines = try read(limit)
            let numbers = lines.map(\.text).filter { !$0.contains("left out") }.compactMap { Int($0) }
            let leftOut = max(total - 10_000, 0)
            #expect(numbers == Array(1...5_000) + Array(5_001 + leftOut...total))
            let gaps = lines.filter { $0.text.contains("left out") }
            #expect(gaps.map(\.text) == (leftOut == 0 ? [] : ["\(leftOut) lines are left out here."]))
            #expect(gaps.allSatisfy { $0.level == .warn })
            #expect(lines.map(\.ordinal) == lines.map(\.ordinal).sorted())
            #expect(Set(lines.map(\.ordinal)).count == lines.count)
        }
    }

    @Test func `goes on where a reader was, and says what it missed`() throws {
        try report(1..<20_001)
        #expect(try read(1_000, after: 19_998).map(\.text) == ["19999", "20000"])
        #expect(try read(1_000, after: 14_999).first?.text == "1 line is left out here.")
    }

    @Test(arguments: LogLevel.allCases)
    func `keeps the level of a line`(level: LogLevel) throws {
        var lines = JobLogLines()
        lines.append("a\0b", level: level)
        _ = try fixture.jobs.report(lease, progress: nil, lines: lines)
        let line = try #require(try read(10).first)
        #expect(line.text == "a\u{FFFD}b")
        #expect(line.level == level)
    }

    @Test func `cuts lines to 8 KiB`() throws {
        _ = try fixture.jobs.report(lease, progress: nil, lines: [String(repeating: "ü", count: 10_000)].log)
        let text = try #require(try read(10).first?.text)
        #expect(text == String(repeating: "ü", count: 4_094) + "…")
    }

    @Test func `bounds what waits, however long the lines are`() {
        var lines = JobLogLines()
        let long = String(repeating: "x", count: 20_000)
        for _ in 0..<10_000 { lines.append(long) }
        #expect(lines.count == 10_000)
        #expect(lines.waitingBytes <= 16 << 20)
    }

    @Test func `bounds a page in bytes`() throws {
        let long = String(repeating: "x", count: 8 << 10)
        _ = try fixture.jobs.report(lease, progress: nil, lines: (0..<900).map { "\($0) " + long }.log)
        let page = try fixture.jobs.log(of: job.id, PageRequest(limit: 1_000))
        #expect(page.items.count == 512)
        #expect(page.next != nil)
        #expect(try read(1_000).map(\.ordinal) == Array(1...900))
    }

    @Test func `has no log where there is no job`() {
        #expect(throws: StoreError.self) { try fixture.jobs.log(of: .version7()) }
    }

    @Test func `takes no more lines of functions than all calls of a job may log`() throws {
        let attempt = JobAttempt(lease, duration: .seconds(60))
        let limits = FunctionLimits(logBytes: 12)
        for _ in 0..<2 { try attempt.functionCaller(limits: limits).logged("12345", .log) }
        let error = #expect(throws: MigrationError.self) {
            try attempt.functionCaller(limits: limits).logged("", .log)
        }
        #expect(error?.script == .outputLimit)
        attempt.carryReport { #expect($0?.lines.count == 2) }
        // A migration's script has a budget of its own.
        attempt.logged("more", level: .log)
        attempt.carryReport { #expect($0?.lines.count == 1) }
    }

    @Test func `an attempt does not end while its lines are on their way`() {
        let attempt = JobAttempt(lease, duration: .seconds(600))
        attempt.logged("a line", level: .log)
        let steps = Monitor<[String]>([])
        let threads = ThreadGroup()
        threads.start("reporter") {
            attempt.carryReportIfIdle { report in
                steps.change { $0.append("taken \(report?.lines.count ?? 0)") }
                steps.wait(timeout: .seconds(60)) { $0.contains("ending") }
                // As long as the end would need, were it not to wait.
                steps.wait(timeout: .milliseconds(100)) { $0.contains("ended") }
                steps.change { $0.append("written") }
            }
        }
        #expect(steps.wait(timeout: .seconds(60)) { !$0.isEmpty })
        attempt.carryReportIfIdle { _ in Issue.record("Two carry a report.") }
        steps.change { $0.append("ending") }
        attempt.carryReport { report in steps.change { $0.append("ended") } }
        #expect(threads.wait(timeout: .seconds(60)))
        #expect(steps.withLock { $0 } == ["taken 1", "ending", "written", "ended"])
    }
}
