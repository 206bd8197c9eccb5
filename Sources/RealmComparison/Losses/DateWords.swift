import RealmModel

/// Dates among the words of other values: as points in time, and written in the ways in which people write them.
extension WordStock {
    /// Takes the words of a date out; false where it is not there, of which nothing is taken then.
    ///
    /// - Parameter isExact: whether its time and fraction have to be there, too; else the day is enough.
    mutating func take(_ date: Timestamp, isExact: Bool) -> Bool {
        let isInMilliseconds = date.isInMilliseconds
        if !all.hasMisreadDate {
            let isThere =
                (!isExact || isInMilliseconds) && take(digitsOf: date.milliseconds)
                || (!isExact || date.nanoseconds == 0) && take(digitsOf: date.seconds)
            if isThere {
                spendParts(of: date)
                return true
            }
        }
        if !isExact || isInMilliseconds, isWritten(date, isExact: isExact) { return true }
        let before = self
        guard takeDay(of: date) else { return false }
        if !isExact || date.isMidnight || takeTime(of: date) { return true }
        self = before
        return false
    }

    /// The day and the time of a date that is there serve no other value.
    private mutating func spendParts(of date: Timestamp) {
        var words = ValueWords()
        words.add(partsOf: date)
        _ = take(wordsAndNumbers: words)
    }

    private mutating func take(digitsOf number: Int64) -> Bool { take(number: .int(number)) }

    /// Whether a day and a time stand in one text, with a letter between them that makes one word of both, or none.
    private func isWritten(_ date: Timestamp, isExact: Bool) -> Bool {
        let writing = Value.date(date).writings.joined()
        var writings = [writing, writing.filter { $0 != "T" }]
        if date.nanoseconds == 0, date.seconds.isMultiple(of: 60) { writings.append(String(writing.prefix(16))) }
        if !isExact, let end = writing.firstIndex(of: "T") { writings.append(String(writing[...end])) }
        return writings.contains { text in
            var written = ValueWords()
            written.add(text: text.utf8)
            return all.contain(letters: written)
        }
    }

    /// A day is three numbers, or two and the name of a month, or one number of eight digits.
    private mutating func takeDay(of date: Timestamp) -> Bool {
        let words = ValueWords.day(of: .date(date)).words
        let text = date.description.utf8.prefix { $0 != UInt8(ascii: "T") }.filter(ValueWords.isDigit)
        if take(parts: words, orRun: text[...]) { return true }
        guard words.count == 3 else { return false }
        if take(words: [ValueWords.word(text)]) { return true }
        guard let month = Int(String(decoding: text.suffix(4).prefix(2), as: UTF8.self)), (1...12).contains(month)
        else { return false }
        return MonthNames.hashes[month - 1].contains { take(words: [words[0], $0, words[2]]) }
    }

    /// A time is its digits in one text, the seconds or milliseconds of the day, or hours, minutes and seconds apart from each other, of
    /// which none has to be there that is zero.
    private mutating func takeTime(of date: Timestamp) -> Bool {
        let time = date.description.utf8.drop { $0 != UInt8(ascii: "T") }.filter(ValueWords.isDigit)
        let second = Int(date.secondOfDay)
        let hours = hours(of: second / 3_600)
        let clocks = [time[...]] + hours.map { Array("\($0)".utf8)[...] + time.dropFirst(2) }
        if clocks.contains(where: { $0.count > 4 && all.contain(run: $0) }) { return true }
        let fraction = Int(date.nanoseconds) / (date.isInMilliseconds ? 1_000_000 : 1)
        let parts = [second / 60 % 60, second % 60, fraction].filter { $0 != 0 }
        var ofDay = date.isInMilliseconds ? [second * 1_000 + Int(date.nanoseconds) / 1_000_000] : []
        if date.nanoseconds == 0 { ofDay.append(second) }
        if ofDay.contains(where: { take(words: [ValueWords.word("\($0)".utf8)]) }) { return true }
        return hours.contains { hour in
            take(parts: ([hour].filter { $0 != 0 } + parts).map { ValueWords.word("\($0)".utf8) }, orRun: nil)
        }
    }

    /// An hour of the day, and the one of a clock of twelve hours, if a word says which half of the day it is of.
    private func hours(of hour: Int) -> [Int] {
        let isTold = HalfDays.hashes[hour / 12].contains { $0.allSatisfy(all.words.contains) }
        return [hour] + (isTold ? [(hour + 11) % 12 + 1] : [])
    }

    /// Takes the parts of a day or a time, by their hashes.
    ///
    /// - Parameter run: their digits as they stand in a date: the parts of several dates make no other one.
    private mutating func take(parts: [UInt64], orRun run: ArraySlice<UInt8>?) -> Bool {
        let before = self
        guard take(words: parts) else { return false }
        if parts.allSatisfy(all.hasOutsideOfDates) || run.map({ all.contain(run: $0) }) ?? false { return true }
        self = before
        return false
    }
}

extension ValueWords {
    /// The hash of a text that is one word.
    static func word(_ text: some Sequence<UInt8>) -> UInt64 {
        var words = ValueWords()
        words.add(text: text)
        return words.words.first ?? 0
    }

    /// Whether a word is there that is no part of a date.
    func hasOutsideOfDates(_ word: UInt64) -> Bool {
        dateWords.isEmpty
            || words.lazy.filter { $0 == word }.count > dateWords.lazy.filter { $0 == word }.count
    }

    /// Whether the days of all dates of a value are among these, and all else that it has.
    func haveDays(of value: Value) -> Bool { value.hasDates && contain(value, exactDates: false) }
}

/// The words for the halves of a day, written in one or in two.
private enum HalfDays {
    static let hashes: [[[UInt64]]] = [[["am"], ["a", "m"]], [["pm"], ["p", "m"]]].map { ways in
        ways.map { words in words.map { ValueWords.word($0.utf8) } }
    }
}

/// The names of the months as scripts write them: in full, and three letters of them.
private enum MonthNames {
    static let hashes: [[UInt64]] = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ].map { name in [ValueWords.word(name.utf8.prefix(3)), ValueWords.word(name.utf8)] }
}

extension Timestamp {
    /// Seconds since the day began, in UTC.
    fileprivate var secondOfDay: Int64 { (seconds % 86_400 + 86_400) % 86_400 }

    fileprivate var isInMilliseconds: Bool { self == inMilliseconds }

    /// The point in time that a text in ISO 8601 is, in UTC where it names no zone; nil of any other text.
    init?(whole text: String) {
        guard text.utf8.count <= 40, text.utf8.dropFirst(10).first == UInt8(ascii: "T") else { return nil }
        guard let date = [text, text + "Z", text + ":00Z"].lazy.compactMap({ Timestamp($0) }).first else { return nil }
        self = date
    }

    /// Whether it has no time of day.
    fileprivate var isMidnight: Bool { secondOfDay == 0 && nanoseconds == 0 }
}

extension Value {
    /// Whether it is a date, or has one in it.
    fileprivate var hasDates: Bool {
        switch self {
        case .date: true
        case .list(let elements): elements.contains(where: \.hasDates)
        case .dictionary(let entries): entries.contains { $0.value.hasDates }
        default: false
        }
    }
}
