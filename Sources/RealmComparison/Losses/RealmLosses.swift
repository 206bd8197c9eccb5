import Columns
import RealmModel

/// Gathers what a migration lost, class by class, and leaves out what is found in another class in the end.
struct RealmLosses {
    private let from: Snapshot
    private let to: Snapshot
    private let isScripted: Bool
    private let store: any SegmentStore
    private var candidates: [LossCandidate] = []
    private var places: [ElsewhereSearch.Place] = []
    private var added: [AddedProperties] = []
    /// Whether anything but the schema is another one.
    private var hasTouched = false

    /// What a class was given.
    private struct AddedProperties {
        var className: String
        var objectCount: Int
        var properties: [(property: Property, isFilled: Bool)]
        /// Whether objects of the class differ otherwise.
        var isTouched: Bool
    }

    init(_ from: Snapshot, _ to: Snapshot, isScripted: Bool, store: any SegmentStore) {
        self.from = from
        self.to = to
        self.isScripted = isScripted
        self.store = store
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
            addPlace(new, difference, survey)
            if let survey {
                candidates += try survey.losses(isCancelled: isCancelled, store: store)
                let properties = try survey.addedProperties(isCancelled: isCancelled, store: store)
                let isTouched = difference.changed > 0 || properties.contains(where: \.isFilled)
                if isTouched { hasTouched = true }
                added.append(
                    AddedProperties(
                        className: oldName, objectCount: new.objectCount, properties: properties, isTouched: isTouched))
            }
            guard let old, old.objectCount > 0, new.objectCount == 0, old.schema.kind != .embedded else { return }
            candidates.append(try wholeClass(old, .deleted))
        } else if let old, old.objectCount > 0 {
            candidates.append(try wholeClass(old, .dropped))
        }
    }

    private mutating func addPlace(_ new: StoredClass, _ difference: ClassDifference, _ survey: LossSurvey?) {
        let hasNewObjects = difference.added > 0
        let changed = Set(difference.properties.map { NameKey($0.name) })
        let columns = new.schema.properties.indices.filter { index in
            hasNewObjects || changed.contains(NameKey(new.schema.properties[index].name))
                || survey?.added.contains(index) == true
        }
        guard !columns.isEmpty else { return }
        places.append(ElsewhereSearch.Place(stored: new, columns: columns, hasNewObjects: hasNewObjects))
    }

    /// A class whose objects are all gone, told by the values of the first of them.
    private func wholeClass(_ old: StoredClass, _ kind: Rehearsal.Loss.Kind) throws -> LossCandidate {
        var objects = NamedObjects()
        var sought: [[UInt64]] = []
        let reader = try ClassReader(old, store: store)
        for (number, group) in reader.rowGroups.enumerated() where objects.count < NamedObjects.namedKeys {
            let keys = try reader.keys(inGroup: number)
            let rows = group.liveRows.prefix(NamedObjects.namedKeys - objects.count)
            for row in rows { objects.add(keys[row]) }
            for (index, property) in old.schema.properties.enumerated() where property.type != .object && !rows.isEmpty
            {
                let array = try reader.column(index, inGroup: number)
                for row in rows where try !array.isEmpty(at: row, as: ColumnType(property)) {
                    sought.append(ValueWords.telling(try array.value(at: row, as: ColumnType(property))))
                }
            }
        }
        let loss = Rehearsal.Loss(
            className: old.schema.name, property: nil, kind: kind,
            objects: NamedObjects(old.objectCount, first: objects.keys), total: old.objectCount)
        return LossCandidate(loss, of: nil, in: old.schema.name, sought: sought.filter { !$0.isEmpty })
    }

    // MARK: The end

    /// All that was lost.
    func losses(isCancelled: () -> Bool) throws -> [Rehearsal.Loss] {
        let search = ElsewhereSearch(in: places, store: store)
        let lost = try candidates.filter { try !search.finds($0, isCancelled: isCancelled) }.map(\.loss)
        return lost + added.flatMap { unfilled($0, besides: lost) }
    }

    /// The properties that were added and that nothing was written to, where that is not what the schema says.
    ///
    /// Something was to be written where values of the class went nowhere, or where a script did something for its objects, or
    /// nothing at all. What begins with zero may be meant to stay there.
    private func unfilled(_ added: AddedProperties, besides lost: [Rehearsal.Loss]) -> [Rehearsal.Loss] {
        let isAwaited = lost.contains {
            $0.kind == .dropped && $0.property != nil && $0.className.hasSameBytes(as: added.className)
        }
        let isOfScript = isScripted && (added.isTouched || !hasTouched)
        guard added.objectCount > 0, isAwaited || isOfScript else { return [] }
        return added.properties.filter { property, isFilled in
            !isFilled && (isAwaited || property.isOptional && property.collection == .none || property.isBlank)
        }.map { property, _ in
            Rehearsal.Loss(
                className: added.className, property: property.name, kind: .unfilled,
                objects: NamedObjects(added.objectCount, first: []), to: property.isOptional ? .null : .empty,
                total: added.objectCount)
        }
    }
}

extension Property {
    /// Whether it begins with what is no value to anyone.
    fileprivate var isBlank: Bool {
        guard collection == .none else { return false }
        return switch type {
        case .string, .data, .date, .objectId, .uuid: true
        default: false
        }
    }
}
