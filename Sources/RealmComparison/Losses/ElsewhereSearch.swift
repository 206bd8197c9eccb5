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
    private let contents: ObjectContents

    /// - Parameters:
    ///   - places: those that the migration may have moved values to.
    ///   - snapshot: the realm after it.
    init(in places: [Place], of snapshot: Snapshot, store: any SegmentStore) {
        self.places = places
        self.store = store
        contents = ObjectContents(snapshot, store: store)
    }

    /// How much of the values of a loss is there: all of it in objects that are linked with those that had it, and parts where they
    /// are in a class that has no links with theirs, so that nobody can tell whose they are.
    func find(_ candidate: LossCandidate, isCancelled: () -> Bool) throws -> Remainder {
        switch candidate.loss.kind {
        case .wrongType, .inexact, .nullToZero, .rounded, .truncated, .exchanged, .unfilled: return .none
        default: break
        }
        let places = places.filter {
            $0.hasNewObjects || !$0.stored.schema.name.hasSameBytes(as: candidate.newClassName)
        }
        if places.contains(where: { $0.isLinkedBack(from: candidate) }) { return .all }
        if candidate.property.map({ ColumnType($0) }) == ColumnType(.bool) {
            return try hasSameFlags(candidate, in: places, isCancelled) ? .parts : .none
        }
        guard !candidate.sought.isEmpty else { return .none }
        var found = Remainder.none
        for place in places where try has(candidate, in: place, isCancelled) {
            // An object that is gone has no links.
            let links = candidate.property == nil ? nil : links(of: candidate, with: place)
            guard let links else {
                found = .parts
                continue
            }
            if try isLinked(candidate, links, isCancelled) { return .all }
        }
        return found
    }

    // MARK: Links

    /// The properties by which objects of two classes are linked, by column.
    private struct Links {
        let place: Place
        var forward: [String]
        var back: [Int]
    }

    /// - Returns: nil where there are none.
    private func links(of candidate: LossCandidate, with place: Place) -> Links? {
        let name = place.stored.schema.name
        let forward = contents.properties(of: candidate.newClassName, linkingTo: name)
        let back = place.stored.schema.properties.indices.filter { index in
            let property = place.stored.schema.properties[index]
            return property.type == .object && property.objectType?.hasSameBytes(as: candidate.newClassName) == true
        }
        return forward.isEmpty && back.isEmpty ? nil : Links(place: place, forward: forward, back: back)
    }

    /// Whether nearly all values are in objects that are linked with those that had them.
    private func isLinked(_ candidate: LossCandidate, _ links: Links, _ isCancelled: () -> Bool) throws -> Bool {
        let className = links.place.stored.schema.name
        var others = try objects(linkedTo: Set(candidate.sought.map(\.key)), by: links, isCancelled)
        var found = 0
        for sought in candidate.sought {
            let keys = try contents.links(from: sought.key, candidate.newClassName, by: links.forward)
            others[sought.key, default: []] += keys
            var words = ValueWords()
            for key in others[sought.key, default: []].prefix(ValueWords.elementLimit) {
                for value in try contents.values(of: key, className, withLinks: true) { words.add(value) }
            }
            if sought.words.allSatisfy({ words.words.contains($0) || words.numbers.contains($0) }) { found += 1 }
        }
        return found * 100 >= candidate.sought.count * Self.foundPercent
    }

    /// The keys of the objects that link to others, by the keys of these.
    private func objects(
        linkedTo keys: Set<Int64>, by links: Links, _ isCancelled: () -> Bool
    ) throws -> [Int64: [Int64]] {
        var found: [Int64: [Int64]] = [:]
        let stored = links.place.stored
        let reader = try ClassReader(stored, store: store)
        for column in links.back {
            let type = ColumnType(stored.schema.properties[column])
            try ColumnPass(stored, column, store).run(isCancelled) { array, number, rows in
                let rowKeys = try reader.keys(inGroup: number)
                for row in rows where !array.isNull(row) {
                    for key in try array.value(at: row, as: type).linkedKeys where keys.contains(key) {
                        found[key, default: []].append(rowKeys[row])
                    }
                }
                return true
            }
        }
        return found
    }

    /// Whether the words of nearly all values are in the columns of one class.
    private func has(_ candidate: LossCandidate, in place: Place, _ isCancelled: () -> Bool) throws -> Bool {
        let sought = candidate.sought
        // The other objects of the class had their values before.
        let isOfClass = place.stored.schema.name.hasSameBytes(as: candidate.newClassName)
        var missing = Set(sought.flatMap(\.words))
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
            let found = sought.reduce(0) { $0 + ($1.words.allSatisfy { !missing.contains($0) } ? 1 : 0) }
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

extension Value {
    /// The keys of the objects that it links to.
    var linkedKeys: [Int64] {
        switch self {
        case .link(let key): [key.value]
        case .list(let elements): elements.flatMap(\.linkedKeys)
        case .dictionary(let entries): entries.flatMap(\.value.linkedKeys)
        default: []
        }
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
