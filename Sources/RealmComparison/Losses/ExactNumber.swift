import RealmModel

/// A decimal number as its signs come: the same for all ways to write one, such as 1250, 1250.0, 1.25e3 and “1250,0”.
///
/// A text with anything else in it is none, and neither is one with a zero before its other digits: as a code it is another one.
struct ExactNumber {
    private enum Part { case start, whole, fraction, exponentSign, exponent, none }

    private var part = Part.start
    private var isNegative = false
    private var digits = Digits()
    private var startsWithZero = false
    private var hasDigit = false
    /// The power of ten of the last digit.
    private var power = 0
    private var exponent = 0
    private var isExponentNegative = false

    mutating func add(_ byte: UInt8) {
        switch (part, byte) {
        case (.start, UInt8(ascii: "-")) where !isNegative && !hasDigit: isNegative = true
        case (.start, UInt8(ascii: "0")...UInt8(ascii: "9")):
            part = .whole
            add(digit: byte)
        case (.whole, UInt8(ascii: "0")...UInt8(ascii: "9")), (.fraction, UInt8(ascii: "0")...UInt8(ascii: "9")):
            add(digit: byte)
        case (.whole, UInt8(ascii: ".")), (.whole, UInt8(ascii: ",")): part = .fraction
        case (.whole, UInt8(ascii: "e")), (.fraction, UInt8(ascii: "e")), (.whole, UInt8(ascii: "E")),
            (.fraction, UInt8(ascii: "E")):
            part = .exponentSign
        case (.exponentSign, UInt8(ascii: "+")): part = .exponent
        case (.exponentSign, UInt8(ascii: "-")):
            isExponentNegative = true
            part = .exponent
        case (.exponentSign, UInt8(ascii: "0")...UInt8(ascii: "9")),
            (.exponent, UInt8(ascii: "0")...UInt8(ascii: "9")):
            part = .exponent
            exponent = min(exponent * 10 + Int(byte - UInt8(ascii: "0")), 100_000)
        default: part = .none
        }
    }

    private mutating func add(digit: UInt8) {
        if part == .whole {
            // “007” is a code.
            if startsWithZero { part = .none }
            if !hasDigit, digit == UInt8(ascii: "0") { startsWithZero = true }
        }
        hasDigit = true
        if part == .fraction { power -= 1 }
        digits.add(digit)
    }

    private var isNumber: Bool { part == .whole || part == .fraction || part == .exponent }

    /// The power of ten of the last digit that is not zero.
    private var lastPower: Int { power + digits.zeros + (isExponentNegative ? -exponent : exponent) }

    /// Nil where it is no number.
    var hash: UInt64? {
        guard isNumber else { return nil }
        // Zero is the same however it is written.
        guard var hash = digits.bytes else { return ByteHash().value }
        hash.add(isNegative ? 1 as UInt64 : 0)
        hash.add(UInt64(bitPattern: Int64(lastPower)))
        return hash.value
    }

    /// The hash of its digits, and the power of ten of the last of them that is not zero; nil where it is no number, or zero.
    var digitsAndPower: (digits: UInt64, power: Int)? { isNumber ? digits.hash.map { ($0, lastPower) } : nil }
}

extension ExactNumber {
    /// A number as it is written; nil of any other value.
    init?(_ value: Value) {
        guard let text = value.numberText else { return nil }
        self.init(text)
    }

    /// A number as it is written.
    init(_ text: String) {
        self.init()
        for byte in text.utf8 { add(byte) }
    }
}

/// The numbers with a point that stand in a text, as its bytes come: each is told behind its end.
struct FractionInText {
    private var number = ExactNumber()
    private var hasPoint = false
    /// How many bytes of one were there so far, with the minus before it.
    private(set) var length = 0
    private var isBehindWord = false

    /// - Returns: the hash of a number that ends before this byte.
    mutating func add(_ byte: UInt8, isLetter: Bool) -> UInt64? {
        if ValueWords.isDigit(byte) || byte == UInt8(ascii: ".") {
            number.add(byte)
            length += 1
            if byte == UInt8(ascii: ".") { hasPoint = true }
            return nil
        }
        let isBehindNumber = length > 0
        let found = isBehindNumber ? end() : nil
        // Behind a word it is no minus.
        if byte == UInt8(ascii: "-"), !isBehindNumber, !isBehindWord {
            number.add(byte)
            length = 1
        }
        isBehindWord = isLetter
        return found
    }

    /// - Returns: the hash of the number that ends here.
    mutating func end() -> UInt64? {
        defer { self = FractionInText() }
        return hasPoint ? number.hash : nil
    }
}
