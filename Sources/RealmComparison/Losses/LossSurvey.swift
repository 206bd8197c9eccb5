import Columns
import RealmModel

/// Follows the comparison of the objects of one class, and notes what their values lose: by columns, in the same pass.
///
/// Holds counters and a bounded number of examples. A value that another property of the object has afterwards, one that was
/// added or changed, is not lost.
final class LossSurvey {
    /// A property that differs in some of the rows that are compared.
    struct Change {
        var pair: PropertyPair
        /// Places among the rows, ascending.
        var places: [Int]
    }

    /// The columns of the old class whose values are elsewhere now, if they are anywhere: those that the new one has not, and `relinked`.
    let dropped: [Int]
    /// The columns of the new class that have links to another class than those of the old one, or values of which one side alone has
    /// links, by these.
    private let relinked: [Int: Int]
    /// The columns of the new class that the old one has not.
    let added: [Int]

    /// The columns of the new class that both have.
    private let shared: [Int]
    private let from: StoredClass
    private let to: StoredClass
    private let linked: LinkedObjects
    private let store: any SegmentStore
    private var uniformOld: [Int: Bool] = [:]
    private var uniformNew: [Int: Bool] = [:]
    /// The objects that are gone; nil where they are parts of others.
    let gone: GoneObjects?
    /// Values that others stand for, of which no loss is told.
    private(set) var untold = LossTally.Untold()
    private var droppedValues: [Int: DroppedValues] = [:]
    private var tallies: [NameKey: LossTally] = [:]
    private var swapped = SwappedProperties()
    private var ledger = ObjectLedger()
    /// Values of dropped properties that are there in another order, by column.
    private var replacedCounts: [Int: Int] = [:]

    /// - Parameters:
    ///   - properties: the names of those that both classes have.
    ///   - dropped: the names of those that the old class alone has.
    ///   - added: the names of those that the new class alone has.
    ///   - shared: the names of those that both have.
    ///   - relinked: the names of those that lead to another class now.
    ///   - linked: has the objects that links lead to.
    ///   - store: where the columns of both are.
    init(
        _ from: StoredClass, _ to: StoredClass, dropped: [String], added: [String], shared: [PropertyName],
        relinked: [PropertyName], linked: LinkedObjects, store: any SegmentStore
    ) {
        self.store = store
        self.from = from
        self.to = to
        self.linked = linked
        let columns = { (names: [PropertyName]) in
            names.compactMap { name in
                from.index(of: name.from).flatMap { old in to.index(of: name.to).map { (old, $0) } }
            }
        }
        self.relinked = Dictionary(columns(relinked)) { first, _ in first }
        let gone = dropped.compactMap { from.index(of: $0) }.filter { property in
            if case .constant(let value) = from.columns[property], value.isEmptyOrZero, from.patches.isEmpty {
                return false
            }
            return true
        }
        self.dropped = gone + columns(relinked).map { $0.0 }
        self.added = added.compactMap { to.index(of: $0) }
        let pairs = columns(shared)
        self.shared = pairs.map { $0.1 }
        self.gone =
            from.schema.isEmbedded
            ? nil
            : GoneObjects(
                from, to, pairs: pairs, dropped: gone, old: linked.old, new: linked.new)
    }

    /// Whether the values of a property are elsewhere though it has others.
    func isRelinked(_ pair: PropertyPair) -> Bool { relinked[pair.property] != nil }

    /// Whether rows are looked at of which no property differs.
    var readsAllRows: Bool { !dropped.isEmpty }

    /// Takes rows of the same objects, which both cursors stand at, and the properties in which some differ.
    func take(_ both: RowPairs, _ changes: [Change], _ old: RowGroupCursor, _ new: RowGroupCursor) throws {
        guard !dropped.isEmpty || !changes.isEmpty else { return }
        let kept = KeptCells(changes.map(\.pair), both, old)
        let all = added + changes.map(\.pair.other)
        let columns = dropped.isEmpty ? [] : try variedTakers(changes)
        let takers = Takers(all, of: new, linked, but: kept)
        // A value that all objects have may be there without being written.
        let varied = Takers(columns, of: new, linked, but: kept, haveZeros: true)
        let others = columns.count == all.count ? varied : takers
        for property in dropped {
            try takeDropped(
                property, both, (others, try isUniform(property, isOld: true) ? others : varied), old, new)
        }
        let changed = Set(changes.map(\.pair.other))
        let unchanged = shared.filter { !changed.contains($0) }
        try swapped.take(both, changes, old, new)
        try ledger.take(both, changes, dropped: dropped, added: added, (old, new), linked)
        for change in changes {
            let name = NameKey(change.pair.name.to)
            var tally = tallies[name] ?? LossTally(change.pair, linked)
            let rows = ComparedRows(
                both: both, old: old, new: new, takers: takers, unchanged: unchanged, dropped: dropped, linked: linked)
            try tally.add(change.places, rows)
            tallies[name] = tally
        }
    }

    /// The properties that may have taken over values that differ: all objects having one value, it says nothing of them.
    private func variedTakers(_ changes: [Change]) throws -> [Int] {
        try added.filter { try !isUniform($0, isOld: false) } + changes.map(\.pair.other)
    }

    /// Whether all objects have one value; asked once of each property.
    private func isUniform(_ property: Int, isOld: Bool) throws -> Bool {
        let stored = isOld ? from : to
        if let known = (isOld ? uniformOld : uniformNew)[property] { return known }
        var first: UInt64?
        var isUniform = true
        let type = ColumnType(stored.schema.properties[property])
        try ColumnPass(stored, property, store).run({ false }) { array, _, rows in
            for row in rows {
                let hash = try array.valueHash(at: row, as: type)
                isUniform = isUniform && first ?? hash == hash
                first = hash
            }
            return isUniform
        }
        if isOld { uniformOld[property] = isUniform } else { uniformNew[property] = isUniform }
        return isUniform
    }

    private func takeDropped(
        _ property: Int, _ both: RowPairs, _ takers: (all: Takers, varied: Takers), _ old: RowGroupCursor,
        _ new: RowGroupCursor
    ) throws {
        if old.isStored, let segment = try old.reader.segment(property, inGroup: old.group),
            segment.nullCount == segment.rowCount
        {
            return
        }
        try droppedValues[property, default: DroppedValues()].add(
            try old.column(property), from.schema.properties[property], both, takers, old, linked,
            now: try relinked[property].map(new.column)
        ) { replacedCounts[property, default: 0] += 1 }
    }

    // MARK: The end

    /// The losses, as far as the class itself can tell.
    func losses(isCancelled: () -> Bool, store: any SegmentStore) throws -> [LossCandidate] {
        try noteStays(isCancelled, store)
        var found = try lossesOfDropped()
        for tally in tallies.values.sorted(by: { $0.pair.other < $1.pair.other }) {
            let counts = try tally.asksForCounts ? counts(tally.pair, isCancelled, store) : nil
            var (told, rest) = try tally.losses(counts, but: areNamed(tally.pair.property))
            told = try told.filter { try $0.kind != .uniform || isUniform(tally.pair.other, isOld: false) }
            let swap = swapped.values(of: tally.pair.other, isNumber: tally.pair.oldType.isNumber)
            if let swap, swap.isTold {
                told = swap.lost.objects.count > 0 ? [(.exchanged, nil, swap.lost)] : []
                rest = LossTally.Untold(filled: rest.filled)
            } else if let counts, tally.elements.areFewer(of: counts.filled),
                LossThreshold.isReached(tally.elements.lost.objects.count, of: counts.filled),
                !told.contains(where: { $0.kind == .uniform })
            {
                told.append((.merged, nil, tally.elements.lost))
                rest.replaced = max(rest.replaced - tally.elements.lost.objects.count, 0)
            } else if let counts,
                var loss = try lossOfOthers(tally, besides: told, of: counts.filled, isCancelled, store)
            {
                rest.replaced = max(rest.replaced - loss.values.objects.count, 0)
                // A few of other objects' values begin as those before do.
                let limit = loss.kind == .exchanged ? loss.values.objects.count / (tally.hasParts ? 2 : 4) : 0
                let byChance = told.filter { $0.kind == .truncated && $0.values.objects.count < limit }
                for other in byChance { loss.values.add(other.values) }
                told = told.filter { $0.kind != .truncated || $0.values.objects.count >= limit } + [loss]
            }
            if tally.respelled.hasSome {
                let old = ColumnPass(from, tally.pair.property, store)
                rest.replaced += try tally.respelled.lostCount(tally.pair.oldType, old: old, isCancelled)
            }
            if let lost = lossOfPlaces(tally, besides: told, of: counts?.filled) { told = [lost] }
            if tally.hasParts, linked.old.isOverfull(tally.pair.target) {
                rest.replaced += told.reduce(0) { $0 + $1.values.objects.count }
                told = []
            }
            if told.isEmpty {
                let swapped = swap?.lost.objects.count ?? 0
                rest.replaced = max(rest.replaced, ledger.doubtCount(tally.pair.property), swapped)
            }
            untold.replaced += rest.replaced
            untold.few += rest.few
            untold.filled += rest.filled
            // Nulls are no part of the values that there were.
            found += told.map {
                candidate(
                    tally.pair.property, $0.kind, $0.to, $0.values, of: $0.kind == .nullToZero ? nil : counts?.filled)
            }
        }
        return found + (try lossesOfDates(isCancelled, store))
    }

    /// Lets the map of places know in how many objects properties have what they had, where it asks for that.
    private func noteStays(_ isCancelled: () -> Bool, _ store: any SegmentStore) throws {
        let contested = ledger.map.contested
        for pair in tallies.values.map(\.pair) where pair.parts == nil && pair.oldType != ColumnType(.bool) {
            let place = PlacedValues.place(ofRoot: pair.other)
            guard contested.contains(place) else { continue }
            let filled = try counts(pair, isCancelled, store).filled
            ledger.map.noteStays(at: place, column: pair.property, filled: filled)
        }
        ledger.settle()
    }

    /// The losses of the properties that are gone.
    private func lossesOfDropped() throws -> [LossCandidate] {
        var found: [LossCandidate] = []
        for property in dropped {
            let replaced = ledger.explained.contains(property) ? 0 : replacedCounts[property] ?? 0
            untold.replaced += replaced
            guard let values = droppedValues[property] else { continue }
            if linked.old.isOverfull(from.schema.properties[property].linkTarget) {
                untold.replaced += max(values.filled - replaced, 0)
                continue
            }
            // One flag is like another: that one of them is there says nothing, nor that none is among these.
            if from.schema.properties[property].mayHaveFlags, ledger.isFound(property), !values.areKeysLost { continue }
            let count = found.count
            let nulled: Rehearsal.Loss.Kind = from.schema.properties[property].linkTarget == nil ? .null : .link
            let ways: [(Rehearsal.Loss.Kind, LostValues?)] = [
                (.dropped, try values.untaken(but: areNamed(property))), (.truncated, values.cut),
                (nulled, values.nulled),
            ]
            for case (let kind, let lost?) in ways where lost.objects.count > 0 && !values.areConverted {
                if kind == nulled || LossThreshold.isReached(lost.objects.count, of: values.filled) {
                    let to: EmptyValue? = kind == nulled ? .null : nil
                    found.append(candidate(property, kind, to, lost, of: values.filled))
                    if kind == .dropped { found[found.count - 1].relinked = relinked[property] }
                } else {
                    untold.few += lost.objects.count
                }
            }
            if found.count == count, let lost = mixed(property, of: values.filled) {
                found.append(candidate(property, .exchanged, nil, lost, of: values.filled))
            } else if found.count == count {
                untold.replaced += max(ledger.doubtCount(property) - replaced, 0)
            }
        }
        return found
    }

    /// Says of codes for values of a column whether they are none: links whose objects have the values.
    private func areNamed(_ property: Int) -> LostValues.AreNoCodes {
        { [linked, from, to] place, codes, haveSomeStayed in
            guard place.part == nil else { return false }
            let (old, new) = (from.schema.properties[property], to.schema.properties[place.column])
            // Where some are named, others are not meant by codes.
            if haveSomeStayed, (old.linkTarget == nil) != (new.linkTarget == nil) { return true }
            return try linked.tell(codes, from: old.linkTarget, to: new.linkTarget)
        }
    }

    /// The loss of values for which those of other objects stand, or far fewer.
    private func lossOfOthers(
        _ tally: LossTally, besides told: [LossTally.Told], of filled: Int, _ isCancelled: () -> Bool,
        _ store: any SegmentStore
    ) throws -> LossTally.Told? {
        let others = tally.others
        guard tally.divided == nil, others.isSuspicious || tally.isOverwritten,
            !told.contains(where: { $0.kind == .uniform }),
            LossThreshold.isReached(others.lost.objects.count, of: filled)
        else { return nil }
        if tally.isOverwritten { return (.exchanged, nil, others.lost) }
        guard !tally.isRecoding else { return nil }
        let pair = tally.pair
        let old = ReplacedValues.Pass(
            cells: ColumnPass(from, pair.property, store), type: pair.oldType,
            parts: tally.hasParts ? pair.target : nil, contents: linked.old)
        let new = ReplacedValues.Pass(
            cells: ColumnPass(to, pair.other, store), type: pair.newType,
            parts: tally.hasParts ? pair.newTarget : nil, contents: linked.new)
        if try others.areExchanged(pair, old: old, new: new, isCancelled) {
            return (.exchanged, nil, others.lost)
        }
        return others.areFewer ? (.merged, nil, others.lost) : nil
    }

    /// The values of parts of an object that changed places with others of it; nil where they may have done so by chance.
    private func lossOfPlaces(_ tally: LossTally, besides told: [LossTally.Told], of filled: Int?) -> LossTally.Told? {
        let column = tally.pair.property
        if told.count == 1, told[0].kind == .inexact, told[0].values.objects.count == ledger.mixed[column]?.count {
            // No conversion made another number of it: it is another property's.
            return (.exchanged, nil, told[0].values)
        }
        guard told.isEmpty else { return nil }
        guard tally.hasParts || tally.pair.oldType.collection != .none, let lost = ledger.exchanged[column] else {
            return mixed(column, of: filled ?? 0).map { (.exchanged, nil, $0) }
        }
        let isNumber = !ledger.tellingColumns.contains(column)
        return PlaceMap.isTold(lost.objects.count, isNumber: isNumber) ? (.exchanged, nil, lost) : nil
    }

    /// The values of a column that are where another place's are in other objects; nil where they may be so by chance.
    private func mixed(_ column: Int, of filled: Int) -> LostValues? {
        guard let objects = ledger.mixed[column] else { return nil }
        let isNumber = ColumnType(from.schema.properties[column]).isNumber
        guard PlaceMap.isTold(objects.count, isNumber: isNumber), LossThreshold.isReached(objects.count, of: filled)
        else { return nil }
        return LostValues(objects)
    }

    private func candidate(
        _ property: Int, _ kind: Rehearsal.Loss.Kind, _ left: EmptyValue?, _ values: LostValues, of total: Int?
    ) -> LossCandidate {
        let old = from.schema.properties[property]
        let loss = Rehearsal.Loss(
            className: from.schema.name, property: old.name, kind: kind, objects: values.objects,
            to: left, total: total.map { max($0, values.objects.count) }, examples: values.examples)
        return LossCandidate(loss, of: old, in: to.schema.name, sought: values.sought)
    }

    /// How many objects had a value of a property, and how many had none.
    private func counts(
        _ pair: PropertyPair, _ isCancelled: () -> Bool, _ store: any SegmentStore
    ) throws -> (filled: Int, empty: Int) {
        var counts = (filled: 0, empty: 0)
        try ColumnPass(from, pair.property, store).run(isCancelled) { array, _, rows in
            let found = try array.filledCount(rows, as: pair.oldType)
            counts = (counts.filled + found.filled, counts.empty + found.empty)
            return true
        }
        return counts
    }

    /// The columns of the new class that were added, or are of another type in some object.
    var retyped: [Int] { added + retypedPairs.map(\.other) }

    private var retypedPairs: [PropertyPair] {
        tallies.values.map(\.pair).filter { $0.oldType.element != $0.newType.element }.sorted { $0.other < $1.other }
    }

    /// The dates that were made of the numbers of one property in two units of time.
    private func lossesOfDates(_ isCancelled: () -> Bool, _ store: any SegmentStore) throws -> [LossCandidate] {
        let columns = dropped + retypedPairs.map(\.property)
        let name = from.schema.name
        return try MisreadDates.losses(in: retyped, of: to, named: name, store, isCancelled) { [linked] key in
            try linked.old.values(of: key, name, in: columns)
        }.map { LossCandidate($0, of: nil, in: to.schema.name, sought: []) }
    }

    /// The properties that were added, and which of them have a value in some object.
    func addedProperties(
        isCancelled: () -> Bool, store: any SegmentStore
    ) throws -> [(property: Property, isFilled: Bool)] {
        try added.map { index in
            let property = to.schema.properties[index]
            var isFilled = false
            if case .constant(let value) = to.columns[index], to.patches.isEmpty {
                isFilled = !value.isEmptyOrZero
            } else {
                try ColumnPass(to, index, store).run(isCancelled) { array, _, rows in
                    isFilled = try rows.contains { try !array.isEmpty(at: $0, as: ColumnType(property)) }
                    return !isFilled
                }
            }
            return (property, isFilled)
        }
    }
}

/// From how many values on a loss is told that may be meant of a few.
enum LossThreshold {
    /// - Parameter total: the values that there were.
    static func isReached(_ count: Int, of total: Int) -> Bool { count >= 20 || count > 0 && count * 100 >= total }
}

/// A loss that may turn out to be none, because another class has the values.
struct LossCandidate {
    var loss: Rehearsal.Loss
    /// The property before; nil where it is a class.
    let property: Property?
    /// The name that its class has now.
    let newClassName: String
    /// The words by which some of the values are told.
    var sought: [SoughtValue]
    /// The objects that are gone; nil where it is a property, or they are too many.
    let gone: Gone?
    /// The column of links to another class that they may be now: those that are null are a loss of their own.
    var relinked: Int?
    /// How they became links, or stopped being some.
    var naming: NamedLinks?

    /// Objects of the class before.
    enum Gone {
        case all
        /// Those of some keys, ascending.
        case some([Int64])
    }

    init(
        _ loss: Rehearsal.Loss, of property: Property?, in newClassName: String, sought: [SoughtValue],
        gone: Gone? = nil
    ) {
        self.loss = loss
        self.newClassName = newClassName
        self.property = property
        self.sought = sought
        self.gone = gone
    }
}

/// The live rows of one column of a class, row group by row group.
struct ColumnPass {
    private let stored: StoredClass
    private let property: Int
    private let store: any SegmentStore

    init(_ stored: StoredClass, _ property: Int, _ store: any SegmentStore) {
        self.stored = stored
        self.property = property
        self.store = store
    }

    /// - Parameters:
    ///   - first: the least key of the objects that are looked at.
    ///   - look: takes an array, the number of its row group and its live rows; says whether it wants more.
    func run(
        from first: Int64 = .min, _ isCancelled: () -> Bool, _ look: (ColumnArray, Int, [Int]) throws -> Bool
    ) throws {
        let reader = try ClassReader(stored, store: store)
        for (number, group) in reader.rowGroups.enumerated() where group.rowCount > 0 && group.lastKey.value >= first {
            if isCancelled() { throw Rehearsal.Cancelled() }
            try reader.willRead(keys: false, [property], inGroup: number)
            let array = try reader.column(property, inGroup: number)
            var rows = group.liveRows
            if group.firstKey.value < first {
                let start = try reader.keys(inGroup: number).lowerBound(first)
                rows = rows.filter { $0 >= start }
            }
            guard try look(array, number, rows) else { return }
        }
    }
}

extension Property {
    /// Whether its values are flags, or may have some in them.
    var mayHaveFlags: Bool { type == .bool || type == .object }
}
