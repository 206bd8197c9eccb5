import Columns
import RealmModel

/// What a migration does to a realm's data, found by comparing the realm before and after it.
public struct Rehearsal: Hashable, Sendable {
    /// The schema version before; nil where the realm was never given one.
    public var fromVersion: UInt64?
    /// The schema version after.
    public var toVersion: UInt64?
    /// What changed in the schema.
    public var schema: [SchemaChangeReport]
    /// What differs in the objects, class by class; classes without a difference are left out.
    public var classes: [ClassDifference]
    /// What is not there any more.
    public var losses: [Loss]

    /// Values that a migration lost.
    public struct Loss: Hashable, Sendable {
        /// The class, as it was called before.
        public var className: String
        /// The property's name in the store; nil where the class is gone with all its objects.
        public var property: String?
        /// How they were lost.
        public var kind: Kind
        /// The objects that had them.
        public var objects: NamedObjects

        /// Describes a loss.
        public init(className: String, property: String?, kind: Kind, objects: NamedObjects) {
            self.className = className
            self.property = property
            self.kind = kind
            self.objects = objects
        }

        /// Whether the target schema says itself that nothing is left of them.
        public var isDeclared: Bool { kind == .dropped || kind == .nullToZero }

        /// How values are lost.
        public enum Kind: String, Hashable, Sendable {
            /// The property, or the class, is gone.
            case dropped
            /// They are null now.
            case null
            /// They were links, and are null now; or links of collections, to objects that are gone.
            case link
            /// The property's new type begins with zero, and so do they.
            case zero
            /// They were null, and are zero or empty in a property that takes no null any more.
            case nullToZero
            /// Other numbers are there.
            case inexact
            /// A part of a text, of data, of a list, or of a date's fraction is left.
            case truncated
            /// What a script's language makes of values of the wrong type is there.
            case wrongType
        }
    }

    /// Compares a realm before and after a migration.
    ///
    /// - Parameters:
    ///   - renames: those that the migration made.
    ///   - store: where the columns of both are.
    ///   - isCancelled: asked for each class and every few objects that differ; true ends it.
    /// - Throws: `Cancelled`; what the store throws.
    public init(
        from: Snapshot, to: Snapshot, renames: [SchemaRename] = [], store: any SegmentStore,
        isCancelled: () -> Bool = { false }
    ) throws {
        fromVersion = from.schemaVersion
        toVersion = to.schemaVersion
        schema = SchemaChangeReport.compare(existing: from.declared, target: to.declared, renames: renames)
        let comparison = SnapshotComparison(from, to, renames: renames, store: store)
        classes = []
        losses = []
        try withoutActuallyEscaping(isCancelled) { isCancelled in
            for name in comparison.classNames {
                let difference = try comparison.compare(name, isCancelled: isCancelled)
                if !difference.isEmpty { classes.append(difference) }
                let oldName = comparison.oldName(of: name)
                losses += Self.losses(difference, of: oldName, from: from)
                losses += try DroppedValues(name, was: oldName, RenamedNames(renames), from, to, store)
                    .losses(isCancelled: isCancelled)
            }
        }
    }

    /// A comparison was ended before it had come to its end.
    public struct Cancelled: Error {}

    /// Objects that are there after the migration alone, before it alone, and those that differ.
    public var objectCounts: (created: Int, deleted: Int, touched: Int) {
        classes.reduce(into: (0, 0, 0)) { counts, difference in
            counts.0 += difference.added
            counts.1 += difference.removed
            counts.2 += difference.changed
        }
    }

    private static func losses(
        _ difference: ClassDifference, of className: String, from: Snapshot
    ) -> [Loss] {
        difference.properties.flatMap { property -> [Loss] in
            func loss(_ kind: Loss.Kind, _ objects: NamedObjects) -> Loss {
                Loss(className: className, property: property.oldName, kind: kind, objects: objects)
            }
            let old = from[className]?.schema.property(named: property.oldName)
            var losses: [Loss] = []
            if property.toNull > 0 {
                let isLink = old?.type == .object && old?.collection == CollectionKind.none
                losses.append(loss(isLink ? .link : .null, NamedObjects(property.toNull, first: property.toNullKeys)))
            }
            for lost in ConversionLoss.allCases {
                if let objects = property.converted[lost] { losses.append(loss(Loss.Kind(lost), objects)) }
            }
            return losses
        }
    }
}

extension Rehearsal.Loss.Kind {
    fileprivate init(_ loss: ConversionLoss) {
        switch loss {
        case .zero: self = .zero
        case .nullToZero: self = .nullToZero
        case .inexact: self = .inexact
        case .truncated: self = .truncated
        case .wrongType: self = .wrongType
        case .link: self = .link
        }
    }
}

/// The values of a class that a migration leaves no place for.
private struct DroppedValues {
    private let name: String
    private let renames: RenamedNames
    private let old: StoredClass?
    private let declared: ObjectSchema?
    private let new: StoredClass?
    private let store: any SegmentStore

    init(
        _ name: String, was oldName: String, _ renames: RenamedNames, _ from: Snapshot, _ to: Snapshot,
        _ store: any SegmentStore
    ) {
        self.name = name
        self.renames = renames
        declared = from.declared[oldName]
        old = from[oldName]
        new = to[name]
        self.store = store
    }

    func losses(isCancelled: () -> Bool) throws -> [Rehearsal.Loss] {
        guard let old, let declared else { return [] }
        guard let new else { return try droppedClass(old) }
        return try dropped(declared, from: old, to: new).compactMap { property in
            let objects = try values(of: property, in: old, isCancelled: isCancelled)
            guard objects.count > 0 else { return nil }
            return Rehearsal.Loss(
                className: old.schema.name, property: old.schema.properties[property].name, kind: .dropped,
                objects: objects)
        }
    }

    /// The properties that are gone, but for those whose column has another name now.
    private func dropped(_ declared: ObjectSchema, from old: StoredClass, to new: StoredClass) -> [Int] {
        let shown = Set(declared.persistedProperties.map { NameKey($0.name) })
        let kept = Set(new.schema.properties.map { NameKey($0.name) })
        let before = Set(old.schema.properties.map { NameKey($0.name) })
        let renamed = new.schema.properties.indices.filter { !before.contains(NameKey(new.schema.properties[$0].name)) }
            .map { new.columns[$0] }
        return old.schema.properties.indices.filter { index in
            let name = NameKey(old.schema.properties[index].name)
            guard shown.contains(name), renames.newProperty(name.name, of: self.name) == nil else { return false }
            // What another property was renamed to has the values of that.
            let isReplaced = !renames.oldProperty(name.name, of: self.name).hasSameBytes(as: name.name)
            guard !kept.contains(name) || isReplaced else { return false }
            if case .segments = old.columns[index] { return !renamed.contains(old.columns[index]) }
            return true
        }
    }

    private func droppedClass(_ old: StoredClass) throws -> [Rehearsal.Loss] {
        guard old.objectCount > 0 else { return [] }
        var objects = NamedObjects()
        let reader = try ClassReader(old, store: store)
        for (number, group) in reader.rowGroups.enumerated() {
            guard objects.keys.count < NamedObjects.namedKeys else { break }
            let keys = try reader.keys(inGroup: number)
            for row in group.liveRows { objects.add(keys[row]) }
        }
        return [
            Rehearsal.Loss(
                className: old.schema.name, property: nil, kind: .dropped,
                objects: NamedObjects(old.objectCount, first: objects.keys))
        ]
    }

    /// The objects that have more of a property than what it begins with.
    private func values(of property: Int, in old: StoredClass, isCancelled: () -> Bool) throws -> NamedObjects {
        var objects = NamedObjects()
        if case .constant(let value) = old.columns[property], value.isEmptyOrZero, old.patches.isEmpty {
            return objects
        }
        let reader = try ClassReader(old, store: store)
        let type = ColumnType(old.schema.properties[property])
        for (number, group) in reader.rowGroups.enumerated() {
            if isCancelled() { throw Rehearsal.Cancelled() }
            if number < reader.storedGroupCount, let segment = try reader.segment(property, inGroup: number),
                segment.nullCount == segment.rowCount
            {
                continue
            }
            try reader.willRead([property], inGroup: number)
            let array = try reader.column(property, inGroup: number)
            let keys = try reader.keys(inGroup: number)
            for row in group.liveRows where try !array.value(at: row, as: type).isEmptyOrZero { objects.add(keys[row]) }
        }
        return objects
    }
}
