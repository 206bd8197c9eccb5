import Columns
import RealmModel

/// Rows of the same objects in two snapshots, and what is asked of them to judge a loss.
struct ComparedRows {
    let both: RowPairs
    let old: RowGroupCursor
    let new: RowGroupCursor
    let takers: Takers
    let targets: LinkTargets
}

/// What the values of one property lost that both snapshots have: counters and examples.
struct LossTally {
    /// One way in which values are lost.
    struct Way: Hashable {
        var kind: Rehearsal.Loss.Kind
        var to: EmptyValue?
    }

    let pair: PropertyPair
    private var values: [Way: LostValues] = [:]
    private var changed = 0
    private var emptied = FewValues()
    private var replaced = FewValues()
    private var cuts = CutParts()
    /// The one value that all have that were changed; nil where there are several.
    private(set) var onlyValue: Value?
    private var isOnly = true
    /// Values that are others now and not empty, and empty ones that became values.
    private var otherCount = 0
    private var filledCount = 0
    /// Whether a conversion left a number what it was.
    private var hasKeptNumber = false
    /// Integers that are multiples of ten now.
    private var tensCount = 0

    init(_ pair: PropertyPair) { self.pair = pair }

    /// Takes the rows of some places, in which the property differs.
    mutating func add(_ places: [Int], _ rows: ComparedRows) throws {
        let (array, other) = (try rows.old.column(pair.property), try rows.new.column(pair.other))
        changed += places.count
        for place in places {
            let cell = ChangedCell(
                pair: pair, array: array, row: rows.both.rows[place], other: other, otherRow: rows.both.others[place])
            let isEmpty = try array.isEmpty(at: cell.row, as: pair.oldType)
            try noteOnlyValue(cell, wasEmpty: isEmpty, rows)
            guard let way = try cell.way(wasEmpty: isEmpty, rows.targets) else {
                try noteKept(cell, wasEmpty: isEmpty)
                continue
            }
            try add(cell, way, wasEmpty: isEmpty, rows)
        }
    }

    private mutating func add(_ cell: ChangedCell, _ way: Way, wasEmpty: Bool, _ rows: ComparedRows) throws {
        // Zeros are everywhere, and what is left of a date is the same day.
        let isCutDate = way.kind == .truncated && pair.oldType.element == .date
        if way.mayBeTakenOver, !wasEmpty, !isCutDate,
            try rows.takers.have(cell.array, at: cell.row, as: pair.oldType, inRow: cell.otherRow)
        {
            return
        }
        let before = try cell.before()
        if way.kind == .truncated { cuts.note(cell) }
        if way.kind == .rounded, pair.oldType.element == .int { tensCount += 1 }
        if way.kind == .emptied || way.kind == .zero { emptied.note(before) }
        var lost = values[way] ?? LostValues()
        if way.mayBeTakenOver, lost.maySeeRecoding {
            lost.note(before, try rows.takers.values(inRow: cell.otherRow).filter { $0.property != pair.other })
        }
        lost.add(try rows.old.key(ofRow: cell.row), before, try cell.after())
        values[way] = lost
    }

    private mutating func noteKept(_ cell: ChangedCell, wasEmpty: Bool) throws {
        if try cell.other.isEmpty(at: cell.otherRow, as: pair.newType) { return }
        if wasEmpty { filledCount += 1 } else { otherCount += 1 }
        guard !pair.hasSameType, !hasKeptNumber else { return }
        hasKeptNumber = try cell.before().number.map { $0 == (try? cell.after())?.number } ?? false
    }

    /// As long as all values that were changed are the same one now.
    private mutating func noteOnlyValue(_ cell: ChangedCell, wasEmpty: Bool, _ rows: ComparedRows) throws {
        guard isOnly else { return }
        let after = try cell.after()
        let isSame = onlyValue.map { $0 == after } ?? true
        guard isSame, pair.hasSameType, try !cell.other.isEmpty(at: cell.otherRow, as: pair.newType) else {
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
        guard try !rows.takers.have(cell.array, at: cell.row, as: pair.oldType, inRow: cell.otherRow) else { return }
        var lost = values[Way(kind: .uniform)] ?? LostValues()
        if lost.maySeeRecoding {
            lost.note(before, try rows.takers.values(inRow: cell.otherRow).filter { $0.property != pair.other })
        }
        lost.add(try rows.old.key(ofRow: cell.row), before, after)
        values[Way(kind: .uniform)] = lost
    }

    // MARK: The end

    /// Whether the losses depend on how many values there were.
    var asksForCounts: Bool { !values.isEmpty }

    /// The losses, but for those that are none on the whole.
    ///
    /// - Parameter counts: of all objects before, those that had a value and those that had none.
    func losses(_ counts: (filled: Int, empty: Int)?) -> [(
        kind: Rehearsal.Loss.Kind, to: EmptyValue?, values: LostValues
    )] {
        let (filled, empty) = counts ?? (0, 0)
        return values.filter { (way: Way, lost: LostValues) -> Bool in
            guard !lost.isRecoded, !way.kind.isOfMany || LossThreshold.isReached(lost.objects.count, of: filled) else {
                return false
            }
            switch way.kind {
            case .emptied, .zero: return !isRecodable(way) || !isRecoded(emptyCount: empty)
            case .uniform:
                let wereSeveral = pair.oldType == ColumnType(.bool) ? filled > 0 : replaced.hasSeveral
                // “undefined” for all is told already.
                let isSlip = values[Way(kind: .wrongType)] != nil
                return isOnly && wereSeveral && lost.objects.count > 1 && !isSlip
            case .truncated: return !cuts.areConstant
            case .rounded: return isRounded(lost.objects.count)
            default: return true
            }
        }.map { ($0.kind, $0.to, $1) }.sorted {
            ($0.kind.rawValue, $0.to?.rawValue ?? "") < ($1.kind.rawValue, $1.to?.rawValue ?? "")
        }
    }

    /// Whether an empty value can be one as any other: zero and false are, an empty text is not.
    private func isRecodable(_ way: Way) -> Bool { way.to == .zero || way.to == .false }

    /// Whether the values mean the same by others: one value alone is the empty one now, the others are others, and what was
    /// empty is not any more.
    private func isRecoded(emptyCount: Int) -> Bool {
        !emptied.hasSeveral && otherCount + filledCount > 0 && filledCount >= emptyCount && !hasKeptNumber
    }

    /// Whether that is what was done to the numbers, and not what comes of something else by chance.
    private func isRounded(_ count: Int) -> Bool {
        if pair.oldType.element == .int { return tensCount == changed && changed >= 5 }
        return count * 10 >= changed * 9
    }
}

extension LossTally.Way {
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

/// Whether there is more than one value among some.
private struct FewValues {
    private var first: Value?
    private(set) var hasSeveral = false

    mutating func note(_ value: Value) {
        guard !hasSeveral else { return }
        guard let first else {
            first = value
            return
        }
        hasSeveral = first != value && !value.isSameWord(as: first)
    }
}

/// Whether what was cut off of texts is the same of all: then nothing is lost that could not be put there again.
private struct CutParts {
    private var part: ArraySlice<UInt8>?
    private var text: ArraySlice<UInt8>?
    private var isSame = true
    private var hasSeveral = false

    mutating func note(_ cell: ChangedCell) {
        guard isSame, let cut = cell.cutPart, let text = cell.text else {
            isSame = false
            return
        }
        if let part {
            isSame = part == cut
            hasSeveral = hasSeveral || self.text != text
        } else {
            part = cut
            self.text = text
        }
    }

    var areConstant: Bool { isSame && hasSeveral }
}

extension Value {
    /// Whether both are texts of the same letters.
    fileprivate func isSameWord(as other: Value) -> Bool {
        guard case (.string(let text), .string(let otherText)) = (self, other) else { return false }
        var (words, others) = (ValueWords(), ValueWords())
        words.add(text: text.utf8)
        others.add(text: otherText.utf8)
        return words.squeezed == others.squeezed
    }
}
