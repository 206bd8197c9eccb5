import FoundationEssentials
import Glibc

/// A page at the end of a terminal that is drawn again where it stands.
final class LivePage {
    private var height = 0
    private var shownAt = 0.0

    /// Whether standard output is a terminal on which lines can be drawn again.
    static var isPossible: Bool { isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// The columns and rows of the terminal.
    static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Draws the lines in the place of those before.
    ///
    /// - Parameter isLast: draws in any case; others wait for a tenth of a second.
    func draw(_ lines: (_ columns: Int, _ rows: Int) -> [String], isLast: Bool = false) throws {
        let now = Date().timeIntervalSinceReferenceDate
        guard isLast || now - shownAt >= 0.1 else { return }
        shownAt = now
        let (columns, rows) = Self.size
        // The last row stays free: a line break there would move the page.
        let shown = lines(columns - 1, rows - 1).prefix(rows - 1)
            // A line break in a script's line would move the page, too.
            .map { TerminalText.prefix(TerminalText.cell($0), columns: columns - 1) }
        let up = height > 0 ? "\u{1b}[\(height)A" : ""
        try Console.output("\r" + up + shown.map { $0 + "\u{1b}[K\n" }.joined() + "\u{1b}[J")
        height = shown.count
    }
}
