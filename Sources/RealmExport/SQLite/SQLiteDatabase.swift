import CSQLite
import Columns

/// A database of libsqlite3 that is written once, by one thread, and read as bytes when it is whole.
final class SQLiteDatabase {
    private let handle: OpaquePointer
    private let isInMemory: Bool

    /// Memory for pages, and as much again for the rows of an index that are sorted at once.
    private static let cacheBytes = 16 << 20
    /// How many times as much there is where rows come in no order of their keys.
    private static let wideCache = 4
    /// Pages that may be read again while a row group is written, before there is more room for them.
    private static let fewPages = 256

    private let cacheBytes: Int
    private var hasWideCache = false

    /// Opens an empty database.
    ///
    /// - Parameters:
    ///   - path: of an empty file, whose name is removed at once, so that nothing is left behind; nil for a database in memory.
    ///   - cacheBytes: bytes of pages that are held; the others are in the file.
    init(path: String?, cacheBytes: Int = SQLiteDatabase.cacheBytes) throws(ExportError) {
        self.cacheBytes = cacheBytes
        isInMemory = path == nil
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        let result = sqlite3_open_v2(path ?? ":memory:", &opened, flags, nil)
        guard let opened, result == SQLITE_OK else {
            sqlite3_close_v2(opened)
            throw .sqlite(String(cString: sqlite3_errstr(result)))
        }
        handle = opened
        // Indexes of many rows take long: whoever asked may have left.
        sqlite3_progress_handler(handle, Self.watchedSteps, { _ in SQLiteDatabase.hasEnded ? 1 : 0 }, nil)
        // Nobody else has it, and where writing stops on the way nobody ever will.
        try execute("PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;")
        try hold(cacheBytes)
        try execute("PRAGMA foreign_keys=OFF; PRAGMA temp_store=FILE")
        try execute("BEGIN")
        if let path { removeName(path) }
    }

    /// Opens a database that is there, to be read alone.
    init(reading path: String) throws(ExportError) {
        (isInMemory, cacheBytes) = (false, Self.cacheBytes)
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        let result = sqlite3_open_v2(path.asReadOnlyURI, &opened, flags, nil)
        guard let opened, result == SQLITE_OK else {
            sqlite3_close_v2(opened)
            throw .sqlite(String(cString: sqlite3_errstr(result)))
        }
        handle = opened
        try execute("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON")
    }

    deinit { sqlite3_close_v2(handle) }

    /// Steps of SQLite's machine after which the budget is asked.
    private static let watchedSteps: Int32 = 1_000_000

    /// Whether the budget of what this thread does is spent.
    private static var hasEnded: Bool {
        do { try WorkBudget.current?.look() } catch { return true }
        return false
    }

    private func hold(_ bytes: Int) throws(ExportError) { try execute("PRAGMA cache_size=-\(bytes >> 10)") }

    /// Holds more pages from now on, where many were read again since it was asked last.
    ///
    /// Rows in the order of their keys need few pages, whose number does not grow with the database; in any other order each needs
    /// some page.
    func adaptCache() throws(ExportError) {
        guard !hasWideCache, count(SQLITE_DBSTATUS_CACHE_MISS) > Self.fewPages else { return }
        hasWideCache = true
        try hold(cacheBytes * Self.wideCache)
    }

    /// Holds few pages again: what comes now goes through tables from the first row to the last.
    func narrowCache() throws(ExportError) {
        hasWideCache = false
        try hold(cacheBytes)
    }

    /// A counter of SQLite's, which starts anew.
    func count(_ counter: Int32) -> Int {
        var (current, highest) = (Int32(0), Int32(0))
        sqlite3_db_status(handle, counter, &current, &highest, 1)
        return Int(current)
    }

    private func removeName(_ path: String) {
        guard let system = sqlite3_vfs_find(nil) else { return }
        _ = system.pointee.xDelete?(system, path, 0)
    }

    /// Runs statements that answer nothing, one after the other.
    func execute(_ sql: String) throws(ExportError) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw lastError }
    }

    /// Compiles a statement.
    func prepare(_ sql: String) throws(ExportError) -> SQLiteStatement {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else { throw lastError }
        return SQLiteStatement(statement, of: self)
    }

    /// SQLite's message about the call that failed last: of tables and columns, never a value.
    var lastError: ExportError {
        sqlite3_errcode(handle) == SQLITE_FULL ? .fullDisk : .sqlite(String(cString: sqlite3_errmsg(handle)))
    }

    /// The tables with rows whose foreign keys lead nowhere, each with the number of such rows.
    func brokenReferences() throws(ExportError) -> [(table: String, count: Int)] {
        let check = try prepare("SELECT \"table\", count(*) FROM pragma_foreign_key_check GROUP BY 1 ORDER BY 1")
        var broken: [(String, Int)] = []
        while try check.step() { broken.append((check.text(0), Int(check.integer(1)))) }
        return broken
    }

    /// Ends writing.
    func finish() throws(ExportError) { try execute("COMMIT") }

    /// The bytes of the finished database from a place on; none at its end.
    func bytes(from offset: Int64, count: Int) throws(ExportError) -> [UInt8] {
        try isInMemory ? memory(from: Int(offset), count: count) : file(from: offset, count: count)
    }

    private func file(from offset: Int64, count: Int) throws(ExportError) -> [UInt8] {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let found = withUnsafeMutablePointer(to: &file) {
            sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, $0)
        }
        guard found == SQLITE_OK, let file, let methods = file.pointee.pMethods else {
            throw .sqlite("the file of the database is not open")
        }
        var size: Int64 = 0
        guard methods.pointee.xFileSize(file, &size) == SQLITE_OK else { throw lastError }
        var bytes = [UInt8](repeating: 0, count: max(min(count, Int(size - offset)), 0))
        guard !bytes.isEmpty else { return [] }
        let result = methods.pointee.xRead(file, &bytes, Int32(bytes.count), offset)
        guard result == SQLITE_OK else { throw .sqlite(String(cString: sqlite3_errstr(result))) }
        return bytes
    }

    private func memory(from offset: Int, count: Int) throws(ExportError) -> [UInt8] {
        var size: Int64 = 0
        guard let image = sqlite3_serialize(handle, "main", &size, 0) else { throw .sqlite("out of memory") }
        defer { sqlite3_free(image) }
        let count = max(min(count, Int(size) - offset), 0)
        return Array(UnsafeBufferPointer(start: image + offset, count: count))
    }
}

/// A compiled statement.
final class SQLiteStatement {
    let handle: OpaquePointer
    private let database: SQLiteDatabase

    init(_ handle: OpaquePointer, of database: SQLiteDatabase) {
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs up to the next row; false where there is none.
    func step() throws(ExportError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw database.lastError
        }
    }

    /// Runs once, for what it does, and is ready to run again.
    @inline(__always)
    func run() throws(ExportError) {
        guard sqlite3_step(handle) == SQLITE_DONE else { throw database.lastError }
        sqlite3_reset(handle)
    }

    func bind(_ number: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, number) }

    func bindNull(at index: Int32) { sqlite3_bind_null(handle, index) }

    /// Binds a text that is copied.
    func bind(_ text: String?, at index: Int32) {
        guard var text else { return bindNull(at: index) }
        // SQLite's own word for a text that it is to copy is a function at the address -1.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                _ = sqlite3_bind_text64(
                    handle, index, $0.baseAddress ?? PinnedCells.noText, UInt64($0.count), copied, UInt8(SQLITE_UTF8))
            }
        }
    }

    func text(_ column: Int32) -> String { sqlite3_column_text(handle, column).map { String(cString: $0) } ?? "" }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
}
