import RealmModel

/// Lines that wait to be appended to a job's log: a bounded number of them, the first and the last.
public struct JobLogLines: Hashable, Sendable {
    struct Line: Hashable, Sendable {
        let level: LogLevel
        let text: String
    }

    /// The bytes of waiting lines at most, for the first and for the last each.
    private static let byteLimit = 8 << 20

    private(set) var first: [Line] = []
    /// Lines between the first and the last that are only counted.
    private(set) var leftOut = 0
    private(set) var last: [Line] = []
    private var firstBytes = 0
    private var lastBytes = 0

    /// No lines.
    public init() {}

    /// All lines, those that are left out included.
    public var count: Int { first.count + leftOut + last.count }

    /// Whether nothing waits.
    public var isEmpty: Bool { count == 0 }

    /// The bytes of the lines that are kept.
    public var waitingBytes: Int { firstBytes + lastBytes }

    /// Appends a line, cut to 8 KiB.
    public mutating func append(_ text: String, level: LogLevel = .log) {
        // PostgreSQL takes no U+0000.
        let line = Line(level: level, text: text.bounded().replacing("\0", with: "\u{FFFD}").bounded())
        if last.isEmpty, leftOut == 0, first.count < JobLog.firstLines, firstBytes < Self.byteLimit {
            first.append(line)
            firstBytes += line.text.utf8.count
        } else {
            last.append(line)
            lastBytes += line.text.utf8.count
            if last.count > 2 * JobLog.lastLines || lastBytes > Self.byteLimit { leaveOutHalf() }
        }
    }

    private mutating func leaveOutHalf() {
        let half = last.count / 2
        lastBytes -= last.prefix(half).reduce(0) { $0 + $1.text.utf8.count }
        last.removeFirst(half)
        leftOut += half
    }
}
