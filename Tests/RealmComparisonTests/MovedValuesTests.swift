import RealmModel
import Testing

@testable import RealmComparison

/// Values that another property has in another form: dates in other writings, codes, and numbers in another unit.
struct MovedValuesTests {
    // MARK: Dates

    private static let moment = Timestamp(seconds: 981_988_205, nanoseconds: 123_000_000)  // 2001-02-12T14:30:05.123Z
    private static let day = Timestamp(seconds: 981_936_000, nanoseconds: 0)

    private static func words(_ values: Value...) -> ValueWords {
        var words = ValueWords()
        for value in values { words.add(value) }
        return words
    }

    @Test(
        arguments: [
            "2001-02-12T14:30:05.123Z", "2001-02-12 14:30:05.123", "12.2.2001 14:30:05,123", "20010212143005123",
            "Mon, 12 Feb 2001 14:30:05.123 GMT", "February 12, 2001, 2:30:05.123 PM", "12.02.2001, 2:30:05.123 p. m.",
        ])
    func `A date is whole where its day and its time are, however they are written`(text: String) {
        #expect(Self.words(.string(text)).contain(.date(Self.moment), exactDates: true))
    }

    @Test(
        arguments: [
            "2001-02-12", "12.2.2001", "Mon Feb 12 2001", "February 12, 2001", "20010212", "2001-02-12 14:30:05",
            "Mon, 12 Feb 2001 14:30:05 GMT", "2001-02-12 02:30:05.123", "2001-02-12 02:30:05.123 AM",
        ])
    func `A date is cut where its day is, and not its time or its fraction`(text: String) {
        let words = Self.words(.string(text))
        #expect(!words.contain(.date(Self.moment), exactDates: true) && words.haveDays(of: .date(Self.moment)))
        #expect(words.contain(.date(Self.day), exactDates: true))
        #expect(Self.words(.string("2001-02-12T14:30")).haveDays(of: .date(Self.moment)))
    }

    @Test func `A date may be in numbers, each for itself`() {
        let parts = [2001, 2, 12, 14, 30, 5, 123].map { Value.int($0) }
        #expect(Self.words(.list(parts)).contain(.date(Self.moment), exactDates: true))
        #expect(!Self.words(.list(Array(parts.prefix(3)))).contain(.date(Self.moment), exactDates: true))
        #expect(Self.words(.date(Self.day), .int(52_205_123)).contain(.date(Self.moment), exactDates: true))
        #expect(Self.words(.int(981_988_205)).haveDays(of: .date(Self.moment)))
        #expect(!Self.words(.int(981_988_205)).contain(.date(Self.moment), exactDates: true))
    }

    @Test func `Parts of several dates make no other one`() {
        let cut = Value.date(Timestamp(seconds: Self.moment.seconds - 5, nanoseconds: 0))
        let other = Value.date(Timestamp(seconds: 1_410_411_005, nanoseconds: 123_000_000))  // 2014-09-11T04:50:05.123Z
        #expect(!Self.words(cut, other).contain(.date(Self.moment), exactDates: true))
        #expect(Self.words(cut, other).haveDays(of: .date(Self.moment)))
        #expect(
            Self.words(cut, other, .int(5), .int(123), .int(14), .int(30)).contain(.date(Self.moment), exactDates: true)
        )
        // 27.2.2001 and 12.2.2014.
        let days = [983_232_000, 1_392_163_200].map { Value.date(Timestamp(seconds: $0, nanoseconds: 0)) }
        #expect(!Self.words(days[0], days[1]).haveDays(of: .date(Self.day)))
        #expect(Self.words(days[0], .date(Self.moment)).contain(.date(Self.day), exactDates: true))
        #expect(
            Self.words(.date(Self.day), .date(Timestamp(seconds: 52_205, nanoseconds: 123_000_000))).contain(
                .date(Self.moment), exactDates: true))
    }

    @Test func `A text in ISO 8601 is in the date that it is`() throws {
        for text in ["2001-02-12T14:30:05.123Z", "2001-02-12T15:30:05.123+01:00", "2001-02-12T14:30:05.123"] {
            #expect(Self.words(.date(Self.moment)).contain(.string(text), exactDates: true))
            let found = try Rehearsal(
                ([Property("t", .string)], [[.string(text)]]), ([Property("d", .date)], [[.date(Self.moment)]]))
            #expect(found.losses.isEmpty && found.untold.replaced == 0)
        }
        #expect(!Self.words(.date(Self.moment)).contain(.string("2001-02-12T14:30:06Z"), exactDates: true))
    }

    @Test func `A date that moves has no place for a number that is dropped`() throws {
        let found = try Rehearsal(
            ([Property("kind", .int), Property("at", .date)], [[.int(2), .date(Self.moment)]]),
            ([Property("made", .date)], [[.date(Self.moment)]]))
        #expect(found.untold.replaced == 1)
    }

    @Test func `Nanoseconds are a part of a date`() {
        let date = Timestamp(seconds: Self.moment.seconds, nanoseconds: 123_456_789)
        let words = Self.words(.date(Self.moment), .string("2001-02-12T14:30:05.123Z"))
        #expect(!words.contain(.date(date), exactDates: true) && words.haveDays(of: .date(date)))
    }

    // MARK: Numbers

    @Test(arguments: [
        (Value.int(5), Value.int(-5), false), (.double(12.5), .int(125), false), (.double(12.5), .int(1_250), false),
        (.int(12), .double(12.5), false), (.int(1_250), .double(1_250), true),
        (.double(1e16), .int(10_000_000_000_000_000), true),
        (.double(12.5), .string("EUR 12,50"), true), (.int(-5), .string("-5 °C"), true),
        (.int(-5), .string("5 °C"), false),
        (.string("1.50"), .double(1.5), true), (.string("1.50"), .double(15), false), (.string("007"), .int(7), false),
        (.string("52.34"), .string("5234"), false), (.string("52.34"), .string("EUR 52.34"), true),
        (.string("-5"), .string("5"), false), (.double(13.4), .string("52.5,13.4"), true),
        (.double(-13.4), .string("52.5/-13.4"), true), (.double(3.4), .string("52.5,13.4"), false),
        (.string("8.25"), .double(-8.25), false), (.string("5"), .int(-5), false),
        (.string("1045"), .int(1_045_000), false), (.string("1045"), .string("A-1045000"), true),
        (.string("2001-02-12"), .int(20_010_212), true),
    ])
    func `A number is there as it is, or by its digits in a text`(sought: Value, other: Value, isThere: Bool) {
        #expect(Self.words(other).contain(sought, exactDates: true) == isThere)
    }

    @Test(arguments: [
        ("52.52,13.40", [Value.double(52.52), .double(13.4)]), ("12.50kg", [.double(12.5), .string("kg")]),
        ("1.5-2.50", [.double(1.5), .double(2.5)]), ("2.3", [.int(2), .int(3)]),
        ("5.5 -3", [.double(5.5), .int(-3)]), ("12.5 2020-01-02", [.double(12.5), .int(2020), .int(1), .int(2)]),
    ])
    func `The numbers of a text are there if all of them are, and its words`(text: String, parts: [Value]) {
        #expect(Self.words(.list(parts)).contain(.string(text), exactDates: true))
        for part in parts { #expect(!Self.words(part).contain(.string(text), exactDates: true)) }
    }

    @Test func `More than is looked at is never there`() {
        let text = String(repeating: "word ", count: 2_000)
        #expect(Self.words(.string("the " + text)).contain(.string(text), exactDates: true))
        #expect(!Self.words(.string(text + "other")).contain(.string(text + "word"), exactDates: true))
        let long = String(repeating: "word ", count: ValueWords.textLimit)
        #expect(!Self.words(.string(long)).contain(.string(long), exactDates: true))
        let elements = (1...Int64(ValueWords.elementLimit)).map { Value.int($0) }
        #expect(Self.words(.list(elements)).contain(.list(elements), exactDates: true))
        #expect(!Self.words(.list(elements.dropLast() + [.int(0)])).contain(.list(elements), exactDates: true))
        #expect(!Self.words(.list(elements + [.int(-1)])).contain(.list(elements + [.int(-1)]), exactDates: true))
    }

    // MARK: Codes

    private static func lost(_ pairs: [(Value, Value)], times: Int = 3, whereSomeStayed: Bool = false) -> Int? {
        var lost = LostValues()
        for key in 0..<Int64(times * pairs.count) {
            let (old, new) = pairs[Int(key) % pairs.count]
            lost.note(old, [(Takers.Place(column: 0), new)], of: key)
            lost.add(key, old, nil)
        }
        return lost.untaken(whereSomeStayed: whereSomeStayed) { _, _, _ in false }?.objects.count
    }

    @Test func `Codes one to one keep all values, and zero is one of them`() {
        #expect(
            Self.lost([(.string("a"), .string("A")), (.string("b"), .string("B")), (.string("c"), .string("C"))]) == nil
        )
        #expect(Self.lost([(.string("a"), .int(0)), (.string("b"), .int(1)), (.string("c"), .int(2))]) == nil)
        #expect(Self.lost([(.bool(true), .null), (.bool(false), .string("no"))]) == nil)
    }

    @Test func `Values that became each other are codes where none stayed`() {
        let exchanged: [(Value, Value)] = [(.bool(true), .bool(false)), (.bool(false), .bool(true))]
        #expect(Self.lost(exchanged) == nil)
        #expect(Self.lost(exchanged, whereSomeStayed: true) == 6)
        #expect(
            Self.lost([(.bool(true), .string("yes")), (.bool(false), .string("no"))], whereSomeStayed: true) == nil)
    }

    @Test func `Codes lose the values that they forget, and those alone`() {
        #expect(
            Self.lost([(.string("a"), .string("A")), (.string("b"), .string("B")), (.string("c"), .string(""))]) == 3)
        #expect(
            Self.lost([
                (.string("a"), .string("A")), (.string("b"), .string("B")), (.string("c"), .null),
                (.string("d"), .null),
            ]) == 6)
        #expect(
            Self.lost([
                (.string("a"), .int(1)), (.string("b"), .int(2)), (.string("c"), .int(0)), (.string("d"), .int(0)),
            ]) == 6)
    }

    @Test func `A code for two values loses them`() {
        #expect(
            Self.lost([(.string("a"), .string("A")), (.string("b"), .string("B")), (.string("c"), .string("B"))]) == 9)
        #expect(Self.lost([(.double(1.5), .int(1)), (.double(2), .int(2)), (.double(2.5), .int(2))]) == 9)
    }

    private static func lost(_ texts: KeyValuePairs<String, String>) -> Int? {
        lost(texts.map { (.string($0), .string($1)) })
    }

    @Test func `A part of a text is no code, be it of another's`() {
        #expect(Self.lost(["Bern, Switzerland": "Bern", "Lyon, France": "Lyon"]) == 6)
        #expect(Self.lost(["Bern, Switzerland": "LYON", "Lyon, France": "BERN"]) == 6)
        #expect(Self.lost(["0893875": "089", "0246562": "024"]) == 6)
        #expect(Self.lost(["Al Gore": "Al", "J Bo": "J"]) == 6)
    }

    @Test func `Words, initials and texts that change places are codes`() {
        #expect(Self.lost(["open": "offen", "closed": "zu"]) == nil)
        #expect(Self.lost(["male": "m", "female": "f"]) == nil)
        #expect(Self.lost(["open": "closed", "closed": "open"]) == nil)
        #expect(Self.lost(["in progress": "progress", "open": "new"]) == nil)
    }

    @Test func `A part of a date is no code`() {
        let dates = [Self.moment, Self.day].map { Value.date($0) }
        #expect(Self.lost([(dates[0], .int(12)), (dates[1], .int(13))]) == 6)
        #expect(Self.lost([(dates[0], .string("winter")), (dates[1], .string("spring"))]) == 6)
    }

    @Test func `A rounded number is no code, and one in another unit is`() {
        #expect(Self.lost([(.double(1.25), .int(1)), (.double(7.75), .int(7))]) == 6)
        #expect(Self.lost([(.double(1.25), .double(1.3)), (.double(7.75), .double(7.8))]) == 6)
        #expect(Self.lost([(.double(1.25), .int(125)), (.double(7.75), .int(775))]) == nil)
        #expect(Self.lost([(.double(67.5), .double(19.72)), (.double(50), .int(10))]) == nil)
        #expect(Self.lost([(.int(3), .int(7)), (.int(4), .int(9))]) == nil)
    }

    // MARK: Units

    private static func isWhole(_ olds: [Double], _ convert: (Double) -> Double) -> Bool {
        var line = NumberLine()
        for old in olds { line.note(.double(old), .double(convert(old))) }
        return line.isWhole
    }

    private static let hundredths = (0..<500).map { Double($0 * 37 % 911 + 3) / 100 }

    @Test func `Numbers in another unit are kept`() {
        #expect(Self.isWhole(Self.hundredths) { $0 * 9 / 5 + 32 })
        #expect(Self.isWhole(Self.hundredths) { $0 / 12 })
        #expect(Self.isWhole(Self.hundredths) { ($0 * 2_204.62).rounded() / 1_000 })
        #expect(Self.isWhole(Self.hundredths) { ($0 * 100).rounded() })
    }

    @Test func `Numbers that are rounded so that two may become one are lost`() {
        #expect(!Self.isWhole(Self.hundredths) { $0.rounded() })
        #expect(!Self.isWhole(Self.hundredths) { ($0 * 100).rounded(.down) })
        #expect(!Self.isWhole(Self.hundredths) { (($0 - 32) * 5 / 9).rounded() })
        #expect(!Self.isWhole(Self.hundredths) { $0 * $0 })
    }

    @Test func `A large number beside others hides no rounding of them`() {
        for large in [9_007_199_254_740_991, 1e12] {
            for olds in [[large] + Self.hundredths, Self.hundredths + [large]] {
                #expect(!Self.isWhole(olds) { ($0 * 10).rounded(.down) / 10 })
                #expect(Self.isWhole(olds) { $0 * 4 })
            }
        }
        var (floats, dates) = (NumberLine(), NumberLine())
        for number: Float in [1_048_576.5, 10.25, 31.75] {
            floats.note(.float(number), .float(number.rounded(.down)))
        }
        for (seconds, nanoseconds) in [
            (253_402_300_799, 0), (1_321_103_655, 123_456_789), (1_352_726_055, 500_100_000),
        ] {
            let cut = Timestamp(seconds: Int64(seconds), nanoseconds: Int32(nanoseconds / 1_000_000 * 1_000_000))
            dates.note(.date(Timestamp(seconds: Int64(seconds), nanoseconds: Int32(nanoseconds))), .date(cut))
        }
        #expect(!floats.isWhole && !dates.isWhole)
    }

    @Test func `Large numbers are divided without a rest or lose something`() {
        func isOne(_ olds: [Value], _ convert: (Value) -> Value) -> Bool {
            var scales = Scales()
            for old in olds { scales.note(old, convert(old)) }
            return scales.areOne
        }
        func divided(_ value: Value) -> Value {
            if case .int(let number) = value {
                .int(number / 1_000)
            } else {
                .double((value.number! / 1_000).rounded(.down))
            }
        }
        let milliseconds: [Int64] = [1_608_832_820_895, 1_608_832_820_896, 1_647_609_162_717]
        #expect(!isOne(milliseconds.map { .int($0) }, divided))
        #expect(!isOne(milliseconds.map { .double(Double($0)) }, divided))
        #expect(isOne(milliseconds.map { .int($0 * 1_000) }, divided))
        #expect(isOne(Self.hundredths.map { .double($0) }) { .double($0.number! / 12 * 5) })
        var pairs = NumberPairs()
        for number in milliseconds { pairs.add(Double(number), Double(number / 1_000)) }
        #expect(!pairs.areLinear)
        pairs = NumberPairs()
        for number in milliseconds { pairs.add(Double(number) / 1_000, Double(number) * 1.8 + 32) }
        #expect(pairs.areLinear)
    }

    @Test func `Two numbers are no line, nor is one number for all`() {
        #expect(!Self.isWhole([1, 2, 1, 2]) { 3 * $0 })
        #expect(!Self.isWhole(Self.hundredths) { _ in 7 })
    }

    @Test func `Dates are kept in a unit of time, and in another zone, but not without the time that all of them had`()
    {
        func isWhole(from start: Int64, days: Int = 40, _ convert: (Int64) -> Int64) -> Bool {
            var line = NumberLine()
            for day in 0..<days {
                let seconds = start + Int64(day) * 86_400
                line.note(.date(Timestamp(seconds: seconds, nanoseconds: 0)), .int(convert(seconds)))
            }
            return line.isWhole
        }
        #expect(isWhole(from: 981_936_000) { $0 / 86_400 })
        #expect(isWhole(from: 981_936_000, days: 2) { $0 / 86_400 })
        #expect(!isWhole(from: 981_936_000, days: 2) { $0 / 86_400 * 7 })
        #expect(isWhole(from: 981_936_000) { $0 / 86_400 + 25_569 })
        #expect(isWhole(from: 981_988_205) { ($0 + 7_200) * 1_000 })
        #expect(!isWhole(from: 981_988_205) { $0 / 86_400 })
    }
}
