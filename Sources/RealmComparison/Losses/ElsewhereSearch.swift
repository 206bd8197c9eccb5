import Columns
import RealmModel

/// Looks for values that are not in their objects any more in other classes: moved into embedded objects, into objects of their
/// own, or into a class that has each of them once.
struct ElsewhereSearch {
    /// Rows of a class that are looked at, at most: what is made of objects comes in their order.
    private static let rowLimit = 1_000_000
    /// The part of the values that has to be found, in percent: an example may be missing by chance.
    private static let foundPercent = 90

    /// Columns that a migration added or changed.
    struct Place {
        var stored: StoredClass
        var columns: [Int]
        /// Those of them that old objects had otherwise, too.
        var changed: Set<Int>
        /// Whether some of its objects were made.
        var hasNewObjects: Bool
        /// The key from which on its objects are new ones.
        var firstNewKey: Int64
    }

    private let places: [Place]
    private let store: any SegmentStore

    /// - Parameter places: those that the migration may have moved values to.
    init(in places: [Place], store: any SegmentStore) {
        self.places = places
        self.store = store
    }

    /// Whether the values of a loss are there.
    func finds(_ candidate: LossCandidate, isCancelled: () -> Bool) throws -> Bool {
        switch candidate.loss.kind {
        case .wrongType, .inexact, .nullToZero, .rounded, .truncated, .unfilled: return false
        default: break
        }
        let places = places.filter {
            $0.hasNewObjects || !$0.stored.schema.name.hasSameBytes(as: candidate.newClassName)
        }
        if places.contains(where: { $0.isLinkedBack(from: candidate) }) { return true }
        if candidate.property.map({ ColumnType($0) }) == ColumnType(.bool) {
            return try hasSameFlags(candidate, in: places, isCancelled)
        }
        guard !candidate.sought.isEmpty else { return false }
        for place in places where try has(candidate, in: place, isCancelled) { return true }
        return false
    }

    /// Whether the words of nearly all values are in the columns of one class.
    private func has(_ candidate: LossCandidate, in place: Place, _ isCancelled: () -> Bool) throws -> Bool {
        let sought = candidate.sought
        // The other objects of the class had their values before.
        let isOfClass = place.stored.schema.name.hasSameBytes(as: candidate.newClassName)
        var missing = Set(sought.joined())
        for column in place.columns {
            var rowCount = 0
            let type = ColumnType(place.stored.schema.properties[column])
            guard type.element != .bool else { continue }
            let firstKey = isOfClass || !place.changed.contains(column) ? place.firstNewKey : .min
            var words = ValueWords()
            try ColumnPass(place.stored, column, store).run(from: firstKey, isCancelled) { array, _, rows in
                for row in rows {
                    words.removeAll()
                    words.add(try array.value(at: row, as: type))
                    for word in words.words { missing.remove(word) }
                    for number in words.numbers { missing.remove(number) }
                }
                rowCount += rows.count
                return !missing.isEmpty && rowCount < Self.rowLimit
            }
            let found = sought.reduce(0) { $0 + ($1.allSatisfy { !missing.contains($0) } ? 1 : 0) }
            if found * 100 >= sought.count * Self.foundPercent { return true }
        }
        return false
    }

    /// Flags are told by how many of them are set alone.
    private func hasSameFlags(
        _ candidate: LossCandidate, in places: [Place], _ isCancelled: () -> Bool
    ) throws -> Bool {
        for place in places {
            for column in place.columns where ColumnType(place.stored.schema.properties[column]) == ColumnType(.bool) {
                var count = 0
                try ColumnPass(place.stored, column, store).run(isCancelled) { array, _, rows in
                    count += try array.filledCount(rows, as: ColumnType(.bool)).filled
                    return count <= candidate.loss.objects.count
                }
                if count == candidate.loss.objects.count { return true }
            }
        }
        return false
    }
}

extension ElsewhereSearch.Place {
    /// Whether links that a class had lead the other way now, from objects of the class that they led to.
    fileprivate func isLinkedBack(from candidate: LossCandidate) -> Bool {
        guard let target = candidate.property?.objectType, target.hasSameBytes(as: stored.schema.name) else {
            return false
        }
        return columns.contains { column in
            let property = stored.schema.properties[column]
            return property.type == .object && property.objectType?.hasSameBytes(as: candidate.newClassName) == true
        }
    }
}
