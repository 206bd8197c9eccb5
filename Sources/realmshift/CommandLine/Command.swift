/// One subcommand: what it takes, what it does, and the help that says so.
struct Command: Sendable {
    /// An option, with a value or without.
    struct Option: Sendable {
        let name: String
        /// The placeholder for the value in the help; nil for an option without one.
        let argument: String?
        let help: String
        let isRequired: Bool
        /// The words that the value is one of; empty where it is another text.
        let choices: [String]
        /// Whether it may be given any number of times, each with a value of its own.
        let isRepeatable: Bool

        init(
            _ name: String, _ argument: String? = nil, _ help: String, isRequired: Bool = false,
            choices: [String] = [], isRepeatable: Bool = false
        ) {
            self.name = name
            self.argument = argument
            self.help = help
            self.isRequired = isRequired
            self.choices = choices
            self.isRepeatable = isRepeatable
        }
    }

    let name: String
    /// One line for the list of commands.
    let summary: String
    /// The description, in a paragraph or two.
    let discussion: String
    let operands: [String]
    let options: [Option]
    /// Command lines as a person would write them, without the program's name.
    let examples: [String]
    let run: @Sendable (Arguments) throws -> ExitStatus

    /// The help screen.
    var help: String {
        let required = operands + options.filter(\.isRequired).map(\.title)
        let usage = ([name] + required + ["[options]"]).joined(separator: " ")
        var lines = ["usage: realmshift \(usage)", "", discussion, "", "options:"]
        lines += Self.table(options.map { ($0.title, $0.help) })
        lines += ["", examples.count == 1 ? "example:" : "examples:"] + examples.map { "  realmshift " + $0 }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Rows of two columns, the second wrapped at 100 characters.
    static func table(_ rows: [(String, String)]) -> [String] {
        let width = min(rows.map(\.0.count).max() ?? 0, 28)
        return rows.flatMap { title, text in
            var lines = wrapped(text, at: 96 - width)
            let first = lines.isEmpty ? "" : lines.removeFirst()
            let pad = String(repeating: " ", count: max(width - title.count, 0))
            let indent = String(repeating: " ", count: width + 4)
            return ["  \(title)\(pad)  \(first)"] + lines.map { indent + $0 }
        }
    }

    private static func wrapped(_ text: String, at width: Int) -> [String] {
        text.split(separator: " ").reduce(into: [String]()) { lines, word in
            if let last = lines.last, last.count + word.count < width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
    }
}

extension Command.Option {
    /// The option where it may be left out, since a folder says it.
    var optional: Command.Option {
        Command.Option(
            name, argument, help.replacing(" (required)", with: " (default: those of FOLDER)"), choices: choices,
            isRepeatable: isRepeatable)
    }

    var title: String { argument.map { "\(name) \($0)" } ?? name }
}
