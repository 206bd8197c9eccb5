/// The rows of a column by the hashes of their primary keys, 8 bytes a row.
///
/// Rows are numbered by whoever puts them in. Of several keys of one hash all rows are found: whoever looks up tells them by
/// the values.
public struct PrimaryKeyIndex: Hashable, Sendable {
    /// Of each row its hash and, in the lower half, its number; ascending once it is sorted.
    private(set) var entries: [UInt64] = []

    /// An empty index.
    public init() {}

    /// An index of entries that are sorted already.
    init(entries: [UInt64]) { self.entries = entries }

    /// The rows that were put in.
    public var count: Int { entries.count }

    /// Bytes of memory that it takes.
    public var byteCount: Int { entries.count * MemoryLayout<UInt64>.size }

    /// The rows below a number, as an index of their own.
    func rows(below end: Int) -> PrimaryKeyIndex {
        PrimaryKeyIndex(entries: entries.filter { Int($0 & 0xffff_ffff) < end })
    }

    /// Makes room for rows.
    public mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

    /// Puts a row in.
    ///
    /// - Parameter row: its number, below 2^32.
    public mutating func append(_ hash: PrimaryKeyHash, row: Int) {
        entries.append(UInt64(hash.bits) << 32 | UInt64(row))
    }

    /// Puts a page's rows in, behind those of the pages before it: the index of all pages of a run is sorted.
    ///
    /// - Throws: `ColumnError.damaged`.
    public mutating func append(page bytes: [UInt8]) throws(ColumnError) {
        try PrimaryKeyPage.forEachEntry(in: bytes) { hash, row in
            entries.append(hash << 32 | UInt64(row))
            return true
        }
    }

    /// Ends putting in: from now on rows are found.
    public mutating func sort() { entries.sort() }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// The rows of a hash, ascending.
    public func rows(of hash: PrimaryKeyHash) -> [Int] {
        let first = UInt64(hash.bits) << 32
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle] < first { low = middle + 1 } else { high = middle }
        }
        return entries[low...].prefix { $0 >> 32 == first >> 32 }.map { Int($0 & 0xffff_ffff) }
    }

    /// Calls with the rows, ascending, of each hash that several have.
    public func forEachSharedHash(_ body: ([Int]) throws -> Void) rethrows {
        var start = 0
        while start < entries.count {
            var end = start + 1
            while end < entries.count, entries[end] >> 32 == entries[start] >> 32 { end += 1 }
            if end - start > 1 { try body(entries[start..<end].map { Int($0 & 0xffff_ffff) }) }
            start = end
        }
    }
}
