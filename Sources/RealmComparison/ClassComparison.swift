import Columns
import RealmModel

/// Finds what differs between the objects of one class in two snapshots of a realm.
///
/// An object is the same one in both by its object key. Both are gone through in the order of the keys, a row group of each
/// at a time; of what both have in the same segments nothing is read.
struct ClassComparison {
    private let from: RowGroupCursor
    private let to: RowGroupCursor
    private let pairs: [PropertyPair]
    /// Where only some objects can differ: their keys, ascending.
    private let suspects: [Int64]?
    private let survey: LossSurvey?
    private let isCancelled: () -> Bool
    private var difference: ClassDifference
    private var counts: [PropertyDifference]
    private let report: (ObjectDifference) throws -> Bool
    private var isStopped = false
    /// All rows of the row group that was compared last.
    private var allRows = RowPairs()

    /// - Parameters:
    ///   - properties: the names of those that are compared; both classes have them.
    ///   - parts: the embedded objects that differ, by the second class's names of the properties that own them.
    ///   - isCancelled: asked for every row group; true ends it.
    ///   - suspects: the keys of the objects that may differ, ascending; nil where any may.
    ///   - survey: notes what values lose; nil where that is not asked.
    ///   - report: takes each object that differs, in the order of the keys; says whether it wants more.
    init(
        _ from: StoredClass, _ to: StoredClass, properties: [PropertyName], parts: [NameKey: ChangedKeys] = [:],
        suspects: [Int64]?,
        store: any SegmentStore, survey: LossSurvey? = nil, isCancelled: @escaping () -> Bool = { false },
        report: @escaping (ObjectDifference) throws -> Bool
    ) throws {
        self.from = try RowGroupCursor(from, store: store)
        self.to = try RowGroupCursor(to, store: store)
        self.suspects = suspects
        self.survey = survey
        self.isCancelled = isCancelled
        self.report = report
        pairs = properties.compactMap { PropertyPair($0, from, to, parts: parts[name: $0.to]) }
        difference = ClassDifference(to.schema.name)
        counts = pairs.map { PropertyDifference($0.name.to, was: $0.name.from) }
    }

    /// Whether two classes are the same rows, and the same columns in what is compared: nothing has to be read.
    static func areSame(_ from: StoredClass, _ to: StoredClass, properties: [PropertyName]) -> Bool {
        guard from.rowGroups == to.rowGroups, from.keys == to.keys, from.patches == to.patches else { return false }
        return properties.allSatisfy { name in
            guard let property = from.index(of: name.from), let other = to.index(of: name.to) else { return true }
            return from.columns[property] == to.columns[other]
                && ColumnType(from.schema.properties[property]) == ColumnType(to.schema.properties[other])
        }
    }

    /// Goes through both.
    mutating func run() throws -> ClassDifference {
        let unshared = pairs.indices.filter { !pairs[$0].isShared }
        while !isStopped, from.current != nil || to.current != nil {
            if isCancelled() { throw Rehearsal.Cancelled() }
            try step(unshared)
        }
        difference.properties = counts.filter { $0.changed > 0 }
        return difference
    }

    /// Looks at what both cursors stand at, and moves at least one of them on.
    private mutating func step(_ compared: [Int]) throws {
        guard let old = from.current else { return try list(to, .added, upTo: Int64.max) }
        guard let new = to.current else { return try list(from, .removed, upTo: Int64.max) }
        if old.lastKey.value < new.firstKey.value { return try list(from, .removed, upTo: old.lastKey.value) }
        if new.lastKey.value < old.firstKey.value { return try list(to, .added, upTo: new.lastKey.value) }
        let isAligned =
            from.row == 0 && to.row == 0 && old.rowCount == new.rowCount && old.firstKey == new.firstKey
            && old.lastKey == new.lastKey
        let isSame = try isAligned && old.deleted == new.deleted && hasSameKeys()
        if isAligned { try announce(compared, keys: !isSame) }
        if isAligned, old.deleted == new.deleted, survey?.readsAllRows != true, try !mayDiffer(old, compared) {
            from.advance()
            to.advance()
            return
        }
        if isSame { try compareRows(old, compared) } else { try join(compared) }
    }

    /// Whether two row groups that begin and end with the same keys have the same ones between.
    private func hasSameKeys() throws -> Bool {
        guard from.isStored, to.isStored else { return false }
        return try from.reader.keySegment(inGroup: from.group) == to.reader.keySegment(inGroup: to.group)
    }

    /// Compares two row groups of the same objects: their keys are not looked at but for those that are told of.
    private mutating func compareRows(_ group: RowGroup, _ compared: [Int]) throws {
        let both = try sameRows(of: group)
        let rows = try differing(both, compared).map { both.rows[$0] }
        for row in rows where !isStopped { try tell(try from.key(ofRow: row), .changed) }
        from.advance()
        to.advance()
    }

    /// The rows of a row group that may differ from those of the same numbers.
    private mutating func sameRows(of group: RowGroup) throws -> RowPairs {
        if let suspects {
            var both = RowPairs()
            for place in suspects.lowerBound(group.firstKey.value)..<suspects.count {
                guard suspects[place] <= group.lastKey.value else { break }
                guard let row = try row(of: suspects[place], in: group), from.isLive(row) else { continue }
                both.append(row, row)
            }
            return both
        }
        if allRows.count != group.rowCount { allRows = RowPairs(same: Array(0..<group.rowCount)) }
        guard let deleted = group.deleted else { return allRows }
        return RowPairs(same: (0..<group.rowCount).filter { !deleted[$0] })
    }

    private func row(of key: Int64, in group: RowGroup) throws -> Int? {
        if group.hasConsecutiveKeys { return Int(key - group.firstKey.value) }
        return try from.keys().index(ofSorted: key)
    }

    /// Whether something of two row groups of the same rows has to be read.
    private func mayDiffer(_ group: RowGroup, _ compared: [Int]) throws -> Bool {
        guard hasSuspect(group) else { return false }
        guard from.isStored, to.isStored else { return true }
        return try compared.contains { try !isSameSegment(pairs[$0]) }
            || from.reader.keySegment(inGroup: from.group) != to.reader.keySegment(inGroup: to.group)
    }

    private func hasSuspect(_ group: RowGroup) -> Bool {
        guard let suspects else { return true }
        let place = suspects.lowerBound(group.firstKey.value)
        return place < suspects.count && suspects[place] <= group.lastKey.value
    }

    /// Row groups of which the store hears at once.
    private static let announcedGroups = 16

    /// Announces what is going to be read of the next row groups, as far as they go on in step.
    private func announce(_ compared: [Int], keys: Bool) throws {
        guard from.group.isMultiple(of: Self.announcedGroups) else { return }
        for step in 0..<Self.announcedGroups {
            let (group, other) = (from.group + step, to.group + step)
            guard group < from.reader.storedGroupCount, other < to.reader.storedGroupCount else { return }
            guard hasSuspect(from.reader.rowGroups[group]) else { continue }
            var differing: [Int] = []
            for index in compared {
                let segment = try from.reader.segment(pairs[index].property, inGroup: group)
                let otherSegment = try to.reader.segment(pairs[index].other, inGroup: other)
                if segment == nil || segment != otherSegment { differing.append(index) }
            }
            let (dropped, added) = (survey?.dropped ?? [], survey?.readsAllRows == true ? survey?.added ?? [] : [])
            guard !differing.isEmpty || !dropped.isEmpty else { continue }
            try from.reader.willRead(keys: keys, differing.map { pairs[$0].property } + dropped, ofGroup: group)
            try to.reader.willRead(keys: keys, differing.map { pairs[$0].other } + added, ofGroup: other)
        }
    }

    private func isSameSegment(_ pair: PropertyPair) throws -> Bool {
        guard pair.parts == nil, pair.hasSameType, from.isStored, to.isStored,
            let segment = try from.reader.segment(pair.property, inGroup: from.group)
        else { return false }
        return segment == (try to.reader.segment(pair.other, inGroup: to.group))
    }

    /// Objects of one snapshot alone: the rest of a cursor's row group, up to a key.
    private mutating func list(_ cursor: RowGroupCursor, _ kind: ObjectDifference.Kind, upTo last: Int64) throws {
        let keys = try cursor.keys()
        var rows: [Int] = []
        while cursor.row < keys.count, keys[cursor.row] <= last, !isStopped {
            if cursor.isLive(cursor.row) {
                try tell(keys[cursor.row], kind)
                rows.append(cursor.row)
            }
            cursor.row += 1
        }
        if kind == .added {
            try survey?.gone?.takeAdded(rows, cursor)
        } else {
            try survey?.gone?.takeRemoved(rows, cursor)
        }
        if cursor.row == keys.count { cursor.advance() }
    }

    /// The rows of both row groups up to where the first of them ends.
    private mutating func join(_ compared: [Int]) throws {
        let (keys, otherKeys) = (try from.keys(), try to.keys())
        var found: [(key: Int64, kind: ObjectDifference.Kind)] = []
        var (removed, added): ([Int], [Int]) = ([], [])
        var both = RowPairs()
        both.reserveCapacity(min(keys.count, otherKeys.count))
        while from.row < keys.count, to.row < otherKeys.count {
            let (key, otherKey) = (keys[from.row], otherKeys[to.row])
            if key < otherKey {
                if from.isLive(from.row) { removed.append(from.row) }
                from.row += 1
            } else if otherKey < key {
                if to.isLive(to.row) { added.append(to.row) }
                to.row += 1
            } else {
                switch (from.isLive(from.row), to.isLive(to.row)) {
                case (true, true): if isSuspect(key) { both.append(from.row, to.row) }
                case (true, false): removed.append(from.row)
                case (false, true): added.append(to.row)
                case (false, false): break
                }
                from.row += 1
                to.row += 1
            }
        }
        found += removed.map { (keys[$0], .removed) } + added.map { (otherKeys[$0], .added) }
        try survey?.gone?.takeRemoved(removed, from)
        try survey?.gone?.takeAdded(added, to)
        for index in try differing(both, compared) { found.append((keys[both.rows[index]], .changed)) }
        for object in found.sorted(by: { $0.key < $1.key }) where !isStopped { try tell(object.key, object.kind) }
        if from.row == keys.count { from.advance() }
        if to.row == otherKeys.count { to.advance() }
    }

    private func isSuspect(_ key: Int64) -> Bool {
        suspects?.containsSorted(key) ?? true
    }

    /// The pairs of which a property differs, ascending; counts them by property.
    private mutating func differing(_ both: RowPairs, _ compared: [Int]) throws -> [Int] {
        guard both.count > 0 else { return [] }
        var differs = [Bool](repeating: false, count: both.count)
        var changes: [LossSurvey.Change] = []
        for index in compared where try !isSameSegment(pairs[index]) {
            let (array, other) = (try from.column(pairs[index].property), try to.column(pairs[index].other))
            let places = try Self.differing(array, other, pairs[index], both)
            guard !places.isEmpty else { continue }
            for place in places { differs[place] = true }
            counts[index].changed += places.count
            if other.validity != nil {
                counts[index].toNull += places.reduce(0) { $0 + (other.isNull(both.others[$1]) ? 1 : 0) }
            }
            // A survey holds values of one kind against each other.
            if survey?.isRelinked(pairs[index]) == true { continue }
            changes.append(LossSurvey.Change(pair: pairs[index], places: places))
        }
        try survey?.take(both, changes, from, to)
        return differs.indices.filter { differs[$0] }
    }

    private static func differing(
        _ array: ColumnArray, _ other: ColumnArray, _ pair: PropertyPair, _ both: RowPairs
    ) throws -> [Int] {
        if let parts = pair.parts {
            var own = pair
            own.parts = nil
            let places = Set(try differing(array, other, own, both))
            return (0..<both.count).filter { places.contains($0) || other.links(both.others[$0], toAnyOf: parts) }
        }
        guard !pair.hasSameType else {
            guard let places = array.differing(from: other, at: both) else {
                throw ColumnError.damaged(what: "arrays of one type in two layouts", offset: 0)
            }
            return places
        }
        return try (0..<both.count).filter {
            try array.value(at: both.rows[$0], as: pair.oldType) != other.value(at: both.others[$0], as: pair.newType)
        }
    }

    private mutating func tell(_ key: Int64, _ kind: ObjectDifference.Kind) throws {
        switch kind {
        case .added: difference.added += 1
        case .removed: difference.removed += 1
        case .changed: difference.changed += 1
        }
        isStopped = try !report(ObjectDifference(key: key, kind))
    }
}
