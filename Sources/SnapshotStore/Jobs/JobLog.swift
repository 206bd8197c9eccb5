import Postgres

/// The bounded log of a job.
enum JobLog {
    /// The most lines that are kept.
    static let lineLimit = 10_000
    /// The most bytes of UTF-8 that are kept of a line.
    static let byteLimit = 8 << 10
    private static let lastLine = "Further lines are left out."

    /// Appends lines whose numbers follow `count`.
    static func append(
        _ lines: [String], of lease: JobLease, after count: Int, _ connection: PostgresConnection
    ) throws {
        let kept = lines.prefix(max(lineLimit - count, 0)).map(text)
        guard !kept.isEmpty else { return }
        let ordinals = (1...kept.count).map { Int32(count + $0) }
        let texts = zip(kept, ordinals).map { Int($1) == lineLimit ? lastLine : $0 }
        try connection.execute(
            """
            INSERT INTO job_log (job_id, ordinal, attempt, line)
            SELECT \(lease.job.id), ordinal, \(Int32(lease.job.attempt)), line
            FROM unnest(\(PostgresArray(ordinals)), \(PostgresArray(texts))) AS new (ordinal, line)
            """)
    }

    /// A line that PostgreSQL takes: no U+0000, not too long, cut between characters.
    static func text(_ line: String) -> String {
        let printable = line.replacing("\0", with: "\u{FFFD}")
        guard printable.utf8.count > byteLimit else { return printable }
        var end = printable.utf8.index(printable.startIndex, offsetBy: byteLimit)
        while !printable.unicodeScalars.indices.contains(end) { end = printable.utf8.index(before: end) }
        return printable[..<end] + "…"
    }
}
