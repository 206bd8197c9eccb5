import RealmModel
import TestRandomness
import Testing

@testable import Columns

/// A cell that is read by itself is what its column has, whatever patches make of the class.
@Suite struct PatchedValueTests {
    private static let schema = ObjectSchema(
        "Item", primaryKey: "id",
        properties: [Property("id", .int), Property("name", .string, isOptional: true), Property("late", .bool)])

    private let store = MemorySegmentStore()

    /// Objects in row groups of some rows, of which a few keys are left out.
    private func stored(_ count: Int, rows: Int, _ random: inout SeededGenerator) throws -> StoredClass {
        let writer = ClassWriter(schema: Self.schema, store: store, limits: RowGroupLimits(rows: rows, bytes: 1 << 20))
        var key: Int64 = 0
        for number in 0..<count {
            writer.columns[0].append(int: Int64(number))
            try writer.columns[1].append(.string("n\(number)"))
            try writer.columns[2].append(.bool(false))
            try writer.endRow(key: ObjectKey(key))
            key += random.below(6) == 0 ? 2 : 1
        }
        var stored = try writer.finish(nextSequence: key)
        stored.columns[2] = .constant(.bool(false))
        return stored
    }

    /// A patch that changes some of the objects that are there, and adds others; `late` is of later patches.
    private func contents(
        _ keys: inout [Int64], after last: Int64, knowsLate: Bool, _ random: inout SeededGenerator
    ) throws -> PatchContents {
        let deleted = keys.filter { _ in random.below(12) == 0 }
        keys.removeAll { deleted.contains($0) }
        var contents = PatchContents(
            inserted: (0..<Int64(random.below(4))).map { last + 1 + $0 * 2 },
            changed: keys.filter { _ in random.below(3) == 0 }, deleted: deleted)
        for property in knowsLate ? Self.schema.properties : Array(Self.schema.properties.prefix(2)) {
            var column = PatchContents.PatchColumn(property.name)
            func values(_ count: Int) throws -> ColumnArray {
                let values = (0..<count).map { _ -> Value in
                    switch property.type {
                    case .int: .int(Int64(random.below(1_000)))
                    case .bool: .bool(random.below(2) == 0)
                    default: random.below(4) == 0 ? .null : .string("p\(random.below(1_000))")
                    }
                }
                return try ColumnArray(values, as: ColumnType(property))
            }
            if !contents.inserted.isEmpty {
                let inserted = try values(contents.inserted.count)
                column.inserted = inserted
                if property.type == .int { contents.primaryKeys = try PrimaryKeyIndex(of: inserted) }
            }
            column.changedRows = contents.changed.indices.filter { _ in random.below(2) == 0 }.map { Int64($0) }
            if !column.changedRows.isEmpty { column.changed = try values(column.changedRows.count) }
            if column.inserted != nil || column.changed != nil { contents.columns.append(column) }
        }
        keys += contents.inserted
        return contents
    }

    @Test(arguments: 0..<30)
    func `is what the column has`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var stored = try stored(20, rows: 1 + random.below(7), &random)
        var keys = try ClassReader(stored, store: store).rowGroups.indices.flatMap {
            try ClassReader(stored, store: store).keys(inGroup: $0)
        }
        for round in 0..<4 {
            let last = keys.last ?? -1
            let contents = try contents(&keys, after: max(last, stored.nextSequence), knowsLate: round > 1, &random)
            stored.nextSequence = max(stored.nextSequence, (contents.inserted.last ?? -1) + 1)
            for index in stored.patches.indices { stored.patches[index].isSealed = true }
            try stored.append(contents, in: store)
        }
        let reader = try ClassReader(stored, store: store)
        for (group, rows) in reader.rowGroups.enumerated() {
            for (index, property) in Self.schema.properties.enumerated() {
                let type = ColumnType(property)
                let whole = try reader.column(index, inGroup: group)
                for row in 0..<rows.rowCount {
                    let patched = try reader.patchedValue(index, at: row, inGroup: group)
                    #expect(group < reader.storedGroupCount || patched != nil)
                    let value = try patched ?? reader.storedColumn(index, inGroup: group).value(at: row, as: type)
                    #expect(
                        try value == whole.value(at: row, as: type), "seed \(seed), \(property.name), \(group), \(row)")
                }
            }
        }
    }

    @Test func `keys without gaps are those that are stored`() throws {
        var random = SeededGenerator(seed: 7)
        let reader = try ClassReader(try stored(200, rows: 3, &random), store: store)
        var hasSeen: Set<Bool> = []
        for (group, rows) in reader.rowGroups.enumerated() {
            let array = try store.read(try reader.keySegment(inGroup: group), as: ColumnType(.int))
            #expect(try array.values == .int(reader.keys(inGroup: group)))
            hasSeen.insert(rows.keysWithoutGaps != nil)
        }
        #expect(hasSeen == [true, false])
    }
}
