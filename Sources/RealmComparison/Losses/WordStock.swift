import RealmModel

/// The words and numbers of some values, of which each serves one value that is looked for among them.
struct WordStock {
    /// So few words are gone through.
    private static let few = 64

    let all: ValueWords
    /// The powers of ten that all numbers that were taken may be multiplied by, be it as a list or one by one.
    private(set) var powers = PowersOfTen.all
    private var words: [UInt64: Int]?
    private var numbers: [UInt64: Int]?
    private var exactNumbers: [UInt64: Int]?
    /// Those of the numbers in texts, where these are many.
    private var writtenPowers: [UInt64: PowersOfTen]?

    init(_ all: ValueWords) {
        self.all = all
        if all.words.count > Self.few { words = Self.counts(all.words) }
    }

    /// Takes the words of a value in a collection out: there a flag that is set is told by the collection's other flags.
    mutating func take(leaf value: Value, exactDates: Bool) -> Bool {
        guard case .bool = value else { return take(value, exactDates: exactDates) }
        var sought = ValueWords()
        sought.add(value)
        return take(words: sought)
    }

    /// Takes the words of a value out; false where some of them are not there.
    mutating func take(_ value: Value, exactDates: Bool) -> Bool {
        switch value {
        case .null, .bool: return false
        case .list, .dictionary:
            let (leaves, before) = (value.leaves, self)
            powers = .all
            let areThere = leaves.allSatisfy { take(leaf: $0, exactDates: exactDates) }
            // Members of an object may be in units of their own.
            guard areThere, !powers.isEmpty || !value.isListOfNumbers else {
                self = before
                return false
            }
            return !leaves.isEmpty
        case .date(let date): return take(date, isExact: exactDates)
        default: break
        }
        var sought = ValueWords()
        sought.add(value)
        guard !sought.words.isEmpty else { return false }
        switch value {
        case .int, .float, .double, .decimal128:
            return take(number: value, sought)
        case .string(let text):
            return take(text: text, sought)
        case .data(let bytes):
            if take(words: sought) { return true }
            return value.writings.contains { writing in
                var sought = ValueWords()
                sought.add(text: writing.utf8)
                // In base64 there are the fewest letters.
                return bytes.count <= all.letterCount && (take(words: sought) || all.contain(letters: sought))
            }
        default: return take(words: sought)
        }
    }

    private mutating func take(text: String, _ whole: ValueWords) -> Bool {
        guard whole.letterCount <= ValueWords.textLimit else { return false }
        if let date = Timestamp(whole: text), take(date, isExact: true) { return true }
        // A number without its sign is another one.
        if whole.negativeCount > all.negativeCount { return false }
        // The zeros before other digits are a part of a code.
        if whole.isCode, !all.contain(letters: whole) { return false }
        if let number = whole.wholeNumber, take(exactNumber: number) {
            spend(whole)
            return true
        }
        guard whole.wholeNumber == nil, !whole.exactNumbers.isEmpty else { return take(wordsOf: whole) }
        let before = self
        let rest = takeFractions(of: text)
        if rest.letterCount == 0 || take(wordsOf: rest) { return true }
        self = before
        return false
    }

    private mutating func take(wordsOf sought: ValueWords) -> Bool {
        if !sought.exactNumbers.isEmpty, sought.hasMinus, !all.hasMinus { return false }
        guard take(wordsAndNumbers: sought) else {
            // Values that were whole words each time are not looked for within others, and a number's parts are not one word.
            let isNumber = !sought.exactNumbers.isEmpty && sought.words.count > 1
            return !isNumber && !haveAll(sought.words) && all.contain(letters: sought)
        }
        return true
    }

    /// Takes all words or none, and the numbers that they are.
    mutating func take(wordsAndNumbers sought: ValueWords) -> Bool {
        guard take(words: sought) else { return false }
        for number in sought.numbers { _ = take(number: number.hash) }
        return true
    }

    /// Takes those of a text's numbers with a point that are there as they are.
    ///
    /// - Returns: the rest of the text.
    private mutating func takeFractions(of text: String) -> ValueWords {
        var (rest, fraction) = (Array(text.utf8) + [UInt8(ascii: " ")], FractionInText())
        for place in rest.indices {
            let start = place - fraction.length
            let isLetter = ValueWords.isLetter(rest[place])
            guard let number = fraction.add(rest[place], isLetter: isLetter), take(exactNumber: number) else {
                continue
            }
            var words = ValueWords()
            words.add(text: rest[start..<place])
            spend(words)
            // A sign behind it is none of another number.
            let end = rest[place] == UInt8(ascii: "-") ? place : place - 1
            for taken in start...end { rest[taken] = UInt8(ascii: " ") }
        }
        var words = ValueWords()
        words.add(text: rest)
        return words
    }

    /// Takes all words or none.
    private mutating func take(words sought: ValueWords) -> Bool { take(words: sought.words) }

    /// Takes all words or none, by their hashes.
    mutating func take(words sought: [UInt64]) -> Bool {
        // Most are not there at all, or there are few to look at.
        guard sought.count > 8 || haveAll(sought) else { return false }
        var left = words ?? Self.counts(all.words)
        // In place: each word of a long text would copy all counts.
        words = nil
        defer { words = left }
        for (place, word) in sought.enumerated() {
            guard let count = left[word], count > 0 else {
                for taken in sought[..<place] { left[taken, default: 0] += 1 }
                return false
            }
            left[word] = count - 1
        }
        return true
    }

    /// Whether all words are there, served or not.
    private func haveAll(_ sought: [UInt64]) -> Bool {
        sought.allSatisfy { word in words.map { $0[word] != nil } ?? all.words.contains(word) }
    }

    /// Takes a number that is there as it is, or in a text that has its digits.
    mutating func take(number value: Value, _ sought: ValueWords? = nil) -> Bool {
        var words = sought ?? ValueWords()
        if sought == nil { words.add(value) }
        guard let exact = words.exactNumbers.first else { return false }
        let written = digitsInTexts(of: value)
        var found = written?.powers ?? .none
        if take(exactNumber: exact) {
            found.formUnion(PowersOfTen(0))
        } else {
            guard let written, !found.isEmpty, take(number: written.hash) else { return false }
        }
        powers.formIntersection(found)
        spend(words)
        return true
    }

    private mutating func take(exactNumber: UInt64) -> Bool {
        if exactNumbers == nil {
            guard all.exactNumbers.contains(exactNumber) else { return false }
            exactNumbers = Self.counts(all.exactNumbers)
        }
        return Self.take(exactNumber, of: &exactNumbers)
    }

    private mutating func take(number: UInt64) -> Bool {
        if numbers == nil {
            guard all.numbers.contains(where: { $0.hash == number }) else { return false }
            numbers = Self.counts(all.numbers.map(\.hash))
        }
        return Self.take(number, of: &numbers)
    }

    /// The digits of a number, with the powers of ten by which it may be multiplied where a text has them; nil where none may have.
    private mutating func digitsInTexts(of value: Value) -> WrittenNumber? {
        guard !all.numbers.isEmpty, let text = value.numberText, all.hasMinus || !text.hasPrefix("-"),
            let (digits, power) = ExactNumber(text).digitsAndPower
        else { return nil }
        if writtenPowers == nil, all.numbers.count > Self.few {
            writtenPowers = all.numbers.reduce(into: [:]) { $0[$1.hash, default: .none].formUnion($1.powers) }
        }
        var powers = writtenPowers?[digits] ?? .none
        if writtenPowers == nil {
            for number in all.numbers where number.hash == digits { powers.formUnion(number.powers) }
        }
        return WrittenNumber(digits, powers.lowered(by: power))
    }

    private static func take(_ hash: UInt64, of left: inout [UInt64: Int]?) -> Bool {
        guard let count = left?[hash], count > 0 else { return false }
        left?[hash] = count - 1
        return true
    }

    /// The words that a number is written in serve no other value.
    private mutating func spend(_ sought: ValueWords) { _ = take(words: sought) }

    private static func counts(_ hashes: [UInt64]) -> [UInt64: Int] {
        hashes.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}

extension Value {
    fileprivate var isListOfNumbers: Bool {
        guard case .list(let elements) = self else { return false }
        return elements.allSatisfy { $0.number != nil }
    }
}
