/// Makes the pages of an index from a column of primary keys.
///
/// Holds a run at a time: 8 bytes a row, 8 MiB.
public struct PrimaryKeyIndexWriter {
    private let rowsInRun: Int
    private var run = 0
    /// Of each row its hash and, in the lower half, its number in the run.
    private var entries: [UInt64] = []

    /// Starts at the first row.
    public init() { self.init(rowsInRun: PrimaryKeyPage.rowsInRun) }

    init(rowsInRun: Int) { self.rowsInRun = rowsInRun }

    /// Takes the primary keys of the next row group, deleted rows included.
    ///
    /// - Parameter body: takes the pages of a run that is full.
    public mutating func append(_ column: ColumnArray, _ body: ([PrimaryKeyPage]) throws -> Void) throws {
        try column.forEachPrimaryKeyHash { hash in
            entries.append(UInt64(hash.bits) << 32 | UInt64(entries.count))
            if entries.count == rowsInRun { try finish(body) }
        }
    }

    /// Ends the last run.
    public mutating func finish(_ body: ([PrimaryKeyPage]) throws -> Void) throws {
        guard !entries.isEmpty else { return }
        entries.sort()
        try body(pages)
        run += 1
        entries.removeAll(keepingCapacity: true)
    }

    private var pages: [PrimaryKeyPage] {
        var pages: [PrimaryKeyPage] = []
        var start = 0
        while start < entries.count {
            var end = min(start + PrimaryKeyPage.rowsInPage, entries.count)
            // All rows of a hash are in one page.
            while end < entries.count, entries[end] >> 32 == entries[end - 1] >> 32 { end += 1 }
            let firstHash = start == 0 ? 0 : UInt32(entries[start] >> 32)
            pages.append(PrimaryKeyPage(run: run, firstHash: firstHash, entries: entries[start..<end]))
            start = end
        }
        return pages
    }
}
