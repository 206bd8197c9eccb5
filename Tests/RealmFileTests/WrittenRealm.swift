import Columns
import RealmModel

@testable import RealmFile

/// A snapshot, the file that was written of it, and the snapshot that was read from that file.
struct WrittenRealm {
    let source: Snapshot
    let bytes: [UInt8]
    let snapshot: Snapshot
    private let sourceStore: any SegmentStore
    private let store = MemorySegmentStore()

    init(
        _ source: Snapshot, from sourceStore: any SegmentStore,
        options: RealmFileWriter.Options = RealmFileWriter.Options()
    ) throws {
        self.source = source
        self.sourceStore = sourceStore
        var writer = RealmFileWriter(source, from: sourceStore, options: options)
        var sink = CollectedBytes()
        try writer.write(to: &sink)
        bytes = sink.bytes
        let store = store
        snapshot = try sink.bytes.withUnsafeBytes { try RealmFileReader(bytes: $0).read(into: store) }
    }

    /// Reads a file and writes what it holds.
    init(rewriting file: [UInt8], limits: RowGroupLimits = .standard) throws {
        let store = MemorySegmentStore()
        let source = try file.withUnsafeBytes { try RealmFileReader(bytes: $0).read(into: store, limits: limits) }
        try self.init(source, from: store)
    }

    /// What is not the same in both, one line a place; at most a few.
    func differences() throws -> [String] {
        var lines: [String] = []
        if snapshot.schemaVersion != source.schemaVersion { lines.append("schema version") }
        if snapshot.classes.map(\.schema) != source.classes.map({ Self.writable($0.schema) }) { lines.append("schema") }
        for (read, written) in zip(snapshot.classes, source.classes) {
            if read.nextSequence != written.nextSequence { lines.append("\(read.schema.name): next sequence") }
            if read.objectCount != written.objectCount { lines.append("\(read.schema.name): number of objects") }
            try compare(read, written, &lines)
        }
        return Array(lines.prefix(5))
    }

    /// The number of values of objects.
    var cellCount: Int { snapshot.classes.reduce(0) { $0 + $1.objectCount * $1.schema.properties.count } }

    /// A class without what is left to Realm.
    private static func writable(_ schema: ObjectSchema) -> ObjectSchema {
        var schema = schema
        for index in schema.properties.indices where schema.properties[index].index == .fullText {
            schema.properties[index].index = .none
        }
        return schema
    }

    private func compare(_ read: StoredClass, _ written: StoredClass, _ lines: inout [String]) throws {
        var objects = try Rows(read, store).makeIterator()
        for expected in try Rows(written, sourceStore) {
            guard let object = objects.next() else { return lines.append("\(read.schema.name): objects are missing") }
            guard object.key == expected.key else { return lines.append("\(read.schema.name): key \(expected.key)") }
            for (property, (value, wanted)) in zip(read.schema.properties, zip(object.values, expected.values))
            where value != wanted && lines.count < 5 {
                lines.append("\(read.schema.name)[\(object.key)].\(property.name): \(value) is not \(wanted)")
            }
        }
    }
}

/// The objects of a class that are not deleted, row group by row group.
struct Rows: Sequence, IteratorProtocol {
    private let reader: ClassReader
    private let types: [ColumnType]
    private var group = -1
    private var live: ArraySlice<Int> = []
    private var keys: [Int64] = []
    private var columns: [ColumnArray] = []

    init(_ stored: StoredClass, _ store: any SegmentStore) throws {
        reader = try ClassReader(stored, store: store)
        types = stored.schema.properties.map { ColumnType($0) }
    }

    mutating func next() -> (key: Int64, values: [Value])? {
        while live.isEmpty {
            guard group + 1 < reader.rowGroups.count else { return nil }
            group += 1
            live = reader.rowGroups[group].liveRows[...]
            keys = (try? reader.keys(inGroup: group)) ?? []
            columns = types.indices.compactMap { try? reader.column($0, inGroup: group) }
        }
        guard let row = live.popFirst() else { return nil }
        return (keys[row], zip(columns, types).map { (try? $0.value(at: row, as: $1)) ?? .null })
    }
}

/// A sink that keeps everything.
struct CollectedBytes: ByteSink {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ bytes: [UInt8]) throws { self.bytes += bytes }
}
