/// Makes the pages of an index from a column of primary keys.
///
/// Holds a run at a time: 8 bytes a row, 8 MiB.
public struct PrimaryKeyIndexWriter {
    private let rowsInRun: Int
    private var run = 0
    /// The rows of the run that is not full yet, numbered from its first.
    private var index = PrimaryKeyIndex()

    /// Starts at the first row.
    public init() { self.init(rowsInRun: PrimaryKeyPage.rowsInRun) }

    init(rowsInRun: Int) { self.rowsInRun = rowsInRun }

    /// Goes on behind rows that an index of the column as it was has.
    ///
    /// - Parameters:
    ///   - rowCount: how many rows are the same in both.
    ///   - last: that index's run which the last of them is in, or would be; nil where they end with a run.
    /// - Returns: nil where the run is not whole.
    public init?(after rowCount: Int, of last: PrimaryKeyIndex?) {
        self.init(after: rowCount, of: last, rowsInRun: PrimaryKeyPage.rowsInRun)
    }

    init?(after rowCount: Int, of last: PrimaryKeyIndex?, rowsInRun: Int) {
        self.init(rowsInRun: rowsInRun)
        run = rowCount / rowsInRun
        let begun = rowCount % rowsInRun
        if begun > 0 {
            guard let last else { return nil }
            index = last.rows(below: begun)
        }
        guard index.count == begun else { return nil }
    }

    /// Takes the primary keys of the next row group, deleted rows included.
    ///
    /// - Parameter body: takes the pages of a run that is full.
    public mutating func append(_ column: ColumnArray, _ body: ([PrimaryKeyPage]) throws -> Void) throws {
        try column.forEachPrimaryKeyHash { _, hash in
            index.append(hash, row: index.count)
            if index.count == rowsInRun { try finish(body) }
        }
    }

    /// Ends the last run.
    public mutating func finish(_ body: ([PrimaryKeyPage]) throws -> Void) throws {
        guard index.count > 0 else { return }
        index.sort()
        try body(pages(of: index.entries))
        run += 1
        index.removeAll()
    }

    private func pages(of entries: [UInt64]) -> [PrimaryKeyPage] {
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
