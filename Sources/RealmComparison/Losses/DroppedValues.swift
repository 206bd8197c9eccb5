import Columns
import RealmModel

/// The whereabouts of the values of one property that a class has no more.
struct DroppedValues {
    /// Values that are pieced together with a value that all objects have, before which as many are tried in vain.
    private static let patience = 1_000

    /// Those that nothing has taken over.
    private var lost = LostValues()
    /// Numbers whose digits alone are there, and the powers of ten by which all numbers may be multiplied that are there.
    private var digits = (of: LostValues(), powers: PowersOfTen.all)
    private var spellings = Spellings()
    /// Dates, or values with dates in them, of which the days are left, and the keys of entries without values that are gone.
    private(set) var cut = LostValues()
    /// Links of a property that has none in the object now.
    private(set) var nulled = LostValues()
    /// How many there were.
    private(set) var filled = 0
    /// Whether keys of dictionaries without a value are nowhere.
    private(set) var areKeysLost = false
    private var haveSomeStayed = false
    private var lines: [Takers.Place: NumberLine] = [:]
    private var lineRows = 0
    /// Whether all texts so far are numbers, perhaps with a unit.
    private var mayBeNumbers = true
    private var pieced = (found: 0, tried: 0)

    /// Adds the values of some rows.
    ///
    /// - Parameters:
    ///   - takers: the properties that may have taken them over, and those of them that have several values.
    ///   - now: the links to another class that the property has now.
    ///   - isReplaced: hears of each value that is there in another order.
    mutating func add(
        _ array: ColumnArray, _ property: Property, _ both: RowPairs, _ takers: (all: Takers, varied: Takers),
        _ old: RowGroupCursor, _ linked: LinkedObjects, now: ColumnArray? = nil, isReplaced: () -> Void
    ) throws {
        let type = ColumnType(property)
        let isBool = type == ColumnType(.bool)
        let isText = type == ColumnType(.string)
        let texts = isText ? try takers.varied.haveTexts(array, both) : nil
        for index in 0..<both.count {
            if texts?[index] == true {
                filled += 1
                haveSomeStayed = true
                continue
            }
            let (row, other) = (both.rows[index], both.others[index])
            let isEmpty = try array.isEmpty(at: row, as: type)
            if isEmpty, !isBool {
                // A code may tell zero by something, too.
                if type.isMeasured, !array.isNull(row), lost.maySeeRecoding {
                    lost.note(forZero: try takers.varied.codes(inRow: other))
                }
                continue
            }
            if !isEmpty { filled += 1 }
            var left = try takers.varied.have(array, at: row, as: type, to: property.objectType, inRow: other)
            if left == .none, takers.all !== takers.varied, pieced.found > 0 || pieced.tried < Self.patience {
                left = try together(array, row, property, takers, other)
            }
            if left == .parts { isReplaced() }
            if left == .all { haveSomeStayed = true }
            if left == .parts || left == .all, type.mayBeDictionary {
                let keys = try takers.all.missingKeys(of: array.value(at: row, as: type), as: type, inRow: other)
                if !keys.isEmpty {
                    areKeysLost = true
                    cut.add(try old.key(ofRow: row), .list(keys), nil)
                    continue
                }
            }
            if isText, left == .all, spellings.areWanted {
                try noteSpelling(array.value(at: row, as: type), takers.varied, other, old, row)
            }
            if left == .parts || left == .all && !type.isMeasured && !(isText && mayBeNumbers) { continue }
            let stored = try array.value(at: row, as: type)
            let keys = stored.keysAlone(as: type)
            let value = try keys ?? linked.old.expanded(stored, of: property.objectType)
            // An embedded object without any value is none.
            if !isEmpty, value.isHollow { continue }
            if keys != nil { areKeysLost = true }
            if left == .none, now?.isNull(other) == true {
                nulled.add(try old.key(ofRow: row), value, nil)
                continue
            }
            if isText, mayBeNumbers, !value.isMeasured {
                mayBeNumbers = false
                if left == .all { continue }
            }
            try add(value, left, of: try old.key(ofRow: row), isEmpty: isEmpty, takers.varied, other)
        }
    }

    private mutating func add(
        _ value: Value, _ left: Remainder, of key: Int64, isEmpty: Bool, _ takers: Takers, _ row: Int
    ) throws {
        if mayBeOnLine { noteLines(value, try takers.codes(inRow: row)) }
        // A number is there as it was, and another one may stand for the same now.
        if left == .all {
            if value.numberText != nil {
                let powers = try takers.powersOfTen(of: value, inRow: row)
                if !powers.contains(0) { digits.of.add(key, value, nil) }
                digits.powers.formIntersection(powers)
            }
            if lost.maySeeRecoding { lost.note(value, try takers.codes(inRow: row), of: nil) }
            return
        }
        if left == .cut {
            cut.add(key, value, nil)
            return
        }
        // A recoding tells false by something, too.
        if lost.maySeeRecoding { lost.note(value, try takers.codes(inRow: row), of: isEmpty ? nil : key) }
        if !isEmpty { lost.add(key, value, nil) }
    }

    private mutating func noteSpelling(
        _ value: Value, _ takers: Takers, _ other: Int, _ old: RowGroupCursor, _ row: Int
    ) throws {
        guard case .string(let text) = value else { return }
        try spellings.note(text, of: old.key(ofRow: row)) { try takers.untold(of: text, $0, inRow: other) }
    }

    /// How much of a value is there with what all objects have: pieces of it, of which one is a property's that varies.
    private mutating func together(
        _ array: ColumnArray, _ cell: Int, _ property: Property, _ takers: (all: Takers, varied: Takers), _ row: Int
    ) throws -> Remainder {
        let type = ColumnType(property)
        pieced.tried += 1
        guard try takers.varied.haveSome(of: array.value(at: cell, as: type), inRow: row) else { return .none }
        let left = try takers.all.have(array, at: cell, as: type, to: property.objectType, inRow: row)
        if left != .none { pieced.found += 1 }
        return left
    }

    /// Those that no other property says by values of its own; nil where one says all of them.
    func untaken(but areNoCodes: LostValues.AreNoCodes) rethrows -> LostValues? {
        var lost = lost
        // They say the numbers where these are in another unit.
        if digits.powers.isEmpty { lost.add(digits.of) }
        lost.add(spellings.merged)
        return try lost.untaken(whereSomeStayed: haveSomeStayed, but: areNoCodes)
    }

    // MARK: Numbers in another unit

    private var mayBeOnLine: Bool { lineRows == 0 || lines.values.contains { !$0.isBroken } }

    private mutating func noteLines(_ value: Value, _ codes: [(place: Takers.Place, value: Value)]) {
        lineRows += 1
        for (place, code) in codes where lines[place]?.isBroken != true {
            lines[place, default: NumberLine()].note(value, code)
        }
    }

    /// Whether another property has them in another unit.
    var areConverted: Bool { lines.values.contains { $0.count == lineRows && $0.isWhole } }
}

extension ColumnType {
    /// Whether it is of single numbers or points in time.
    fileprivate var isMeasured: Bool {
        guard collection == .none else { return false }
        return switch element {
        case .int, .float, .double, .decimal128, .date: true
        default: false
        }
    }
}
