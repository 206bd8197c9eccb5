import RealmModel

/// The bounds of what a script may write to its job's log.
///
/// Their number has none here: who keeps the log decides which lines of many stay, and the last are not known before the end.
enum ScriptLog {
    /// Bytes of one line.
    static let lineBytes = String.messageBytes
}

extension Frame {
    /// A line for the log.
    init(log line: String, _ level: LogLevel) {
        let number = LogLevel.allCases.firstIndex(of: level) ?? 0
        self.init(.log, [UInt8(number)] + Array(line.utf8))
    }

    /// The line for the log that a frame brings; nil where it brings none, or a longer one than any host sends.
    var logLine: (text: String, level: LogLevel)? {
        guard kind == .log, let number = payload.first, LogLevel.allCases.indices.contains(Int(number)),
            payload.count <= ScriptLog.lineBytes + 1
        else { return nil }
        return (String(decoding: payload.dropFirst(), as: UTF8.self), LogLevel.allCases[Int(number)])
    }
}
