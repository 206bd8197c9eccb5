import Columns
import RealmModel

/// Values in objects that are linked with those that had them.
extension ElsewhereSearch {
    /// The properties by which objects of two classes are linked, by column.
    struct Links {
        let place: Place
        var forward: [String]
        var back: [Int]
    }

    /// An object that is linked with another one.
    private struct Linked {
        let place: Place
        let key: Int64
        /// The link that leads to it; nil where it links itself.
        var link: PlacedLink?
        /// How many objects lie between them.
        var distance = 0

        func isOf(_ className: String?) -> Bool { className?.hasSameBytes(as: place.stored.schema.name) == true }
    }

    /// - Returns: nil where there are none.
    func links(of candidate: LossCandidate, with place: Place) -> Links? {
        let name = place.stored.schema.name
        let forward = contents.properties(of: candidate.newClassName, linkingTo: name)
        let back = place.stored.schema.properties.indices.filter { index in
            let property = place.stored.schema.properties[index]
            return property.type == .object && property.objectType?.hasSameBytes(as: candidate.newClassName) == true
        }
        return forward.isEmpty && back.isEmpty ? nil : Links(place: place, forward: forward, back: back)
    }

    /// Whether nearly all values of the sample are in objects that are linked with those that had them, or in these.
    func isLinked(_ candidate: LossCandidate, _ links: [Links], _ isCancelled: () -> Bool) throws -> Bool {
        let back = try objects(linkedTo: Set(candidate.sought.map(\.key)), by: links, isCancelled)
        let told = try candidate.sought.filter { sought in
            let back = back[sought.key] ?? []
            var found = ValueWords()
            // Of the values that are looked for links don't say their classes.
            for other in back where other.isOf(candidate.property?.linkTarget) {
                found.add(.link(ObjectKey(other.key)))
            }
            for other in try objects(of: sought.key, candidate, links, back) {
                for value in try contents.values(of: other.key, other.place.stored.schema.name, withLinks: true) {
                    found.add(value)
                    for key in value.linkedKeys { found.add(.link(ObjectKey(key))) }
                }
            }
            for (_, value) in try own(candidate).map({ try fresh(in: $0, of: sought.key, candidate) }) ?? [] {
                found.add(value)
            }
            return sought.isTold(found.tells)
        }
        return told.count * 100 >= candidate.sought.count * Self.foundPercent
    }

    /// The class that had the values.
    func own(_ candidate: LossCandidate) -> Place? {
        places.first { $0.stored.schema.name.hasSameBytes(as: candidate.newClassName) }
    }

    /// The values that the object of a loss has in columns that changed, as far as it had them not there before.
    private func fresh(in own: Place, of key: Int64, _ candidate: LossCandidate) throws -> [(Int, Value)] {
        let columns = own.changed.sorted()
        let values = try contents.values(of: key, candidate.newClassName, in: columns)
        return try zip(columns, values).map { column, value in
            if let naming = candidate.naming, naming.column == column, !naming.wereLinks {
                return (column, try contents.named(value, of: naming.target, by: naming.name))
            }
            let name = own.stored.schema.properties[column].name
            guard let old = from[candidate.loss.className]?.index(of: name) else { return (column, value) }
            return (column, value.without(try oldContents.values(of: key, candidate.loss.className, in: [old]).first))
        }
    }

    /// The objects that are linked with one, and new ones that these lead to.
    ///
    /// - Parameter back: those that link to it.
    private func objects(
        of key: Int64, _ candidate: LossCandidate, _ links: [Links], _ back: [Linked]
    ) throws -> [Linked] {
        var found = back
        for links in links {
            found += try contents.links(from: key, candidate.newClassName, by: links.forward).map {
                Linked(place: links.place, key: $0.key, link: $0)
            }
        }
        var number = 0
        while number < min(found.count, ValueWords.elementLimit) {
            let one = found[number]
            number += 1
            let name = one.place.stored.schema.name
            guard one.distance < Self.distanceLimit, one.key >= one.place.firstNewKey else { continue }
            for links in onward[NameKey(name)] ?? [] {
                for link in try contents.links(from: one.key, name, by: links.forward)
                where link.key >= links.place.firstNewKey {
                    let isKnown = found.contains { $0.key == link.key && $0.place.parent == links.place.parent }
                    guard !isKnown else { continue }
                    let link = one.link.map { link.below($0) } ?? link
                    found.append(Linked(place: links.place, key: link.key, link: link, distance: one.distance + 1))
                }
            }
        }
        return Array(found.prefix(ValueWords.elementLimit))
    }

    /// The objects that link to others, by the keys of these.
    private func objects(
        linkedTo keys: Set<Int64>, by links: [Links], _ isCancelled: () -> Bool
    ) throws -> [Int64: [Linked]] {
        var found: [Int64: [Linked]] = [:]
        for (place, column) in links.flatMap({ links in links.back.map { (links.place, $0) } }) {
            let reader = try ClassReader(place.stored, store: store)
            let type = ColumnType(place.stored.schema.properties[column])
            try ColumnPass(place.stored, column, store).run(isCancelled) { array, number, rows in
                let rowKeys = try reader.keys(inGroup: number)
                for row in rows where !array.isNull(row) {
                    for key in try array.value(at: row, as: type).linkedKeys where keys.contains(key) {
                        found[key, default: []].append(Linked(place: place, key: rowKeys[row]))
                    }
                }
                return true
            }
        }
        return found
    }
}

extension ElsewhereSearch {
    /// Objects whose links are looked up in one pass over the class that may link to them.
    private static let chunkSize = 1 << 16

    /// The values that are neither in objects that are linked with those that had them, nor in these, by another property that changed.
    ///
    /// - Returns: nil where row groups would be read again and again.
    func unlinked(
        _ candidate: LossCandidate, _ links: [Links], _ isCancelled: () -> Bool
    ) throws -> (lost: LostValues, map: PlaceMap, filled: Int)? {
        guard let stored = from[candidate.loss.className], let property = candidate.property,
            let column = stored.index(of: property.name)
        else { return nil }
        let reader = try ClassReader(stored, store: store)
        let groups = try links.reduce(reader.rowGroups.count) {
            $0 + (try ClassReader($1.place.stored, store: store).rowGroups.count)
        }
        let limit = contents.groupCount + 256 + 8 * groups
        var (lost, map) = (LostValues(), PlaceMap())
        var filled = FilledLinks(property.linkTarget == nil || property.collection != .none ? [] : newLinks(candidate))
        var chunk: [Int] = []
        var size = 0
        for (number, group) in reader.rowGroups.enumerated() {
            if isCancelled() { throw Rehearsal.Cancelled() }
            // The last one may be empty, and those before it are looked at all the same.
            if group.rowCount > 0 { chunk.append(number) }
            size += group.rowCount
            guard size >= Self.chunkSize || number == reader.rowGroups.count - 1 else { continue }
            let keys = links.allSatisfy(\.back.isEmpty) ? [] : Set(try chunk.flatMap { try reader.keys(inGroup: $0) })
            let others = keys.isEmpty ? [:] : try objects(linkedTo: keys, by: links, isCancelled)
            for number in chunk {
                let (array, keys) = (try reader.column(column, inGroup: number), try reader.keys(inGroup: number))
                for row in reader.rowGroups[number].liveRows {
                    let value = try oldContents.expanded(
                        try array.value(at: row, as: ColumnType(property)), of: property.objectType)
                    let back = others[keys[row]] ?? []
                    if !filled.isEmpty {
                        let links = try contents.values(of: keys[row], candidate.newClassName, in: filled.columns)
                        filled.note(links, wasEmpty: value.isHollow)
                    }
                    if try !has(value, of: keys[row], candidate, links, back, column, &map) {
                        lost.add(keys[row], value, nil)
                    }
                }
                guard contents.groupCount <= limit, !oldContents.isOverfull(property.linkTarget) else { return nil }
            }
            (chunk, size) = ([], 0)
        }
        return (lost, map, filled.count)
    }

    /// The columns of single links that an object may have in place of one that it had.
    private func newLinks(_ candidate: LossCandidate) -> [Int] {
        guard let own = own(candidate) else { return [] }
        return own.changed.sorted().filter { column in
            let property = own.stored.schema.properties[column]
            return property.collection == .none && property.linkTarget.map(contents.isEmbedded) == false
        }
    }

    /// Whether all of a value is in what is new in objects that are linked with the one that had it, or in that one; if so, notes where.
    private func has(
        _ value: Value, of key: Int64, _ candidate: LossCandidate, _ links: [Links], _ back: [Linked], _ column: Int,
        _ map: inout PlaceMap
    ) throws -> Bool {
        if value.isHollow { return true }
        guard let property = candidate.property else { return false }
        let target = property.linkTarget
        let parts = target.flatMap { oldContents.isPart($0) ? oldContents.schema($0) : nil }
        let linking = back.filter { $0.isOf(target) }
        if parts == nil, !linking.isEmpty, value.linkedKeys.allSatisfy({ key in linking.contains { $0.key == key } }) {
            return true
        }
        if let column = candidate.relinked,
            try contents.values(of: key, candidate.newClassName, in: [column]) == [.null]
        {
            return true
        }
        var (words, placed) = (NamedWords(), PlacedValues(contents))
        let others = try objects(of: key, candidate, links, back)
        for other in others { try add(other, to: &words, &placed) }
        func isThere(_ value: Value, _ parts: ObjectSchema?) -> Bool {
            let sought = parts == nil ? value.linking(to: target) : value
            guard words.have(sought, ColumnType(property), hasParts: target != nil) else { return false }
            return parts.map { words.have(PartColumns(sought, property, $0)) } ?? true
        }
        var found = value
        if !isThere(value, parts) {
            if let own = own(candidate) { add(own, try fresh(in: own, of: key, candidate), to: &words, &placed) }
            // The values of the object to which a link led are as good as the link, where there is none to another one.
            if !isThere(value, parts) {
                guard let target, parts == nil, !placed.all.contains(where: { $0.value.links(to: target) }) else {
                    return false
                }
                found = try oldContents.opened(value, of: target)
                if !isThere(found, oldContents.schema(target)) {
                    guard let named = try name(of: value, candidate), isThere(named, nil) else { return false }
                    found = named
                }
            }
        }
        var old = PlacedValues(oldContents)
        old.add(found, property, column: column, root: column)
        let mayBeParted = others.count > back.count + 1 || old.all.contains(where: \.value.isCollection)
        let dropped = mayBeParted ? try dropped(candidate, but: column, of: key) : []
        map.note(old.all, besides: dropped, in: placed.all, of: key)
        return true
    }

    /// The names of the objects that links led to, where these tell one from another.
    private func name(of value: Value, _ candidate: LossCandidate) throws -> Value? {
        guard let naming = candidate.naming, naming.wereLinks, let ambiguous = naming.ambiguous else { return nil }
        let named = try oldContents.named(value, of: naming.target, by: naming.name)
        return named.leaves.contains { ambiguous.contains($0.hash) } ? nil : named
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

    /// Adds what a linked object may have taken over: all that a new one has, and what an old one had otherwise.
    private func add(_ linked: Linked, to words: inout NamedWords, _ placed: inout PlacedValues) throws {
        let place = linked.place
        let isNew = linked.key >= place.firstNewKey
        let columns = isNew ? Array(place.stored.schema.properties.indices) : place.changed.sorted()
        let values = try contents.values(of: linked.key, place.stored.schema.name, in: columns)
        add(place, Array(zip(columns, values)), by: linked.link, to: &words, &placed)
    }

    private func add(
        _ place: Place, _ values: [(Int, Value)], by link: PlacedLink? = nil, to words: inout NamedWords,
        _ placed: inout PlacedValues
    ) {
        let parent = link.map { PlacedValues.below(place.parent, $0.place) } ?? place.parent
        let properties = place.stored.schema.properties
        for (column, value) in values {
            let target = properties[column].linkTarget
            let isPart = target.map(contents.isEmbedded) ?? false
            words.add(isPart ? value : value.linking(to: target), named: properties[column].name, at: link?.name)
            // No other class's column has it.
            let root = Int(truncatingIfNeeded: PlacedValues.below(parent, UInt64(column)))
            let whole = link?.name.map { PlaceName(parent: place.parent, name: $0) }
            placed.add(
                value, properties[column], column: column, root: root, spot: link?.spot, parent: parent, whole: whole)
        }
    }
}

/// Links where there was none, in columns that have one wherever there was one.
private struct FilledLinks {
    private(set) var columns: [Int]
    private var counts: [Int: Int] = [:]

    init(_ columns: [Int]) { self.columns = columns }

    var isEmpty: Bool { columns.isEmpty }

    /// - Parameter links: those of the columns.
    mutating func note(_ links: [Value], wasEmpty: Bool) {
        guard wasEmpty else {
            columns = zip(columns, links).filter { $1 != .null }.map(\.0)
            return
        }
        for (column, link) in zip(columns, links) where link != .null { counts[column, default: 0] += 1 }
    }

    var count: Int { columns.map { counts[$0] ?? 0 }.max() ?? 0 }
}

extension Value {
    /// The value with nothing in the place of what another one has there: its elements, or its entries.
    fileprivate func without(_ other: Value?) -> Value {
        switch (self, other) {
        case (.list(let elements), .list(let others)): .list(elements.without(others))
        case (.dictionary(let entries), .dictionary(let others)):
            .dictionary(entries.map { others.contains($0) ? DictionaryEntry($0.key, .null) : $0 })
        default: self == other ? .null : self
        }
    }
}
