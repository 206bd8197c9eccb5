/// How a realm's values become those of another database.
public struct ExportOptions: Hashable, Sendable {
    /// The form in which dates are written, where the format has no type for them.
    public enum Dates: String, Hashable, Sendable, CaseIterable {
        /// RFC 3339 in UTC, up to nanoseconds.
        case iso
        /// Whole seconds since 1970-01-01T00:00:00Z.
        case unix
        /// Whole milliseconds since then.
        case unixMillis
    }

    /// The form in which dates are written.
    public var dates: Dates
    /// Whether single embedded objects are columns of their owners, in SQLite.
    public var flattens: Bool

    /// Sets the options.
    public init(dates: Dates = .iso, flattens: Bool = false) {
        self.dates = dates
        self.flattens = flattens
    }
}
