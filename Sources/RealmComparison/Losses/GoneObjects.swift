import Columns
import RealmModel

/// Counts objects of a class that a migration deleted, but for those that it made anew with all that they had.
///
/// An object was made anew where a new one has the same values in all properties; one of several equal objects is not missed where
/// another of them is left. Holds a bounded number of hashes and keys.
final class GoneObjects {
    /// Objects whose values are compared, at most.
    private static let printLimit = 1 << 20
    private let from: StoredClass
    private let pairs: [(property: Int, other: Int)]
    private let dropped: [Int]
    private let old: ObjectContents
    private let new: ObjectContents
    /// Whether there may be new objects.
    private let mayBeMadeAnew: Bool
    /// Whether two objects may be equal.
    private let mayBeEqual: Bool
    private let to: StoredClass
    private var removed: [(key: Int64, print: Int, equal: Int)] = []
    private var added: [Int: Int] = [:]
    private(set) var removedCount = 0
    private(set) var addedCount = 0

    /// - Parameters:
    ///   - pairs: columns that both classes have.
    ///   - dropped: columns that the old one alone has.
    init(
        _ from: StoredClass, _ to: StoredClass, pairs: [(property: Int, other: Int)], dropped: [Int],
        old: ObjectContents, new: ObjectContents
    ) {
        self.from = from
        self.pairs = pairs
        self.dropped = dropped
        self.old = old
        self.new = new
        self.to = to
        mayBeMadeAnew = to.nextSequence > from.nextSequence
        mayBeEqual = from.schema.primaryKey == nil && dropped.isEmpty
    }

    /// Takes objects that are there no more.
    func takeRemoved(_ rows: [Int], _ cursor: RowGroupCursor) throws {
        removedCount += rows.count
        for row in rows.prefix(Self.printLimit - removed.count) {
            let print = mayBeMadeAnew ? try removedPrint(row, cursor) : 0
            let equal =
                mayBeEqual ? try self.print(row, cursor, pairs.map(\.property), old, withLinks: true).finalize() : 0
            removed.append((try cursor.key(ofRow: row), print, equal))
        }
    }

    /// Takes objects that were not there before.
    func takeAdded(_ rows: [Int], _ cursor: RowGroupCursor) throws {
        let left = Self.printLimit - addedCount
        addedCount += rows.count
        guard mayBeMadeAnew, left > 0 else { return }
        for row in rows.prefix(left) {
            added[try self.print(row, cursor, pairs.map(\.other), new).finalize(), default: 0] += 1
        }
    }

    private func removedPrint(_ row: Int, _ cursor: RowGroupCursor) throws -> Int {
        var hasher = try print(row, cursor, pairs.map(\.property), old)
        // No new object can have what the class has no place for.
        for property in dropped {
            let type = ColumnType(from.schema.properties[property])
            if try !cursor.column(property).isEmpty(at: row, as: type) { hasher.combine(property) }
        }
        return hasher.finalize()
    }

    /// The values of an object; objects that they link to stand there by their primary keys, else by their object keys or not at all.
    private func print(
        _ row: Int, _ cursor: RowGroupCursor, _ columns: [Int], _ contents: ObjectContents, withLinks: Bool = false
    ) throws -> Hasher {
        var hasher = Hasher()
        for (place, index) in columns.enumerated() {
            let property = cursor.reader.stored.schema.properties[index]
            let array = try cursor.column(index)
            var value = try array.value(at: row, as: ColumnType(property))
            if property.type == .object { value = try contents.named(value, of: property.objectType) }
            if property.type == .object, !withLinks { value = value.withoutLinks }
            hasher.combine(place)
            hasher.combine(value)
        }
        return hasher
    }

    // MARK: The end

    /// The objects that are gone with something that they had.
    ///
    /// - Returns: `keys` are those of all of them, ascending; nil where they are more than are looked at.
    func gone(_ store: any SegmentStore, isCancelled: () -> Bool) throws -> (objects: NamedObjects, keys: [Int64]?) {
        var (objects, left) = (NamedObjects(), added)
        var keys: [Int64] = []
        let equal = try printsLeft(store, isCancelled)
        for (key, print, own) in removed {
            if let count = left[print], count > 0 {
                left[print] = count - 1
            } else if !equal.contains(own) {
                objects.add(key)
                keys.append(key)
            }
        }
        // Where there are more than are looked at, the rest counts as these do.
        let others = removedCount - removed.count
        if others > 0, !keys.isEmpty || addedCount < removedCount {
            objects = NamedObjects(objects.count + others, first: objects.keys)
        }
        return (objects, objects.count == keys.count ? keys : nil)
    }
}

extension GoneObjects {
    /// Those of the objects that are gone that others have, which are still there.
    private func printsLeft(_ store: any SegmentStore, _ isCancelled: () -> Bool) throws -> Set<Int> {
        guard mayBeEqual, !removed.isEmpty else { return [] }
        let sought = Set(removed.map(\.equal))
        var found: Set<Int> = []
        var left = Self.printLimit
        let cursor = try RowGroupCursor(to, store: store)
        while let group = cursor.current, left > 0, found.count < sought.count {
            if isCancelled() { throw Rehearsal.Cancelled() }
            for row in group.liveRows.prefix(left) {
                left -= 1
                let print = try self.print(row, cursor, pairs.map(\.other), new, withLinks: true).finalize()
                if sought.contains(print) { found.insert(print) }
            }
            cursor.advance()
        }
        return found
    }
}

extension Value {
    /// The value with nothing in the place of links.
    fileprivate var withoutLinks: Value {
        switch self {
        case .link, .typedLink: .null
        case .list(let elements): .list(elements.map(\.withoutLinks))
        case .dictionary(let entries): .dictionary(entries.map { DictionaryEntry($0.key, $0.value.withoutLinks) })
        default: self
        }
    }
}
