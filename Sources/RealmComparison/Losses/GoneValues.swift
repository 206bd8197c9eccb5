import Columns
import RealmModel

/// The values of objects that are gone: which of the objects have one that no object of another class has taken over.
///
/// Words are compared by their hashes, a part of them in each of some passes, so that memory is bounded.
struct GoneValues {
    /// Different words of a pass.
    private static let wordLimit = 1 << 21
    private static let passLimit = 16

    /// Which values of an object tell of it, and which of these are missing: a bit for each column, and one for all from the 64th.
    struct Row {
        fileprivate(set) var told: UInt64 = 0
        fileprivate(set) var missing: UInt64 = 0

        /// Whether nothing is left of the object; a single value may have become another.
        var isWhole: Bool { missing == told && told.nonzeroBitCount > 1 }

        fileprivate static func bit(_ column: Int) -> UInt64 { 1 << UInt64(min(column, 63)) }
    }

    private let stored: StoredClass
    private let gone: LossCandidate.Gone
    private let isOwned: Bool
    private let store: any SegmentStore

    /// - Parameters:
    ///   - stored: the class before.
    ///   - isOwned: whether objects that stay had them as parts, and say where each value is.
    init(_ stored: StoredClass, _ gone: LossCandidate.Gone, isOwned: Bool, store: any SegmentStore) {
        self.stored = stored
        self.gone = gone
        self.isOwned = isOwned
        self.store = store
    }

    /// The values of each object that are missing in some places.
    ///
    /// - Parameter isOfClass: whether a place is the class itself.
    /// - Returns: nil where there is too much to compare.
    func rows(
        in places: [ElsewhereSearch.Place], isOfClass: (ElsewhereSearch.Place) -> Bool, _ isCancelled: () -> Bool
    ) throws -> [Row]? {
        let cells = places.reduce(0) { $0 + $1.stored.objectCount * $1.columns.count }
        let passes = 1 + 2 * cells / Self.wordLimit
        guard passes <= Self.passLimit else { return nil }
        let reader = try ClassReader(stored, store: store)
        let rowCount = reader.rowGroups.reduce(0) { $0 + $1.rowCount }
        var rows = [Row](repeating: Row(), count: rowCount)
        for pass in 0..<passes {
            let isOfPass = { (word: UInt64) in word % UInt64(passes) == UInt64(pass) }
            guard let words = try words(of: places, isOfClass, isOfPass, isCancelled) else { return nil }
            try look(reader, isCancelled) { row, column, telling in
                if !telling.isEmpty { rows[row].told |= Row.bit(column) }
                if telling.contains(where: { isOfPass($0) && !words.contains($0) }) {
                    rows[row].missing |= Row.bit(column)
                }
            }
        }
        return rows
    }

    /// The values that are missing where each object is in one of several classes, but for those that say in which.
    ///
    /// - Parameter classes: the values that are missing in each.
    func parted(among classes: [[Row]], _ isCancelled: () -> Bool) throws -> [Row] {
        guard var rows = classes.first else { return [] }
        var homes = [Int64](repeating: 1, count: rows.count)
        for (number, others) in classes.enumerated() {
            for row in rows.indices where number > 0 {
                let (count, least) = (others[row].missing.nonzeroBitCount, rows[row].missing.nonzeroBitCount)
                if count < least { (rows[row], homes[row]) = (others[row], Int64(number) + 1) }
                // It may be in either.
                if count == least { homes[row] = 0 }
            }
        }
        var kinds: [Int: Recoding] = [:]
        try look(ClassReader(stored, store: store), isCancelled) { row, column, telling in
            guard rows[row].missing & Row.bit(column) != 0, homes[row] > 0 else { return }
            let value = telling.reduce(0, ^)
            kinds[column, default: Recoding()].note(.int(Int64(bitPattern: value | 1)), .int(homes[row]))
        }
        let bits = kinds.filter { $1.isRecoding }.keys.reduce(UInt64(0)) { $0 | Row.bit($1) }
        for row in rows.indices { rows[row].missing &= ~bits }
        return rows
    }

    /// The objects of which a value is missing, or that have nothing that tells one from another.
    func lost(_ missing: [Row], _ isCancelled: () -> Bool) throws -> LostObjects {
        var rows = missing
        let reader = try ClassReader(stored, store: store)
        // Of objects that have flags and links alone nobody can say which they are.
        let isUntoldLost = !(isOwned && stored.schema.isEmbedded)
        try look(reader, isCancelled) { row, column, _ in
            if isUntoldLost, rows[row].told == 0 { rows[row].missing = Row.bit(column) }
        }
        // Where most objects are gone, one of a single value has another's by chance.
        if rows.count(where: { $0.missing != 0 }) * 2 > rows.count(where: { $0.told != 0 || $0.missing != 0 }) {
            for row in rows.indices where rows[row].told.nonzeroBitCount == 1 { rows[row].missing = rows[row].told }
        }
        return try lost(reader, rows)
    }

    /// The words of some places, as far as they are of a pass; nil where they are too many.
    private func words(
        of places: [ElsewhereSearch.Place], _ isOfClass: (ElsewhereSearch.Place) -> Bool,
        _ isOfPass: (UInt64) -> Bool, _ isCancelled: () -> Bool
    ) throws -> Set<UInt64>? {
        var (found, numbers): (Set<UInt64>, Set<UInt64>) = ([], [])
        var marks: Set<[UInt8]> = []
        var words = ValueWords()
        for (place, column) in places.flatMap({ place in place.columns.map { (place, $0) } }) {
            let type = ColumnType(place.stored.schema.properties[column])
            words.removeAll()
            // A name may be what a key was.
            if isOwned { words.add(text: place.stored.schema.properties[column].name.utf8) }
            found.formUnion(words.words.filter(isOfPass))
            guard type.element != .bool else { continue }
            let isKey =
                place.stored.schema.primaryKey?.hasSameBytes(as: place.stored.schema.properties[column].name) == true
            let firstKey = place.firstKey(of: column, isOfClass: isOfClass(place))
            try ColumnPass(place.stored, column, store).run(from: firstKey, isCancelled) { array, _, rows in
                for row in rows {
                    words.removeAll()
                    let value = try array.value(at: row, as: type)
                    words.add(value)
                    found.formUnion((words.words + words.exactNumbers).filter(isOfPass))
                    guard isKey, marks.count < 2, let (mark, number) = value.markedNumber else { continue }
                    marks.insert(mark)
                    numbers.formUnion(ValueWords.telling(.int(number)).filter(isOfPass))
                }
                return found.count <= 2 * Self.wordLimit
            }
        }
        // With other marks a number may be that of another class's object.
        if marks.count == 1 { found.formUnion(numbers) }
        return found.count > 2 * Self.wordLimit ? nil : found
    }

    /// Gives the row, counted from the first of all row groups, the column, and what tells of each value that is not empty.
    private func look(
        _ reader: ClassReader, _ isCancelled: () -> Bool, _ look: (Int, Int, [UInt64]) -> Void
    ) throws {
        var start = 0
        for (number, group) in reader.rowGroups.enumerated() {
            if isCancelled() { throw Rehearsal.Cancelled() }
            let rows = try goneRows(of: reader, number)
            for (index, property) in stored.schema.properties.enumerated() where !rows.isEmpty {
                let (array, type) = (try reader.column(index, inGroup: number), ColumnType(property))
                for row in rows where try !array.isEmpty(at: row, as: type) {
                    // Links lead to other objects now.
                    let telling = property.type == .object ? [] : ValueWords.telling(try array.value(at: row, as: type))
                    look(start + row, index, telling)
                }
            }
            start += group.rowCount
        }
    }

    private func goneRows(of reader: ClassReader, _ number: Int) throws -> [Int] {
        let rows = reader.rowGroups[number].liveRows
        guard case .some(let keys) = gone, !rows.isEmpty else { return rows }
        let all = try reader.keys(inGroup: number)
        return rows.filter { keys.index(ofKey: all[$0]) != nil }
    }

    private func lost(_ reader: ClassReader, _ rows: [Row]) throws -> LostObjects {
        var lost = LostObjects()
        let properties = stored.schema.properties
        let texts = properties.indices.filter { !ColumnType(properties[$0]).isNumber }.reduce(UInt64(0)) {
            $0 | Row.bit($1)
        }
        var start = 0
        for (number, group) in reader.rowGroups.enumerated() {
            let ofGroup = rows[start..<(start + group.rowCount)]
            if ofGroup.contains(where: { $0.missing != 0 }) {
                let keys = try reader.keys(inGroup: number)
                for (key, row) in zip(keys, ofGroup) where row.missing != 0 {
                    lost.all.add(key, isWhole: row.isWhole)
                    // Numbers are found by chance.
                    guard case .all = gone, row.told & ~row.missing & texts != 0 else {
                        lost.others.add(key, isWhole: row.isWhole)
                        continue
                    }
                    for column in properties.indices where row.missing & Row.bit(column) != 0 {
                        lost.values[column, default: LostValues()].add(key)
                    }
                }
            }
            start += group.rowCount
        }
        for column in lost.values.keys { lost.totals[column] = rows.count { $0.told & Row.bit(column) != 0 } }
        return lost
    }
}

/// Objects of a class that are lost, or some of their values.
struct LostObjects {
    fileprivate(set) var all = LostValues()
    /// Those of which not enough is found to say that they are there.
    fileprivate(set) var others = LostValues()
    /// The lost values of those that are there, by column.
    fileprivate(set) var values: [Int: LostValues] = [:]
    /// How many objects had one, by column.
    fileprivate(set) var totals: [Int: Int] = [:]
}

extension Value {
    /// The number in a text that has no other digits, with the bytes around it; nil of any other value.
    fileprivate var markedNumber: (mark: [UInt8], number: Int64)? {
        guard case .string(let text) = self else { return nil }
        let runs = text.utf8.split { !ValueWords.isDigit($0) }
        guard runs.count == 1, let number = Int64(String(decoding: runs[0], as: UTF8.self)) else { return nil }
        return (text.utf8.filter { !ValueWords.isDigit($0) }, number)
    }
}
