/// The bounds of what a script may write to its job's log.
enum ScriptLog {
    /// Lines of one run; one more says that the rest is left out.
    static let lineLimit = 1000
    /// Bytes of one line.
    static let lineBytes = 8192

    /// A line within bounds: one line of text, cut where it is too long.
    static func bounded(_ text: String) -> String {
        guard text.utf8.count > lineBytes else { return text }
        return String(decoding: text.utf8.prefix(lineBytes - 16), as: UTF8.self) + " …"
    }
}
