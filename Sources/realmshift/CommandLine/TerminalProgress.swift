import Foundation
import RealmMigration
import Synchronization

/// A line on a terminal that says how far long work is; silent where standard error is none.
final class TerminalProgress: Sendable {
    private struct Shown {
        var at: Double = 0
        var isVisible = false
    }

    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let start = Date().timeIntervalSinceReferenceDate
    private let shown = Mutex(Shown())

    /// Shows a line, ten times a second at most.
    func show(_ text: @autoclosure () -> String) {
        guard isTerminal else { return }
        let now = Date().timeIntervalSinceReferenceDate
        let isDue = shown.withLock { shown in
            guard now - shown.at >= 0.1 else { return false }
            shown = Shown(at: now, isVisible: true)
            return true
        }
        if isDue { Console.error("\r\u{1b}[K" + text()) }
    }

    /// Shows how far a migration is, with a bar where the number of objects is known.
    func show(_ progress: MigrationProgress) {
        show(Self.line(progress, seconds: Date().timeIntervalSinceReferenceDate - start))
    }

    /// Removes the line.
    func clear() {
        let wasVisible = shown.withLock { shown in
            defer { shown.isVisible = false }
            return shown.isVisible
        }
        if wasVisible { Console.error("\r\u{1b}[K") }
    }

    private static func line(_ progress: MigrationProgress, seconds: Double) -> String {
        let what = [progress.phase, progress.className].compactMap { $0 }.joined(separator: " ")
        guard progress.objectsTotal > 0 else { return what }
        let part = min(Double(progress.objectsDone) / Double(progress.objectsTotal), 1)
        let filled = Int(part * 30)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
        return "\(what) \(bar) \(progress.objectsDone) of \(progress.objectsTotal) objects"
    }
}
