import Problems

/// The problem of a job that a service has run, where a command fails for it.
extension ProblemDocument: Error {}
