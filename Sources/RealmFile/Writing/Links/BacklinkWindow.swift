import Columns
import RealmModel

/// The links that lead to a run of row groups of one class: for each column of backlinks, each row's origins.
///
/// Held in memory, 8 bytes a link and 8 a row and column; a class with more than a limit of that is gone through
/// window by window, the columns of links being read again for each. So no scratch space is needed, and only a single
/// row group with more links than the limit takes more memory.
struct BacklinkWindow {
    let groups: Range<Int>
    private let target: Int
    private let targetGroups: ArraySlice<RowGroup>
    private let keyRows: [KeyRows]
    /// The number of the first row of each group in the window.
    private let firstRows: [Int]
    /// For each column, where the origins of each row end, one longer than there are rows; empty without links.
    private var ends: [[Int]] = []
    private var origins: [[Int64]] = []

    /// Collects the links to some row groups.
    ///
    /// - Parameters:
    ///   - target: the class, by its place in the snapshot.
    ///   - scans: one a column of backlinks.
    init(_ groups: Range<Int>, of target: Int, _ reader: ClassReader, from scans: [LinkScan]) throws {
        self.groups = groups
        self.target = target
        targetGroups = reader.rowGroups[groups]
        keyRows = try groups.map { KeyRows(try reader.keys(inGroup: $0)) }
        var rows = 0
        firstRows = targetGroups.map { group in
            defer { rows += group.rowCount }
            return rows
        }
        for scan in scans { try collect(scan, rows: rows) }
    }

    /// The row groups from one on that fit in a window.
    ///
    /// - Parameter byteLimit: bytes that a window takes where it has more than one row group.
    static func groups(
        from first: Int, of target: Int, _ reader: ClassReader, from scans: [LinkScan], byteLimit: Int
    ) -> Range<Int> {
        var bytes = 0
        var end = first
        while end < reader.rowGroups.count {
            let links = scans.reduce(0) { $0 + $1.source.linkCount(to: target, end..<end + 1) }
            bytes += (links + reader.rowGroups[end].rowCount * (scans.count + 1)) * 8
            if bytes > byteLimit, end > first { break }
            end += 1
        }
        return first..<end
    }

    /// The keys of the objects that link to one; one that links twice is there twice.
    func withOrigins<Result>(
        column: Int, group: Int, row: Int, _ body: (UnsafeBufferPointer<Int64>) throws -> Result
    ) rethrows -> Result {
        guard !ends[column].isEmpty else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
        let row = firstRows[group - groups.lowerBound] + row
        let range = ends[column][row]..<ends[column][row + 1]
        return try origins[column].withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// Counts the links to each row, then puts each at its place; origins come in order of their keys.
    private mutating func collect(_ scan: LinkScan, rows: Int) throws {
        let total = scan.source.linkCount(to: target, groups)
        guard total > 0 else {
            ends.append([])
            return origins.append([])
        }
        var ends = [Int](repeating: 0, count: rows + 1)
        try forEachLink(scan) { _, row in ends[row + 1] += 1 }
        // Where each row begins; filling moves it to where the row ends, which is where the next one begins.
        for row in 0..<rows { ends[row + 1] += ends[row] }
        var next = ends
        var origins = [Int64](repeating: 0, count: total)
        try forEachLink(scan) { origin, row in
            origins[next[row]] = origin
            next[row] += 1
        }
        self.ends.append(ends)
        self.origins.append(origins)
    }

    private func forEachLink(_ scan: LinkScan, _ body: (_ origin: Int64, _ row: Int) -> Void) throws {
        guard let first = targetGroups.first?.firstKey.value, let last = targetGroups.last?.lastKey.value else {
            return
        }
        for group in scan.reader.rowGroups.indices {
            try scan.reader.willRead([scan.source.propertyIndex], inGroup: group)
            let originKeys = try scan.reader.keys(inGroup: group)
            try scan.forEachLink(inGroup: group) { originRow, target, key in
                guard target == self.target, key >= first, key <= last else { return }
                guard let row = row(of: key) else { throw scan.brokenLink(key: originKeys[originRow]) }
                body(originKeys[originRow], row)
            }
        }
    }

    /// The row of an object that is not deleted, counted from the start of the window.
    private func row(of key: Int64) -> Int? {
        guard let index = targetGroups.index(of: key) else { return nil }
        let group = index - groups.lowerBound
        guard let row = keyRows[group].row(of: key), targetGroups[index].deleted?[row] != true else { return nil }
        return firstRows[group] + row
    }
}
