import RealmModel

/// Whether a property that was added or changed says by values of its own what another one said, such as numbers for words.
///
/// Each old value has to lead to one new value, and each new value to one old one, more than once: what differs from object to
/// object anyway tells nothing. A value for which null, an empty text or, as for others, zero stands is one that the codes
/// forget. Holds a bounded number of values.
struct Recoding {
    /// Different values at most.
    private static let limit = 64

    /// The values, and what stands for each.
    private(set) var codes: [Value: Value] = [:]
    private var back: [Value: Value] = [:]
    private var rows = 0
    private(set) var isBroken = false
    /// Values for which nothing stands, and those for which zero or false does.
    private var blanks = LostValues()
    private var zeros = LostValues()
    private var zeroRows = 0
    private var zero: Value?
    private var areZerosSeveral = false
    /// The code for the number zero, which is no value that could be lost.
    private var forZero = FewValues()
    private var rowsOfZero = 0
    /// How many values were noted.
    private(set) var noted = 0

    /// Notes what became of the value of one object.
    ///
    /// - Parameter key: the object's, where it may have lost the value; nil where that is there in any case.
    mutating func note(_ old: Value, _ new: Value, of key: Int64? = nil) {
        guard !isBroken else { return }
        noted += 1
        // Of two values one may as well be told by nothing.
        if !old.isEmptyOrZero, new.isEmptyOrZero, !old.isFlag {
            noteNothing(old, new, of: key)
            return
        }
        rows += 1
        guard old.isShort, new.isShort else {
            isBroken = true
            return
        }
        if let known = codes[old] {
            isBroken = known != new
        } else if back[new] != nil || codes.count == Self.limit {
            isBroken = true
        } else {
            codes[old] = new
            back[new] = old
        }
        if isBroken { (codes, back) = ([:], [:]) }
    }

    /// Notes what stands for the number zero.
    mutating func note(forZero new: Value) {
        noted += 1
        rowsOfZero += 1
        forZero.note(new)
    }

    private mutating func noteNothing(_ old: Value, _ new: Value, of key: Int64?) {
        guard new.number != nil else {
            if let key { blanks.add(key, old, nil) }
            return
        }
        areZerosSeveral = areZerosSeveral || zero.map { $0 != old } ?? (back[new] != nil)
        zero = old
        zeroRows += 1
        if let key { zeros.add(key, old, nil) }
    }

    /// Whether zero is a code as the others are: it stands for one value, of which no other is a code.
    private var isZeroCode: Bool { zero.map { !areZerosSeveral && codes[$0] == nil } ?? false }

    /// Whether it is one, of all values.
    var isRecoding: Bool { isOfMost && blanks.objects.count == 0 && (zero == nil || isZeroCode) }

    /// Whether it is one, but for values that it may have forgotten.
    var isOfMost: Bool {
        let count = codes.count + (isZeroCode ? 1 : 0)
        return !isBroken && count + (isZeroTold ? 1 : 0) > 1 && rows + (isZeroCode ? zeroRows : 0) >= 2 * count
    }

    /// Whether a value of its own stands for the number zero.
    private var isZeroTold: Bool {
        guard rowsOfZero > 1, let code = forZero.only else { return false }
        return back[code] == nil && !(isZeroCode && code.isEmptyOrZero)
    }

    /// Whether texts became each other, as they do where each object gets another's: there are so many that no one means the same by them.
    var areExchanged: Bool {
        codes.count >= 5
            && codes.allSatisfy { old, new in
                if case .string = old { return codes[new] != nil && old != new }
                return false
            }
    }

    /// Whether the values became each other, such as true false and false true.
    var isPermutation: Bool {
        codes.count > 1 && codes.allSatisfy { old, new in old != new && codes[new] != nil }
    }

    /// Whether the values are no codes, but parts of what they stand for.
    ///
    /// Such are cuts of texts, be they others', parts of a date, and rounded numbers. One letter is an initial, and texts that change places
    /// are whole.
    var areParts: Bool {
        if codes.contains(where: { $0.isDate || $1.isRounding(of: $0) }) { return true }
        let marks = codes.values.compactMap(\.smallText)
        guard marks.count == codes.count else { return false }
        let texts = codes.keys.compactMap(\.smallText)
        var haveCut = false
        for mark in marks {
            let wholes = texts.filter { $0[...].contains(run: mark[...]) }
            guard !wholes.isEmpty else { return false }
            haveCut = haveCut || mark.count > 1 && !wholes.contains(mark)
        }
        return haveCut
    }

    /// The values that it forgot.
    var forgotten: LostValues {
        var forgotten = blanks
        if !isZeroCode { forgotten.add(zeros) }
        return forgotten
    }
}

extension Value {
    /// Whether it is a single value of few bytes.
    fileprivate var isShort: Bool {
        switch self {
        case .string(let text): text.utf8.count <= 64
        case .data, .list, .dictionary: false
        default: true
        }
    }

    fileprivate var isDate: Bool {
        if case .date = self { true } else { false }
    }

    /// Whether it is another number with fewer digits behind the point.
    fileprivate func isRounding(of other: Value) -> Bool {
        guard let code = number, let number = other.number else { return false }
        return code.decimals < number.decimals && Digits(of: other) != Digits(of: self)
    }

    /// The bytes of a text in small letters; nil of any other value.
    fileprivate var smallText: [UInt8]? {
        guard case .string(let text) = self else { return nil }
        return Array(text.lowercased().utf8)
    }
}

extension Double {
    /// How many digits it has behind the point.
    fileprivate var decimals: Int { self == rounded() ? 0 : "\(self)".split(separator: ".").last?.utf8.count ?? 0 }
}
