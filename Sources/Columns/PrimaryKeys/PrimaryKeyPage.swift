/// A part of a stored index: the rows of some primary keys, by their hashes.
///
/// An index covers a column of primary keys, which never changes, and so never changes itself. It is cut into runs of
/// consecutive rows, and a run, in the order of the hashes, into pages: a look-up reads one page of each run.
public struct PrimaryKeyPage: Hashable, Sendable {
    /// Rows that one run covers, but for the last.
    public static let rowsInRun = 1 << 20
    /// Rows of a page, but for hashes that more rows have: a page takes 1.3 KB, which PostgreSQL keeps in its row.
    public static let rowsInPage = 1 << 8

    /// The number of the run, from 0.
    public var run: Int
    /// The hash from which the page holds all rows up to the next page of the run; the first page's is 0.
    public var firstHash: UInt32
    /// The rows: see `rows(of:in:)`.
    public var bytes: [UInt8]

    /// How many runs the rows of a class take.
    public static func runCount(forRows count: Int) -> Int { (count + rowsInRun - 1) / rowsInRun }

    /// The rows of a page that have a hash, counted from the first of the run, ascending.
    ///
    /// - Throws: `ColumnError.damaged`.
    public static func rows(of hash: PrimaryKeyHash, in bytes: [UInt8]) throws(ColumnError) -> [Int] {
        let wanted = UInt64(hash.bits)
        var rows: [Int] = []
        try forEachEntry(in: bytes) { found, row in
            if found == wanted { rows.append(row) }
            return found <= wanted
        }
        return rows
    }

    /// Calls with the hash and the row of each entry of a page, in order, until the body answers false.
    @inline(__always)
    static func forEachEntry(
        in bytes: [UInt8], _ body: (UInt64, Int) -> Bool
    ) throws(ColumnError) {
        var reader = ByteReader(bytes)
        var current: UInt64 = 0
        while !reader.isAtEnd {
            let (sum, overflow) = current.addingReportingOverflow(UInt64(try reader.readCount()))
            let row = try reader.readCount()
            guard !overflow, sum <= UInt32.max, row < rowsInRun else { throw reader.damage("an index") }
            current = sum
            guard body(current, row) else { return }
        }
    }

    /// Writes a page: for each row the difference of its hash from the one before and its number, as LEB128.
    init(run: Int, firstHash: UInt32, entries: ArraySlice<UInt64>) {
        var writer = ByteWriter()
        var previous: UInt64 = 0
        for entry in entries {
            writer.write(count: Int(entry >> 32 - previous))
            writer.write(count: Int(entry & 0xffff_ffff))
            previous = entry >> 32
        }
        self.run = run
        self.firstHash = firstHash
        bytes = writer.bytes
    }
}
