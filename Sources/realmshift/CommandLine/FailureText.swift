import Problems
import RealmJSON
import RealmModel

/// A problem as people read it on a terminal: the file and what is wrong, then what else is known of the place.
struct FailureText {
    private let problem: ProblemDocument

    init(_ problem: ProblemDocument) { self.problem = problem }

    /// Lines, each with its end.
    var text: String {
        let lines = [head] + items + hints + done + stack
        return TerminalText.plain(lines.map { $0 + "\n" }.joined())
    }

    private var head: String {
        let place = [(scriptFile ?? problem.file).map(TerminalText.cell), scriptPlace].compactMap(\.self)
            .joined(separator: ":")
        return "realmshift: " + (place.isEmpty ? "" : place + ": ") + problem.detail
    }

    /// Whether a script is at fault, whose line an editor opens by `file:line:column`.
    private var isScript: Bool { problem.code.hasPrefix("script_") }

    private var scriptItem: ProblemItem? { isScript ? problem.errors.first { $0.line != nil } : nil }

    /// The file that is at fault where the script has several, which is said before the message.
    private var scriptFile: String? {
        guard let message = scriptItem?.message, message.hasSuffix(": " + problem.detail) else { return nil }
        return String(message.dropLast(problem.detail.count + 2))
    }

    private var scriptPlace: String? {
        guard let item = scriptItem, let line = item.line else { return nil }
        return ([line] + [item.column].compactMap(\.self)).map(String.init).joined(separator: ":")
    }

    /// A line for each single thing of which the message does not tell all.
    private var items: [String] {
        // A message of one thing says where it is; of a script it says what the script said.
        let isTold = !isScript && problem.errors.count == 1
        return problem.errors.compactMap { item in
            let place = place(of: item)
            let isSaid = problem.detail.contains(item.message)
            // The line of a script that is at fault has the class and the property in it.
            guard !place.isEmpty, !(isSaid && isTold), item.key != nil || !isScript && !isSaid else { return nil }
            let title = isScript && item.key != nil ? "  object in hand: " : "  at "
            return title + place.joined(separator: ", ") + (isSaid ? "" : ": " + item.message)
        }
    }

    private var hints: [String] {
        problem.errors.compactMap { item in
            item.hint.map { "  " + (isScript ? "" : place(of: item).first.map { "\($0): " } ?? "") + $0 }
        }
    }

    private func place(of item: ProblemItem) -> [String] {
        [
            item.className.map { name in item.property.map { "\(name).\($0)" } ?? name },
            item.key.map { "object \($0.value)" },
            item.json["primaryKey"].map { "primary key " + String(decoding: $0.encoded(), as: UTF8.self) },
            item.step.map { "the migration to schema version \($0)" },
            isScript ? nil : item.line.map { "line \($0)" }, isScript ? nil : item.column.map { "column \($0)" },
            item.pointer,
        ].compactMap(\.self)
    }

    private var done: [String] {
        guard let count = problem.objectsDone else { return [] }
        return ["  done before it: " + Quantity.count(count, "object", "objects")]
    }

    /// The calls that led there, each with the place in the file.
    private var stack: [String] {
        guard !problem.stack.isEmpty else { return [] }
        return ["  called from:"]
            + problem.stack.map { frame in
                guard let file = problem.file, frame.hasSuffix(")"), let open = frame.lastIndex(of: "(") else {
                    return "    " + frame
                }
                let place = frame[frame.index(after: open)...]
                // Where there are several files, each place names its own.
                let isNamed = place.split(separator: ":").count > 2
                return isNamed ? "    " + frame : "    \(frame[..<open])(\(file):\(place)"
            }
    }
}
