import Columns
import JobStore
import RealmJSON
import RealmModel
import RealmSync
import SnapshotStore

/// The objects of a partner that was taken back, or its properties' values, which go when a partner is made under the same name
/// again: the snapshots before have them.
struct PartnerRemains {
    /// The snapshot without them.
    let rest: Snapshot
    /// Which they are, for clients that have slept since they had them; nil where they are too many to name.
    let deleted: [SnapshotDelta.DeletedObject]?
    /// The objects that had links to them, in mixed values.
    let cleared: SnapshotDelta

    /// Objects that a delta names at most.
    private static let namedObjects = 1_000_000

    /// - Throws: `PartnerRefusal.stored` where the realm stores objects of the name that are no such partners, or that others
    ///   link to.
    init(
        of plan: PartnerPlan, in current: OpenSnapshot, takenBack: @autoclosure () throws -> [Partner]
    ) throws {
        let snapshot = current.snapshot
        guard !plan.isWithinClass else {
            rest = try Self.withoutValues(of: plan, in: current, takenBack: takenBack)
            (deleted, cleared) = ([], SnapshotDelta())
            return
        }
        guard let remains = snapshot[plan.right.name] else {
            (rest, deleted, cleared) = (snapshot, [], SnapshotDelta())
            return
        }
        let wasTakenBack = try takenBack().contains {
            $0.definition.property == nil && $0.definition.partner.name.hasSameBytes(as: plan.right.name)
        }
        let isLinked = snapshot.classes.contains { other in
            !other.schema.name.hasSameBytes(as: plan.right.name)
                && other.schema.properties.contains { $0.objectType.hasSameBytes(as: plan.right.name) }
        }
        guard wasTakenBack, !isLinked else {
            guard remains.objectCount == 0 else { throw PartnerRefusal.stored(className: plan.right.name) }
            (rest, deleted, cleared) = (snapshot, [], SnapshotDelta())
            return
        }
        let ownsOthers = remains.schema.properties.contains { property in
            property.objectType.flatMap { snapshot[$0] }?.schema.isEmbedded == true
        }
        let mayBeNamed = snapshot.classes.contains { $0.schema.properties.contains { $0.type == .mixed } }
        var (source, found, delta) = (snapshot, [SnapshotDelta.DeletedObject](), SnapshotDelta())
        try Self.forEachPart(of: remains, in: current) { objects in
            if found.count <= Self.namedObjects { found += objects }
            guard ownsOthers || mayBeNamed else { return }
            let (left, cleared) = try Self.deleting(objects, of: remains.schema, from: source, in: current.store)
            source = left
            delta.merge(cleared)
        }
        delta.classes.removeAll { $0.className.hasSameBytes(as: plan.right.name) }
        cleared = delta
        source.classes.removeAll { $0.schema.name.hasSameBytes(as: plan.right.name) }
        rest = source
        deleted = found.count > Self.namedObjects ? nil : found
    }

    /// A snapshot without the values of a partner's properties that were those of one that was taken back, but for embedded objects.
    private static func withoutValues(
        of plan: PartnerPlan, in current: OpenSnapshot, takenBack: () throws -> [Partner]
    ) throws -> Snapshot {
        let (name, added) = (plan.left.name, plan.definition.partner.properties)
        let remains = added.filter { property in
            current.snapshot[name]?.schema.property(named: property.name) != nil
                && property.objectType.flatMap { current.snapshot[$0] }?.schema.isEmbedded != true
        }
        guard !remains.isEmpty else { return current.snapshot }
        let earlier = try takenBack().filter { $0.definition.property != nil }.map(\.definition.partner)
            .filter { $0.name.hasSameBytes(as: name) }
        let names = remains.map(\.name).filter { name in earlier.contains { $0.property(named: name) != nil } }
        return try SchemaReplacement(current.snapshot, in: current.store).dropping(names, of: name)
    }

    /// A snapshot without some objects, those that are embedded in them, and the links to them.
    private static func deleting(
        _ objects: [SnapshotDelta.DeletedObject], of schema: ObjectSchema, from source: Snapshot,
        in store: any SegmentStore
    ) throws -> (snapshot: Snapshot, delta: SnapshotDelta) {
        var shown = source
        shown.declared.classes.append(schema)
        let application = ChangeApplication(to: shown, in: store)
        let batch = ChangeBatch(deleting: objects.map(\.primaryKey), of: shown.declared.classes.count - 1)
        _ = try application.apply(batch)
        return try application.finish(declaring: source.declared)
    }

    private static func forEachPart(
        of stored: StoredClass, in current: OpenSnapshot, _ body: ([SnapshotDelta.DeletedObject]) throws -> Void
    ) throws {
        guard let property = stored.schema.properties.firstIndex(where: { stored.schema.isPrimaryKey($0) }) else {
            return
        }
        let type = ColumnType(stored.schema.properties[property])
        let reader = try ClassReader(stored, store: current.store)
        for (number, group) in reader.rowGroups.enumerated() {
            let (keys, values) = (try reader.keys(inGroup: number), try reader.column(property, inGroup: number))
            try body(
                keys.indices.filter { group.deleted?[$0] != true }.map {
                    .init(key: keys[$0], primaryKey: try values.value(at: $0, as: type))
                })
        }
    }
}
