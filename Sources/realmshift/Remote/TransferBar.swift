import FoundationEssentials
import Glibc

/// How far a file is that is sent or fetched: a bar in a terminal, a line at the end elsewhere.
final class TransferBar {
    private let title: String
    private let bytes: Int
    private let isTerminal: Bool
    private let isQuiet: Bool
    private var shownAt = 0.0
    private let start = Date().timeIntervalSinceReferenceDate

    /// - Parameter bytes: of the whole; 0 where that is not known.
    init(_ title: String, bytes: Int, isQuiet: Bool) {
        self.title = title.split(separator: "/").last.map(String.init) ?? title
        (self.bytes, self.isQuiet) = (bytes, isQuiet)
        isTerminal = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// Shows how many bytes are done.
    func show(_ done: Int) {
        let now = Date().timeIntervalSinceReferenceDate
        guard isTerminal, !isQuiet, now - shownAt >= 0.1 else { return }
        shownAt = now
        let speed = Double(done) / max(now - start, 0.001)
        Console.error("\r" + line(done, "\(Quantity.grouped(Int(speed / 1024))) KiB/s") + "\u{1b}[K")
    }

    /// Leaves a line that says what became of it.
    func end(_ result: String) {
        guard !isQuiet else { return }
        Console.error(
            isTerminal
                ? "\r" + line(bytes, result) + "\u{1b}[K\n"
                : "realmshift: \(TerminalText.plain("\(title): \(result)"))\n")
    }

    /// Leaves nothing.
    func clear() { if isTerminal, !isQuiet { Console.error("\r\u{1b}[K") } }

    private func line(_ done: Int, _ fact: String) -> String {
        let room = TerminalProgress.columns - 1
        let part = bytes > 0 ? min(Double(done) / Double(bytes), 1) : 0
        let name = TerminalText.prefix(TerminalText.plain(title), columns: max(room / 4, 8))
        let bar =
            bytes > 0
            ? ProgressLine.bar(part, length: 20, blocks: TerminalProgress.hasBlocks) + " \(Int(part * 100)) %" : ""
        return TerminalText.prefix("\(name) \(bar) \(TerminalText.plain(fact))", columns: room)
    }
}
