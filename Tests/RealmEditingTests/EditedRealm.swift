import Columns
import RealmEditing
import RealmModel
import Testing

/// A realm of persons in row groups of a hundred, and a batch of changes to it.
struct EditedRealm {
    static let schema = Schema([
        ObjectSchema(
            "Person", primaryKey: "id",
            properties: [
                Property("id", .int), Property("name", .string),
                Property("friend", .object, objectType: "Person", isOptional: true),
                Property("home", .object, objectType: "Home", isOptional: true),
            ]),
        ObjectSchema("Home", kind: .embedded, properties: [Property("city", .string)]),
        ObjectSchema(
            "Street",
            properties: [
                Property("row", .object, collection: .list, objectType: "Home"),
                Property("named", .object, collection: .dictionary, objectType: "Home", isOptional: true),
            ]),
    ])
    static let limits = RowGroupLimits(rows: 100, bytes: 1 << 20)

    let store: any SegmentStore
    let snapshot: Snapshot

    /// Persons with the primary keys 0, 10, 20 and so on.
    init(_ count: Int, in store: any SegmentStore = MemorySegmentStore()) throws {
        self.store = store
        let classes = try Self.schema.classes.map { schema in
            let writer = ClassWriter(schema: schema, store: store, limits: Self.limits)
            for number in 0..<(schema.name == "Person" ? count : 0) {
                let values: [Value] = [.int(Int64(number) * 10), .string("person \(number)"), .null, .null]
                for (builder, value) in zip(writer.columns, values) { try builder.append(value) }
                try writer.endRow(key: ObjectKey(Int64(number)))
            }
            return try writer.finish(nextSequence: schema.name == "Person" ? Int64(count) : 0)
        }
        snapshot = Snapshot(schemaVersion: 3, declared: Self.schema, classes: classes)
    }

    private init(_ snapshot: Snapshot, _ store: any SegmentStore) {
        self.snapshot = snapshot
        self.store = store
    }

    /// The realm after a batch of changes.
    func edited(
        takenPrimaryKeys: RealmEditor.TakenPrimaryKeys = .refused, _ batch: (RealmEditor) throws -> Void
    ) throws -> EditedRealm {
        let editor = RealmEditor(
            editing: snapshot, in: store, limits: Self.limits, takenPrimaryKeys: takenPrimaryKeys)
        try batch(editor)
        let edited = try editor.view.realm.finish(schemaVersion: snapshot.schemaVersion, declared: snapshot.declared)
        return EditedRealm(edited, store)
    }

    /// The values of the objects of a class, in the order of its columns, by the first of them.
    func objects(_ className: String = "Person") throws -> [Value: [Value]] {
        let reader = try ClassReader(try #require(snapshot[className]), store: store)
        var objects: [Value: [Value]] = [:]
        for (number, group) in reader.rowGroups.enumerated() {
            let properties = reader.stored.schema.properties
            let columns = try properties.indices.map { try reader.column($0, inGroup: number) }
            for row in group.liveRows {
                let values = try zip(columns, properties).map { try $0.value(at: row, as: ColumnType($1)) }
                objects[values[0]] = values
            }
        }
        return objects
    }
}

extension RealmEditor {
    /// The person of a primary key.
    func person(_ id: Int64) throws -> ObjectReference? { try view.object(in: 0, primaryKey: .int(id)) }
}

/// A store that has an index of every column, and counts what is asked of it.
final class IndexedStore: SegmentStore {
    private let kept = MemorySegmentStore()
    private(set) var lookups = 0
    private(set) var segmentsRead = 0

    func write(segment bytes: [UInt8]) throws -> SegmentID { try kept.write(segment: bytes) }
    func write(column segments: [Segment]) throws -> SegmentID { try kept.write(column: segments) }
    func read(column id: SegmentID) throws -> [Segment] { try kept.read(column: id) }

    func read(segment id: SegmentID) throws -> [UInt8] {
        segmentsRead += 1
        return try kept.read(segment: id)
    }

    /// Some rows too many, as an index of hashes may give.
    func rows(withPrimaryKey value: Value, of reader: ClassReader, property: Int) throws -> [Int]? {
        lookups += 1
        guard case .segments(let column) = reader.stored.columns[property] else { return nil }
        var rows: [Int] = []
        var first = 0
        for segment in try kept.read(column: column) {
            guard case .stored(let id, _) = segment.content else { continue }
            let cells = try SegmentCoding.decode(try kept.read(segment: id))
            rows += try (0..<cells.count).filter { row in
                try first + row == 7 || cells.value(at: row, as: ColumnType(.int)) == value
            }.map { first + $0 }
            first += cells.count
        }
        return rows
    }
}
