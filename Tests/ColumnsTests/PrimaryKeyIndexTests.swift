import RealmModel
import TestRandomness
import Testing

@testable import Columns

@Suite struct PrimaryKeyIndexTests {
    /// Every row is found by its own key, and what else is found is little.
    @Test(arguments: [PropertyType.int, .string, .objectId, .uuid], [0, 1, 2, 256, 257, 13_000])
    func `finds every row by its primary key`(_ type: PropertyType, count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let values = (0..<count).map { Self.value(type, $0, &generator) }
        let pages = try Self.pages(values, type)
        #expect(pages.first.map { $0.firstHash == 0 } ?? true)
        var strangers = 0
        for (row, value) in values.enumerated() where count < 10 || row % 101 == 0 {
            let found = try Self.rows(of: value, in: pages)
            #expect(found.contains(row))
            strangers += found.count - 1
        }
        #expect(strangers <= 4)
    }

    /// Hashes that stand as close together as somebody could choose them are found as those that are spread evenly.
    @Test(arguments: [0, 1, 3, 700, 20_000], [0, 1, 12, 31] as [UInt32])
    func `finds the rows of a hash, however the hashes lie`(count: Int, bits: UInt32) throws {
        var generator = SeededGenerator(seed: UInt64(count) + UInt64(bits))
        let hashes = (0..<count).map { _ in
            // Most lie in the part of all hashes that so many bits are left for.
            UInt32(truncatingIfNeeded: generator.next()) >> (generator.below(10) == 0 ? 0 : bits) ^ 0x9000_0000
        }
        var index = PrimaryKeyIndex()
        for (row, hash) in hashes.enumerated() { index.append(PrimaryKeyHash(bits: hash), row: row) }
        index.sort()
        let rows = Dictionary(grouping: hashes.indices) { hashes[$0] }
        let wanted = hashes.prefix(300) + [0, 1, 0x9000_0000, .max - 1, .max] + hashes.prefix(50).map { $0 &+ 1 }
        for hash in wanted { #expect(index.rows(of: PrimaryKeyHash(bits: hash)) == rows[hash] ?? [], "\(hash)") }
    }

    @Test func `has null like any other key, and all rows of one key on one page`() throws {
        let values = (0..<1000).map { $0 % 3 == 0 ? Value.null : .int(Int64($0 % 3)) }
        let pages = try Self.pages(values, .int)
        for value in [Value.null, .int(1), .int(2)] {
            #expect(try Self.rows(of: value, in: pages) == values.indices.filter { values[$0] == value })
        }
    }

    @Test func `begins a run where one is full`() throws {
        let column = ColumnArray(count: 25, values: .int((0..<25).map { $0 * 7 }))
        var writer = PrimaryKeyIndexWriter(rowsInRun: 10)
        var pages: [PrimaryKeyPage] = []
        try writer.append(column) { pages += $0 }
        try writer.finish { pages += $0 }
        #expect(pages.map(\.run) == [0, 1, 2])
        for row in 0..<25 {
            let hash = try #require(PrimaryKeyHash(.int(Int64(row) * 7)))
            #expect(try PrimaryKeyPage.rows(of: hash, in: pages[row / 10].bytes) == [row % 10])
        }
    }

    /// Rows that are the same in the column as it was need not be read: the pages are those of an index that is made of all
    /// rows.
    @Test(arguments: [0, 1, 9, 10, 11, 20, 24, 25])
    func `goes on behind the rows that another index has`(same: Int) throws {
        var generator = SeededGenerator(seed: 5)
        let values = (0..<25).map { Self.value(.string, $0 / 2, &generator) }
        func pages(_ values: ArraySlice<Value>, _ begun: PrimaryKeyIndexWriter) throws -> [PrimaryKeyPage] {
            var (writer, pages) = (begun, [PrimaryKeyPage]())
            try writer.append(try ColumnArray(values, as: ColumnType(.string))) { pages += $0 }
            try writer.finish { pages += $0 }
            return pages
        }
        let empty = PrimaryKeyIndexWriter(rowsInRun: 10)
        let others = try pages(values[..<same] + ["x", "y", "z"].map { .string($0) }, empty)
        let last = others.filter { $0.run == same / 10 }
        var index = PrimaryKeyIndex()
        for page in last { try index.append(page: page.bytes) }
        let begun = try #require(PrimaryKeyIndexWriter(after: same, of: index, rowsInRun: 10))
        let whole = try pages(values[...], empty)
        #expect(try pages(values[same...], begun) == whole.filter { $0.run >= same / 10 })
        // A run that is not whole is not gone on with.
        #expect(same % 10 == 0 || PrimaryKeyIndexWriter(after: same, of: nil, rowsInRun: 10) == nil)
        #expect(same % 10 < 2 || PrimaryKeyIndexWriter(after: same, of: index.rows(below: 1), rowsInRun: 10) == nil)
    }

    /// However many rows there are, and however their hashes are spread, those of a hash are found in the order of their numbers.
    @Test(arguments: [0, 1, 4_096, 4_097, 30_000], [UInt32.max, 1 << 31, 5_000, 3])
    func `finds the rows of every hash, ascending`(count: Int, range: UInt32) {
        var generator = SeededGenerator(seed: UInt64(count))
        var index = PrimaryKeyIndex()
        var expected: [UInt32: [Int]] = [:]
        for row in 0..<count {
            let bits = UInt32.random(in: 0...range, using: &generator)
            index.append(PrimaryKeyHash(bits: bits), row: row)
            expected[bits, default: []].append(row)
        }
        index.sort()
        #expect(index.entries == index.entries.sorted())
        for (bits, rows) in expected { #expect(index.rows(of: PrimaryKeyHash(bits: bits)) == rows) }
        for bits in [0, 1, range, .max] as [UInt32] {
            #expect(index.rows(of: PrimaryKeyHash(bits: bits)) == expected[bits] ?? [])
        }
        // Rows that are not put in ascending are found ascending all the same.
        var mixed = PrimaryKeyIndex()
        for row in (0..<count).reversed() { mixed.append(PrimaryKeyHash(bits: UInt32(row % 7)), row: row) }
        mixed.sort()
        #expect(mixed.entries == mixed.entries.sorted())
    }

    @Test(arguments: [(0, 0), (1, 1), (1 << 20, 1), ((1 << 20) + 1, 2)])
    func `counts runs`(rows: Int, runs: Int) {
        #expect(PrimaryKeyPage.runCount(forRows: rows) == runs)
    }

    /// Stored indexes outlive the program that wrote them.
    @Test func `hashes as it ever did`() throws {
        let hashes: [(Value, UInt32)] = [
            (.null, 0), (.int(0), 1_364_680_141), (.int(-1), 1_577_396_443), (.int(42), 2_685_793_102),
            (.string(""), 1_364_680_141), (.string("é"), 2_605_162_664), (.string("twelve bytes"), 3_799_522_321),
            (.uuid(try #require(UUID("6a2f41a3-c54c-fce8-32d2-0324e1c32e22"))), 3_742_813_305),
        ]
        for (value, bits) in hashes { #expect(PrimaryKeyHash(value)?.bits == bits, "\(value)") }
    }

    @Test(arguments: [[0x80], [1], [1, 0x80], [1, 0xff, 0xff, 0xff, 0x7f]] as [[UInt8]])
    func `refuses a damaged page`(_ bytes: [UInt8]) {
        #expect(throws: ColumnError.self) { try PrimaryKeyPage.rows(of: .init(bits: .max), in: bytes) }
    }

    private static func value(
        _ type: PropertyType, _ number: Int, _ generator: inout SeededGenerator
    ) -> Value {
        let random = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        switch type {
        case .int: return .int(Int64(number))
        case .objectId: return ObjectId(bytes: random.prefix(12)).map { .objectId($0) } ?? .null
        case .uuid: return UUID(bytes: random[...]).map { .uuid($0) } ?? .null
        default: return .string("person \(number)")
        }
    }

    private static func pages(_ values: [Value], _ type: PropertyType) throws -> [PrimaryKeyPage] {
        var writer = PrimaryKeyIndexWriter()
        var pages: [PrimaryKeyPage] = []
        for start in stride(from: 0, to: values.count, by: 1000) {
            let rows = values[start..<min(start + 1000, values.count)]
            try writer.append(try ColumnArray(rows, as: ColumnType(type))) { pages += $0 }
        }
        try writer.finish { pages += $0 }
        return pages
    }

    private static func rows(of value: Value, in pages: [PrimaryKeyPage]) throws -> [Int] {
        let hash = try #require(PrimaryKeyHash(value))
        return try Set(pages.map(\.run)).sorted().flatMap { run in
            let page = try #require(pages.last { $0.run == run && $0.firstHash <= hash.bits })
            return try PrimaryKeyPage.rows(of: hash, in: page.bytes).map { $0 + run * PrimaryKeyPage.rowsInRun }
        }
    }
}
