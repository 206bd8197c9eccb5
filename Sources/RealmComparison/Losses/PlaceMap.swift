import RealmModel

/// Which places took values over from which, over all objects of a class: one place before leads to one place after.
///
/// A place is a property, a member of an embedded or linked object, a key of a dictionary or, before, an element of a list. A script
/// may choose the new place by the object. Where it chooses one that another place's values have in other objects, nobody can tell
/// the two apart afterwards, and the values may be exchanged. Holds counters for some pairs of places.
struct PlaceMap {
    /// Places before, those of them that are elements or entries, and elements of one collection, at most.
    private static let limit = (sources: 1_024, elements: 512, inCollection: ElementSpot.limit)

    /// The fewest objects whose values changed places that did not do so by chance.
    private static let fewest = (numbers: 5, others: 2)

    private var sources: [UInt64: PlaceSource] = [:]
    private var elementCount = 0
    /// Objects in which a place has the value that it had, as far as they were not noted.
    private var stays: [UInt64: PlaceSource] = [:]
    /// By the place after, without the numbers of elements.
    private var rows: [UInt64: ElementRow] = [:]
    private var listOrders = PartOrders(areInLists: false)
    private var textOrders = PartOrders(areInLists: true)
    /// By the place after, the texts before of which its texts are parts.
    private var textParts: [UInt64: PlaceSource] = [:]
    private var torn = TornElements()
    /// The objects that had flags in embedded objects.
    private var flagged = NamedObjects()
    private var names = PlaceNames()
    /// Columns with more places than are looked at, and those with dictionaries that have more entries, or flags.
    private var (overfull, partial): (Set<Int>, Set<Int>) = ([], [])

    /// The places that have had a place's value in each object so far; nil where no object was noted.
    func steadyTargets(of place: UInt64) -> [UInt64]? { sources[place]?.steady }

    /// Notes an object in which a value is gone from its place.
    ///
    /// - Parameters:
    ///   - targets: the places that have it now and had it not before: of those that have had it in each object so far all, and of
    ///     the others where none of these is among them.
    ///   - place: that had it before.
    mutating func note(_ targets: [UInt64], from place: UInt64, column: Int, of key: Int64) {
        if sources[place] == nil {
            guard sources.count < Self.limit.sources else {
                if !targets.isEmpty { overfull.insert(column) }
                return
            }
            sources[place] = PlaceSource(column: column, owner: place)
        }
        sources[place]?.note(targets, of: key)
    }

    /// Notes where values of an object went, of those of one family the first.
    ///
    /// - Parameters:
    ///   - others: values that are gone, too, and that other maps note.
    ///   - fresh: the values that are at places that had them not before.
    mutating func note(
        _ gone: [PlacedValue], besides others: [PlacedValue] = [], in fresh: [PlacedValue], of key: Int64
    ) {
        let elements = fresh.flatMap { $0.elementsApart }
        noteRows(elements)
        let places = fresh + elements
        var noted: Set<UInt64> = []
        let areSeveral = (gone + others).contains { $0.family != gone[0].family }
        var wholes: [UInt64: [UInt64]] = [:]
        for value in gone where !value.value.isHollow && noted.insert(value.family).inserted {
            let found = places.families(having: value.value, first: steadyTargets(of: value.family))
            note(found, from: value.family, column: value.column, of: key)
            // One alone changes places with none.
            if found.isEmpty {
                let isDictionary = value.value.entries != nil
                if isDictionary || areSeveral && value.value.isCollection {
                    noteElements(of: value, in: places, of: key)
                }
                for part in Set(textOrders.note(fresh, ofText: value, of: key)) {
                    wholes[part, default: []].append(value.family)
                }
            }
        }
        for (part, wholes) in wholes where textParts[part] != nil || textParts.count < Self.limit.sources {
            textParts[part, default: PlaceSource(column: 0, owner: part)].note(wholes, of: key)
        }
        torn.note(gone, in: fresh, elements, of: key)
        names.note(gone, places)
        if !elements.isEmpty { listOrders.note(gone + others, in: elements, of: key) }
    }

    /// Notes the names of flags, of which others know where they went, and those of what may have taken them over.
    mutating func noteNames(ofFlags flags: [PlacedValue], _ places: [PlacedValue], of key: Int64) {
        names.note(flags, places)
        flagged.add(key)
    }

    private mutating func noteRows(_ elements: [PlacedValue]) {
        for (family, elements) in Dictionary(grouping: elements.filter { $0.spot != nil }, by: \.family) {
            guard let spot = elements.first?.spot else { continue }
            if rows[family] == nil, rows.count >= Self.limit.sources { continue }
            rows[family, default: ElementRow(spot)].note(elements)
        }
    }

    /// Notes where the elements of a list or the entries of a dictionary went that is nowhere as a whole.
    private mutating func noteElements(of value: PlacedValue, in places: [PlacedValue], of key: Int64) {
        let (isDictionary, elements) = (value.value.entries != nil, value.elementsApart)
        if elements.isEmpty || elements.count > Self.limit.inCollection { partial.insert(value.column) }
        let exact = places.reduce(into: [Value: [UInt64]]()) { known, place in
            if known[place.value]?.contains(place.family) != true {
                known[place.value, default: []].append(place.family)
            }
        }
        for element in elements.prefix(Self.limit.inCollection) where !element.value.isHollow {
            if element.value.isFlag {
                partial.insert(value.column)
                continue
            }
            let number = isDictionary ? nil : element.spot?.number
            let place = number.map { PlacedValues.below(value.family, UInt64($0)) } ?? element.family
            if sources[place] == nil {
                guard elementCount < Self.limit.elements, sources.count < Self.limit.sources else {
                    partial.insert(value.column)
                    return
                }
                elementCount += 1
                // The elements of a list have one name, and may be parted.
                sources[place] = PlaceSource(column: value.column, owner: element.family, parent: value.family)
            }
            let (steady, same) = (steadyTargets(of: place) ?? [], exact[element.value] ?? [])
            // Most are elsewhere as they were, and need no search.
            let isKnown = !same.isEmpty && (steady.isEmpty || same.contains(where: steady.contains))
            sources[place]?.note(isKnown ? same : places.families(having: element.value, first: steady), of: key)
        }
    }

    /// Whether so many objects are told as a finding of their own.
    static func isTold(_ count: Int, isNumber: Bool) -> Bool {
        count >= (isNumber ? fewest.numbers : fewest.others)
    }

    /// Takes over the counters of other places.
    mutating func add(_ others: PlaceMap) {
        sources.merge(others.sources) { own, _ in own }
        rows.merge(others.rows) { own, _ in own }
        listOrders.add(others.listOrders)
        textOrders.add(others.textOrders)
        textParts.merge(others.textParts) { own, _ in own }
        torn.add(others.torn)
        names.add(others.names)
        overfull.formUnion(others.overfull)
    }

    // MARK: The end

    /// The places of which it matters in how many objects they have the values that they had.
    var contested: Set<UInt64> {
        sources.reduce(into: []) { found, source in
            for target in source.value.targets where target != source.key { found.formUnion([target, source.key]) }
        }
    }

    /// Notes that a place has its values in all objects but for those that were noted.
    ///
    /// - Parameter filled: the objects that had a value there.
    mutating func noteStays(at place: UInt64, column: Int, filled: Int) {
        let count = filled - (sources[place]?.noted ?? 0)
        if count > 0 { stays[place] = PlaceSource(column: column, at: [place], in: count) }
    }

    /// The places before with all that is known of them: an element is also where its whole is.
    private var settled: [UInt64: PlaceSource] {
        var settled = stays.merging(sources) { $1.together(with: $0) }
        for (place, source) in sources {
            if let whole = source.parent.flatMap({ settled[$0] }) { settled[place] = source.together(with: whole) }
        }
        return settled.filter { $1.isMoved }
    }

    /// The places before that have values in each place after.
    private static func owners(_ sources: [UInt64: PlaceSource]) -> [UInt64: Set<UInt64>] {
        var owners: [UInt64: Set<UInt64>] = [:]
        for source in sources.values {
            for target in source.targets { owners[target, default: []].insert(source.owner) }
        }
        return owners
    }

    /// The objects in which a column's values are where another place's are in others.
    var mixed: [Int: NamedObjects] { atEnd().mixed }

    /// All that is known in the end.
    ///
    /// - Returns: `mixed` are the objects in which a column's values are where another place's are in others; `explained` are the columns of
    ///   dictionaries each entry of which has a place of its own, the same in all objects, or is an element of a list with its key, and of
    ///   lists each element of which is such an entry, or a property.
    ///
    /// - Parameter flags: those that are gone, with the places that have them.
    func atEnd(_ flags: [UInt64: PlaceSource] = [:]) -> (mixed: [Int: NamedObjects], explained: Set<Int>) {
        let settled = settled
        let owners = Self.owners(settled)
        return (mixed(settled, owners, flags), explained(settled, owners).union(torn.paired))
    }

    private func explained(_ settled: [UInt64: PlaceSource], _ owners: [UInt64: Set<UInt64>]) -> Set<Int> {
        let columns = Dictionary(grouping: sources.filter { !partial.contains($1.column) }, by: \.value.column)
        return Set(
            columns.filter { _, sources in
                let entries = sources.filter { $0.value.parent != nil }
                return entries.count == sources.count - 1 && !entries.isEmpty
                    && entries.allSatisfy { place, source in
                        source.isEntry && source.isWhole
                            && settled[place]?.steady.contains { owners[$0]?.count == 1 } == true
                    }
            }.keys)
    }

    private func mixed(
        _ settled: [UInt64: PlaceSource], _ owners: [UInt64: Set<UInt64>], _ flags: [UInt64: PlaceSource]
    ) -> [Int: NamedObjects] {
        var mixed: [Int: NamedObjects] = [:]
        func note(_ column: Int, _ count: Int, _ keys: [Int64]) {
            let known = mixed[column] ?? NamedObjects()
            // An object with several such values is one.
            mixed[column] = NamedObjects(max(known.count, count), first: Set(known.keys + keys).sorted())
        }
        for source in settled.values
        where source.strayCount > 0 && source.targets.contains(where: { owners[$0]?.count ?? 0 > 1 }) {
            note(source.column, source.strayCount, source.strayKeys)
        }
        for (column, strays) in orderStrays(settled) { note(column, strays.count, strays.keys) }
        for place in names.exchanged(settled.merging(flags) { own, _ in own }) {
            if let source = flags[place] { note(source.column, flagged.count, flagged.keys) }
            guard let source = settled[place] else { continue }
            note(source.column, source.found.count, source.found.keys)
        }
        for column in overfull where mixed[column] == nil { mixed[column] = NamedObjects(1, first: []) }
        return mixed
    }

    /// The columns of texts whose parts are where those of other texts are in other objects, and the other way round.
    private var textStrays: [(column: Int, objects: NamedObjects)] {
        let strays = textParts.filter { $1.strayCount > 0 }.map { (part: $0, source: $1, texts: Set($1.targets)) }
        return strays.flatMap { part, source, texts -> [(column: Int, objects: NamedObjects)] in
            guard strays.contains(where: { $0.part != part && $0.texts.intersection(texts).count > 1 }) else {
                return []
            }
            let objects = NamedObjects(source.strayCount, first: source.strayKeys.sorted())
            return texts.compactMap { sources[$0]?.column }.map { ($0, objects) }
        }
    }

    /// The columns whose values have another order in lists or texts in some objects; a script that sorts a list gives no order.
    private func orderStrays(_ settled: [UInt64: PlaceSource]) -> [(column: Int, objects: NamedObjects)] {
        let sorted = Set(rows.values.lazy.filter(\.isSorted).map(\.collection))
        return textStrays + textOrders.strays { _, whole in !sorted.contains(whole) }
            + torn.strays { settled[$0]?.steady.contains($1) == true }
            + listOrders.strays { place, list in
                guard settled[place]?.steady.contains(list) == true, let row = rows[list] else { return false }
                return !sorted.contains(row.collection)
            }
    }
}
