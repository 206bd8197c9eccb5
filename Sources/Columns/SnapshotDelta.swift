import RealmModel

/// The difference of a snapshot from its parent: which objects to look at again, and which are gone.
///
/// Deltas of a snapshot and those before it, back to another, together say what changed since that.
public struct SnapshotDelta: Hashable, Sendable {
    /// Whether the declared schema is another one.
    public var changesSchema: Bool
    /// The classes whose objects changed, those of embedded objects left out: they change with what owns them.
    public var classes: [ClassDelta]

    /// The objects of one class that changed.
    public struct ClassDelta: Hashable, Sendable {
        /// The class.
        public var className: String
        /// Whether all its objects have to be looked at; nothing else is said then.
        public var isWhole: Bool
        /// Whether they have to be looked at for another schema alone: none came, went or changed.
        public var keepsValues: Bool
        /// The object keys of those that were made or changed, ascending.
        public var upserted: [Int64]
        /// Those that are gone, in the order of their keys.
        public var deleted: [DeletedObject]

        /// Describes a class.
        public init(
            _ className: String, isWhole: Bool = false, keepsValues: Bool = false, upserted: [Int64] = [],
            deleted: [DeletedObject] = []
        ) {
            self.className = className
            self.isWhole = isWhole
            self.keepsValues = isWhole && keepsValues
            self.upserted = upserted
            self.deleted = deleted
        }
    }

    /// An object that is gone.
    public struct DeletedObject: Hashable, Sendable {
        /// Its object key.
        public var key: Int64
        /// Its primary key; null where its class has none.
        public var primaryKey: Value

        /// Names an object.
        public init(key: Int64, primaryKey: Value) {
            self.key = key
            self.primaryKey = primaryKey
        }
    }

    /// Describes a difference.
    public init(changesSchema: Bool = false, classes: [ClassDelta] = []) {
        self.changesSchema = changesSchema
        self.classes = classes
    }

    /// The delta of a class; nil where it did not change.
    public subscript(_ className: String) -> ClassDelta? {
        classes.first { $0.className.hasSameBytes(as: className) }
    }
}

extension SnapshotDelta {
    /// The delta of a snapshot of which it is not known what changed.
    public static func whole(_ snapshot: Snapshot) -> SnapshotDelta {
        SnapshotDelta(
            changesSchema: true,
            classes: snapshot.declared.classes.filter { !$0.isEmbedded }.map { ClassDelta($0.name, isWhole: true) })
    }

    /// Adds what changed after it.
    public mutating func merge(_ later: SnapshotDelta) {
        changesSchema = changesSchema || later.changesSchema
        for changed in later.classes {
            guard let place = classes.firstIndex(where: { $0.className.hasSameBytes(as: changed.className) }) else {
                classes.append(changed)
                continue
            }
            classes[place].merge(changed)
        }
    }
}

extension SnapshotDelta.ClassDelta {
    /// Adds what changed after it, or beside it: an object that is gone is not among those that were changed.
    fileprivate mutating func merge(_ later: Self) {
        keepsValues = (keepsValues || !isWhole) && (later.keepsValues || !later.isWhole)
        isWhole = isWhole || later.isWhole
        keepsValues = keepsValues && isWhole
        // A key is never given again, so that none is deleted twice, or comes back.
        deleted = (deleted + later.deleted).sorted { $0.key < $1.key }
        upserted = Set(upserted).union(later.upserted).subtracting(deleted.lazy.map(\.key)).sorted()
    }
}

/// The bytes of deltas, as stores keep them.
public enum SnapshotDeltaCoding {
    private static let version: UInt8 = 1

    /// The bytes of a delta.
    public static func encode(_ delta: SnapshotDelta) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(byte: version)
        writer.write(byte: delta.changesSchema ? 1 : 0)
        writer.write(count: delta.classes.count)
        for changed in delta.classes {
            writer.write(string: changed.className)
            writer.write(byte: changed.isWhole ? (changed.keepsValues ? 2 : 1) : 0)
            write(keys: changed.upserted, into: &writer)
            write(keys: changed.deleted.map(\.key), into: &writer)
            for object in changed.deleted { ValueCoding.encode(object.primaryKey, into: &writer) }
        }
        return writer.bytes
    }

    /// The delta of bytes that `encode` wrote.
    public static func decode(_ bytes: [UInt8]) throws(ColumnError) -> SnapshotDelta {
        var reader = ByteReader(bytes)
        guard try reader.readByte() == version else { throw reader.damage("the version of a delta") }
        var delta = SnapshotDelta(changesSchema: try reader.readByte() != 0)
        for _ in 0..<(try reader.readCount()) {
            let (name, extent) = (try reader.readString(), try reader.readByte())
            var changed = SnapshotDelta.ClassDelta(name, isWhole: extent != 0, keepsValues: extent == 2)
            changed.upserted = try readKeys(from: &reader)
            for key in try readKeys(from: &reader) {
                changed.deleted.append(
                    SnapshotDelta.DeletedObject(key: key, primaryKey: try ValueCoding.decode(from: &reader)))
            }
            delta.classes.append(changed)
        }
        guard reader.isAtEnd else { throw reader.damage("bytes follow the end") }
        return delta
    }

    private static func write(keys: [Int64], into writer: inout ByteWriter) {
        writer.write(bytes: SegmentCoding.encode(ColumnArray(count: keys.count, values: .int(keys))))
    }

    private static func readKeys(from reader: inout ByteReader) throws(ColumnError) -> [Int64] {
        guard case .int(let keys) = try SegmentCoding.decode(try reader.readBytes()).values else {
            throw reader.damage("object keys")
        }
        return keys
    }
}
