import RealmMigration

extension Command.Option {
    /// How long a script may run at most.
    static let scriptTime = Command.Option(
        "--script-time", "SECONDS", "the most time of a script; a request can only lower it (default 600)")
    /// How much memory a script may take at most.
    static let scriptMemory = Command.Option(
        "--script-memory", "MIB", "the most memory of a script; a request can only lower it (default 384)")
}

extension Arguments {
    /// What scripts may use at most, as `--script-time` and `--script-memory` say.
    func scriptLimits(of command: Command) throws(UsageError) -> ScriptLimits {
        var limits = ScriptLimits()
        if let seconds = try integer("--script-time", in: 1...1_000_000, of: command) {
            limits.timeoutSeconds = Double(seconds)
        }
        if let mebibytes = try integer("--script-memory", in: 16...1_048_576, of: command) {
            limits.memoryBytes = mebibytes << 20
        }
        return limits
    }
}
