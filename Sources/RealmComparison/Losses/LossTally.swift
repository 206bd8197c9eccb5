import Columns
import RealmModel

/// Rows of the same objects in two snapshots, and what is asked of them to judge a loss.
struct ComparedRows {
    let both: RowPairs
    let old: RowGroupCursor
    let new: RowGroupCursor
    let takers: Takers
    /// The columns that both snapshots have and that differ in none of the rows.
    let unchanged: [Int]
    /// The columns of the old class that the new one has not.
    let dropped: [Int]
    let linked: LinkedObjects
}

/// The losses in one property that both snapshots have: counters and examples.
struct LossTally {
    /// One way in which values are lost.
    struct Way: Hashable {
        var kind: Rehearsal.Loss.Kind
        var to: EmptyValue?
        /// Why it may be no loss, for which all values of the property have to be looked at.
        var doubt: Doubt?
        /// A part that became zero or false, where it is not the value itself.
        var zeroed: Value?

        static func == (way: Way, other: Way) -> Bool {
            way.kind == other.kind && way.to == other.to && way.doubt == other.doubt
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(kind)
            hasher.combine(to)
            hasher.combine(doubt)
        }

        /// Why a way may be no loss.
        enum Doubt: Hashable {
            /// Parts of values became zero or false, and may mean the same by that.
            case zeroedParts
            /// Dates are whole seconds or more, and may be so by chance, or in another time zone.
            case wholeDates
            /// Numbers are others by a conversion, and may be so in another unit.
            case scaledNumbers
        }
    }

    /// Values of the realm before that others stand for, of which no loss is told.
    struct Untold {
        /// Those that can't be judged.
        var replaced = 0
        /// Those that are lost and too few.
        var few = 0
        /// Those that are where nothing was.
        var filled = 0
    }

    let pair: PropertyPair
    let hasParts: Bool
    private let linked: LinkedObjects
    private var values: [Way: LostValues] = [:]
    /// The ways in which values would be lost that another property has as they were.
    private var stayed: Set<Way> = []
    private var changed = 0
    private var emptied = FewValues()
    private var replaced = FewValues()
    private var cuts = CutParts()
    /// The one value that all have that were changed; nil where there are several.
    private var onlyValue: Value?
    private var isOnly = true
    /// Values that are others now and not empty, and empty ones that became values.
    private var otherCount = 0
    private var filledCount = 0
    /// Whether a conversion left a number what it was.
    private var hasKeptNumber = false
    /// Numbers that are multiples of ten now, and were none.
    private var tensCount = 0
    /// Those of them that are another by one or more.
    private var aboveCount = 0
    private var zeroCount = 0
    /// How many times as much numbers are.
    private var factor = Scales()
    private var dates = DateCuts()
    private var kept = KeptValues()
    private var quotients = QuotientsByPlace()
    /// The elements of lists and sets for which others stand.
    private(set) var elements = OverwrittenElements()
    /// Those of the kept values that were replaced by others, where they may be those of other objects.
    private(set) var others = ReplacedValues()
    /// The properties that have what stands for each of them; nil where none of them was looked at.
    private var copies: [Int]?
    /// Those of the properties that are gone that had it.
    private var droppedCopies: [Int]?
    /// Those of the kept values that are written otherwise.
    private(set) var respelled = RespelledTexts()
    private var madeUpCount = 0
    /// The parts that became zero or false.
    private var zeroedParts = FewValues()

    init(_ pair: PropertyPair, _ linked: LinkedObjects) {
        self.pair = pair
        self.linked = linked
        hasParts = linked.areParts(pair)
    }

    /// Takes the rows of some places, in which the property differs.
    mutating func add(_ places: [Int], _ rows: ComparedRows) throws {
        let (array, other) = (try rows.old.column(pair.property), try rows.new.column(pair.other))
        changed += places.count
        for place in places {
            let cell = ChangedCell(
                pair: pair, array: array, row: rows.both.rows[place], other: other, otherRow: rows.both.others[place],
                linked: linked, hasParts: hasParts)
            let isEmpty = try array.isEmpty(at: cell.row, as: pair.oldType)
            try noteOnlyValue(cell, wasEmpty: isEmpty, rows)
            if kept.maySeeRecoding { kept.note(try cell.before(), try cell.after()) }
            if factor.isOne, pair.oldType.isNumber || pair.newType.isNumber, !array.isNull(cell.row) {
                let after = try cell.after()
                // One that became zero or null has no part in it.
                if after != .null, after.number != 0 { factor.note(try cell.before(), after) }
            }
            if pair.hasSameType, !quotients.areOthers {
                quotients.note(try cell.before(), try cell.after(), of: try rows.old.key(ofRow: cell.row))
            }
            guard let way = try cell.way(wasEmpty: isEmpty) else {
                try noteKept(cell, wasEmpty: isEmpty, rows)
                continue
            }
            try add(cell, way, wasEmpty: isEmpty, rows)
        }
    }

    private mutating func add(_ cell: ChangedCell, _ found: Way, wasEmpty: Bool, _ rows: ComparedRows) throws {
        var way = found
        let left = way.mayBeTakenOver && !wasEmpty ? try left(of: cell, rows) : .none
        switch left {
        case .none: break
        // A part of it is left, be it in another property.
        case .cut: if way.kind != .rounded, way.kind != .truncated { way = Way(kind: .truncated) }
        case .parts, .all:
            if left == .parts { kept.add(isCarried: false) } else { stayed.insert(way) }
            try respelled.add(cell)
            return
        }
        let before = try cell.before()
        if way.kind == .truncated {
            cuts.note(cell)
            if way.doubt == .wholeDates { dates.note(cell.dateCut) }
        }
        if way.kind == .rounded { try noteRounded(cell) }
        if way.to == .zero { zeroCount += 1 }
        if way.doubt == .zeroedParts, let zeroed = way.zeroed { zeroedParts.note(zeroed) }
        if way.kind == .emptied || way.kind == .zero { emptied.note(way.zeroed ?? before) }
        var lost = values[way] ?? LostValues()
        let key = try rows.old.key(ofRow: cell.row)
        if way.mayBeTakenOver, left != .cut, lost.maySeeRecoding {
            lost.note(before, try rows.takers.codes(inRow: cell.otherRow, but: pair.other), of: key)
        }
        lost.add(key, before.keysAlone(as: pair.oldType) ?? before, try cell.after())
        values[way] = lost
    }

    private mutating func noteRounded(_ cell: ChangedCell) throws {
        if pair.oldType.element == .int {
            (tensCount, aboveCount) = (tensCount + 1, aboveCount + 1)
        } else if let (isAbove, isMuch) = try cell.roundingAboveUnits {
            if isAbove { tensCount += 1 }
            if isMuch { aboveCount += 1 }
        }
    }

    /// How much of the value of a cell is in properties that were added or changed.
    private func left(of cell: ChangedCell, _ rows: ComparedRows) throws -> Remainder {
        let keys = try cell.goneKeys
        if try !keys.isEmpty && !rows.takers.have(.list(keys), inRow: cell.otherRow) { return .none }
        return try values(of: cell, rows)
    }

    /// The same but for the keys of entries without a value.
    private func values(of cell: ChangedCell, _ rows: ComparedRows) throws -> Remainder {
        try rows.takers.have(cell.array, at: cell.row, as: pair.oldType, to: pair.target, inRow: cell.otherRow)
    }

    private mutating func noteKept(_ cell: ChangedCell, wasEmpty: Bool, _ rows: ComparedRows) throws {
        let isSameZero =
            try wasEmpty && !pair.hasSameType && cell.before().number == 0 && cell.after().number == 0
        if wasEmpty, !isSameZero, try cell.isMadeUp { madeUpCount += 1 }
        let isCarried: Bool
        if kept.isLookedAt {
            if wasEmpty {
                isCarried = cell.array.isNull(cell.row) || !pair.oldType.hasTellingZero || isSameZero
            } else if pair.oldType.hasTellingZero {
                // The digits of a number tell too little.
                isCarried =
                    try !pair.hasSameType
                    && (cell.before().number == cell.after().number || left(of: cell, rows) == .all)
            } else {
                isCarried =
                    try !cell.losesMark && cell.linksTheSame
                    && (cell.hasSameLetters || cell.hasSameParts
                        || cell.before().isHollow && cell.goneKeys.isEmpty
                        || !cell.isReordered && !cell.isMixedUp && left(of: cell, rows) == .all)
            }
        } else {
            isCarried = false
        }
        kept.add(isCarried: isCarried)
        if isCarried, !wasEmpty { try respelled.add(cell) }
        if !isCarried, pair.oldType.collection != .none, pair.hasSameType,
            case (.list(let old), .list(let new)) = (try cell.before(), try cell.after())
        {
            elements.add(old, new, of: try rows.old.key(ofRow: cell.row))
        }
        if !isCarried, !wasEmpty, pair.oldType != ColumnType(.bool) {
            try others.add(cell, of: try rows.old.key(ofRow: cell.row))
            try noteCopies(cell, rows)
        }
        if try cell.other.isEmpty(at: cell.otherRow, as: pair.newType) { return }
        if wasEmpty { filledCount += 1 } else { otherCount += 1 }
        guard !pair.hasSameType, !hasKeptNumber else { return }
        hasKeptNumber = try cell.before().number.map { $0 != 0 && $0 == (try? cell.after())?.number } ?? false
    }

    /// Finds the properties that have in each object what stands for the value now, and had it before.
    private mutating func noteCopies(_ cell: ChangedCell, _ rows: ComparedRows) throws {
        if hasParts || !pair.hasSameType || copies?.isEmpty == true && droppedCopies?.isEmpty == true { return }
        let after = try cell.after()
        let properties = rows.new.reader.stored.schema.properties
        let left = try (copies ?? rows.unchanged).filter { column in
            guard rows.unchanged.contains(column), ColumnType(properties[column]) == pair.newType else { return false }
            return try rows.new.column(column).value(at: cell.otherRow, as: pair.newType) == after
        }
        copies = left
        let old = rows.old.reader.stored.schema.properties
        droppedCopies = try (droppedCopies ?? rows.dropped).filter { column in
            guard ColumnType(old[column]) == pair.newType else { return false }
            return try rows.old.column(column).value(at: cell.row, as: pair.newType) == after
        }
        guard !left.isEmpty || droppedCopies?.isEmpty == false else { return }
        // It was moved, and made room for another.
        let before = try cell.before()
        let others = try rows.takers.values(inRow: cell.otherRow).filter { $0.property != pair.other }
        if others.contains(where: { $0.value == before }) { (copies, droppedCopies) = ([], []) }
    }

    /// As long as all values that were changed are the same one now.
    private mutating func noteOnlyValue(_ cell: ChangedCell, wasEmpty: Bool, _ rows: ComparedRows) throws {
        guard isOnly else { return }
        let after = try cell.after()
        let isSame = onlyValue.map { $0 == after } ?? true
        guard isSame, try !cell.other.isEmpty(at: cell.otherRow, as: pair.newType) else {
            isOnly = false
            onlyValue = nil
            values[Way(kind: .uniform)] = nil
            return
        }
        onlyValue = after
        // To have been false is a value, too.
        if wasEmpty, pair.oldType != ColumnType(.bool) { return }
        let before = try cell.before()
        replaced.note(before)
        let left = try values(of: cell, rows)
        guard left == .none || left == .cut else { return }
        var lost = values[Way(kind: .uniform)] ?? LostValues()
        let key = try rows.old.key(ofRow: cell.row)
        if left == .none, lost.maySeeRecoding {
            lost.note(before, try rows.takers.codes(inRow: cell.otherRow, but: pair.other), of: key)
        }
        lost.add(key, before, after)
        values[Way(kind: .uniform)] = lost
    }

    // MARK: The end

    /// Whether the losses depend on how many values there were.
    var asksForCounts: Bool {
        !values.isEmpty || others.isSuspicious || isOverwritten || elements.areSuspicious
            || kept.replaced > 0 && kept.maySeeRecoding || factor.areSteady
    }

    /// One way in which values were lost.
    typealias Told = (kind: Rehearsal.Loss.Kind, to: EmptyValue?, values: LostValues)

    /// The losses, but for those that are none on the whole, and how many values changed in ways that are not among these.
    ///
    /// - Parameters:
    ///   - counts: of all objects before, those that had a value and those that had none.
    ///   - areNoCodes: as for `LostValues`.
    func losses(
        _ counts: (filled: Int, empty: Int)?, but areNoCodes: LostValues.AreNoCodes
    ) rethrows -> (told: [Told], untold: Untold) {
        let (filled, empty) = counts ?? (0, 0)
        var told: [Told] = []
        var untold = Untold(replaced: kept.replaced, filled: madeUpCount)
        for (way, all) in values {
            guard let lost = try all.untaken(whereSomeStayed: stayed.contains(way), but: areNoCodes) else { continue }
            if way.kind.isOfMany, !LossThreshold.isReached(lost.objects.count, of: filled) {
                if way.kind != .uniform { untold.few += lost.objects.count }
            } else if isTold(way, lost, filled: filled, empty: empty) {
                told.append((way.kind, way.to, lost))
            } else if way.kind != .uniform {
                untold.replaced += lost.objects.count
            }
        }
        let isScaled = isScaled(of: filled)
        if isScaled { told.removeAll { $0.kind == .rounded } }
        if isScaled || kept.isRecoding(of: changed, among: filled + empty) { untold = Untold(filled: madeUpCount) }
        if !isScaled, let lost = divided {
            told = told.filter { $0.kind != .rounded } + [(.rounded, nil, lost)]
            untold.replaced = max(untold.replaced - lost.objects.count, 0)
        }
        return (
            Self.joined(told).sorted {
                ($0.kind.rawValue, $0.to?.rawValue ?? "") < ($1.kind.rawValue, $1.to?.rawValue ?? "")
            }, untold
        )
    }

    /// The numbers of which a division left a part; nil where that is not what was done to all of them.
    var divided: LostValues? { quotients.lost }

    /// Whether another property of the object has what stands for each value now.
    var isOverwritten: Bool {
        (copies?.isEmpty == false || droppedCopies?.isEmpty == false) && others.areSeveral
            && others.lost.objects.count * 10 >= changed * 9
    }

    /// Whether each number is as many times as much.
    private func isScaled(of filled: Int) -> Bool {
        factor.areSteady && factor.count == filled
    }

    /// Whether each value became another one: they say what they said.
    var isRecoding: Bool { kept.isRecoded }

    private func isTold(_ way: Way, _ lost: LostValues, filled: Int, empty: Int) -> Bool {
        switch way.kind {
        case .emptied, .zero: return !isRecodable(way) || !isRecoded(emptyCount: empty)
        case .truncated where way.doubt == .zeroedParts: return zeroedParts.hasSeveral || otherCount == 0
        case .truncated where way.doubt == .wholeDates: return dates.areCut(of: changed)
        case .uniform:
            let wereSeveral = pair.oldType == ColumnType(.bool) ? filled > 0 && empty > 0 : replaced.hasSeveral
            // “undefined” for all is told already.
            let isSlip = values[Way(kind: .wrongType)] != nil
            return isOnly && wereSeveral && lost.objects.count > 1 && !isSlip
        case .truncated: return !cuts.areConstant
        case .inexact where way.doubt == .scaledNumbers: return hasKeptNumber || !factor.areOne
        case .rounded: return isRounded(lost.objects.count)
        default: return true
        }
    }

    /// One loss for each way that is told by the same words.
    private static func joined(_ told: [Told]) -> [Told] {
        told.reduce(into: []) { joined, loss in
            if let place = joined.firstIndex(where: { $0.kind == loss.kind && $0.to == loss.to }) {
                joined[place].values.add(loss.values)
            } else {
                joined.append(loss)
            }
        }
    }

    /// Whether an empty value can be one as any other: the number zero and false are, an empty text and zeros of an identifier are not.
    private func isRecodable(_ way: Way) -> Bool { way.to == .zero && pair.newType.isNumber || way.to == .false }

    /// Whether the values mean the same by others: one value alone is the empty one now, the others are others, and what was
    /// empty is not any more.
    private func isRecoded(emptyCount: Int) -> Bool {
        // Zero is no other unit of a number.
        guard !emptied.hasSeveral, otherCount + filledCount > 0, !hasKeptNumber, !factor.areSteady else { return false }
        return filledCount >= emptyCount || pair.oldType.collection != .none
    }

    /// Whether that is what was done to the numbers, and not what comes of something else by chance.
    private func isRounded(_ count: Int) -> Bool {
        // One may be such a multiple by chance.
        if aboveCount * 10 > count || pair.oldType.element == .int {
            return tensCount + zeroCount == changed && tensCount >= 5
        }
        // Small ones become zero by it.
        return (count + min(zeroCount, count)) * 10 >= changed * 9
    }
}

extension LossTally.Way {
    /// The loss of some parts of a value.
    init(_ loss: PartLoss) {
        self.init(
            kind: loss.kind, to: loss.to,
            doubt: loss.kind == .truncated && loss.zeroed != nil ? .zeroedParts : nil, zeroed: loss.zeroed)
    }

    /// Whether a value of another property makes up for it.
    fileprivate var mayBeTakenOver: Bool {
        switch kind {
        case .null, .link, .zero, .emptied, .truncated, .rounded: true
        default: false
        }
    }
}

extension Rehearsal.Loss.Kind {
    /// Whether few of many values are none that is told.
    fileprivate var isOfMany: Bool {
        switch self {
        case .emptied, .uniform, .rounded, .dropped: true
        default: false
        }
    }
}

extension ColumnType {
    /// Whether zero and false say something as other values do.
    fileprivate var hasTellingZero: Bool {
        guard collection == .none else { return false }
        return switch element {
        case .bool, .int, .float, .double, .decimal128: true
        default: false
        }
    }
}
