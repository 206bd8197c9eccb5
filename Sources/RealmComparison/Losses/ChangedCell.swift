import Columns
import RealmModel

/// A value that is another one now: what it lost.
struct ChangedCell {
    let pair: PropertyPair
    let array: ColumnArray
    let row: Int
    let other: ColumnArray
    let otherRow: Int
    let linked: LinkedObjects
    /// Whether it owns embedded objects, which are parts of it then.
    let hasParts: Bool

    func before() throws -> Value {
        let value = try array.value(at: row, as: pair.oldType)
        return hasParts ? try linked.old.expanded(value, of: pair.target) : value
    }

    func after() throws -> Value {
        let value = try other.value(at: otherRow, as: pair.newType)
        return hasParts ? try linked.new.expanded(value, of: pair.newTarget) : value
    }

    /// How something of the value is lost; nil where nothing is, or that can't be told.
    ///
    /// - Parameter wasEmpty: whether there was nothing that could be lost.
    func way(wasEmpty: Bool) throws -> LossTally.Way? {
        if other.isNull(otherRow) {
            // No text and an empty one are the same to most.
            if wasEmpty, pair.oldType.element == .string || pair.oldType.element == .data { return nil }
            let isLink = pair.target != nil && pair.oldType.collection == .none
            return LossTally.Way(kind: isLink ? .link : .null, to: .null)
        }
        if let target = pair.target, !hasParts { return try wayOfLinks(to: target, wasEmpty: wasEmpty) }
        if !pair.hasSameType || pair.becameRequired {
            let loss = ConversionLoss(from: try before(), to: try after(), becameRequired: pair.becameRequired)
            let to = try loss == .zero ? EmptyValue(other, at: otherRow, as: pair.newType) : nil
            let isScaled = try loss == .inexact && before().numbers(beside: after()) != nil
            return loss.map {
                LossTally.Way(kind: Rehearsal.Loss.Kind($0), to: to, doubt: isScaled ? .scaledNumbers : nil)
            }
        }
        if case .variable(let offsets, let bytes) = other.values, pair.newType.element == .string,
            ConversionLoss.isSlip(bytes[Int(offsets[otherRow])..<Int(offsets[otherRow + 1])])
        {
            return LossTally.Way(kind: .wrongType)
        }
        if wasEmpty { return nil }
        if hasParts || pair.oldType.collection != .none || pair.oldType.element == .mixed {
            return try PartLoss(before(), after()).map { LossTally.Way($0) } ?? wayOfKeys()
        }
        if let empty = try EmptyValue(other, at: otherRow, as: pair.newType) {
            return LossTally.Way(kind: .emptied, to: empty)
        }
        return try narrowing().map { kind in
            // Nobody leaves out less than a millisecond by a shift.
            let isWhole = dateCut.map { $0.unit != .millisecond } ?? false
            return LossTally.Way(kind: kind, doubt: isWhole ? .wholeDates : nil)
        }
    }

    /// Whether something is there now where nothing was: any value, and zero, false and the epoch where null was.
    var isMadeUp: Bool {
        get throws {
            // To have been false is a value.
            let wasFlag = pair.oldType == ColumnType(.bool) && !array.isNull(row)
            if try !wasFlag && !other.isEmpty(at: otherRow, as: pair.newType) { return true }
            guard array.isNull(row), !other.isNull(otherRow), pair.newType.collection == .none else { return false }
            return pair.newType.element != .string && pair.newType.element != .data
        }
    }

    /// Whether a text lost what a number in it is another without: the sign before it, or, as a text, the zeros.
    var losesMark: Bool {
        get throws {
            guard pair.oldType == ColumnType(.string), case .string(let old) = try before() else { return false }
            let (text, mark) = (old.utf8.drop { $0 <= UInt8(ascii: " ") }, [UInt8(ascii: "-"), UInt8(ascii: "0")])
            guard let first = text.first, mark.contains(first), let next = text.dropFirst().first,
                next &- UInt8(ascii: "0") < 10
            else { return false }
            switch try after() {
            case .string(let new): return !new.utf8.contains(first)
            case let new: return first == UInt8(ascii: "0") || (new.number ?? -1) >= 0
            }
        }
    }

    /// Whether links lead to the class to which they led, or to objects of another that have the same primary keys.
    var linksTheSame: Bool {
        get throws {
            guard let target = pair.target, let newTarget = pair.newTarget, !hasParts, !linked.haveSameTarget(pair)
            else {
                return true
            }
            let (old, new) = (try before(), try after())
            let (oldNamed, newNamed) = (try linked.old.named(old, of: target), try linked.new.named(new, of: newTarget))
            return oldNamed == newNamed && oldNamed != old
        }
    }

    private func wayOfLinks(to target: String, wasEmpty: Bool) throws -> LossTally.Way? {
        if pair.oldType.collection == .none { return wasEmpty ? nil : try wayOfLink(to: target) }
        let before = try before()
        if try linked.targets.hasLost(before, of: target) { return LossTally.Way(kind: .link) }
        guard pair.hasSameType else {
            let after = try linked.new.named(try after(), of: pair.newTarget)
            return ConversionLoss(from: try linked.old.named(before, of: target), to: after).map {
                LossTally.Way(kind: Rehearsal.Loss.Kind($0))
            }
        }
        guard !wasEmpty else { return nil }
        guard linked.haveSameTarget(pair) else {
            return try after().isHollow ? LossTally.Way(kind: .emptied, to: .empty) : nil
        }
        return try PartLoss(before, after()).map { LossTally.Way($0) } ?? wayOfKeys()
    }

    /// The keys of a dictionary that are gone, of entries without a value, which said nothing else.
    var goneKeys: [Value] {
        get throws {
            guard pair.newType.mayBeDictionary,
                let new = try other.value(at: otherRow, as: pair.newType).entries
            else { return [] }
            let kept = Set(new.map { Value.string($0.key) })
            return try array.value(at: row, as: pair.oldType).hollowKeys(as: pair.oldType).filter { !kept.contains($0) }
        }
    }

    /// How entries without a value are lost.
    ///
    /// - Returns: nil where there are as many as before: another key stands for each.
    private func wayOfKeys() throws -> LossTally.Way? {
        guard try !goneKeys.isEmpty, let old = try before().entries, let new = try after().entries,
            new.count < old.count
        else { return nil }
        return new.isEmpty ? LossTally.Way(kind: .emptied, to: .empty) : LossTally.Way(kind: .truncated)
    }

    /// How a link is lost, or an embedded object, where the property has other values now.
    private func wayOfLink(to target: String) throws -> LossTally.Way? {
        guard !pair.hasSameType else { return nil }
        let after = try after()
        if after.isHollow { return LossTally.Way(kind: .link) }
        guard pair.newTarget == nil else { return nil }
        let named = try linked.old.named(try before(), of: target)
        return ConversionLoss(from: named, to: after).map { LossTally.Way(kind: Rehearsal.Loss.Kind($0)) }
    }

    // MARK: Narrower values

    /// How a value is less than it was, of a property whose type is the same.
    private func narrowing() throws -> Rehearsal.Loss.Kind? {
        switch (array.values, other.values) {
        case (.int(let cells), .int(let others)) where pair.oldType.element == .int:
            return Narrowing.of(cells[row], others[otherRow])
        case (.double(let cells), .double(let others)): return Narrowing.of(cells[row], others[otherRow])
        case (.float(let cells), .float(let others)):
            return Narrowing.of(Double(cells[row]), Double(others[otherRow]), precision: 1e-6)
        case (.variable, .variable) where pair.oldType.element == .string || pair.oldType.element == .data:
            return cutPart == nil ? nil : .truncated
        case (.date, .date): return dateCut == nil ? nil : .truncated
        case (.fixed, .fixed) where pair.oldType.element == .decimal128: return Narrowing.of(try before(), try after())
        default: return nil
        }
    }

    /// Whether a number is a multiple of ten now, and was none, and whether it is another by one or more; nil of other values.
    var roundingAboveUnits: (isAbove: Bool, isMuch: Bool)? {
        get throws {
            guard let old = try before().number, let new = try after().number else { return nil }
            let isAbove = Narrowing.aboveUnits(old, new)
            return (isAbove, isAbove && abs(old - new) >= 1)
        }
    }

    /// The parts that are left of a date that lost its smaller ones; nil for any other value.
    var dateCut: DateCut? {
        guard
            case (.date(let seconds, let nanoseconds), .date(let otherSeconds, let otherNanoseconds)) =
                (array.values, other.values), !array.isNull(row), !other.isNull(otherRow)
        else { return nil }
        return DateCut(
            Timestamp(seconds: seconds[row], nanoseconds: nanoseconds[row]),
            Timestamp(seconds: otherSeconds[otherRow], nanoseconds: otherNanoseconds[otherRow]))
    }

    /// The bytes of a text or of data.
    var text: ArraySlice<UInt8>? {
        guard case .variable(let offsets, let bytes) = array.values else { return nil }
        return bytes[Int(offsets[row])..<Int(offsets[row + 1])]
    }

    /// Whether a text has the same letters and signs, some of them capital ones now or no more.
    var hasSameLetters: Bool {
        guard let text, case .variable(let offsets, let bytes) = other.values, pair.oldType == ColumnType(.string)
        else {
            return false
        }
        let cell = bytes[Int(offsets[otherRow])..<Int(offsets[otherRow + 1])]
        return cell.count == text.count && zip(cell, text).allSatisfy { $0 == $1 || $0.inSmall == $1.inSmall }
    }

    /// Whether a collection or an embedded object has all the parts that it had as they were, perhaps with others.
    var hasSameParts: Bool {
        get throws {
            guard hasParts || pair.oldType.collection != .none else { return false }
            switch (try before(), try after()) {
            case (.list(let old), .list(let new)):
                let sought = old.filter { $0.number != nil || !$0.isHollow }
                return hasOrder ? new.haveInOrder(sought) : sought.without(new).isEmpty
            case (.dictionary(let old), .dictionary(let new)):
                return try goneKeys.isEmpty && Set(new).isSuperset(of: old.filter { !$0.value.isHollow })
            default: return false
            }
        }
    }

    /// Whether a list has all the elements that it had, and not in their order.
    var isReordered: Bool {
        get throws {
            guard hasOrder, case (.list(let old), .list(let new)) = (try before(), try after()) else { return false }
            let sought = old.filter { $0.number != nil || !$0.isHollow }
            return sought.without(new).isEmpty && !new.haveInOrder(sought)
        }
    }

    /// Whether values of the embedded objects of a list are those of others of them now: all are there, and in no object together.
    var isMixedUp: Bool {
        get throws {
            guard hasParts, case (.list(let old), .list(let new)) = (try before(), try after()) else { return false }
            let missing = old.without(new).compactMap(\.entries)
            guard !missing.isEmpty else { return false }
            let others = new.without(old).compactMap(\.entries)
            let all = Set(others.joined())
            // Objects may have got more properties.
            var wholes: [Set<NameKey>: Set<Set<DictionaryEntry>>] = [:]
            return missing.contains { entries in
                let sought = Set(entries.filter { !$0.value.isHollow })
                guard sought.count > 1, sought.isSubset(of: all) else { return false }
                let names = Set(sought.map { NameKey($0.key) })
                let whole = wholes[names] ?? Set(others.map { Set($0.filter { names.contains(NameKey($0.key)) }) })
                wholes[names] = whole
                return !whole.contains(sought)
            }
        }
    }

    private var hasOrder: Bool { pair.oldType.collection != .set }

    /// The signs that stand for the rest of a text that was cut.
    private static let ellipses: [[UInt8]] = [Array("…".utf8), Array("...".utf8)]

    /// The bytes cut off at the end of a text or of data, or at the beginning of a text.
    var cutPart: ArraySlice<UInt8>? {
        guard let text, case .variable(let offsets, let bytes) = other.values else { return nil }
        let left = bytes[Int(offsets[otherRow])..<Int(offsets[otherRow + 1])]
        let isText = pair.oldType.element == .string
        if ConversionLoss.isCut(text, to: left, isText: isText) { return text.dropFirst(left.count) }
        if isText,
            let mark = Self.ellipses.first(where: { left.count > $0.count && left.suffix($0.count).elementsEqual($0) }),
            ConversionLoss.isCut(text, to: left.dropLast(mark.count), isText: true)
        {
            return text.dropFirst(left.count - mark.count)
        }
        guard isText, !left.isEmpty, left.count < text.count, text.suffix(left.count) == left else { return nil }
        let part = text.dropLast(left.count)
        // Signs before a text are written or not as one likes.
        return part.contains { $0 >= 0x80 || $0.isLetterOrDigit } ? part : nil
    }
}

extension Value {
    /// The properties of an embedded object, or the entries of a dictionary; nil of any other value.
    var entries: [DictionaryEntry]? {
        if case .dictionary(let entries) = self { return entries }
        return nil
    }
}

extension UInt8 {
    /// The small letter of a capital one, of ASCII.
    fileprivate var inSmall: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }

    /// Whether it is a letter or a digit of ASCII.
    fileprivate var isLetterOrDigit: Bool {
        self &- UInt8(ascii: "0") < 10 || (self | 0x20) &- UInt8(ascii: "a") < 26
    }
}

extension Rehearsal.Loss.Kind {
    /// The kind of a conversion's loss.
    init(_ loss: ConversionLoss) {
        switch loss {
        case .zero: self = .zero
        case .nullToZero: self = .nullToZero
        case .inexact: self = .inexact
        case .truncated: self = .truncated
        case .wrongType: self = .wrongType
        case .link: self = .link
        }
    }
}
