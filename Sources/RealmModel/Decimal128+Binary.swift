extension Decimal128 {
    /// The number that Realm compares with decimals in place of a double: its exact value, rounded to 34 significant
    /// digits and then to 15, half to even, so that 0.1 is 0.1.
    public init(_ number: Double) {
        // Up to 15 digits a double of full precision says exactly what it was made of.
        if number.isNormal, let shortest = Decimal128("\(number)"), shortest.digitCount <= 15 {
            self = shortest
        } else {
            self.init(number, digits: 15)
        }
    }

    /// The number that Realm compares with decimals in place of a float, as that of a double, but with 7 digits.
    public init(_ number: Float) {
        self.init(Double(number), digits: 7)
    }

    private init(_ number: Double, digits: Int) {
        guard number.isFinite else {
            self = number.isNaN ? .notANumber : Decimal128(low: 0, high: Self.infinity.high | Self.signBit(of: number))
            return
        }
        let exact = DecimalExpansion(number).rounded(to: Self.maximumDigits).rounded(to: digits)
        self =
            Decimal128(isNegative: number.sign == .minus, coefficient: exact.coefficient, exponent: exact.exponent)
            ?? .zero
    }

    private static func signBit(of number: Double) -> UInt64 { number.sign == .minus ? signBit : 0 }
}

/// All decimal digits of a finite double, which are finitely many: at most 767 that count.
private struct DecimalExpansion {
    /// The significant digits, the first of them not 0.
    private var digits: [UInt8]
    /// The power of ten that the last digit stands for.
    private(set) var exponent: Int

    init(_ number: Double) {
        let isSubnormal = number.exponentBitPattern == 0
        let significand = number.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
        let power = (isSubnormal ? 1 : Int(number.exponentBitPattern)) - 1075
        var whole = LongInteger(significand)
        if power < 0 {
            // m · 2^−n is m · 5^n · 10^−n.
            for _ in 0..<(-power / 13) { whole.multiply(by: 1_220_703_125) }
            for _ in 0..<(-power % 13) { whole.multiply(by: 5) }
        } else {
            for _ in 0..<(power / 31) { whole.multiply(by: 1 << 31) }
            whole.multiply(by: 1 << UInt32(power % 31))
        }
        digits = whole.decimalDigits()
        exponent = min(power, 0)
    }

    /// The digits as a number; at most 38 of them.
    var coefficient: UInt128 { digits.reduce(0) { $0 * 10 + UInt128($1) } }

    /// The number with fewer digits, half to even.
    func rounded(to count: Int) -> DecimalExpansion {
        guard digits.count > count else { return self }
        var rounded = self
        rounded.digits.removeSubrange(count...)
        rounded.exponent += digits.count - count
        let (first, rest) = (digits[count], digits[(count + 1)...])
        let isHalf = first == 5 && rest.allSatisfy { $0 == 0 }
        guard isHalf ? !digits[count - 1].isMultiple(of: 2) : first >= 5 else { return rounded }
        rounded.increment()
        return rounded
    }

    private mutating func increment() {
        for index in digits.indices.reversed() {
            guard digits[index] == 9 else {
                digits[index] += 1
                return
            }
            digits[index] = 0
        }
        // 999 becomes 1000, which as many digits and a higher power say as well.
        digits[0] = 1
        exponent += 1
    }
}

/// A whole number of any length.
private struct LongInteger {
    /// From the least significant on.
    private var words: [UInt32]

    init(_ number: UInt64) {
        words = [UInt32(truncatingIfNeeded: number), UInt32(truncatingIfNeeded: number >> 32)]
    }

    mutating func multiply(by factor: UInt32) {
        var carry: UInt64 = 0
        for index in words.indices {
            carry += UInt64(words[index]) * UInt64(factor)
            words[index] = UInt32(truncatingIfNeeded: carry)
            carry >>= 32
        }
        if carry > 0 { words.append(UInt32(carry)) }
    }

    /// The digits from the most significant on; none of 0.
    func decimalDigits() -> [UInt8] {
        var rest = words
        var digits: [UInt8] = []
        while !rest.isEmpty {
            var remainder: UInt64 = 0
            for index in rest.indices.reversed() {
                let value = remainder << 32 | UInt64(rest[index])
                rest[index] = UInt32(value / 1_000_000_000)
                remainder = value % 1_000_000_000
            }
            while rest.last == 0 { rest.removeLast() }
            for _ in 0..<9 {
                digits.append(UInt8(remainder % 10))
                remainder /= 10
            }
        }
        while digits.last == 0 { digits.removeLast() }
        return digits.reversed()
    }
}
