import Columns
import RealmModel

/// Finds the objects that differ between two realms.
///
/// Objects are the same one by their primary key where both realms give the class the same, else by their object key.
/// Compared is what Realm JSON shows of the declared properties that both have: a link counts as its target's primary
/// key, embedded objects with all that is in them. Properties of one realm alone are a change of schema, not of objects.
///
/// Memory is bounded: a few row groups are in memory at a time, links are followed through a cache, and the index of primary keys holds at most
/// `indexedObjects` of a class; a larger class is read once for each so many. Belongs to one thread at a time.
public final class ObjectComparison {
    private let from: ObjectWriter
    private let to: ObjectWriter
    private let indexedObjects: Int

    /// Opens two snapshots.
    ///
    /// - Parameters:
    ///   - store: where the columns of both are.
    ///   - indexedObjects: objects that the index of primary keys holds at once, some 48 bytes each; at least 1.
    public init(_ from: Snapshot, _ to: Snapshot, store: any SegmentStore, indexedObjects: Int = 1 << 21) {
        self.from = ObjectWriter(from, store: store, cacheByteLimit: 32 << 20)
        self.to = ObjectWriter(to, store: store, cacheByteLimit: 32 << 20)
        self.indexedObjects = max(indexedObjects, 1)
    }

    /// The classes of either realm that are not embedded, by name; embedded objects are a part of what they are in.
    public var classNames: [String] {
        let classes = from.snapshot.declared.classes + to.snapshot.declared.classes
        let names = Set(classes.filter { !$0.isEmbedded }.map { NameKey($0.name) })
        return names.map(\.name).sorted(byBytesOf: { $0 })
    }

    /// Compares the objects of a class.
    ///
    /// - Parameters:
    ///   - name: one of `classNames`. Objects of a class that one realm alone has, or has as embedded, are in the other
    ///     alone.
    ///   - report: takes each difference as it is found: in the order of the keys, but for classes with a primary key
    ///     in no order, with those that the second realm adds at the end.
    /// - Throws: what the store and `report` throw.
    public func compare(
        _ name: String, report: (ObjectChange) throws -> Void
    ) throws -> ObjectChangeCounts {
        guard let old = try side(of: name, in: from), let new = try side(of: name, in: to) else {
            return try listLone(name, report: report)
        }
        let pair = ClassPair(old, new)
        var counts = ObjectChangeCounts(pair.identity)
        func tell(_ old: ObjectRow?, _ new: ObjectRow?) throws {
            guard let change = try pair.change(old, new) else { return }
            counts.count(change.kind)
            try report(change)
        }
        switch pair.identity {
        case .objectKey: try pair.joinByObjectKey(tell)
        case .primaryKey: try PrimaryKeyJoin(pair, indexedObjects: indexedObjects).run(tell)
        }
        return counts
    }

    /// A class of a realm; nil where the realm has none of that name that stands for itself.
    private func side(of name: String, in writer: ObjectWriter) throws -> ClassSide? {
        guard writer.snapshot.declared[name]?.isEmbedded == false else { return nil }
        return try writer.view(of: name).map { ClassSide($0, writer) }
    }

    /// Reports each object of a class that one realm alone has.
    private func listLone(_ name: String, report: (ObjectChange) throws -> Void) throws -> ObjectChangeCounts {
        let sides = [(from, ObjectChange.Kind.removed), (to, .added)]
        for (writer, kind) in sides {
            guard let side = try side(of: name, in: writer) else { continue }
            var counts = ObjectChangeCounts(side.view.primaryKey == nil ? .objectKey : .primaryKey)
            var objects = ObjectRows(side.view)
            while let object = try objects.next() {
                counts.count(kind)
                try report(ObjectChange(key: try side.key(of: object), kind: kind))
            }
            return counts
        }
        return ObjectChangeCounts(.objectKey)
    }
}
