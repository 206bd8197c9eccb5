/// The values that a format lacks, or has in another form.
struct CellRules: Hashable, Sendable {
    /// The form of dates.
    enum Dates: Hashable, Sendable {
        /// Text of RFC 3339.
        case iso
        /// Whole units since 1970-01-01T00:00:00Z, so many a second.
        case number(unitsPerSecond: Int64)
        /// The text of PostgreSQL's `timestamptz`, which has microseconds.
        case postgres
    }

    var dates: Dates
    /// Whether NaN is null.
    var losesNaN = false
    /// Whether −0 is 0.
    var losesSignOfZero = false
    /// Whether no text has U+0000; U+FFFD stands in its place.
    var losesNUL = false

    /// Values as text, each as Realm JSON writes it.
    static let text = CellRules(dates: .iso)
    /// PostgreSQL's types.
    static let postgres = CellRules(dates: .postgres, losesNUL: true)

    /// SQLite, with dates as the options say.
    static func sqlite(_ options: ExportOptions) -> CellRules {
        let dates: Dates =
            switch options.dates {
            case .iso: .iso
            case .unix: .number(unitsPerSecond: 1)
            case .unixMillis: .number(unitsPerSecond: 1000)
            }
        return CellRules(dates: dates, losesNaN: true, losesSignOfZero: true)
    }
}
