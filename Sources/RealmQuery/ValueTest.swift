import RealmModel

/// A test of two values.
///
/// Realm has two sets of rules. Those of *stored* values are for a property of the object itself on the left, compared
/// with a constant of the same type; those of *any* values are for everything else: paths over links, collections,
/// constants on the left, values of two types. They differ in nulls of strings and data, and in NaN.
struct ValueTest: Hashable, Sendable {
    enum Rules: Hashable, Sendable {
        case stored
        case any
        /// Values are kinds of values, `ValueKind`, as integers.
        case kinds
    }

    let comparator: Comparator
    let ignoresCase: Bool
    let rules: Rules
    /// The pattern of the right side, where that is one constant.
    private let pattern: TextPattern?

    init(_ comparator: Comparator, ignoresCase: Bool, rules: Rules, constant: Value? = nil) {
        self.comparator = comparator
        self.ignoresCase = ignoresCase
        self.rules = rules
        pattern = constant.flatMap { Self.bytes($0, ignoresCase) }.flatMap { Self.pattern(comparator, $0) }
    }

    func holds(_ left: Value, _ right: Value) -> Bool {
        switch comparator {
        case .equal, .in: isEqual(left, right)
        case .notEqual: !isEqual(left, right)
        case .less, .lessOrEqual, .greater, .greaterOrEqual: isInOrder(left, right)
        case .beginsWith: text(left, right) { $0.starts(with: $1) }
        case .endsWith: text(left, right) { $0.count >= $1.count && $0.suffix($1.count).elementsEqual($1) }
        case .contains: contains(left, right)
        case .like: isLike(left, right)
        case .between: false
        }
    }

    // MARK: Equality and order

    private func isEqual(_ left: Value, _ right: Value) -> Bool {
        if left.isNull || right.isNull { return left.isNull && right.isNull }
        if rules == .kinds, case .int(let left) = left, case .int(let right) = right { return left & right != 0 }
        if isIEEE(left, right) { return false }
        guard isComparable(left, right) else { return false }
        if ignoresCase, let left = Self.bytes(left, true), let right = Self.bytes(right, true) { return left == right }
        return ValueOrder.compare(left, right) == .same
    }

    private func isInOrder(_ left: Value, _ right: Value) -> Bool {
        if left.isNull || right.isNull {
            // A null string that is stored comes before every other.
            if rules == .stored, Self.isText(left) || Self.isText(right) || left.isNull && right.isNull {
                return fits(ValueOrder.compare(left, right))
            }
            return left.isNull && right.isNull && (comparator == .lessOrEqual || comparator == .greaterOrEqual)
        }
        guard isComparable(left, right), !isIEEE(left, right) else { return false }
        return fits(ValueOrder.compare(left, right))
    }

    private func fits(_ order: Ordering) -> Bool {
        switch comparator {
        case .less: order == .ascending
        case .lessOrEqual: order != .descending
        case .greater: order == .descending
        default: order != .ascending
        }
    }

    /// Whether a NaN is among stored values, which is equal to nothing and in no order.
    private func isIEEE(_ left: Value, _ right: Value) -> Bool {
        rules == .stored && (Self.isNaN(left) || Self.isNaN(right))
    }

    private static func isNaN(_ value: Value) -> Bool {
        switch value {
        case .double(let number): number.isNaN
        case .float(let number): number.isNaN
        default: false
        }
    }

    /// Whether two values that are not null are of types that have an order between them.
    private func isComparable(_ left: Value, _ right: Value) -> Bool {
        ValueOrder.rank(left) == ValueOrder.rank(right)
    }

    // MARK: Strings and data

    private func text(_ left: Value, _ right: Value, _ holds: ([UInt8], [UInt8]) -> Bool) -> Bool {
        if rules == .stored, right.isNull { return true }
        guard Self.areTexts(left, right), let left = Self.bytes(left, ignoresCase),
            let right = Self.bytes(right, ignoresCase)
        else { return false }
        return holds(left, right)
    }

    private func contains(_ left: Value, _ right: Value) -> Bool {
        if right.isNull { return rules == .stored || !left.isNull }
        return matches(left, right)
    }

    private func isLike(_ left: Value, _ right: Value) -> Bool {
        if left.isNull || right.isNull { return left.isNull && right.isNull }
        return matches(left, right)
    }

    private func matches(_ left: Value, _ right: Value) -> Bool {
        guard Self.areTexts(left, right), let text = Self.bytes(left, ignoresCase) else { return false }
        if let pattern { return pattern.matches(text) }
        guard let bytes = Self.bytes(right, ignoresCase), let pattern = Self.pattern(comparator, bytes) else {
            return false
        }
        return pattern.matches(text)
    }

    private static func pattern(_ comparator: Comparator, _ bytes: [UInt8]) -> TextPattern? {
        switch comparator {
        case .contains: TextPattern(containing: bytes)
        case .like: TextPattern(like: bytes)
        default: nil
        }
    }

    private static func isText(_ value: Value) -> Bool {
        switch value {
        case .string, .data: true
        default: false
        }
    }

    private static func areTexts(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.string, .string), (.data, .data): true
        default: false
        }
    }

    /// The bytes of a string or of data, folded where case says nothing; nil of any other value.
    static func bytes(_ value: Value, _ ignoresCase: Bool) -> [UInt8]? {
        switch value {
        case .string(let text): ignoresCase ? CaseFolding.fold(text.utf8) : Array(text.utf8)
        case .data(let bytes): ignoresCase ? CaseFolding.fold(bytes) : bytes
        default: nil
        }
    }

    // MARK: Cells

    /// The test of the bytes of stored strings that are not null; nil where it goes value by value.
    func bytesTest(_ text: [UInt8]) -> ((UnsafeRawBufferPointer) -> Bool)? {
        guard !ignoresCase else { return nil }
        switch comparator {
        case .equal, .in: return { $0.elementsEqual(text) }
        case .notEqual: return { !$0.elementsEqual(text) }
        case .less: return { $0.lexicographicallyPrecedes(text) }
        case .lessOrEqual: return { !text.lexicographicallyPrecedes($0) }
        case .greater: return { text.lexicographicallyPrecedes($0) }
        case .greaterOrEqual: return { !$0.lexicographicallyPrecedes(text) }
        case .beginsWith: return { $0.starts(with: text) }
        case .endsWith: return { $0.count >= text.count && $0.suffix(text.count).elementsEqual(text) }
        case .contains, .like: return pattern.map { pattern in { pattern.matches($0) } }
        case .between: return nil
        }
    }
}
