import Columns

/// Sorts the entries of one index within a bound of memory.
///
/// Where they take more than `runBytes`, sorted runs go to a scratch store in blocks and are merged as they are read.
final class IndexSorter {
    /// Entries of a block of a run.
    private static let blockEntries = 4096

    private let makeScratch: () throws -> any SegmentStore
    private let runBytes: Int
    private var scratch: (any SegmentStore)?
    private var current = IndexRun(capacity: 1 << 20)
    private var spilled: [[IndexBlock]] = []

    /// - Parameter runBytes: bytes of entries that are sorted at once.
    init(runBytes: Int, scratch: @escaping () throws -> any SegmentStore) {
        self.runBytes = runBytes
        makeScratch = scratch
    }

    /// Whether a value is longer than an index that keeps whole values takes.
    var hasLongValue: Bool { current.hasLongValue }

    /// Adds the entries of some objects, in order of the objects' keys.
    func add(_ body: (IndexRun) throws -> Void) throws {
        try body(current)
        if current.byteCount >= runBytes { try spill() }
    }

    /// The entries in order; nothing can be added any more.
    func finish() throws -> IndexMerge {
        guard let scratch, !spilled.isEmpty else {
            current.sort()
            return IndexMerge([IndexCursor(current)])
        }
        try spill()
        return IndexMerge(try spilled.map { try IndexCursor($0, in: scratch) })
    }

    private func spill() throws {
        guard !current.entries.isEmpty else { return }
        current.sort()
        let store = try scratch ?? makeScratch()
        scratch = store
        spilled.append(
            try stride(from: 0, to: current.entries.count, by: Self.blockEntries).map { start in
                let entries = current.entries[start..<min(start + Self.blockEntries, current.entries.count)]
                return try IndexBlock(entries, of: current, to: store)
            })
        current.removeAll()
    }
}
