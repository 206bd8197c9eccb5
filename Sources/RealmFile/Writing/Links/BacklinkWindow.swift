import Columns
import RealmModel

/// The links that lead to a run of row groups of one class: for each column of backlinks, each row's origins.
///
/// Held in memory, 8 bytes a link and 8 a row and column. Only a single row group with more links than the limit takes more memory.
struct BacklinkWindow {
    let groups: Range<Int>
    private let target: Int
    private let targetGroups: ArraySlice<RowGroup>
    private let keyRows: [KeyRows]
    /// The number of the first row of each group in the window.
    private let firstRows: [Int]
    /// For each column, where the origins of each row end; empty without links.
    private var ends: [[Int]] = []
    private var origins: [[Int64]] = []

    /// Collects the links to some row groups.
    ///
    /// - Parameters:
    ///   - target: the class, by its place in the snapshot.
    ///   - scans: one a column of backlinks.
    ///   - spill: has the links by windows, and the number of this one; nil where the window has all row groups.
    init(
        _ groups: Range<Int>, of target: Int, _ reader: ClassReader, from scans: [LinkScan],
        spill: (links: LinkSpill, window: Int)?
    ) throws {
        self.groups = groups
        self.target = target
        targetGroups = reader.rowGroups[groups]
        keyRows = try groups.map { KeyRows(try reader.keys(inGroup: $0)) }
        var rows = 0
        firstRows = targetGroups.map { group in
            defer { rows += group.rowCount }
            return rows
        }
        for (column, scan) in scans.enumerated() {
            let (ends, origins) = try collect(scan, rows: rows) { body in
                guard let spill else { return try forEachLink(scan, body) }
                try spill.links.forEachLink(column: column, window: spill.window) { origin, key in
                    guard let row = row(of: key) else { throw scan.brokenLink(key: origin) }
                    body(origin, row)
                }
            }
            self.ends.append(ends)
            self.origins.append(origins)
        }
    }

    /// All row groups in runs that each fit in a window.
    ///
    /// - Parameter byteLimit: bytes that a window takes where it has more than one row group.
    static func windows(
        of target: Int, _ reader: ClassReader, from scans: [LinkScan], byteLimit: Int
    ) -> [Range<Int>] {
        var windows: [Range<Int>] = []
        var start = 0
        var bytes = 0
        for group in reader.rowGroups.indices {
            let links = scans.reduce(0) { $0 + $1.source.linkCount(to: target, group..<group + 1) }
            let more = (links + reader.rowGroups[group].rowCount * (scans.count + 1)) * 8
            if bytes + more > byteLimit, group > start {
                windows.append(start..<group)
                (start, bytes) = (group, 0)
            }
            bytes += more
        }
        return windows + [start..<reader.rowGroups.count]
    }

    /// The keys of the objects that link to one; one that links twice is there twice.
    func withOrigins<Result>(
        column: Int, group: Int, row: Int, _ body: (UnsafeBufferPointer<Int64>) throws -> Result
    ) rethrows -> Result {
        guard !ends[column].isEmpty else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
        let row = firstRows[group - groups.lowerBound] + row
        let range = (row == 0 ? 0 : ends[column][row - 1])..<ends[column][row]
        return try origins[column].withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// Counts the links to each row, then puts each at its place; origins come in order of their keys.
    ///
    /// - Parameter forEachLink: calls with each link's origin and row.
    private func collect(
        _ scan: LinkScan, rows: Int, _ forEachLink: ((_ origin: Int64, _ row: Int) -> Void) throws -> Void
    ) throws -> (ends: [Int], origins: [Int64]) {
        let total = scan.source.linkCount(to: target, groups)
        guard total > 0 else { return ([], []) }
        var ends = [Int](repeating: 0, count: rows)
        try forEachLink { _, row in ends[row] += 1 }
        // Where each row begins; filling moves it to where the row ends, which is where the next one begins.
        var start = 0
        for row in 0..<rows { (ends[row], start) = (start, start + ends[row]) }
        var origins = [Int64](repeating: 0, count: total)
        try forEachLink { origin, row in
            origins[ends[row]] = origin
            ends[row] += 1
        }
        return (ends, origins)
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
