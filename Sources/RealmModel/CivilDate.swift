/// A day of the proleptic Gregorian calendar, in which the year 0 comes before the year 1 (ISO 8601).
struct CivilDate: Hashable, Sendable {
    var year: Int64
    /// 1 … 12.
    var month: Int64
    /// 1 … 31.
    var day: Int64

    /// A day that the calendar has; nil for any other.
    init?(year: Int64, month: Int64, day: Int64) {
        guard (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that is a number of days after 1970-01-01.
    ///
    /// Counts in years that begin in March, so that the leap day is the last of its year.
    init(daysSinceEpoch: Int64) {
        let days = daysSinceEpoch + Self.daysFromMarchOfYear0ToEpoch
        let (era, dayOfEra) = days.floored(by: Self.daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = era * Self.yearsPerEra + yearOfEra + (month <= 2 ? 1 : 0)
    }

    /// The days from 1970-01-01 to this one.
    var daysSinceEpoch: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = marchYear.floored(by: Self.yearsPerEra)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysPerEra + dayOfEra - Self.daysFromMarchOfYear0ToEpoch
    }

    private static let yearsPerEra: Int64 = 400
    private static let daysPerEra: Int64 = 146_097
    private static let daysFromMarchOfYear0ToEpoch: Int64 = 719_468

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func isLeap(_ year: Int64) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }
}

extension CivilDate {
    /// Appends the form `YYYY-MM-DD`; years outside 0…9999 have a sign and at least six digits.
    func appendText(to text: inout [UInt8]) {
        let isPlain = (0...9999).contains(year)
        if !isPlain { text.append(UInt8(ascii: year < 0 ? "-" : "+")) }
        text.append(digits: abs(year), width: isPlain ? 4 : 6)
        text.append(UInt8(ascii: "-"))
        text.append(digits: month, width: 2)
        text.append(UInt8(ascii: "-"))
        text.append(digits: day, width: 2)
    }
}

extension Int64 {
    /// The quotient rounded towards minus infinity, and the remainder, which is not negative.
    ///
    /// - Parameter divisor: positive.
    func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
