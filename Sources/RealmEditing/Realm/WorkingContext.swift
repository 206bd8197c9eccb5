import Columns

/// The parts that all columns of a realm share while it is edited: where segments are kept, and the memory for those in
/// use.
package final class WorkingContext {
    let store: any SegmentStore
    let limits: RowGroupLimits
    /// Whether what changes is kept as patches beside the row groups, at a cost that follows the changes, rather than by
    /// writing the columns of changed row groups anew.
    let keepsPatches: Bool
    let cache: ArrayCache
    let dirty: DirtyCells

    package init(
        store: any SegmentStore, limits: RowGroupLimits, memory: MemoryLimits, keepsPatches: Bool = false
    ) {
        self.keepsPatches = keepsPatches
        self.store = store
        self.limits = limits
        cache = ArrayCache(store: store, byteLimit: memory.cachedBytes)
        dirty = DirtyCells(byteLimit: memory.dirtyBytes)
    }
}

/// How much of a realm is held in memory while it is edited; what becomes of it does not depend on that.
package struct MemoryLimits: Hashable, Sendable {
    /// Bytes of decoded values kept beyond the ones that were asked for last.
    package var cachedBytes: Int
    /// Bytes of changed values that may wait before they are written.
    package var dirtyBytes: Int

    /// 48 MiB to look things up in, where a script goes to and fro; 16 MiB of changes, which are mostly in the store
    /// by the time that the next are made.
    package static let standard = MemoryLimits(cachedBytes: 48 << 20, dirtyBytes: 16 << 20)
    /// For changes that are kept as patches: values that are looked up are those that the store keeps for all who look up.
    package static let changes = MemoryLimits(cachedBytes: 96 << 20, dirtyBytes: 16 << 20)

    package init(cachedBytes: Int, dirtyBytes: Int) {
        self.cachedBytes = cachedBytes
        self.dirtyBytes = dirtyBytes
    }
}

/// Where an object's row stands.
package struct RowPosition: Hashable {
    package var group: Int
    package var row: Int

    init(group: Int, row: Int) {
        self.group = group
        self.row = row
    }

    /// The place of a row that is counted through all row groups, of which each one's first row is known.
    init(ofRow row: Int, startsOfGroups starts: [Int]) {
        group = starts.partitioningIndex { $0 > row } - 1
        self.row = row - starts[group]
    }
}

/// A row group while its realm is edited.
package struct WorkingGroup {
    package var rowCount: Int
    package var firstKey: Int64
    package var lastKey: Int64
    var deleted: Bitmap?

    init(_ group: RowGroup) {
        rowCount = group.rowCount
        firstKey = group.firstKey.value
        lastKey = group.lastKey.value
        deleted = group.deleted
    }

    init(firstKey: Int64) {
        rowCount = 1
        self.firstKey = firstKey
        lastKey = firstKey
    }

    package var objectCount: Int { rowCount - (deleted?.setCount ?? 0) }

    /// The first key, where none is left out between it and the last one.
    var firstKeyWithoutGaps: Int64? { lastKey &- firstKey == Int64(rowCount - 1) ? firstKey : nil }

    /// The rows whose objects are there, as runs of rows that follow one another.
    var liveRuns: [Range<Int>] {
        guard let deleted else { return rowCount > 0 ? [0..<rowCount] : [] }
        var runs: [Range<Int>] = []
        for row in 0..<rowCount where row >= deleted.count || !deleted[row] {
            if let last = runs.last, last.upperBound == row {
                runs[runs.count - 1] = last.lowerBound..<row + 1
            } else {
                runs.append(row..<row + 1)
            }
        }
        return runs
    }

    package func isDeleted(_ row: Int) -> Bool {
        guard let deleted, row < deleted.count else { return false }
        return deleted[row]
    }
}
