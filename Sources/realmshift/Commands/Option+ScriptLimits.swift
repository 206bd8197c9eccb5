import RealmMigration

extension Command.Option {
    /// How long a script may run at most.
    static let scriptTime = Command.Option(
        "--script-time", "SECONDS", "the most time of a script; a request can only lower it (default 600)")
    /// How much memory a script may take at most.
    static let scriptMemory = Command.Option(
        "--script-memory", "MIB", "the most memory of a script; a request can only lower it (default 384)")
    /// How many objects a script may create at most.
    static let scriptObjects = Command.Option(
        "--script-objects", "N",
        "the most objects that a script creates; a request can only lower it (default 100000000)")
    /// How much a script may write at most.
    static let scriptOutput = Command.Option(
        "--script-output", "MIB",
        "the most bytes of columns that a script writes; a request can only lower it (default 65536)")
    /// How much a script may log at most.
    static let scriptLog = Command.Option(
        "--script-log", "MIB", "the most bytes of lines that a script logs; a request can only lower it (default 64)")

    /// All that bounds a script.
    static let scriptLimits = [scriptTime, scriptMemory, scriptObjects, scriptOutput, scriptLog]
}

extension Arguments {
    /// The limits of scripts, as the options say.
    func scriptLimits(of command: Command) throws(UsageError) -> ScriptLimits {
        var limits = ScriptLimits()
        if let seconds = try integer("--script-time", in: 1...1_000_000, of: command) {
            limits.timeoutSeconds = Double(seconds)
        }
        if let mebibytes = try integer("--script-memory", in: 16...1_048_576, of: command) {
            limits.memoryBytes = mebibytes << 20
        }
        if let count = try integer("--script-objects", in: 1...(1 << 40), of: command) {
            limits.output.createdCount = count
        }
        if let mebibytes = try integer("--script-output", in: 1...(1 << 40), of: command) {
            limits.output.writtenBytes = mebibytes << 20
        }
        if let mebibytes = try integer("--script-log", in: 1...(1 << 40), of: command) {
            limits.output.logBytes = mebibytes << 20
        }
        return limits
    }
}
