import JobStore

/// How far a migration is, in one line.
struct ProgressLine {
    private let progress: JobProgress

    init(_ progress: JobProgress) { self.progress = progress }

    /// The line for a log: what is done, the part, the objects, the speed and the time left.
    var text: String {
        ([title] + (parts.isEmpty ? [] : [parts.joined(separator: ", ")])).joined(separator: ": ")
    }

    /// The line for a terminal: with a bar, and without what there is no room for.
    ///
    /// - Parameters:
    ///   - columns: of the terminal; the last one stays free, or the cursor would go on to the next line.
    ///   - blocks: whether the terminal has block characters.
    func bar(columns: Int, blocks: Bool) -> String {
        let room = max(columns - 1, 1)
        guard let part else { return TerminalText.prefix(title + " …", columns: room) }
        let name = TerminalText.prefix(title, columns: max(room / 4, 8))
        // From the most to the least that can be shown beside a bar of some length.
        for count in stride(from: parts.count, through: 1, by: -1) {
            let facts = parts.prefix(count).joined(separator: "  ")
            let rest = room - TerminalText.columns(name) - facts.count - 3
            guard rest >= Self.shortestBar || count == 1 else { continue }
            let length = min(rest, Self.longestBar)
            guard length >= Self.shortestBar else { return TerminalText.prefix("\(name) \(facts)", columns: room) }
            return "\(name) \(Self.bar(part, length: length, blocks: blocks)) \(facts)"
        }
        return name
    }

    private static let shortestBar = 10
    private static let longestBar = 30

    /// A bar that is full to a part, from 0 to 1.
    static func bar(_ part: Double, length: Int, blocks: Bool) -> String {
        let filled = Int(part * Double(length))
        return String(repeating: blocks ? "█" : "#", count: filled)
            + String(repeating: blocks ? "░" : ".", count: length - filled)
    }

    /// The present work, in words.
    private var title: String {
        if let name = progress.className { return TerminalText.plain(name) }
        return switch progress.phase {
        case "prepare": "preparing the schema"
        case "script": "running the script"
        case "finish": "checking and finishing"
        default: progress.phase
        }
    }

    /// From 0 to 1; nil where it is not known.
    private var part: Double? {
        guard progress.objectsTotal > 0 else { return nil }
        return min(max(Double(progress.objectsDone) / Double(progress.objectsTotal), 0), 1)
    }

    /// The facts in numbers, the most important first.
    private var parts: [String] {
        guard let part else { return [] }
        let counts = "\(Quantity.grouped(progress.objectsDone)) of \(Quantity.grouped(progress.objectsTotal))"
        return [
            "\(Int(part * 100)) %", counts + " objects",
            progress.etaSeconds.map { Quantity.duration($0.rounded(.up), isWhole: true) + " left" },
            progress.objectsPerSecond.map { Quantity.grouped(Int($0)) + " objects/s" },
        ].compactMap(\.self)
    }
}
