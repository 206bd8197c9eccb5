import Columns
import RealmModel

/// Embedded objects that are columns of their owners: where their values are, and what was written of them.
final class FlattenedObjects {
    private let schema: Schema
    private let embedded: EmbeddedRows
    private var counts: [NameKey: Int] = [:]
    private var losses: [NameKey: [NameKey: Losses]] = [:]

    init(_ snapshot: Snapshot, store: any SegmentStore) {
        schema = snapshot.declared
        embedded = EmbeddedRows(snapshot, store: store)
    }

    /// The objects that a link's column leads to, in its order.
    struct Objects {
        /// Set bits are objects that are there.
        let validity: Bitmap
        let target: ObjectSchema
        fileprivate let columns: [ColumnArray]

        /// The values of a property; null, or without elements, where there is no object.
        func column(_ property: Property) throws -> ColumnArray {
            let place = target.persistedProperties.firstIndex { $0.name.hasSameBytes(as: property.name) }
            guard let place else { throw ColumnError.damaged(what: "an embedded class of another schema", offset: 0) }
            return columns[place]
        }
    }

    /// The objects of a link's column.
    func objects(of keys: ColumnArray, _ property: Property) throws -> Objects {
        guard let target = property.objectType.flatMap({ schema[$0] }) else {
            throw ColumnError.damaged(what: "a link to a class that is not declared", offset: 0)
        }
        let (validity, columns) = try embedded.columns(of: keys, target)
        return Objects(validity: validity, target: target, columns: columns)
    }

    /// Counts the objects of owners in some rows as written.
    func count(_ objects: Objects, rows: [Int]) {
        counts[NameKey(objects.target.name), default: 0] += rows.count { objects.validity[$0] }
    }

    /// Counts what a property of a class lost.
    func add(_ found: Losses, of property: Property, className: String) {
        losses[NameKey(className), default: [:]][NameKey(property.name), default: Losses()].add(found)
    }

    /// The manifest of a class without a table.
    ///
    /// - Throws: `ExportError.wrongCount` where an object has no owner; what the store throws; `ColumnError`.
    func manifest(of source: ClassSource) throws -> ClassManifest {
        let name = NameKey(source.schema.name)
        try source.check(written: counts[name] ?? 0)
        let tally = ClassTally(source)
        for group in 0..<source.groupCount {
            try source.willRead(group: group)
            try tally.take(group: group)
        }
        return try tally.finish(place: nil, losses: losses[name] ?? [:])
    }
}
