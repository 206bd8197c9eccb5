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
    private let from: Snapshot
    private let to: Snapshot
    private let store: any SegmentStore
    private let oldContents: ObjectContents
    private let contents: ObjectContents

    /// - Parameters:
    ///   - places: those that the migration may have moved values to.
    ///   - from: the realm before it.
    ///   - to: the realm after it.
    init(in places: [Place], from: Snapshot, to: Snapshot, _ linked: LinkedObjects, store: any SegmentStore) {
        self.places = places
        (self.from, self.to) = (from, to)
        self.store = store
        (oldContents, contents) = (linked.old, linked.new)
    }

    /// Where the values of a loss are besides their objects.
    enum Whereabouts {
        /// Nowhere, as far as that can be told.
        case nowhere
        /// In a class that has no links with theirs, so that nobody can tell whose they are.
        case apart
        /// In objects that are linked with those that had them, or, where their objects are gone, in others: all but these. The map says
        /// in which properties they are.
        case elsewhere(but: LostValues, PlaceMap)
    }

    /// Looks for the values of a loss: for a sample of them first, and where it is found for each.
    func find(_ loss: LossCandidate, isCancelled: () -> Bool) throws -> Whereabouts {
        switch loss.loss.kind {
        case .wrongType, .inexact, .nullToZero, .rounded, .truncated, .exchanged, .unfilled: return .nowhere
        default: break
        }
        let candidate = try withContents(loss)
        let places = places.filter {
            $0.hasNewObjects || !$0.stored.schema.name.hasSameBytes(as: candidate.newClassName)
        }
        guard candidate.property != nil else { return try findObjects(candidate, in: places, isCancelled) }
        for place in places {
            let back = place.linksBack(from: candidate)
            guard !back.isEmpty else { continue }
            let found = try unlinked(candidate, Links(place: place, forward: [], back: back), isCancelled)
            if let (left, map) = found, left.objects.count * 2 <= candidate.loss.objects.count {
                return .elsewhere(but: left, map)
            }
        }
        if candidate.property.map({ ColumnType($0) }) == ColumnType(.bool) {
            return try hasSameFlags(candidate, in: places, isCancelled) ? .apart : .nowhere
        }
        guard !candidate.sought.isEmpty else { return .nowhere }
        var found = Whereabouts.nowhere
        // An embedded object is a part of its owner, and looked at with it: one that is written anew may be what it was.
        for place in places where try !place.stored.schema.isEmbedded && has(candidate, in: place, isCancelled) {
            guard let links = links(of: candidate, with: place) else {
                if case .nowhere = found { found = .apart }
                continue
            }
            guard try isLinked(candidate, links, isCancelled) else { continue }
            guard let (left, map) = try unlinked(candidate, links, isCancelled) else {
                // There is too much to read.
                if case .nowhere = found { found = .apart }
                continue
            }
            if case .elsewhere(let others, _) = found, others.objects.count <= left.objects.count { continue }
            found = .elsewhere(but: left, map)
        }
        return found
    }

    /// Looks for the values of objects that are gone in the class that has most of them.
    private func findObjects(
        _ candidate: LossCandidate, in places: [Place], _ isCancelled: () -> Bool
    ) throws -> Whereabouts {
        guard let gone = candidate.gone, let stored = from[candidate.loss.className] else { return .nowhere }
        let isOfClass = { (place: Place) in place.stored.schema.name.hasSameBytes(as: candidate.newClassName) }
        // The parts of an embedded object may be parted: its owner says where each is.
        let together = stored.schema.isEmbedded ? [places] : places.map { [$0] }
        let left = try together.compactMap {
            try GoneValues(stored, gone, store: store).missing(in: $0, isOfClass: isOfClass, isCancelled)
        }.min { $0.objects.count < $1.objects.count }
        guard let left, left.objects.count * 2 <= candidate.loss.objects.count else { return .nowhere }
        return .elsewhere(but: left, PlaceMap())
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

    /// Whether nearly all values of the sample are in objects that are linked with those that had them.
    private func isLinked(_ candidate: LossCandidate, _ links: Links, _ isCancelled: () -> Bool) throws -> Bool {
        let others = try objects(linkedTo: Set(candidate.sought.map(\.key)), by: links, isCancelled)
        let found = try candidate.sought.filter { sought in
            try isLinked(sought, candidate, links, others[sought.key] ?? [])
        }
        return found.count * 100 >= candidate.sought.count * Self.foundPercent
    }

    /// Whether the words of a value are in objects that are linked with the one that had it.
    ///
    /// - Parameter others: objects that link to it.
    private func isLinked(
        _ sought: SoughtValue, _ candidate: LossCandidate, _ links: Links, _ others: [Int64]
    ) throws -> Bool {
        let forward = try contents.links(from: sought.key, candidate.newClassName, by: links.forward).map(\.key)
        var found = ValueWords()
        for other in (others + forward).prefix(ValueWords.elementLimit) {
            for value in try contents.values(of: other, links.place.stored.schema.name, withLinks: true) {
                found.add(value)
                // Of the values that are looked for links don't say their classes.
                for key in value.linkedKeys { found.add(.link(ObjectKey(key))) }
            }
        }
        return sought.isTold(found.tells)
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
    fileprivate var parent: UInt64 {
        var hash = ByteHash()
        for byte in stored.schema.name.utf8 { hash.add(byte) }
        return hash.spread
    }

    /// The columns by which links that a class had lead the other way now, from objects of the class that they led to.
    fileprivate func linksBack(from candidate: LossCandidate) -> [Int] {
        guard let target = candidate.property?.objectType, target.hasSameBytes(as: stored.schema.name) else {
            return []
        }
        return columns.filter { column in
            let property = stored.schema.properties[column]
            return property.type == .object && property.objectType?.hasSameBytes(as: candidate.newClassName) == true
        }
    }
}

extension ElsewhereSearch {
    /// Objects whose links are looked up in one pass over the class that may link to them.
    private static let chunkSize = 1 << 16

    /// The values that are neither in objects that are linked with those that had them, nor in these, by another property that changed.
    ///
    /// - Returns: nil where row groups would be read again and again.
    private func unlinked(
        _ candidate: LossCandidate, _ links: Links, _ isCancelled: () -> Bool
    ) throws -> (lost: LostValues, map: PlaceMap)? {
        guard let stored = from[candidate.loss.className], let property = candidate.property,
            let column = stored.index(of: property.name)
        else { return nil }
        let reader = try ClassReader(stored, store: store)
        let own = places.first { $0.stored.schema.name.hasSameBytes(as: candidate.newClassName) }
        let groups = reader.rowGroups.count + (try ClassReader(links.place.stored, store: store).rowGroups.count)
        let limit = contents.groupCount + 256 + 8 * groups
        var (lost, map) = (LostValues(), PlaceMap())
        var chunk: [Int] = []
        var size = 0
        for (number, group) in reader.rowGroups.enumerated() {
            if isCancelled() { throw Rehearsal.Cancelled() }
            // The last one may be empty, and those before it are looked at all the same.
            if group.rowCount > 0 { chunk.append(number) }
            size += group.rowCount
            guard size >= Self.chunkSize || number == reader.rowGroups.count - 1 else { continue }
            let keys = links.back.isEmpty ? [] : Set(try chunk.flatMap { try reader.keys(inGroup: $0) })
            let others = keys.isEmpty ? [:] : try objects(linkedTo: keys, by: links, isCancelled)
            for number in chunk {
                let (array, keys) = (try reader.column(column, inGroup: number), try reader.keys(inGroup: number))
                for row in reader.rowGroups[number].liveRows {
                    let value = try oldContents.expanded(
                        try array.value(at: row, as: ColumnType(property)), of: property.objectType)
                    let back = others[keys[row]] ?? []
                    if try !has(value, of: keys[row], candidate, links, back, own, column, &map) {
                        lost.add(keys[row], value, nil)
                    }
                }
                guard contents.groupCount <= limit, !oldContents.isOverfull(property.linkTarget) else { return nil }
            }
            (chunk, size) = ([], 0)
        }
        return (lost, map)
    }

    /// Whether all of a value is in what is new in objects that are linked with the one that had it, or in that one; if so, notes where.
    private func has(
        _ value: Value, of key: Int64, _ candidate: LossCandidate, _ links: Links, _ others: [Int64], _ own: Place?,
        _ column: Int, _ map: inout PlaceMap
    ) throws -> Bool {
        if value.isHollow { return true }
        guard let property = candidate.property else { return false }
        let target = property.linkTarget
        let isPart = target.map(oldContents.isPart) ?? false
        if target != nil, !isPart, links.forward.isEmpty { return value.linkedKeys.allSatisfy(others.contains) }
        var (words, placed) = (NamedWords(), PlacedValues(contents))
        let forward = try contents.links(from: key, candidate.newClassName, by: links.forward)
        if let column = candidate.relinked,
            try contents.values(of: key, candidate.newClassName, in: [column]) == [.null]
        {
            return true
        }
        for other in others.prefix(ValueWords.elementLimit) {
            try add(links.place, of: other, to: &words, &placed)
        }
        for link in forward.prefix(max(ValueWords.elementLimit - others.count, 0)) {
            if let name = link.name { words.add(name: name) }
            try add(links.place, of: link.key, by: link, to: &words, &placed)
        }
        func isThere(_ value: Value, _ parts: ObjectSchema?) -> Bool {
            let sought = parts == nil ? value.linking(to: target) : value
            guard words.have(sought, ColumnType(property), hasParts: target != nil) else { return false }
            return parts.map { words.have(PartColumns(sought, property, $0)) } ?? true
        }
        var found = value
        let parts = target.flatMap(oldContents.schema)
        if !isThere(value, isPart ? parts : nil) {
            if let own { try add(own, columns: Array(own.changed), of: key, to: &words, &placed) }
            // The values of the object to which a link led are as good as the link.
            if let target, !isPart { found = try oldContents.opened(value, of: target) }
            guard isThere(value, isPart ? parts : nil) || !isPart && parts != nil && isThere(found, parts) else {
                return false
            }
        }
        var old = PlacedValues(oldContents)
        old.add(found, property, column: column, root: column)
        let mayBeParted = forward.count > 1 || old.all.contains(where: \.value.isCollection)
        let others = mayBeParted ? try dropped(candidate, but: column, of: key) : []
        map.note(old.all, besides: others, in: placed.all, of: key)
        return true
    }

    /// The values that an object had in the properties that are gone with that of a candidate.
    private func dropped(_ candidate: LossCandidate, but column: Int, of key: Int64) throws -> [PlacedValue] {
        let properties = from[candidate.loss.className]?.schema.properties ?? []
        let stored = to[candidate.newClassName]
        let columns = properties.indices.filter { $0 != column && stored?.index(of: properties[$0].name) == nil }
        let values = try oldContents.values(of: key, candidate.loss.className, in: columns)
        var old = PlacedValues(oldContents)
        for (column, value) in zip(columns, values) { old.add(value, properties[column], column: column, root: column) }
        return old.all
    }

    /// Adds what an object of a place may have taken over: all that a new one has, and what an old one had otherwise.
    private func add(
        _ place: Place, of key: Int64, by link: PlacedLink? = nil, to words: inout NamedWords,
        _ placed: inout PlacedValues
    ) throws {
        let columns = key < place.firstNewKey ? place.changed.sorted() : Array(place.stored.schema.properties.indices)
        try add(place, columns: columns, of: key, by: link, to: &words, &placed)
    }

    private func add(
        _ place: Place, columns: [Int], of key: Int64, by link: PlacedLink? = nil, to words: inout NamedWords,
        _ placed: inout PlacedValues
    ) throws {
        let parent = link.map { PlacedValues.below(place.parent, $0.place) } ?? place.parent
        let properties = place.stored.schema.properties
        for (column, value) in zip(columns, try contents.values(of: key, place.stored.schema.name, in: columns)) {
            let target = properties[column].linkTarget
            let isPart = target.map(contents.isEmbedded) ?? false
            words.add(isPart ? value : value.linking(to: target), named: properties[column].name)
            // No other class's column has it.
            let root = Int(truncatingIfNeeded: PlacedValues.below(parent, UInt64(column)))
            let whole = link?.name.map { PlaceName(parent: place.parent, name: $0) }
            placed.add(
                value, properties[column], column: column, root: root, spot: link?.spot, parent: parent, whole: whole)
        }
    }
}
