import Columns
import RealmModel

@testable import RealmFile

/// A file read into memory: the snapshot and every value of it.
struct ReadRealm {
    let snapshot: Snapshot
    /// The objects of each class in order of their keys.
    let objects: [String: [Object]]

    struct Object {
        let key: Int64
        /// In the order of the class's properties.
        let values: [Value]
    }

    init(_ bytes: [UInt8], limits: RowGroupLimits = .standard) throws {
        let store = MemorySegmentStore()
        try self.init(bytes.withUnsafeBytes { try RealmFileReader(bytes: $0).read(into: store, limits: limits) }, store)
    }

    /// Reads tables of any name as if they were classes, for files that Realm Core's own tests made.
    init(tablesOf bytes: [UInt8]) throws {
        let store = MemorySegmentStore()
        try self.init(
            bytes.withUnsafeBytes {
                try RealmFileReader(bytes: $0).read(into: store, limits: .standard) { $0.className ?? $0.name }
            }, store)
    }

    init(_ snapshot: Snapshot, _ store: any SegmentStore) throws {
        self.snapshot = snapshot
        objects = try Dictionary(
            uniqueKeysWithValues: snapshot.classes.map { ($0.schema.name, try Self.objects(of: $0, store: store)) })
    }

    private static func objects(of stored: StoredClass, store: any SegmentStore) throws -> [Object] {
        let reader = try ClassReader(stored, store: store)
        var objects: [Object] = []
        for group in reader.rowGroups.indices {
            let keys = try reader.keys(inGroup: group)
            let columns = try stored.schema.properties.indices.map { try reader.column($0, inGroup: group) }
            for (row, key) in keys.enumerated() {
                let values = try zip(columns, stored.schema.properties).map {
                    try $0.value(at: row, as: ColumnType($1))
                }
                objects.append(Object(key: key, values: values))
            }
        }
        return objects
    }
}
