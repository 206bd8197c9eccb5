import RealmModel

/// The text of PostgreSQL's `timestamptz`.
enum PostgresTimestamp {
    /// Seconds since 1970 of the first moment that there is, 4714-11-24 BC, and of the first that is not any more, 294277-01-01.
    private static let range: Range<Int64> = -210_866_803_200..<9_224_318_016_000

    /// Whether the type holds the date, rounded to microseconds towards the past or not.
    static func holds(_ date: Timestamp) -> Bool {
        let second = date.nanoseconds < 0 ? date.seconds - 1 : date.seconds
        return date.seconds >= range.lowerBound && range.contains(second)
    }

    /// Whether the date has no part that is smaller than a microsecond.
    static func isExact(_ date: Timestamp) -> Bool { date.nanoseconds % 1000 == 0 }

    /// Appends a date that the type holds, with microseconds at most, rounded towards the past.
    static func append(_ date: Timestamp, to out: inout [UInt8]) {
        let excess = date.nanoseconds % 1000
        var whole = date
        whole.nanoseconds -= excess
        if excess < 0 { whole = whole.beforeOneMicrosecond }
        var text: [UInt8] = []
        whole.appendText(to: &text)
        guard let yearEnd = text.dropFirst().firstIndex(of: UInt8(ascii: "-")) else { return }
        let isNegative = text.first == UInt8(ascii: "-")
        let year = text[..<yearEnd].drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
            .reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        // There is no year 0: the one before 1 AD is 1 BC.
        let isBC = isNegative || year == 0
        let digits = String(isBC ? year + 1 : year)
        out += [UInt8](repeating: UInt8(ascii: "0"), count: max(4 - digits.utf8.count, 0)) + Array(digits.utf8)
        out += text[yearEnd...]
        if isBC { out += " BC".utf8 }
    }
}

extension Timestamp {
    /// The moment a microsecond earlier; of the same sign in both parts.
    fileprivate var beforeOneMicrosecond: Timestamp {
        let nanosecond = nanoseconds - 1000
        guard nanosecond <= -1_000_000_000 else { return Timestamp(seconds: seconds, nanoseconds: nanosecond) }
        return Timestamp(seconds: seconds - 1, nanoseconds: nanosecond + 1_000_000_000)
    }
}
