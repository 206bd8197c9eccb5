import Columns

/// What all columns of a migration share: where segments are kept, and the memory for those in use.
final class WorkingContext {
    let store: any SegmentStore
    let limits: RowGroupLimits
    let cache: ArrayCache
    let dirty: DirtyCells

    init(store: any SegmentStore, limits: RowGroupLimits, memory: MemoryLimits) {
        self.store = store
        self.limits = limits
        cache = ArrayCache(store: store, byteLimit: memory.cachedBytes)
        dirty = DirtyCells(byteLimit: memory.dirtyBytes)
    }
}

/// How much of a realm a migration holds in memory; what it makes of the realm does not depend on it.
struct MemoryLimits: Hashable {
    /// Bytes of decoded values kept beyond the ones that were asked for last.
    var cachedBytes: Int
    /// Bytes of changed values that may wait before they are written.
    var dirtyBytes: Int

    /// 48 MiB to look things up in, where a script goes to and fro; 16 MiB of changes, which are mostly in the store
    /// by the time that the next are made.
    static let standard = MemoryLimits(cachedBytes: 48 << 20, dirtyBytes: 16 << 20)
}

/// Where an object's row stands.
struct RowPosition: Hashable {
    var group: Int
    var row: Int
}

/// A row group while a migration runs.
struct WorkingGroup {
    var rowCount: Int
    var firstKey: Int64
    var lastKey: Int64
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

    var objectCount: Int { rowCount - (deleted?.setCount ?? 0) }

    func isDeleted(_ row: Int) -> Bool {
        guard let deleted, row < deleted.count else { return false }
        return deleted[row]
    }
}
