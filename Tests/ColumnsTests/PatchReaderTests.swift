import RealmModel
import TestRandomness
import Testing

@testable import Columns

/// A patch that was just made is read as one that comes from a store.
@Suite struct PatchReaderTests {
    private static let types: [(String, ColumnType)] = [
        ("id", ColumnType(.int)), ("name", ColumnType(Property("", .string, isOptional: true))),
        ("numbers", ColumnType(Property("", .double, collection: .list))), ("any", ColumnType(.mixed)),
    ]

    private static func contents(_ random: inout SeededGenerator, after last: Int64) throws -> PatchContents {
        var keys = (0...last).filter { _ in random.below(2) == 0 }
        let deleted = keys.filter { _ in random.below(3) == 0 }
        keys.removeAll { deleted.contains($0) }
        let count = random.below(5)
        var contents = PatchContents(
            inserted: (0..<Int64(count)).map { last + 1 + $0 * 2 }, changed: keys, deleted: deleted)
        for (name, type) in types {
            var column = PatchContents.PatchColumn(name)
            if count > 0 {
                let inserted = try ColumnArray((0..<count).map { _ in value(of: name, &random) }, as: type)
                column.inserted = inserted
                if name == "id" { contents.primaryKeys = try PrimaryKeyIndex(of: inserted) }
            }
            column.changedRows = keys.indices.filter { _ in random.below(3) > 0 }.map { Int64($0) }
            if !column.changedRows.isEmpty {
                column.changed = try ColumnArray(
                    column.changedRows.map { _ in value(of: name, &random) }, as: type)
            }
            if column.inserted != nil || column.changed != nil { contents.columns.append(column) }
        }
        return contents
    }

    private static func value(of property: String, _ random: inout SeededGenerator) -> Value {
        let number = random.below(9)
        switch property {
        case "id": return .int(Int64(number))
        case "name": return number == 0 ? .null : .string("n\(number)")
        case "numbers": return .list((0..<number / 3).map { .double(Double($0)) })
        default: return number < 3 ? .null : number < 6 ? .int(Int64(number)) : .string("m\(number)")
        }
    }

    private static func expectSame(_ made: PatchReader, _ read: PatchReader, _ place: String) throws {
        #expect(made.inserted == read.inserted && made.changed == read.changed, "\(place)")
        #expect(made.deleted == read.deleted && made.primaryKeys == read.primaryKeys, "\(place)")
        for (name, type) in types {
            #expect(try made.inserted(of: name, as: type) == read.inserted(of: name, as: type), "\(place), \(name)")
            let (left, right) = (try made.changed(of: name, as: type), try read.changed(of: name, as: type))
            #expect(left?.keys == right?.keys && left?.cells == right?.cells, "\(place), \(name)")
        }
    }

    @Test(arguments: 0..<40)
    func `says of contents what it says of their bytes, alone and merged`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stored = StoredClass(
            empty: ObjectSchema(
                "Item", primaryKey: "id",
                properties: [
                    Property("id", .int), Property("name", .string, isOptional: true),
                    Property("numbers", .double, collection: .list), Property("any", .mixed, isOptional: true),
                ]))
        var parts: [PatchContents] = []
        var last: Int64 = 11
        var gone: Set<Int64> = []
        for _ in 0..<4 {
            var part = try Self.contents(&random, after: last)
            // A later patch says nothing of objects that an earlier one deleted.
            let isNew = part.deleted.filter { !gone.contains($0) }
            guard part.changed.allSatisfy({ !gone.contains($0) }) || parts.isEmpty else { continue }
            part.deleted = isNew
            gone.formUnion(isNew)
            last = part.inserted.last ?? last
            parts.append(part)
        }
        let made = parts.map { PatchReader($0) }
        let read = try parts.map { try PatchReader($0.encoded()) }
        for (left, right) in zip(made, read) { try Self.expectSame(left, right, "seed \(seed)") }
        let merged = try PatchContents(merging: made, of: stored)
        #expect(try merged == PatchContents(merging: read, of: stored))
        try Self.expectSame(PatchReader(merged), try PatchReader(merged.encoded()), "seed \(seed), merged")
    }
}
