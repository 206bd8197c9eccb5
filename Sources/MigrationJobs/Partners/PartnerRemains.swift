import Columns
import RealmModel
import RealmSync
import SnapshotStore

/// The objects of a partner that was taken back, which go when a partner is made under the same name again: the snapshots before
/// have them.
struct PartnerRemains {
    /// The snapshot without them.
    let rest: Snapshot
    /// Which they are, for clients that have slept since they had them; nil where they are too many to name.
    let deleted: [SnapshotDelta.DeletedObject]?

    /// Objects that a delta names at most.
    private static let namedObjects = 1_000_000

    /// - Throws: `PartnerRefusal.stored` where the realm stores objects of the name that are no such partners, or that others
    ///   link to.
    init(
        of plan: PartnerPlan, in current: OpenSnapshot, takenBack: @autoclosure () throws -> [Partner]
    ) throws {
        let snapshot = current.snapshot
        guard !plan.isWithinClass, let remains = snapshot[plan.right.name], remains.objectCount > 0 else {
            (rest, deleted) = (snapshot, [])
            return
        }
        let wasTakenBack = try takenBack().contains {
            $0.definition.property == nil && $0.definition.partner.name.hasSameBytes(as: plan.right.name)
        }
        let isLinked = snapshot.classes.contains { other in
            !other.schema.name.hasSameBytes(as: plan.right.name)
                && other.schema.properties.contains { $0.objectType.hasSameBytes(as: plan.right.name) }
        }
        let ownsOthers = remains.schema.properties.contains { property in
            property.objectType.flatMap { snapshot[$0] }?.schema.isEmbedded == true
        }
        guard wasTakenBack, !isLinked, !ownsOthers else { throw PartnerRefusal.stored(className: plan.right.name) }
        var source = snapshot
        source.classes.removeAll { $0.schema.name.hasSameBytes(as: plan.right.name) }
        rest = source
        deleted = remains.objectCount > Self.namedObjects ? nil : try Self.objects(of: remains, in: current)
    }

    private static func objects(
        of stored: StoredClass, in current: OpenSnapshot
    ) throws -> [SnapshotDelta.DeletedObject] {
        guard let property = stored.schema.properties.firstIndex(where: { stored.schema.isPrimaryKey($0) }) else {
            return []
        }
        let type = ColumnType(stored.schema.properties[property])
        let reader = try ClassReader(stored, store: current.store)
        var objects: [SnapshotDelta.DeletedObject] = []
        for (number, group) in reader.rowGroups.enumerated() {
            let (keys, values) = (try reader.keys(inGroup: number), try reader.column(property, inGroup: number))
            for (row, key) in keys.enumerated() where group.deleted?[row] != true {
                objects.append(.init(key: key, primaryKey: try values.value(at: row, as: type)))
            }
        }
        return objects
    }
}
