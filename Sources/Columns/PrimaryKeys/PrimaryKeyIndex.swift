import RealmModel

/// The rows of a column by the hashes of their primary keys, 8 bytes a row.
///
/// The caller numbers the rows. Where several keys have one hash, all their rows are found: the caller tells them apart by
/// the values.
public struct PrimaryKeyIndex: Hashable, Sendable {
    /// The hash of each row and, in the lower half, its number; ascending once they are sorted.
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
    public mutating func sort() {
        // Few entries are compared sooner than they are counted.
        guard entries.count > 1 << 12 else { return entries.sort() }
        sortByHash()
        if !zip(entries, entries.dropFirst()).allSatisfy({ $0 <= $1 }) { entries.sort() }
    }

    /// Sorts by the hashes in passes of a byte each, which leave rows of one hash in the order in which they were put in.
    private mutating func sortByHash() {
        var (from, into) = (entries, [UInt64](repeating: 0, count: entries.count))
        entries = []
        for shift in stride(from: UInt64(32), to: 64, by: 8) {
            var places = [Int](repeating: 0, count: 257)
            for entry in from { places[Int(entry >> shift & 0xff) + 1] += 1 }
            for byte in 1..<257 { places[byte] += places[byte - 1] }
            for entry in from {
                let byte = Int(entry >> shift & 0xff)
                into[places[byte]] = entry
                places[byte] += 1
            }
            swap(&from, &into)
        }
        entries = from
    }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// The rows of a hash, ascending.
    public func rows(of hash: PrimaryKeyHash) -> [Int] {
        let first = UInt64(hash.bits) << 32
        let (low, high) = place(near: first)
        var place = entries[low..<high].lowerBound(first)
        var rows: [Int] = []
        while place < entries.count, entries[place] >> 32 == first >> 32 {
            rows.append(Int(entries[place] & 0xffff_ffff))
            place += 1
        }
        return rows
    }

    /// How often a place is reckoned from an entry that was read, and how wide the part is that is searched at first.
    ///
    /// An index of millions lies in memory that no processor keeps at hand: each entry that is read takes as long as all the rest.
    private static let guesses = 3
    private static let firstStep = 4

    /// A part of the entries that has the place of one.
    ///
    /// Hashes are spread evenly, so that a hash tells nearly where it stands, and the entry that stands there how far it is still;
    /// from there on the part grows until it is found.
    private func place(near entry: UInt64) -> (low: Int, high: Int) {
        var guess = min(distance(to: entry >> 32), max(entries.count - 1, 0))
        for _ in 1..<Self.guesses where !entries.isEmpty {
            let (wanted, found) = (entry >> 32, entries[guess] >> 32)
            let isBehind = wanted >= found
            let step = distance(to: isBehind ? wanted - found : found - wanted)
            guard step > 0 else { break }
            guess = isBehind ? min(guess + step, entries.count - 1) : max(guess - step, 0)
        }
        var (low, high) = (guess, guess)
        var step = Self.firstStep
        while low > 0, entries[low - 1] >= entry {
            low = max(low - step, 0)
            step *= 2
        }
        step = Self.firstStep
        while high < entries.count, entries[high] < entry {
            high = min(high + step, entries.count)
            step *= 2
        }
        return (low, high)
    }

    /// How many entries mostly lie between two hashes.
    private func distance(to hash: UInt64) -> Int { Int(hash * UInt64(entries.count) >> 32) }

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
