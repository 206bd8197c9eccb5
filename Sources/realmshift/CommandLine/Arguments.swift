/// The words of a command line, sorted into options and operands by what a command declares.
struct Arguments {
    /// The operands in their order.
    private(set) var operands: [String] = []
    private var values: [String: String] = [:]
    private var flags: Set<String> = []

    /// - Throws: `UsageError` for a word that the command does not know, or an option without its value.
    init(_ words: [String], of command: Command) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard let option = command.options.first(where: { $0.name == parts[0] }) else {
                throw UsageError("\(command.name) has no option \(parts[0]).", command: command)
            }
            if option.argument == nil {
                flags.insert(option.name)
            } else if let value = parts.count == 2 ? parts[1] : rest.popFirst() {
                values[option.name] = value
            } else {
                throw UsageError("\(option.name) needs a value.", command: command)
            }
        }
        guard operands.count == command.operands.count else {
            let expected = command.operands.joined(separator: " ")
            throw UsageError(
                command.operands.isEmpty ? "\(command.name) takes no operands." : "\(command.name) takes \(expected).",
                command: command)
        }
    }

    /// The value of an option.
    subscript(_ option: String) -> String? { values[option] }

    /// Whether an option without a value was given.
    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// The value of an option that is a whole number in a range.
    func integer(_ option: String, in range: ClosedRange<Int>, of command: Command) throws(UsageError) -> Int? {
        guard let text = values[option] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound).", command: command)
        }
        return number
    }

    /// The value of an option that is one of a few words.
    func choice<Choice: RawRepresentable<String>>(
        _ option: String, of choices: [Choice], _ command: Command
    ) throws(UsageError) -> Choice? {
        guard let text = values[option] else { return nil }
        guard let choice = choices.first(where: { $0.rawValue == text }) else {
            let words = choices.map(\.rawValue).joined(separator: ", ")
            throw UsageError("\(option) takes one of: \(words).", command: command)
        }
        return choice
    }
}

/// A command line that can't be understood; exit code 2.
struct UsageError: Error {
    let message: String
    let command: Command?

    init(_ message: String, command: Command? = nil) {
        self.message = message
        self.command = command
    }
}
