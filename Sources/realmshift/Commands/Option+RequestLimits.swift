import MigrationAPI

extension Command.Option {
    private static let requestTime = Command.Option(
        "--request-time", "SECONDS",
        "the longest that one request is worked on, or each piece of its answer (default 300)")
    private static let requestMemory = Command.Option(
        "--request-memory", "MIB", "the most memory that one request takes for a client's data (default 256)")
    private static let requestWork = Command.Option(
        "--request-work", "MIB", "the most columns that one request goes through (default: any number)")
    /// The options that bound one request.
    static let requestLimits = [requestTime, requestMemory, requestWork]
}

extension Arguments {
    /// The bounds of one request, as the options give them.
    func requestLimits(of command: Command) throws(UsageError) -> RequestLimits {
        var limits = RequestLimits()
        if let seconds = try integer("--request-time", in: 1...1_000_000, of: command) {
            limits.seconds = Double(seconds)
        }
        if let mebibytes = try integer("--request-memory", in: 1...1_048_576, of: command) {
            limits.memoryBytes = mebibytes << 20
        }
        if let mebibytes = try integer("--request-work", in: 1...(1 << 40), of: command) {
            limits.workBytes = mebibytes << 20
        }
        return limits
    }
}
