extension Command.Option {
    /// How long a worker that fell silent keeps its job.
    static let lease = Command.Option(
        "--lease", "SECONDS", "after a worker was killed, another takes its job when this has passed (default 15)")
}

extension Arguments {
    /// The lease that `--lease` gives.
    func lease(of command: Command) throws(UsageError) -> Duration {
        .seconds(try integer("--lease", in: 1...3600, of: command) ?? 15)
    }
}
