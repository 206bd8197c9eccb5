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

    /// Where `snapshot` is.
    var readStore: any SegmentStore { store }

    init(
        _ source: Snapshot, from sourceStore: any SegmentStore,
        options: RealmFileWriter.Options = RealmFileWriter.Options()
    ) throws {
        var writer = RealmFileWriter(source, from: sourceStore, options: options)
        var sink = CollectedBytes()
        try writer.write(to: &sink)
        try self.init(source, from: sourceStore, writtenAs: sink.bytes)
    }

    /// Reads a file that is said to hold a snapshot.
    init(_ source: Snapshot, from sourceStore: any SegmentStore, writtenAs bytes: [UInt8]) throws {
        self.source = source
        self.sourceStore = sourceStore
        self.bytes = bytes
        let store = store
        snapshot = try bytes.withUnsafeBytes { try RealmFileReader(bytes: $0).read(into: store) }
    }

    /// Reads a file and writes what it holds.
    init(rewriting file: [UInt8], limits: RowGroupLimits = .standard) throws {
        let store = MemorySegmentStore()
        let source = try file.withUnsafeBytes { try RealmFileReader(bytes: $0).read(into: store, limits: limits) }
        try self.init(source, from: store)
    }

    /// The differences between both, one line a place; at most a few.
    ///
    /// Asymmetric classes are to be left out.
    func differences() throws -> [String] {
        var lines: [String] = []
        let local = source.classes.filter { $0.schema.kind != .asymmetric }
        if snapshot.schemaVersion != source.schemaVersion { lines.append("schema version") }
        if snapshot.classes.map(\.schema) != local.map({ Self.writable($0.schema) }) { lines.append("schema") }
        for (read, written) in zip(snapshot.classes, local) {
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

extension WrittenRealm {
    private var firstKey: Int64 { snapshot.schemaVersion == nil ? 0 : 1 }

    /// The links of the realm in the form of `FileStructure.backlinks`, sorted.
    func links() throws -> [String: [[Int64]]] {
        var found: [String: [[Int64]]] = [:]
        let tables = Dictionary(
            uniqueKeysWithValues: snapshot.classes.enumerated().map { ($1.schema.name, firstKey + Int64($0)) })
        for stored in snapshot.classes {
            for object in try rows(of: stored) {
                for (index, (property, value)) in zip(stored.schema.properties, object.values).enumerated() {
                    let origin = "\(tables[stored.schema.name] ?? -1)/\(index)"
                    Self.forEachLink(in: value, to: property.objectType) { name, key in
                        found["\(tables[name] ?? -1) from \(origin)", default: []].append([key, object.key])
                    }
                }
            }
        }
        return found.mapValues { $0.sorted { $0.lexicographicallyPrecedes($1) } }
    }

    /// A value of an indexed property: where it is, and how many objects have it.
    struct IndexedValue {
        let bytes: [UInt8]?
        let key: Int64
        let count: Int
        let column: Int
        let table: Int64
    }

    /// Values of each indexed property, mixed ones left out.
    func indexedValues(atMost limit: Int) throws -> [IndexedValue] {
        var values: [IndexedValue] = []
        for (index, stored) in snapshot.classes.enumerated() {
            for (column, property) in stored.schema.properties.enumerated()
            where property.type != .mixed && !property.isCollection
                && (property.index == .general || property.name == stored.schema.primaryKey)
            {
                let cells = try rows(of: stored).map { ($0.key, Self.indexBytes($0.values[column])) }
                let counts = cells.reduce(into: [[UInt8]?: Int]()) { $0[$1.1, default: 0] += 1 }
                values += cells.prefix(limit).map { key, bytes in
                    IndexedValue(
                        bytes: bytes, key: key, count: counts[bytes] ?? 0, column: column,
                        table: firstKey + Int64(index))
                }
            }
        }
        return values
    }

    private func rows(of stored: StoredClass) throws -> Rows { try Rows(stored, store) }

    private static func forEachLink(in value: Value, to objectType: String?, _ body: (String, Int64) -> Void) {
        switch value {
        case .link(let key): body(objectType ?? "", key.value)
        case .typedLink(let name, let key): body(name, key.value)
        case .list(let elements): for element in elements { forEachLink(in: element, to: objectType, body) }
        case .dictionary(let entries): for entry in entries { forEachLink(in: entry.value, to: objectType, body) }
        default: break
        }
    }

    private static func indexBytes(_ value: Value) -> [UInt8]? {
        func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        return switch value {
        case .int(let number): bytes(number)
        case .bool(let flag): bytes(Int64(flag ? 1 : 0))
        case .string(let text): Array(text.utf8)
        case .date(let date): bytes(date.seconds) + bytes(date.nanoseconds)
        case .objectId(let id): id.bytes
        case .uuid(let id): id.bytes
        default: nil
        }
    }
}
