extension Decimal128 {
    /// Reads the string form of BSON's Decimal128: digits with a point and an exponent, `NaN`, `Infinity`, each signed.
    ///
    /// Exact: coefficient and exponent are kept as they are written (`1.50`, `1E+3`). Zeros at the end of the
    /// coefficient are added or taken only where the exponent or 34 digits ask for that; nil where a digit would be
    /// lost or the exponent is out of range.
    public init?(_ text: String) {
        var text = text
        guard let number = text.withUTF8({ Decimal128(utf8: $0) }) else { return nil }
        self = number
    }

    /// Reads the string form from UTF-8.
    public init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        var scanner = DecimalScanner(text)
        guard let number = scanner.scan() else { return nil }
        self = number
    }

    /// The number `±coefficient × 10^exponent`, with zeros added to or taken from the coefficient as the range asks.
    init?(isNegative: Bool, clamping coefficient: UInt128, exponent: Int) {
        var coefficient = coefficient
        var exponent = exponent
        if coefficient == 0 {
            exponent = min(max(exponent, Self.exponents.lowerBound), Self.exponents.upperBound)
        }
        while exponent < Self.exponents.lowerBound, coefficient.isMultiple(of: 10) {
            coefficient /= 10
            exponent += 1
        }
        while exponent > Self.exponents.upperBound, coefficient <= Self.maximumCoefficient / 10 {
            coefficient *= 10
            exponent -= 1
        }
        self.init(isNegative: isNegative, coefficient: coefficient, exponent: exponent)
    }
}

extension Decimal128: CustomStringConvertible {
    /// The scientific string of IEEE 754 as BSON's Decimal128 has it: `1.50`, `1E+3`, `-0`, `NaN`, `-Infinity`.
    ///
    /// Reading it back gives the same bits, but for the sign and the payload of a NaN.
    public var description: String {
        if isNaN { return "NaN" }
        let sign = isNegative ? "-" : ""
        if isInfinite { return sign + "Infinity" }
        let digits = String(coefficient)
        let adjusted = exponent + digits.utf8.count - 1
        if exponent > 0 || adjusted < -6 { return sign + Self.scientific(digits, adjusted: adjusted) }
        return sign + Self.plain(digits, exponent: exponent)
    }

    private static func scientific(_ digits: String, adjusted: Int) -> String {
        let tail = digits.dropFirst()
        let power = adjusted < 0 ? "E\(adjusted)" : "E+\(adjusted)"
        return digits.prefix(1) + (tail.isEmpty ? "" : "." + tail) + power
    }

    private static func plain(_ digits: String, exponent: Int) -> String {
        let places = -exponent
        guard places > 0 else { return digits }
        let whole = digits.utf8.count - places
        guard whole <= 0 else { return digits.prefix(whole) + "." + digits.suffix(places) }
        return "0." + String(repeating: "0", count: -whole) + digits
    }
}

/// Reads the text of one decimal number.
private struct DecimalScanner {
    private let text: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var coefficient: UInt128 = 0
    private var exponent = 0
    /// Zeros that were read and are not in the coefficient yet, so that only those before another digit count.
    private var pendingZeros = 0
    private var digitCount = 0

    init(_ text: UnsafeBufferPointer<UInt8>) {
        self.text = text
    }

    mutating func scan() -> Decimal128? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        if let special = scanSpecial(isNegative: isNegative) { return special }
        guard scanDigits(), scanPower(), position == text.count else { return nil }
        restoreZeros()
        return Decimal128(isNegative: isNegative, clamping: coefficient, exponent: exponent)
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private func scanSpecial(isNegative: Bool) -> Decimal128? {
        guard position < text.count, text[position] >= UInt8(ascii: "A") else { return nil }
        let sign = isNegative ? Decimal128.signBit : 0
        switch String(decoding: text[position...].prefix(9), as: UTF8.self).lowercased() {
        case "nan": return Decimal128(low: 0, high: Decimal128.notANumberBits | sign)
        case "inf", "infinity": return Decimal128(low: 0, high: Decimal128.infinityBits | sign)
        default: return nil
        }
    }

    /// Reads the digits and the point; false where there is no digit, or one too many.
    private mutating func scanDigits() -> Bool {
        var isFraction = false
        while position < text.count {
            let character = text[position]
            if character == UInt8(ascii: "."), !isFraction {
                isFraction = true
            } else if let digit = Self.digit(character) {
                digitCount += 1
                guard append(digit) else { return false }
                if isFraction { exponent -= 1 }
            } else {
                break
            }
            position += 1
        }
        return digitCount > 0
    }

    /// Takes a digit; false where the coefficient would not fit.
    private mutating func append(_ digit: UInt8) -> Bool {
        guard digit != 0 else {
            if coefficient != 0 { pendingZeros += 1 }
            return true
        }
        for _ in 0...pendingZeros {
            guard coefficient <= Decimal128.maximumCoefficient / 10 else { return false }
            coefficient *= 10
        }
        pendingZeros = 0
        coefficient += UInt128(digit)
        return true
    }

    /// Gives the coefficient the zeros at its end, as far as they fit, and the exponent the others.
    private mutating func restoreZeros() {
        while pendingZeros > 0, coefficient <= Decimal128.maximumCoefficient / 10 {
            coefficient *= 10
            pendingZeros -= 1
        }
        exponent += pendingZeros
    }

    /// Reads the exponent, if there is one; far out of range it stays at a number that no text can make up for.
    private mutating func scanPower() -> Bool {
        guard skip("E") || skip("e") else { return true }
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        var power = 0
        let start = position
        while position < text.count, let digit = Self.digit(text[position]) {
            power = min(power * 10 + Int(digit), 1 << 48)
            position += 1
        }
        exponent += isNegative ? -power : power
        return position > start
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        let digit = character &- UInt8(ascii: "0")
        return digit < 10 ? digit : nil
    }
}
