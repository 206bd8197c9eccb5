import Columns
import RealmModel

/// Copies a realm without what is personal in it, row group by row group.
///
/// Classes, properties, object keys, links, nulls and counts stay; every value is replaced as `ValueReplacement` says, primary
/// keys included.
public struct Anonymizer {
    private let values: ValueReplacement

    /// Replaces by a key that nobody keeps, by default.
    public init(_ values: ValueReplacement = ValueReplacement()) {
        self.values = values
    }

    /// Copies a snapshot.
    ///
    /// - Parameters:
    ///   - store: where the snapshot's segments are.
    ///   - target: takes the copy's.
    /// - Throws: what the stores throw; `AnonymizingError` where a set would lose an element.
    public func copy(_ snapshot: Snapshot, from store: any SegmentStore, to target: any SegmentStore) throws -> Snapshot
    {
        Snapshot(
            schemaVersion: snapshot.schemaVersion, declared: snapshot.declared,
            classes: try snapshot.classes.map { try copy($0, from: store, to: target) })
    }

    private func copy(
        _ stored: StoredClass, from store: any SegmentStore, to target: any SegmentStore
    ) throws -> StoredClass {
        let reader = try ClassReader(stored, store: store)
        let writer = ClassWriter(schema: stored.schema, store: target)
        let properties = stored.schema.properties
        for group in reader.rowGroups.indices {
            try reader.willRead(properties.indices, inGroup: group)
            let rows = reader.rowGroups[group].liveRows
            guard !rows.isEmpty else { continue }
            let keys = try reader.keys(inGroup: group)
            let columns = try properties.indices.map { index in
                try replace(
                    try reader.column(index, inGroup: group), rows, keys, of: properties[index], in: stored.schema.name)
            }
            try writer.append(keys: rows.map { keys[$0] }, columns: columns)
        }
        var copy = try writer.finish(nextSequence: stored.nextSequence)
        copy.unsyncedCount = stored.unsyncedCount
        return copy
    }

    private func replace(
        _ array: ColumnArray, _ rows: [Int], _ keys: [Int64], of property: Property, in className: String
    ) throws -> ColumnArray {
        let type = ColumnType(property)
        let builder = ColumnBuilder(type)
        for row in rows {
            let value = try array.value(at: row, as: type)
            let replaced = values.replacement(of: value, in: property.collection)
            // A set that Realm gave NaN twice has it once in the copy.
            if case .list(let before) = value, case .list(let after) = replaced, before.count != after.count,
                ValueOrder.sortedUnique(before).count != after.count
            {
                throw AnonymizingError(className: className, property: property.name, key: ObjectKey(keys[row]))
            }
            try builder.append(replaced)
        }
        return builder.finish()
    }
}

/// Two elements of a set that became one: a binary and a decimal number of a mixed set, once in very many realms.
public struct AnonymizingError: Error, Hashable, CustomStringConvertible {
    /// The class of the object.
    public let className: String
    /// The set.
    public let property: String
    /// The object's key.
    public let key: ObjectKey

    /// One sentence; another attempt, with another key, most likely succeeds.
    public var description: String {
        "Two elements of a set would become the same (property '\(className).\(property)', object with the key "
            + "\(key.value)); try again."
    }
}
