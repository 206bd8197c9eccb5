import Postgres
import RealmModel

/// The bounded log of a job: its first and its last lines are kept; readers are told how many are not there between.
enum JobLog {
    /// The lines from the first that are kept.
    static let firstLines = 5_000
    /// The lines up to the last that are kept.
    static let lastLines = 5_000

    /// Appends lines whose numbers follow `count`, and lets go of those that are neither first nor last any more.
    static func append(
        _ lines: JobLogLines, of lease: JobLease, after count: Int, _ connection: PostgresConnection
    ) throws {
        let total = count + lines.count
        let numbered: [(ordinal: Int, line: JobLogLines.Line)] =
            lines.first.enumerated().map { (count + 1 + $0.offset, $0.element) }
            + lines.last.enumerated().map { (total + 1 - lines.last.count + $0.offset, $0.element) }
        let kept = numbered.filter { $0.ordinal <= firstLines || $0.ordinal > total - lastLines }
        if total > firstLines + lastLines {
            try connection.execute(
                """
                DELETE FROM job_log
                WHERE app_id = \(lease.job.appID) AND job_id = \(lease.job.id) AND ordinal > \(Int32(firstLines))
                    AND ordinal <= \(Int32(clamping: total - lastLines))
                """)
        }
        guard !kept.isEmpty else { return }
        let ordinals = kept.map { Int32(clamping: $0.ordinal) }
        let (levels, texts) = (kept.map(\.line.level.rawValue), kept.map(\.line.text))
        try connection.execute(
            """
            INSERT INTO job_log (app_id, job_id, ordinal, attempt, level, line)
            SELECT \(lease.job.appID), \(lease.job.id), ordinal, \(Int32(lease.job.attempt)), level, line
            FROM unnest(\(PostgresArray(ordinals)), \(PostgresArray(levels)), \(PostgresArray(texts)))
                AS new (ordinal, level, line)
            """)
    }

    /// The lines with one more before each gap in their numbers, which says how many are left out there.
    ///
    /// - Parameter ordinal: the number of the line before the first.
    static func fillGaps(_ lines: [JobLogLine], after ordinal: Int) -> [JobLogLine] {
        var last = ordinal
        return lines.flatMap { line in
            defer { last = line.ordinal }
            let missing = line.ordinal - last - 1
            guard missing > 0 else { return [line] }
            let text = missing == 1 ? "1 line is left out here." : "\(missing) lines are left out here."
            return [
                JobLogLine(
                    ordinal: line.ordinal - 1, attempt: line.attempt, createdAt: line.createdAt, level: .warn,
                    text: text), line,
            ]
        }
    }
}
