import RealmModel

/// The words and numbers of some values: what is still there of a value that was moved, split, joined or written otherwise.
///
/// A word is a run of letters and digits, in small letters where it is ASCII, without the zeros that a number begins with, and with the
/// minus before it. A number is itself and no other; in a text it is known by its digits but for the zeros at either end, so that 12.5 is
/// in “EUR 12,50”, and the powers of ten that this may be of it are told.
/// More than the limits is never told to be there.
struct ValueWords {
    /// Bytes of a text that are looked at.
    static let textLimit = 16_384
    /// Bytes of data that are looked for in texts: so many that their digits are within `textLimit`.
    static let dataLimit = 510
    /// Elements of a collection that are looked at.
    static let elementLimit = 4_096

    /// The letters and digits of each value that is no number, a zero behind each.
    private(set) var squeezed: [UInt8] = []
    /// Hashes.
    private(set) var words: [UInt64] = []
    /// Those of them that are parts of dates.
    private(set) var dateWords: [UInt64] = []
    /// The numbers in texts, one on its own each once.
    private(set) var numbers: [WrittenNumber] = []
    /// Hashes of numbers as they are, and of texts that are nothing but a number.
    private(set) var exactNumbers: [UInt64] = []
    /// The one of them that is all of the value that was added last; nil where that is more, or another.
    private(set) var wholeNumber: UInt64?
    /// Whether a text has a sign that a negative number may have.
    private(set) var hasMinus = false
    /// How many numbers have a minus before them, in texts and on their own.
    private(set) var negativeCount = 0
    /// Whether a date is there that is hardly meant: the seconds of another one may be its milliseconds.
    private(set) var hasMisreadDate = false
    /// Letters and digits of texts, those behind `textLimit` among them.
    private(set) var letterCount = 0

    /// Forgets all of them.
    mutating func removeAll() {
        squeezed.removeAll(keepingCapacity: true)
        words.removeAll(keepingCapacity: true)
        dateWords.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        exactNumbers.removeAll(keepingCapacity: true)
        (letterCount, hasMinus, negativeCount, hasMisreadDate) = (0, false, 0, false)
    }

    /// Adds those of a value; zero, the epoch and their like have none, unless that is asked for.
    mutating func add(_ value: Value, withZeros: Bool = false) {
        if !withZeros, value.isEmptyOrZero { return }
        switch value {
        case .null: break
        case .int(let number): add(number: "\(number)")
        case .bool(let flag): add(text: flag ? "true".utf8 : "false".utf8)
        case .float(let number): add(number: "\(number)")
        case .double(let number): add(number: "\(number)")
        case .string(let text): add(text: text.utf8)
        case .data(let bytes): add(run: bytes)
        case .date(let date): add(date)
        case .decimal128(let number): add(number: "\(number)")
        case .objectId(let id): add(text: "\(id)".utf8)
        case .uuid(let id): add(text: "\(id)".utf8)
        case .link(let key): add(run: Array("→\(key.value)".utf8))
        case .typedLink(let className, let key): add(run: Array("\(className)→\(key.value)".utf8))
        case .list(let elements):
            for element in elements.prefix(Self.elementLimit) { add(element, withZeros: withZeros) }
        case .dictionary(let entries):
            for entry in entries.prefix(Self.elementLimit) {
                add(text: entry.key.utf8)
                add(entry.value, withZeros: withZeros)
            }
        }
    }

    /// Adds those of a text.
    mutating func add(text: some Sequence<UInt8>) {
        var word = Word()
        var (digits, digitsBehind) = (Digits(), DigitsBehindMarks())
        let (start, first) = (numbers.count, words.count)
        var (marks, hasMarks) = (ByteHash(), false)
        var (exact, fraction) = (ExactNumber(), FractionInText())
        var minus = MinusInText()
        for (place, byte) in text.enumerated() {
            exact.add(byte)
            if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "(") || byte == 0xE2 { hasMinus = true }
            let letter = Self.letter(byte)
            if let number = fraction.add(byte, isLetter: letter != nil) { exactNumbers.append(number) }
            if minus.isBefore(byte, isLetter: letter != nil) {
                negativeCount += 1
                word.isNegative = true
            }
            if letter != nil { letterCount += 1 }
            if place >= Self.textLimit { continue }
            digitsBehind.add(byte)
            guard let letter else {
                word.end(&words, &numbers)
                word.isBehindMark = digitsBehind.isBehindMark
                marks.add(byte)
                hasMarks = hasMarks || byte > UInt8(ascii: " ")
                continue
            }
            squeezed.append(letter)
            word.add(letter)
            digits.add(letter)
        }
        word.end(&words, &numbers)
        // Signs are a word where there are no others.
        if words.count == first, hasMarks { words.append(marks.value) }
        if let hash = digits.hash {
            add(WrittenNumber(hash, PowersOfTen(zeros: digits.zeros, behind: digitsBehind.counts)), from: start)
        }
        let last = fraction.end()
        wholeNumber = exact.hash
        if let number = wholeNumber ?? last { exactNumbers.append(number) }
        squeezed.append(0)
    }

    /// Adds all digits of a text as one number, which one of its words may be.
    private mutating func add(_ number: WrittenNumber, from start: Int) {
        if let place = numbers[start...].firstIndex(where: { $0.hash == number.hash }) {
            numbers[place].powers.formUnion(number.powers)
        } else {
            numbers.append(number)
        }
    }

    private mutating func add(number text: String) {
        let (start, first, hadMinus) = (numbers.count, squeezed.count, hasMinus)
        let exactStart = exactNumbers.count
        // The zero behind the point of a whole one is no number.
        add(text: text.utf8.dropLast(text.hasSuffix(".0") ? 2 : 0))
        // The number before an exponent is another one.
        if let wholeNumber { exactNumbers[exactStart...] = [wholeNumber] }
        // Its digits are no others' in a text.
        squeezed.removeSubrange(first...)
        numbers.removeSubrange(start...)
        hasMinus = hadMinus
    }

    /// A date is its day and time in words, and its seconds and milliseconds as numbers.
    private mutating func add(_ date: Timestamp) {
        hasMisreadDate = hasMisreadDate || date.isHardlyMeant
        let first = words.count
        defer { dateWords += words[first...] }
        for number in [date.seconds, date.milliseconds] { add(number: "\(number)") }
        add(partsOf: date)
    }

    /// Adds the parts of a day and its time.
    mutating func add(partsOf date: Timestamp) {
        add(text: date.description.utf8.map { Self.isDigit($0) ? $0 : UInt8(ascii: " ") })
    }

    private mutating func add(run bytes: some Collection<UInt8>) {
        var word = Word()
        for byte in bytes { word.add(byte) }
        word.end(&words, &numbers)
        squeezed.append(0)
    }

    // MARK: Looking for values

    /// Whether all of a value is among these, but for parts of it that are empty and flags that are not set: each part as often
    /// as the value has it.
    ///
    /// A text of signs alone is one word.
    ///
    /// - Parameter exactDates: whether a date has to be there with its time and fraction; else the day does, which is what a date that is
    ///   written otherwise has at least.
    func contain(_ value: Value, exactDates: Bool = false) -> Bool {
        switch value {
        case .null: return false
        // There are too few of them to tell one from another.
        case .bool: return false
        case .list, .dictionary:
            guard value.leaves.count <= Self.elementLimit else { return false }
            var stock = WordStock(self)
            return stock.take(value, exactDates: exactDates)
        default:
            var stock = WordStock(self)
            return stock.take(value, exactDates: exactDates)
        }
    }

    /// The powers of ten of a number that may be here; all where it is not.
    func powersOfTen(of number: Value) -> PowersOfTen {
        var stock = WordStock(self)
        return stock.take(number: number) ? stock.powers : .all
    }

    /// The values that are not among these, each as often as it is there too few times.
    func missing(_ values: some Sequence<Value>, exactDates: Bool) -> [Value] {
        var stock = WordStock(self)
        return values.filter { !stock.take(leaf: $0, exactDates: exactDates) }
    }

    func contain(letters sought: ValueWords) -> Bool {
        let letters = sought.squeezed.dropLast()
        return letters.count >= Self.tellingLetters && letters.count <= letterCount && contain(run: letters)
    }

    /// Whether letters and digits stand side by side in a text, or are a number.
    func contain(run letters: ArraySlice<UInt8>) -> Bool {
        squeezed[...].contains(run: letters) || letters.first != UInt8(ascii: "0") && words.contains(Self.word(letters))
    }

    /// Whether these are of one text of digits alone, with a zero before the others: a postal code, say.
    var isCode: Bool {
        words.count == 1 && exactNumbers.isEmpty && squeezed.count > Self.tellingLetters
            && squeezed.first == UInt8(ascii: "0") && squeezed.dropLast().allSatisfy(Self.isDigit)
    }

    /// Letters that are not found inside of a word by chance.
    private static let tellingLetters = 3

    /// The words that a value is told by elsewhere: of a date the day; hashes, none where nothing can be told.
    static func telling(_ value: Value) -> [UInt64] {
        switch value {
        case .null, .bool: return []
        case .date: return Array(Set(day(of: value).words))
        case .list(let elements) where elements.contains(where: \.isFlag):
            var words = ValueWords()
            words.add(value)
            return Array(Set(words.words))
        case .list, .dictionary:
            return Array(Set(value.leaves.prefix(elementLimit).flatMap(telling)))
        case .int, .float, .double, .decimal128:
            var words = ValueWords()
            words.add(value)
            return Array(words.exactNumbers.prefix(1))
        default:
            var words = ValueWords()
            words.add(value)
            return Array(Set(words.words))
        }
    }

    /// The words of each way in which a value may be written; none where nothing can be told.
    static func ways(of value: Value) -> [[UInt64]] {
        let words = telling(value)
        guard case .date(let date) = value else { return words.isEmpty ? [] : [words] }
        return ([words] + [date.seconds, date.milliseconds].map { telling(.int($0)) }).filter { !$0.isEmpty }
    }

    /// Whether one of the hashes of `telling` is among these.
    func tells(_ word: UInt64) -> Bool { words.contains(word) || exactNumbers.contains(word) }

    static func day(of value: Value) -> ValueWords {
        var words = ValueWords()
        if case .date(let date) = value {
            words.add(text: date.description.utf8.prefix { $0 != UInt8(ascii: "T") })
        }
        return words
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    static func isLetter(_ byte: UInt8) -> Bool { letter(byte) != nil }

    /// A letter as it stands in words; nil for what stands between them.
    private static func letter(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: byte
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        default: nil
        }
    }
}

/// A hash of bytes (FNV-1a), as they come.
struct ByteHash {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }

    mutating func add(_ number: UInt64) {
        for shift in stride(from: 0 as UInt64, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// The hash with each bit depending on all (the end of MurmurHash3): its low bits are as even as the others.
    var spread: UInt64 {
        var mixed = (value ^ value >> 33) &* 0xff51_afd7_ed55_8ccd
        mixed = (mixed ^ mixed >> 33) &* 0xc4ce_b9fe_1a85_ec53
        return mixed ^ mixed >> 33
    }
}

/// A word as its letters come.
private struct Word {
    private var hash = ByteHash()
    private var digits = Digits()
    private var count = 0
    private var isNumber = true
    /// How many letters there are, with the zeros that a number begins with.
    private var length = 0
    var isNegative = false
    /// Whether a mark is before it that may be the point of a number.
    var isBehindMark = false

    mutating func add(_ letter: UInt8) {
        let isDigit = ValueWords.isDigit(letter)
        length += 1
        // A number is the same with zeros before it.
        if isNumber, count == 1, isDigit, isZero { (hash, digits, count) = (ByteHash(), Digits(), 0) }
        isZero = letter == UInt8(ascii: "0")
        isNumber = isNumber && isDigit
        if isDigit { digits.add(letter) }
        hash.add(letter)
        count += 1
    }

    private var isZero = false

    mutating func end(_ words: inout [UInt64], _ numbers: inout [WrittenNumber]) {
        guard count > 0 else { return }
        if isNegative { hash.add(UInt8(ascii: "-")) }
        words.append(hash.value)
        if isNumber, let number = digits.hash {
            let behind: UInt64 = isBehindMark && length < 64 ? 1 << UInt64(length) : 0
            numbers.append(WrittenNumber(number, PowersOfTen(zeros: digits.zeros, behind: behind)))
        }
        self = Word()
    }
}

/// A number in a text.
struct WrittenNumber {
    /// The hash of its digits.
    let hash: UInt64
    /// Those that the last digit that is not zero may be of.
    var powers: PowersOfTen

    init(_ hash: UInt64, _ powers: PowersOfTen) { (self.hash, self.powers) = (hash, powers) }
}

/// How many digits are behind the marks of a text that may be a point, as its bytes come.
private struct DigitsBehindMarks {
    /// The bit of each number of digits.
    private(set) var counts: UInt64 = 0
    private var hasDigit = false

    private var isBehindDigit = false
    /// Whether the last byte is a mark behind a digit.
    private(set) var isBehindMark = false

    mutating func add(_ byte: UInt8) {
        let isDigit = ValueWords.isDigit(byte)
        if isDigit {
            counts <<= 1
            hasDigit = true
        } else if hasDigit {
            counts |= 1
        }
        isBehindMark = !isDigit && isBehindDigit
        isBehindDigit = isDigit
    }
}

/// The digits of a number, without the zeros at either end.
struct Digits {
    private var whole = ByteHash()
    /// The zeros behind the last of them.
    private(set) var zeros = 0
    private var count = 0

    mutating func add(_ byte: UInt8) {
        guard ValueWords.isDigit(byte) else { return }
        if byte == UInt8(ascii: "0") {
            if count > 0 { zeros += 1 }
            return
        }
        for _ in 0..<zeros { whole.add(UInt8(ascii: "0")) }
        whole.add(byte)
        count += 1
        zeros = 0
    }

    /// Nil where there is none.
    var hash: UInt64? { bytes?.value }

    /// The hash as it goes on; nil where there is none.
    var bytes: ByteHash? { count == 0 ? nil : whole }
}

extension Digits: Equatable {
    /// Those of a number, as it is written; none of any other value.
    init(of value: Value) { self.init(of: value.numberText ?? "") }

    /// Those of a number in a text; those of its exponent are none of them.
    init(of number: some StringProtocol) {
        for byte in number.utf8.prefix(while: { $0 | 0x20 != UInt8(ascii: "e") }) { add(byte) }
    }

    static func == (digits: Digits, others: Digits) -> Bool { digits.hash == others.hash }
}

extension Timestamp {
    /// Milliseconds since 1970.
    var milliseconds: Int64 {
        seconds.multipliedReportingOverflow(by: 1_000).partialValue &+ Int64(nanoseconds) / 1_000_000
    }
}

extension ArraySlice<UInt8> {
    /// Whether other bytes stand somewhere in these, side by side.
    func contains(run sought: ArraySlice<UInt8>) -> Bool {
        withUnsafeBufferPointer { bytes in sought.withUnsafeBufferPointer { bytes[...].contains(run: $0[...]) } }
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// Whether other bytes stand somewhere in these, side by side.
    func contains(run sought: Self) -> Bool {
        guard let first = sought.first else { return true }
        guard count >= sought.count else { return false }
        for start in startIndex...(endIndex - sought.count) where self[start] == first {
            var length = 1
            while length < sought.count, self[start + length] == sought[sought.startIndex + length] { length += 1 }
            if length == sought.count { return true }
        }
        return false
    }
}

extension Value {
    /// The digits of a number, with its sign, as it is written; nil of any other value.
    var numberText: String? {
        switch self {
        case .int(let number): "\(number)"
        case .float(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal128(let number): "\(number)"
        default: nil
        }
    }
}

/// Finds the minus before a number in a text, byte by byte: one between words is none, and signs of money may stand behind it.
private struct MinusInText {
    private var isPending = false
    private var isInWord = false

    /// Takes the next byte.
    ///
    /// - Returns: whether it is the first digit of a number with a minus.
    mutating func isBefore(_ byte: UInt8, isLetter: Bool) -> Bool {
        if isLetter {
            defer { (isPending, isInWord) = (false, true) }
            return isPending && byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
        }
        isPending = byte == UInt8(ascii: "-") ? !isInWord : isPending && byte > UInt8(ascii: " ")
        isInWord = false
        return false
    }
}
