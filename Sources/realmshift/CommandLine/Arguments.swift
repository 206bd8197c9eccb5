import RealmModel

/// The words of a command line, sorted into options and operands by what a command declares.
struct Arguments {
    /// The operands in their order.
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []

    /// - Throws: `UsageError` for a word that the command does not know, or an option without its value or with a second one.
    init(_ words: [String], of command: Command) throws(UsageError) {
        var rest = words[...]
        var hasEnded = false
        while let word = rest.popFirst() {
            guard !hasEnded, word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            // As everywhere, what comes behind it are operands, whatever they begin with.
            hasEnded = word == "--"
            if !hasEnded { try take(word, value: &rest, of: command) }
        }
        // The last operand of some commands may stand any number of times, or be left out.
        let isOpen = command.operands.last?.hasSuffix("…") ?? false
        let fewest = command.operands.prefix { !$0.hasPrefix("[") }.count
        guard operands.count >= fewest, operands.count <= command.operands.count || isOpen else {
            let takesOutput = command.options.contains { $0.name == "--output" }
            throw UsageError(
                Self.message(operands, expected: command.operands, takesOutput: takesOutput), command: command)
        }
    }

    private mutating func take(
        _ word: String, value rest: inout ArraySlice<String>, of command: Command
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = command.options.first(where: { $0.name == parts[0] }) else {
            let nearest = NearestName.question(parts[0], among: command.options.map(\.name))
            let message = ["There is no option \(parts[0]).", nearest].compactMap(\.self).joined(separator: " ")
            throw UsageError(message, command: command)
        }
        guard option.argument != nil else {
            guard parts.count == 1 else { throw UsageError("\(option.name) takes no value.", command: command) }
            flags.insert(option.name)
            return
        }
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
            throw UsageError("\(option.title) needs its value.", command: command)
        }
        // The last of them alone would count, and whoever gives a file twice wants both.
        guard option.isRepeatable || values[option.name] == nil else {
            throw UsageError("\(option.name) is given twice, and takes one value.", command: command)
        }
        values[option.name, default: []].append(value)
    }

    private static func message(_ operands: [String], expected: [String], takesOutput: Bool) -> String {
        if operands.count < expected.count { return "\(expected[operands.count]) is missing." }
        let hint = takesOutput ? " --output names the file to write." : ""
        return "\(operands[expected.count]) is more than the command takes.\(hint)"
    }

    /// The value of an option.
    subscript(_ option: String) -> String? { values[option]?.last }

    /// All values of an option that may be given any number of times.
    func all(_ option: String) -> [String] { values[option] ?? [] }

    /// Whether an option without a value was given.
    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// The value of an option that is a whole number in a range.
    func integer(_ option: String, in range: ClosedRange<Int>, of command: Command) throws(UsageError) -> Int? {
        guard let text = self[option] else { return nil }
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
        let word = try choice(option, of: choices.map(\.rawValue), command)
        return choices.first { $0.rawValue == word }
    }

    /// The value of an option that is one of a few words.
    func choice(_ option: String, of words: [String], _ command: Command) throws(UsageError) -> String? {
        guard let text = self[option] else { return nil }
        guard words.contains(text) else {
            let nearest = NearestName.question(text, among: words).map { " " + $0 } ?? ""
            throw UsageError(
                "\(option) takes one of: \(words.joined(separator: ", ")).\(nearest)", command: command)
        }
        return text
    }
}

/// A command line that can't be understood, or that asks for what would destroy a file; exit code 2.
struct UsageError: Error {
    let message: String
    /// The command whose help may be of use.
    let command: Command?

    init(_ message: String, command: Command? = nil) {
        self.message = message
        self.command = command
    }

    /// The message in one line, and a hint in another.
    var text: String {
        let name = command.map { $0.name + " " } ?? ""
        return "realmshift: \(message)\nTry: realmshift \(name)--help\n"
    }
}
