import CSQLite
import Foundation
import Testing

@testable import RealmExport

@Suite struct `The cache of a SQLite database` {
    private static let cacheBytes = 256 << 10

    /// Writes rows with the keys that a function gives their numbers, and gives the file and the bytes of pages that were held.
    private func write(cacheBytes: Int, _ count: Int64, key: (Int64) -> Int64) throws -> (file: [UInt8], held: Int) {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("cache-\(UUID())").path
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let database = try SQLiteDatabase(path: path, cacheBytes: cacheBytes)
        try database.execute("CREATE TABLE t (k INTEGER PRIMARY KEY NOT NULL, s TEXT NOT NULL)")
        let insertion = try database.prepare("INSERT INTO t VALUES (?,?)")
        var held = 0
        for number in 0..<count {
            insertion.bind(key(number), at: 1)
            insertion.bind("a text of some length, of the row \(number)", at: 2)
            try insertion.run()
            if number % 1000 == 0 {
                try database.adaptCache()
                held = max(held, database.count(SQLITE_DBSTATUS_CACHE_USED))
            }
        }
        try database.finish()
        var file: [UInt8] = []
        while true {
            let bytes = try database.bytes(from: Int64(file.count), count: 1 << 20)
            guard !bytes.isEmpty else { return (file, held) }
            file += bytes
        }
    }

    @Test func `holds as little however many rows come in the order of their keys`() throws {
        let few = try write(cacheBytes: Self.cacheBytes, 20_000) { $0 }
        let many = try write(cacheBytes: Self.cacheBytes, 80_000) { $0 }
        #expect(few.file.count > 2 * Self.cacheBytes)
        #expect(many.held * 10 <= few.held * 12)
        #expect(try write(cacheBytes: 64 << 20, 80_000) { $0 }.file == many.file)
    }

    @Test func `holds more for rows that come in no order, and writes the same`() throws {
        func scattered(_ number: Int64) -> Int64 { number * 7919 % 40_000 }
        let narrow = try write(cacheBytes: Self.cacheBytes, 40_000, key: scattered)
        #expect(narrow.held > 2 * Self.cacheBytes)
        #expect(narrow.held < 5 * Self.cacheBytes)
        #expect(try write(cacheBytes: 64 << 20, 40_000, key: scattered).file == narrow.file)
    }
}
