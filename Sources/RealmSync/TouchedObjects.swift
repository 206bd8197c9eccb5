import Columns
import RealmModel

/// The objects of a class that a batch made, changed or deleted, by their keys.
struct TouchedObjects {
    private var changed: Set<Int64> = []
    /// Ascending: many are made at once, with keys behind all others.
    private var made: [Int64] = []
    private var deleted: [Int64: Value] = [:]

    /// Notes objects that were there before, or that were made since.
    mutating func noteChanged(_ keys: some Sequence<Int64>) { changed.formUnion(keys) }

    /// Notes objects that were not there before.
    ///
    /// - Parameter keys: ascending.
    mutating func noteMade(_ keys: [Int64]) {
        let isBehind = made.last ?? .min < keys.first ?? .max
        made += keys
        if !isBehind { made.sort() }
    }

    /// Notes an object that is gone, with its primary key.
    mutating func noteDeleted(_ key: Int64, _ primaryKey: Value) {
        changed.remove(key)
        deleted[key] = primaryKey
    }

    /// Whether an object was made, and may be gone again.
    func hasMade(_ key: Int64) -> Bool { made.containsSorted(key) }

    /// The keys of those that were made or changed and are still there, ascending.
    var upserted: [Int64] {
        let there = deleted.isEmpty ? made : made.filter { deleted[$0] == nil }
        let others = made.isEmpty ? changed : changed.filter { !hasMade($0) }
        guard !others.isEmpty else { return there }
        return there.isEmpty ? others.sorted() : (there + others).sorted()
    }

    /// Those that were there before and are gone, in the order of their keys.
    var deletedOfOthers: [SnapshotDelta.DeletedObject] {
        deleted.filter { !hasMade($0.key) }.sorted { $0.key < $1.key }
            .map { SnapshotDelta.DeletedObject(key: $0.key, primaryKey: $0.value) }
    }
}
