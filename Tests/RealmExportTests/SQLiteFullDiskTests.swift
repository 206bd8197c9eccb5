import Testing

@testable import RealmExport

@Test func `a SQLite database says that it has no room`() throws {
    let database = try SQLiteDatabase(path: nil)
    try database.execute("CREATE TABLE t (s BLOB)")
    try database.execute("PRAGMA max_page_count = 8")
    #expect(throws: ExportError.fullDisk) { try database.execute("INSERT INTO t VALUES (zeroblob(1000000))") }
}
