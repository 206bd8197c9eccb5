import Testing

@testable import RealmExport

/// Primary keys that PostgreSQL may have as one.
struct KeysWithoutNULTests {
    private static func column(_ keys: [String]) -> CellColumn {
        var (offsets, bytes): ([Int32], [UInt8]) = ([0], [])
        for key in keys {
            bytes += key.utf8
            offsets.append(Int32(bytes.count))
        }
        return CellColumn(count: keys.count, validity: nil, cells: .text(offsets: offsets, bytes: bytes))
    }

    @Test func `are told where one comes again, in whatever row group`() {
        var keys = KeysWithoutNUL()
        #expect(keys.take(Self.column(["a", "a\u{fffd}", "a"]), rows: [0, 1, 2]) == nil)
        #expect(keys.take(Self.column(["b\u{fffd}", "a\u{fffd}"]), rows: [0, 1]) == 1)
        #expect(keys.take(Self.column(["a\u{fffd}"]), rows: []) == nil)
        #expect(!keys.areTooMany)
    }

    @Test func `are not held without an end`() {
        var keys = KeysWithoutNUL(limit: 3)
        #expect(keys.take(Self.column((0..<3).map { "\u{fffd}\($0)" }), rows: [0, 1, 2]) == nil)
        #expect(!keys.areTooMany)
        #expect(keys.take(Self.column((3..<9).map { "\u{fffd}\($0)" }), rows: Array(0..<6)) == nil)
        #expect(keys.areTooMany)
    }
}
