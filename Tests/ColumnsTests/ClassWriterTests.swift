import Columns
import RealmModel
import TestRandomness
import Testing

@Suite struct ClassWriterTests {
    /// A class with a property of every type.
    private static let schema = ObjectSchema(
        "All",
        properties: ColumnType.all.enumerated().map { index, type in
            Property("p\(index)", type.element, collection: type.collection, isOptional: true)
        } + [Property("by", .linkingObjects, objectType: "All", originProperty: "p0")])

    private static func rows(_ count: Int) -> [[Value]] {
        var generator = SeededGenerator(seed: UInt64(count))
        return (0..<count).map { _ in ColumnType.all.map { generator.value(of: $0) } }
    }

    private static func write(_ rows: [[Value]], _ limits: RowGroupLimits) throws -> ClassReader {
        let store = MemorySegmentStore()
        let writer = ClassWriter(schema: schema, store: store, limits: limits)
        for (index, row) in rows.enumerated() {
            for (column, value) in zip(writer.columns, row) { try column.append(value) }
            try writer.endRow(key: ObjectKey(Int64(index * 5)))
            #expect(writer.lastKey == ObjectKey(Int64(index * 5)))
        }
        return try ClassReader(try writer.finish(nextSequence: Int64(rows.count)), store: store)
    }

    private static func read(_ reader: ClassReader) throws -> [[Value]] {
        try reader.rowGroups.indices.flatMap { group in
            let columns = try reader.stored.columns.indices.map { try reader.column($0, inGroup: group) }
            return try (0..<reader.rowGroups[group].rowCount).map { row in
                try zip(columns, ColumnType.all).map { try $0.value(at: row, as: $1) }
            }
        }
    }

    @Test(arguments: [1, 2, 3, 16_384], [0, 1, 2, 3, 4, 7])
    func `what was written is read`(limit: Int, count: Int) throws {
        let rows = Self.rows(count)
        let reader = try Self.write(rows, RowGroupLimits(rows: limit, bytes: 8 << 20))
        #expect(reader.stored.objectCount == count)
        #expect(reader.stored.nextSequence == Int64(count))
        #expect(reader.stored.schema.properties.allSatisfy { !$0.isComputed })
        #expect(reader.rowGroups.count == (count + limit - 1) / limit)
        #expect(try Self.read(reader) == rows)
        let keys = try reader.rowGroups.indices.map { try reader.keys(inGroup: $0) }
        #expect(keys.flatMap { $0 } == (0..<count).map { Int64($0 * 5) })
        for (group, keys) in zip(reader.rowGroups, keys) {
            #expect(keys.first == group.firstKey.value && keys.last == group.lastKey.value)
        }
    }

    @Test(arguments: [(100, 1000), (1024, 1000), (5000, 300), (40_000, 50), (65_536, 10), (1 << 20, 5)])
    func `a row group closes with the row that fills it`(rowBytes: Int, count: Int) throws {
        let store = MemorySegmentStore()
        let schema = ObjectSchema("A", properties: [Property("data", .data)])
        let writer = ClassWriter(schema: schema, store: store, limits: RowGroupLimits(rows: 1 << 20, bytes: 64 << 10))
        for key in 0..<count {
            try writer.columns[0].append(.data([UInt8](repeating: 1, count: rowBytes)))
            try writer.endRow(key: ObjectKey(Int64(key)))
        }
        let reader = try ClassReader(try writer.finish(nextSequence: Int64(count)), store: store)
        // Four bytes a row say where it ends, and a bit whether it is null.
        func bytes(_ rows: Int) -> Int { 4 + rows * (rowBytes + 4) + rows / 8 }
        for group in reader.rowGroups.dropLast() {
            #expect(bytes(group.rowCount) >= 64 << 10)
            #expect(bytes(group.rowCount - 1) < 64 << 10)
        }
        #expect(reader.rowGroups.reduce(0) { $0 + $1.rowCount } == count)
    }

    @Test func `a row group is not far over its limit where rows become large`() throws {
        let store = MemorySegmentStore()
        let schema = ObjectSchema("A", properties: [Property("data", .data)])
        let writer = ClassWriter(schema: schema, store: store, limits: RowGroupLimits(rows: 1 << 20, bytes: 64 << 10))
        for key in 0..<400 {
            try writer.columns[0].append(.data([UInt8](repeating: 1, count: key < 200 ? 10 : 60_000)))
            try writer.endRow(key: ObjectKey(Int64(key)))
        }
        let reader = try ClassReader(try writer.finish(nextSequence: 400), store: store)
        #expect(try #require(reader.rowGroups.first).rowCount <= 264)
        #expect(reader.rowGroups.dropFirst().allSatisfy { $0.rowCount <= 2 })
    }

    @Test func `whole row groups stand between rows`() throws {
        let store = MemorySegmentStore()
        let writer = ClassWriter(
            schema: ObjectSchema("A", properties: [Property("x", .int)]), store: store,
            limits: RowGroupLimits(rows: 10, bytes: 1 << 20))
        try writer.columns[0].append(.int(1))
        try writer.endRow(key: ObjectKey(1))
        try writer.append(keys: [2, 3], columns: [ColumnArray(count: 2, values: .int([2, 3]))])
        try writer.columns[0].append(.int(4))
        try writer.endRow(key: ObjectKey(4))
        let reader = try ClassReader(try writer.finish(nextSequence: 5), store: store)
        #expect(try reader.rowGroups.indices.map { try reader.keys(inGroup: $0) } == [[1], [2, 3], [4]])
        #expect(try reader.column(0, inGroup: 1).values == .int([2, 3]))
    }

    @Test func `a class without objects has constants for columns`() throws {
        let reader = try Self.write([], .standard)
        #expect(reader.rowGroups.isEmpty)
        #expect(reader.stored.rowGroups == nil)
        #expect(reader.stored.columns == StoredClass(empty: Self.schema).columns)
    }
}
