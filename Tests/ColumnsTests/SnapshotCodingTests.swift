import Columns
import RealmModel
import Testing

@Suite struct SnapshotCodingTests {
    private static let id = SegmentID(batch: BatchID(high: .max, low: 1), ordinal: 7)

    private static let schema = Schema([
        ObjectSchema(
            "Person", primaryKey: "id",
            properties: [
                Property("id", .int, index: .general),
                Property("na\u{e9}me", .string, isOptional: true, index: .fullText),
                Property("e\u{301}", .object, collection: .list, objectType: "E"),
                Property("all", .mixed, collection: .dictionary, isOptional: true, alias: "any", defaultValue: .null),
                Property("by", .linkingObjects, objectType: "E", originProperty: "p"),
            ]),
        ObjectSchema("E", kind: .embedded, properties: [Property("d", .double, defaultValue: .double(.nan))]),
        ObjectSchema("Z", kind: .asymmetric), ObjectSchema(""),
    ])

    private static let snapshots = [
        Snapshot(schemaVersion: nil, declared: Schema(), classes: []),
        Snapshot(schemaVersion: 0, declared: schema, classes: schema.classes.map { StoredClass(empty: $0) }),
        Snapshot(
            schemaVersion: .max, declared: schema,
            classes: [
                StoredClass(
                    schema: ObjectSchema("A", properties: [Property("x", .int), Property("y", .data)]), nextSequence: 9,
                    objectCount: 3, rowGroups: id, keys: .segments(id),
                    columns: [.segments(id), .constant(.list([.string("e\u{301}"), .double(.nan)]))])
            ]),
    ]

    private static let columns = [
        [],
        [
            Segment(repeating: .null, rowCount: 3), Segment(repeating: .double(.nan), rowCount: 16_384),
            Segment(rowCount: 5, nullCount: 2, content: .stored(id, storedBytes: 1 << 40)),
        ],
    ]

    private static let rowGroups = [
        [],
        [
            RowGroup(rowCount: 3, firstKey: ObjectKey(0), lastKey: ObjectKey(.max)),
            RowGroup(
                rowCount: 9, firstKey: ObjectKey(.min), lastKey: ObjectKey(-1),
                deleted: Bitmap(repeating: true, count: 9)),
        ],
    ]

    @Test(arguments: snapshots)
    func `a snapshot comes back`(snapshot: Snapshot) throws {
        let bytes = SnapshotCoding.encode(snapshot)
        #expect(try SnapshotCoding.decodeSnapshot(bytes) == snapshot)
        for cut in Damage.cuts(of: bytes) {
            #expect(throws: ColumnError.self) { try SnapshotCoding.decodeSnapshot(cut) }
        }
        for damaged in Damage.all(of: bytes) {
            #expect(Damage.isHandled { try SnapshotCoding.decodeSnapshot(damaged) })
        }
    }

    @Test(arguments: columns)
    func `a column comes back`(segments: [Segment]) throws {
        let bytes = SnapshotCoding.encode(column: segments)
        #expect(try SnapshotCoding.decodeColumn(bytes) == segments)
        for cut in Damage.cuts(of: bytes) { #expect(throws: ColumnError.self) { try SnapshotCoding.decodeColumn(cut) } }
        for damaged in Damage.all(of: bytes) { #expect(Damage.isHandled { try SnapshotCoding.decodeColumn(damaged) }) }
    }

    @Test(arguments: rowGroups)
    func `row groups come back`(groups: [RowGroup]) throws {
        let bytes = SnapshotCoding.encode(rowGroups: groups)
        #expect(try SnapshotCoding.decodeRowGroups(bytes) == groups)
        for cut in Damage.cuts(of: bytes) {
            #expect(throws: ColumnError.self) { try SnapshotCoding.decodeRowGroups(cut) }
        }
        for damaged in Damage.all(of: bytes) {
            #expect(Damage.isHandled { try SnapshotCoding.decodeRowGroups(damaged) })
        }
    }

    @Test func `bytes behind the end are an error`() {
        #expect(throws: ColumnError.self) {
            try SnapshotCoding.decodeSnapshot(SnapshotCoding.encode(Self.snapshots[0]) + [0])
        }
        #expect(throws: ColumnError.self) { try SnapshotCoding.decodeColumn(SnapshotCoding.encode(column: []) + [0]) }
        #expect(throws: ColumnError.self) {
            try SnapshotCoding.decodeRowGroups(SnapshotCoding.encode(rowGroups: []) + [0])
        }
    }

    @Test func `a column has no more nulls than rows`() {
        let column = [Segment(rowCount: 1, nullCount: 2, content: .constant(.null))]
        #expect(throws: ColumnError.self) { try SnapshotCoding.decodeColumn(SnapshotCoding.encode(column: column)) }
        let endless = [Segment(repeating: .null, rowCount: .max)]
        #expect(throws: ColumnError.self) { try SnapshotCoding.decodeColumn(SnapshotCoding.encode(column: endless)) }
    }
}
