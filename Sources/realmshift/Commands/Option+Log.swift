extension Command.Option {
    /// `--log-jobs`, of all that run jobs.
    static let logJobs = Command.Option(
        "--log-jobs", nil, "a line of JSON for the start and for the end of every attempt of a job (default: none)")
}

extension Arguments {
    /// Whether `--log-jobs` is given.
    var logsJobs: Bool { has(Command.Option.logJobs.name) }
}
