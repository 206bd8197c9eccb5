extension Timestamp: CustomStringConvertible {
    /// The RFC 3339 form in UTC: `YYYY-MM-DDTHH:MM:SS[.fraction]Z`, up to nine digits without zeros at the end.
    ///
    /// Years outside 0…9999 have a sign and at least six digits. The fraction counts forward, before 1970 too.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(32)
        appendText(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the RFC 3339 form in UTF-8.
    public func appendText(to text: inout [UInt8]) {
        // Flooring by day first keeps the whole range of seconds free of overflow, whatever the nanoseconds are.
        let carry = Int64(nanoseconds).floored(by: Self.nanosecondsPerSecond)
        let secondOfDay = seconds.floored(by: Self.secondsPerDay)
        let second = (secondOfDay.remainder + carry.quotient).floored(by: Self.secondsPerDay)
        CivilDate(daysSinceEpoch: secondOfDay.quotient + second.quotient).appendText(to: &text)
        Self.append(time: second.remainder, to: &text)
        Self.append(fraction: carry.remainder, to: &text)
        text.append(UInt8(ascii: "Z"))
    }

    static let secondsPerDay: Int64 = 86_400
    static let nanosecondsPerSecond: Int64 = 1_000_000_000

    private static func append(time second: Int64, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "T"))
        text.append(digits: second / 3600, width: 2)
        text.append(UInt8(ascii: ":"))
        text.append(digits: second / 60 % 60, width: 2)
        text.append(UInt8(ascii: ":"))
        text.append(digits: second % 60, width: 2)
    }

    private static func append(fraction nanosecond: Int64, to text: inout [UInt8]) {
        guard nanosecond != 0 else { return }
        text.append(UInt8(ascii: "."))
        text.append(digits: nanosecond, width: 9)
        while text.last == UInt8(ascii: "0") { text.removeLast() }
    }
}

extension [UInt8] {
    /// Appends the decimal digits of a number, with zeros before them up to a width.
    ///
    /// - Parameters:
    ///   - number: not negative, below 10^18.
    ///   - width: at most 18.
    mutating func append(digits number: Int64, width: Int) {
        var digits = width
        var power = (0..<width).reduce(Int64(1)) { power, _ in power * 10 }
        while number >= power, digits < 18 {
            digits += 1
            power *= 10
        }
        var place = power / 10
        for _ in 0..<digits {
            append(UInt8(ascii: "0") + UInt8(number / place % 10))
            place /= 10
        }
    }
}

extension Timestamp {
    /// Reads the RFC 3339 form, with `Z` or an offset such as `+02:00`.
    ///
    /// Nil for any other text, a day that the calendar has not, more than nine digits of a fraction, and a time that
    /// Realm's range of seconds does not hold.
    public init?(_ text: String) {
        var text = text
        guard let time = text.withUTF8({ Timestamp(utf8: $0) }) else { return nil }
        self = time
    }

    /// Reads the RFC 3339 form from UTF-8.
    public init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        var scanner = TimestampScanner(text)
        guard let time = scanner.scan() else { return nil }
        self = time
    }

    /// The time at floored seconds and a fraction that counts forward; nil out of range.
    init?(flooredSeconds: Int128, nanosecond: Int64) {
        let isBorrowed = flooredSeconds < 0 && nanosecond > 0
        guard let seconds = Int64(exactly: flooredSeconds + (isBorrowed ? 1 : 0)) else { return nil }
        self.init(
            seconds: seconds, nanoseconds: Int32(isBorrowed ? nanosecond - Self.nanosecondsPerSecond : nanosecond))
    }
}

/// Reads the text of one timestamp.
private struct TimestampScanner {
    private let text: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ text: UnsafeBufferPointer<UInt8>) {
        self.text = text
    }

    mutating func scan() -> Timestamp? {
        guard let date = scanDate(), skip("T") || skip("t"), let second = scanTime(), let nanosecond = scanFraction(),
            let offset = scanOffset(), position == text.count
        else { return nil }
        let seconds = Int128(date.daysSinceEpoch) * Int128(Timestamp.secondsPerDay) + Int128(second - offset)
        return Timestamp(flooredSeconds: seconds, nanosecond: nanosecond)
    }

    private mutating func scanDate() -> CivilDate? {
        guard let year = scanYear(), skip("-"), let month = number(digits: 2), skip("-"), let day = number(digits: 2)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// Four digits, or a sign and six to twelve; Realm's range ends in the year 292277026596.
    private mutating func scanYear() -> Int64? {
        let isNegative = skip("-")
        guard isNegative || skip("+") else { return number(digits: 4) }
        let count = text[position...].prefix { Self.digits.contains($0) }.count
        guard (6...12).contains(count), let year = number(digits: count), !(isNegative && year == 0) else { return nil }
        return isNegative ? -year : year
    }

    private mutating func scanTime() -> Int64? {
        guard let hour = number(digits: 2), skip(":"), let minute = number(digits: 2), skip(":"),
            let second = number(digits: 2), hour < 24, minute < 60, second < 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private mutating func scanFraction() -> Int64? {
        guard skip(".") else { return 0 }
        let count = text[position...].prefix { Self.digits.contains($0) }.count
        guard (1...9).contains(count), let value = number(digits: count) else { return nil }
        return (count..<9).reduce(value) { scaled, _ in scaled * 10 }
    }

    /// Seconds that the local time is ahead of UTC.
    private mutating func scanOffset() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let isNegative = skip("-")
        guard isNegative || skip("+"), let hour = number(digits: 2), skip(":"), let minute = number(digits: 2),
            hour < 24, minute < 60
        else { return nil }
        return (isNegative ? -1 : 1) * (hour * 3600 + minute * 60)
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    /// - Parameter digits: at most 18, all of which have to be there.
    private mutating func number(digits count: Int) -> Int64? {
        guard count <= text.count - position else { return nil }
        var number: Int64 = 0
        for character in text[position..<position + count] {
            guard Self.digits.contains(character) else { return nil }
            number = number * 10 + Int64(character - Self.digits.lowerBound)
        }
        position += count
        return number
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }
}
