import FoundationEssentials
import Glibc
import MigrationJobs
import RealmMigration
import Threads

/// Says on standard error how far long work is: by a line that is written over on a terminal, else by a line now and
/// then, for logs.
final class TerminalProgress: Sendable {
    private enum Style {
        case bar(blocks: Bool)
        case lines
        case none

        /// Seconds between two of what is shown.
        var interval: Double {
            switch self {
            case .bar: 0.1
            case .lines: 5
            case .none: .infinity
            }
        }
    }

    private struct State {
        var shownAt: Double
        var isVisible = false
        var pace = ProgressPace()
    }

    private let style: Style
    private let state: Mutex<State>

    /// - Parameters:
    ///   - isQuiet: shows nothing.
    ///   - asJSON: standard error is for a program: nothing is shown but on a terminal.
    init(isQuiet: Bool, asJSON: Bool) {
        let environment = ProcessInfo.processInfo.environment
        if isQuiet {
            style = .none
        } else if isatty(STDERR_FILENO) == 1, environment["TERM"] != "dumb" {
            style = .bar(blocks: Self.hasBlocks)
        } else {
            style = asJSON ? .none : .lines
        }
        // A bar shows at once what is begun; a log has no line of what takes a moment.
        let isBar = if case .bar = style { true } else { false }
        state = Mutex(State(shownAt: isBar ? 0 : Self.now))
    }

    /// Whether the terminal takes UTF-8, as far as the locale says.
    static var hasBlocks: Bool {
        let environment = ProcessInfo.processInfo.environment
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        return locale?.lowercased().replacing("-", with: "").contains("utf8") ?? false
    }

    /// Shows what is done now.
    func show(_ text: String) {
        show(bar: { TerminalText.prefix(TerminalText.plain(text) + " …", columns: $0 - 1) }, line: { text })
    }

    /// Shows how far a migration is, with a bar where the number of objects is known.
    func show(_ progress: MigrationProgress) {
        let line = ProgressLine(state.withLock { $0.pace.progress(progress, at: .now) })
        let blocks = if case .bar(true) = style { true } else { false }
        show(bar: { line.bar(columns: $0, blocks: blocks) }, line: { line.text })
    }

    private func show(bar: (_ columns: Int) -> String, line: () -> String) {
        let isDue = state.withLock { state in
            let now = Self.now
            guard now - state.shownAt >= style.interval else { return false }
            state.shownAt = now
            state.isVisible = true
            return true
        }
        guard isDue else { return }
        switch style {
        case .bar: Console.error("\r\u{1b}[K" + bar(Self.columns))
        case .lines: Console.error("realmshift: \(TerminalText.plain(line()))\n")
        case .none: break
        }
    }

    /// Removes what is written over, so that a line that stays can be written.
    func clear() {
        guard case .bar = style else { return }
        let wasVisible = state.withLock { state in
            defer { (state.isVisible, state.shownAt) = (false, 0) }
            return state.isVisible
        }
        if wasVisible { Console.error("\r\u{1b}[K") }
    }

    /// The columns of the terminal, which change while it is used.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    private static var now: Double { Date().timeIntervalSinceReferenceDate }
}
