import Columns
import RealmModel

/// Gathers what a migration lost, class by class, and leaves out what is found in another class in the end.
struct RealmLosses {
    private let from: Snapshot
    private let to: Snapshot
    private let isScripted: Bool
    private let linked: LinkedObjects
    private let store: any SegmentStore
    private let copies: ClassCopies
    private var candidates: [LossCandidate] = []
    private var places: [ElsewhereSearch.Place] = []
    private var added: [AddedProperties] = []
    private var misread: [Rehearsal.Loss] = []
    /// Whether anything but the schema is another one.
    private var hasTouched = false
    /// Values and objects that are gone without being losses, as far as that can be told.
    private(set) var untold = Rehearsal.Untold()

    /// The properties that were added to a class.
    private struct AddedProperties {
        var className: String
        /// The class that has its objects now, where that is another one.
        var newName: String
        var objectCount: Int
        var properties: [(property: Property, isFilled: Bool)]
        /// Whether objects of the class differ otherwise.
        var isTouched: Bool
    }

    /// - Parameter copies: has the realm after the migration.
    init(_ from: Snapshot, _ copies: ClassCopies, _ linked: LinkedObjects, isScripted: Bool) {
        self.from = from
        self.copies = copies
        to = copies.to
        self.linked = linked
        self.isScripted = isScripted
        store = copies.store
    }

    /// Takes what a comparison found in a class.
    ///
    /// - Parameters:
    ///   - oldName: the name of the class before.
    ///   - survey: that followed the comparison; nil where one side alone has the class.
    mutating func add(
        _ difference: ClassDifference, of oldName: String, _ survey: LossSurvey?, _ isCancelled: () -> Bool
    ) throws {
        if !difference.isEmpty { hasTouched = true }
        let old = from.declared[oldName] == nil ? nil : from[oldName]
        if let new = to.declared[difference.className].flatMap({ _ in to[difference.className] }) {
            addPlace(new, difference, survey, old)
            if copies.newNames[NameKey(oldName)] == nil {
                try addMisread(new, of: survey == nil ? difference.className : oldName, survey, old, isCancelled)
            }
            if let survey {
                candidates += try survey.losses(isCancelled: isCancelled, store: store)
                untold.replaced += survey.untold.replaced
                untold.few += survey.untold.few
                untold.filled += survey.untold.filled
                try addAdded(survey, oldName, new, difference, isCancelled)
            }
            if let gone = survey?.gone, gone.removedCount > 0, let old { try add(gone, of: old, to: new, isCancelled) }
        } else if let old, old.objectCount > 0 {
            if !old.schema.isEmbedded { untold.gone += old.objectCount }
            untold.replaced += try linksAmongGone(old, isCancelled)
            let loss = Rehearsal.Loss(
                className: old.schema.name, property: nil, kind: .dropped,
                objects: try firstObjects(of: old), total: old.objectCount)
            candidates.append(LossCandidate(loss, of: nil, in: old.schema.name, sought: [], gone: .all))
        }
    }

    /// Adds the properties that a class has besides those before.
    private mutating func addAdded(
        _ survey: LossSurvey, _ oldName: String, _ new: StoredClass, _ difference: ClassDifference,
        _ isCancelled: () -> Bool
    ) throws {
        let properties = try survey.addedProperties(isCancelled: isCancelled, store: store)
        let isTouched = difference.changed > 0 || properties.contains(where: \.isFilled)
        if isTouched { hasTouched = true }
        let newName = copies.newNames[NameKey(oldName)]
        // Other objects of the class may have values of them.
        if let newName, let whole = to[newName], whole.objectCount > new.objectCount { return }
        added.append(
            AddedProperties(
                className: oldName, newName: newName ?? oldName, objectCount: new.objectCount, properties: properties,
                isTouched: isTouched))
    }

    /// Adds the objects of a class that are gone.
    private mutating func add(
        _ gone: GoneObjects, of old: StoredClass, to new: StoredClass, _ isCancelled: () -> Bool
    ) throws {
        let (objects, keys) = try gone.gone(store, isCancelled: isCancelled)
        // One of several equal objects is gone, and no loss.
        untold.gone += max(objects.count, gone.removedCount - gone.addedCount)
        guard objects.count > 0 else { return }
        // Where a class becomes embedded, its objects without an owner go, which is told already.
        guard !new.schema.isEmbedded else { return }
        let loss = Rehearsal.Loss(
            className: old.schema.name, property: nil, kind: .deleted, objects: objects, total: old.objectCount)
        candidates.append(LossCandidate(loss, of: nil, in: new.schema.name, sought: [], gone: keys.map { .some($0) }))
    }

    /// Adds the dates that a property has which was added, or was of another type, and that are hardly meant.
    private mutating func addMisread(
        _ new: StoredClass, of name: String, _ survey: LossSurvey?, _ old: StoredClass?, _ isCancelled: () -> Bool
    ) throws {
        let columns = survey?.retyped ?? Array(new.schema.properties.indices)
        let found = try MisreadDates.losses(in: columns, of: new, named: name, store, isCancelled)
        guard !found.isEmpty, try old.map({ try !MisreadDates.areThere(in: $0, store, isCancelled) }) ?? true else {
            return
        }
        misread += found
    }

    private mutating func addPlace(
        _ new: StoredClass, _ difference: ClassDifference, _ survey: LossSurvey?, _ old: StoredClass?
    ) {
        // Copies are compared each with its own.
        let hasNewObjects = difference.added > 0 && !copies.cover(new.schema.name)
        let changed = Set(difference.properties.map { NameKey($0.name) })
        let changedColumns = new.schema.properties.indices.filter { index in
            changed.contains(NameKey(new.schema.properties[index].name)) || survey?.added.contains(index) == true
        }
        let columns = hasNewObjects ? Array(new.schema.properties.indices) : changedColumns
        guard !columns.isEmpty else { return }
        let firstNewKey = old.map {
            ObjectKey.allocated(sequence: $0.nextSequence, hasPrimaryKey: new.schema.primaryKey != nil).value
        }
        places.append(
            ElsewhereSearch.Place(
                stored: new, columns: columns, changed: Set(changedColumns), hasNewObjects: hasNewObjects,
                firstNewKey: firstNewKey ?? .min))
    }

    /// How many links the objects of a class that is gone had to such: nobody follows them from what became of the one to that of the other.
    private func linksAmongGone(_ stored: StoredClass, _ isCancelled: () -> Bool) throws -> Int {
        var count = 0
        for (column, property) in stored.schema.properties.enumerated() {
            guard let target = property.linkTarget, linked.old.isPart(target), !linked.old.isEmbedded(target) else {
                continue
            }
            try ColumnPass(stored, column, store).run(isCancelled) { array, _, rows in
                count += try array.filledCount(rows, as: ColumnType(property)).filled
                return true
            }
        }
        return count
    }

    /// All objects of a class, with the keys of the first of them.
    private func firstObjects(of stored: StoredClass) throws -> NamedObjects {
        var keys: [Int64] = []
        let reader = try ClassReader(stored, store: store)
        for (number, group) in reader.rowGroups.enumerated() where keys.count < NamedObjects.namedKeys {
            let all = try reader.keys(inGroup: number)
            keys += group.liveRows.prefix(NamedObjects.namedKeys - keys.count).map { all[$0] }
        }
        return NamedObjects(stored.objectCount, first: keys)
    }

    // MARK: The end

    /// All that was lost.
    mutating func losses(isCancelled: () -> Bool) throws -> [Rehearsal.Loss] {
        let search = ElsewhereSearch(in: places, from: from, to: to, linked, store: store)
        var lost: [Rehearsal.Loss] = []
        var maps: [String: PlaceMap] = [:]
        for candidate in candidates {
            switch try search.find(candidate, isCancelled: isCancelled) {
            case .nowhere: lost.append(candidate.loss)
            case .apart: untold.replaced += candidate.loss.objects.count
            case .elsewhere(let left, let map, let filled):
                untold.filled += filled
                maps[candidate.loss.className, default: PlaceMap()].add(map)
                add(candidate.loss, left, to: &lost)
            case .gone(let objects):
                add(candidate.loss, objects.others, to: &lost)
                let properties = from[candidate.loss.className]?.schema.properties ?? []
                for (column, values) in objects.values.sorted(by: { $0.key < $1.key }) {
                    var loss = candidate.loss
                    (loss.property, loss.total) = (properties[column].name, objects.totals[column])
                    add(loss, values, to: &lost)
                }
            }
        }
        for (className, map) in maps.sorted(by: { $0.key < $1.key }) { lost += mixed(map, className) }
        return lost + misread + added.flatMap { unfilled($0, besides: lost) }
    }

    /// Adds a loss as far as it is one, where it has enough values, or whole objects, which are no values that were written otherwise.
    private mutating func add(_ found: Rehearsal.Loss, _ left: LostValues, to lost: inout [Rehearsal.Loss]) {
        var loss = found
        (loss.objects, loss.examples) = (left.objects, left.examples)
        if !LossThreshold.isReached(left.objects.count, of: loss.total ?? found.objects.count) {
            loss.objects = left.whole
            untold.few += left.objects.count - left.whole.count
        }
        if loss.objects.count > 0 { lost.append(loss) }
    }

    /// The values that are in linked objects where another property's are in those of other objects.
    private mutating func mixed(_ map: PlaceMap, _ className: String) -> [Rehearsal.Loss] {
        let properties = from[className]?.schema.properties ?? []
        var told: [Rehearsal.Loss] = []
        for (column, objects) in map.mixed.sorted(by: { $0.key < $1.key }) {
            guard PlaceMap.isTold(objects.count, isNumber: ColumnType(properties[column]).isNumber) else {
                untold.replaced += objects.count
                continue
            }
            told.append(
                Rehearsal.Loss(
                    className: className, property: properties[column].name, kind: .exchanged, objects: objects))
        }
        return told
    }

    /// The properties that were added and that nothing was written to, where that is not what the schema says.
    ///
    /// A required property that begins with no real value has to be written to. Another one has to where values of the
    /// class went nowhere; and one that may be null where a script did something for its objects, or nothing at all. A
    /// property that begins with zero may be meant to stay there.
    private func unfilled(_ added: AddedProperties, besides lost: [Rehearsal.Loss]) -> [Rehearsal.Loss] {
        let isAwaited = lost.contains {
            $0.kind == .dropped && $0.property != nil && $0.className.hasSameBytes(as: added.className)
        }
        let isOfScript = isScripted && (added.isTouched || !hasTouched)
        guard added.objectCount > 0 else { return [] }
        return added.properties.filter { property, isFilled in
            let isAsked = isOfScript && property.isOptional && property.collection == .none
            return !isFilled && (isAwaited || isAsked || property.isBlank)
        }.map { property, _ in
            Rehearsal.Loss(
                className: added.newName, property: property.name, kind: .unfilled,
                objects: NamedObjects(added.objectCount, first: []), to: property.isOptional ? .null : .empty,
                total: added.objectCount)
        }
    }
}

extension Property {
    /// Whether it begins with what is no value to anyone, and can't be null.
    fileprivate var isBlank: Bool {
        guard collection == .none, !isOptional else { return false }
        return switch type {
        case .string, .data, .date, .objectId, .uuid: true
        default: false
        }
    }
}
