/// The times of HTTP (RFC 9110, section 5.6.7).
public enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// A time as `Date` has it: `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// - Parameter seconds: since 1970, not negative.
    public static func text(_ seconds: Int) -> String {
        let (day, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (year, month, date) = calendar(day)
        let clock = [second / 3600, second / 60 % 60, second % 60].map(padded).joined(separator: ":")
        return "\(days[day % 7]), \(padded(date)) \(months[month - 1]) \(year) \(clock) GMT"
    }

    /// The date of a day since 1970, counted in years that begin in March, so that leap days end them.
    private static func calendar(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
