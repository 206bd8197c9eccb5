/// How much a line of a job's log matters; the raw value is the API's.
public enum LogLevel: String, Hashable, Sendable, CaseIterable {
    /// Messages of a script.
    case log
    /// Warnings of things that may not be meant: `console.warn`, and the service's own.
    case warn
    /// Errors that did not end the migration: `console.error`.
    case error
}
