import Columns
import RealmModel

/// Looks for values that are not in their objects any more in other classes: moved into embedded objects, into objects of their
/// own, or into a class that has each of them once.
struct ElsewhereSearch {
    /// Rows of a class that are looked at, at most: what is made of objects comes in their order.
    static let rowLimit = 1_000_000
    /// The part of the values that has to be found, in percent: an example may be missing by chance.
    static let foundPercent = 90
    /// New objects through which others are followed.
    static let distanceLimit = 3

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

    let places: [Place]
    /// The links from a class that may lead on to new objects, which its new objects may have taken with them.
    let onward: [NameKey: [Links]]
    let from: Snapshot
    let to: Snapshot
    let store: any SegmentStore
    let oldContents: ObjectContents
    let contents: ObjectContents

    /// - Parameters:
    ///   - places: those that the migration may have moved values to.
    ///   - from: the realm before it.
    ///   - to: the realm after it.
    init(in places: [Place], from: Snapshot, to: Snapshot, _ linked: LinkedObjects, store: any SegmentStore) {
        self.places = places
        (self.from, self.to) = (from, to)
        self.store = store
        (oldContents, contents) = (linked.old, linked.new)
        let contents = contents
        onward = Dictionary(
            places.map { place in
                let name = place.stored.schema.name
                let links = places.filter { $0.hasNewObjects && !$0.stored.schema.isEmbedded }.map {
                    Links(place: $0, forward: contents.properties(of: name, linkingTo: $0.stored.schema.name), back: [])
                }
                return (NameKey(name), links.filter { !$0.forward.isEmpty })
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Where the values of a loss are besides their objects.
    enum Whereabouts {
        /// Nowhere, as far as that can be told.
        case nowhere
        /// In a class that has no links with theirs, so that nobody can tell whose they are.
        case apart
        /// In objects that are linked with those that had them, or, where their objects are gone, in others: all but these. The map says
        /// in which properties they are, the number how many links are where there was none.
        case elsewhere(but: LostValues, PlaceMap, filled: Int)
        /// In objects of other classes, for objects that are gone: all but these.
        case gone(LostObjects)
    }

    /// Looks for the values of a loss: for a sample of them first, and where it is found for each.
    func find(_ loss: LossCandidate, isCancelled: () -> Bool) throws -> Whereabouts {
        switch loss.loss.kind {
        case .wrongType, .inexact, .nullToZero, .rounded, .truncated, .exchanged, .wrongTimeUnit, .unfilled:
            return .nowhere
        default: break
        }
        var candidate = try withContents(loss)
        let places = places.filter {
            $0.hasNewObjects || !$0.stored.schema.name.hasSameBytes(as: candidate.newClassName)
        }
        guard candidate.property != nil else { return try findObjects(candidate, in: places, isCancelled) }
        if candidate.property.map({ ColumnType($0) }) == ColumnType(.bool) {
            return try hasSameFlags(candidate, in: places, isCancelled) ? .apart : .nowhere
        }
        guard !candidate.sought.isEmpty else { return .nowhere }
        candidate.naming = try naming(of: candidate, isCancelled)
        // An embedded object is a part of its owner, and looked at with it: one that is written anew may be what it was.
        let others = places.filter { !$0.stored.schema.isEmbedded }
        let linked = others.compactMap { links(of: candidate, with: $0) }
        let mayBeLinked = !linked.isEmpty || candidate.property?.linkTarget != nil
        if try candidate.naming != nil || mayBeLinked && isLinked(candidate, linked, isCancelled) {
            // Else there is too much to read.
            return try unlinked(candidate, linked, isCancelled).map { .elsewhere(but: $0, $1, filled: $2) } ?? .apart
        }
        let isApart = try others.contains { place in
            try links(of: candidate, with: place) == nil && has(candidate, in: place, isCancelled)
        }
        return isApart ? .apart : .nowhere
    }

    /// Looks for the values of objects that are gone in the class that has most of them.
    private func findObjects(
        _ candidate: LossCandidate, in places: [Place], _ isCancelled: () -> Bool
    ) throws -> Whereabouts {
        guard let objects = candidate.gone, let stored = from[candidate.loss.className] else { return .nowhere }
        let isOfClass = { (place: Place) in place.stored.schema.name.hasSameBytes(as: candidate.newClassName) }
        // The values of a part may be parted: its owner says where each is, and where its flags are.
        let isOwned = from.classes.contains { owner in
            to.declared[owner.schema.name] != nil
                && !oldContents.properties(of: owner.schema.name, linkingTo: stored.schema.name).isEmpty
        }
        let together = stored.schema.isEmbedded || isOwned ? [places] : places.map { [$0] }
        let gone = GoneValues(stored, objects, isOwned: isOwned, store: store)
        var rows = try together.compactMap { places in
            try gone.rows(in: places, isOfClass: isOfClass, isCancelled).map { (places: places, rows: $0) }
        }
        let made = rows.filter { $0.places.count == 1 && $0.places[0].firstNewKey == .min }
        if made.count > 1, case .all = objects {
            rows.append((made.flatMap(\.places), try gone.parted(among: made.map(\.rows), isCancelled)))
        }
        let lost = try rows.map { try gone.lost($0.rows, isCancelled) }
        let least = lost.min { first, second in
            (first.all.objects.count, first.others.objects.count)
                < (second.all.objects.count, second.others.objects.count)
        }
        return least.map { .gone($0) } ?? .nowhere
    }

    /// A loss with the values of the objects that its links led to, as another way in which these may be written.
    private func withContents(_ candidate: LossCandidate) throws -> LossCandidate {
        guard let property = candidate.property, let target = property.linkTarget, !oldContents.isPart(target),
            let column = from[candidate.loss.className]?.index(of: property.name)
        else { return candidate }
        var opened = candidate
        for (number, sought) in candidate.sought.enumerated() {
            let values = try oldContents.values(of: sought.key, candidate.loss.className, in: [column])
            opened.sought[number].ways += try values.flatMap {
                ValueWords.ways(of: try oldContents.opened($0, of: target))
            }
        }
        return opened
    }

    /// Whether the words of nearly all values are in the columns of one class.
    private func has(_ candidate: LossCandidate, in place: Place, _ isCancelled: () -> Bool) throws -> Bool {
        let sought = candidate.sought
        let isOfClass = place.stored.schema.name.hasSameBytes(as: candidate.newClassName)
        var missing = Set(sought.flatMap(\.ways).joined())
        for column in place.columns {
            var rowCount = 0
            let type = ColumnType(place.stored.schema.properties[column])
            guard type != ColumnType(.bool) else { continue }
            let firstKey = place.firstKey(of: column, isOfClass: isOfClass)
            var words = ValueWords()
            try ColumnPass(place.stored, column, store).run(from: firstKey, isCancelled) { array, _, rows in
                for row in rows {
                    words.removeAll()
                    words.add(try array.value(at: row, as: type))
                    for word in words.words { missing.remove(word) }
                    for number in words.exactNumbers { missing.remove(number) }
                }
                rowCount += rows.count
                return !missing.isEmpty && rowCount < Self.rowLimit
            }
            let found = sought.reduce(0) { $0 + ($1.isTold { !missing.contains($0) } ? 1 : 0) }
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
    /// The key from which on the objects may have taken values over: the others had theirs before.
    ///
    /// - Parameter isOfClass: whether the values are of the same class.
    func firstKey(of column: Int, isOfClass: Bool) -> Int64 {
        isOfClass || !changed.contains(column) ? firstNewKey : .min
    }

    /// A number for the class.
    var parent: UInt64 {
        var hash = ByteHash()
        for byte in stored.schema.name.utf8 { hash.add(byte) }
        return hash.spread
    }
}
