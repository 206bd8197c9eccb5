import RealmModel

/// The constants of a list, any of which a value may equal: found by a hash, whatever their number.
///
/// Equality is that of `ValueTest`. Numbers of all types are compared, and with a decimal one a double counts by fewer digits than with
/// another double, so that decimals have sets of their own.
struct ConstantSet: Sendable {
    fileprivate enum Key: Hashable {
        case null
        case int(Int64)
        /// A number that no integer is, by its bits.
        case binary(UInt64)
        case notANumber
        case text([UInt8])
        case data([UInt8])
        case typedLink(NameKey, ObjectKey)
        /// All lists are one, and all dictionaries.
        case list
        case dictionary
        /// Those that are equal to their own type alone, by their bits.
        case other(Value)
    }

    fileprivate struct DecimalKey: Hashable {
        var isNegative = false
        var coefficient: UInt128 = 0
        var exponent = 0
        var isNaN = false
        var isInfinite = false
    }

    private let ignoresCase: Bool
    private var keys: Set<Key> = []
    /// Those that are decimal numbers, and all numbers as such.
    private var decimals: Set<DecimalKey> = []
    private var numbers: Set<DecimalKey> = []
    /// Whether a binary NaN is one of them: a stored one is equal to nothing.
    private var hasNaN = false

    /// - Returns: nil where there are fewer than two, or what is asked is not whether values are equal.
    init?(_ constants: [(value: Value, test: ValueTest)]) {
        guard constants.count > 1, let first = constants.first?.test,
            constants.allSatisfy({ $0.test.isOfEquality && $0.test.ignoresCase == first.ignoresCase })
        else { return nil }
        ignoresCase = first.ignoresCase
        for (value, test) in constants where !(test.rules == .stored && value.isNaN) {
            if test.rules != .stored, value.decimal?.isNaN == true { hasNaN = true }
            if let number = value.decimal { numbers.insert(DecimalKey(number)) }
            if case .decimal128(let number) = value {
                decimals.insert(DecimalKey(number))
            } else {
                keys.insert(Key(value, ignoresCase))
            }
        }
    }

    func contains(_ value: Value) -> Bool {
        if case .decimal128(let number) = value { return numbers.contains(DecimalKey(number)) }
        if value.isNaN { return hasNaN }
        if keys.contains(Key(value, ignoresCase)) { return true }
        guard !decimals.isEmpty, let number = value.decimal else { return false }
        return decimals.contains(DecimalKey(number))
    }
}

extension ConstantSet.Key {
    fileprivate init(_ value: Value, _ ignoresCase: Bool) {
        switch value {
        case .null: self = .null
        case .int(let number): self = .int(number)
        case .float(let number): self.init(Double(number))
        case .double(let number): self.init(number)
        case .string: self = .text(ValueTest.bytes(value, ignoresCase) ?? [])
        case .data: self = .data(ValueTest.bytes(value, ignoresCase) ?? [])
        case .typedLink(let className, let key): self = .typedLink(NameKey(className), key)
        case .list: self = .list
        case .dictionary: self = .dictionary
        default: self = .other(value)
        }
    }

    private init(_ number: Double) {
        if number.isNaN {
            self = .notANumber
        } else {
            self = Int64(exactly: number).map { .int($0) } ?? .binary(number.bitPattern)
        }
    }
}

extension ConstantSet.DecimalKey {
    fileprivate init(_ number: Decimal128) {
        isNaN = number.isNaN
        isInfinite = !isNaN && number.isInfinite
        guard !isNaN else { return }
        if number.isFinite, number.coefficient == 0 { return }
        isNegative = number.isNegative
        guard number.isFinite else { return }
        (coefficient, exponent) = (number.coefficient, number.exponent)
        while coefficient.isMultiple(of: 10) { (coefficient, exponent) = (coefficient / 10, exponent + 1) }
    }
}

extension ValueTest {
    /// Whether what is asked is that two values are equal.
    fileprivate var isOfEquality: Bool { (comparator == .equal || comparator == .in) && rules != .kinds }
}

extension Value {
    fileprivate var isNaN: Bool {
        switch self {
        case .float(let number): number.isNaN
        case .double(let number): number.isNaN
        default: false
        }
    }
}
