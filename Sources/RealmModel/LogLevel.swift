/// How much a line of a job's log matters; the raw value is the API's.
public enum LogLevel: String, Hashable, Sendable, CaseIterable {
    /// What a script tells.
    case log
    /// What may not be meant: `console.warn`, and the service's own warnings.
    case warn
    /// What went wrong without ending the migration: `console.error`.
    case error
}
