import Columns

/// Sorts the entries of one index within a bound of memory.
///
/// Where they take more than `runBytes`, sorted runs go to a scratch store in blocks and are merged as they are read. So many runs
/// become one before that, that a block of each run that is left takes no more than a run.
final class IndexSorter {
    private let makeScratch: () throws -> any SegmentStore
    private let runBytes: Int
    private let mergedRuns: Int
    private var scratch: (any SegmentStore)?
    private var current = IndexRun(capacity: 1 << 20)
    /// The runs that were merged as often as the place says.
    private var spilled: [[[IndexBlock]]] = []

    /// - Parameters:
    ///   - runBytes: bytes of entries that are sorted at once.
    ///   - mergedRuns: runs that become one.
    init(runBytes: Int, mergedRuns: Int = 64, scratch: @escaping () throws -> any SegmentStore) {
        self.runBytes = runBytes
        self.mergedRuns = mergedRuns
        makeScratch = scratch
    }

    /// Whether a value is longer than an index that keeps whole values takes.
    var hasLongValue: Bool { current.hasLongValue }

    /// The runs in the scratch store.
    var runCount: Int { spilled.reduce(0) { $0 + $1.count } }

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
        return try merge(spilled.flatMap { $0 }, in: scratch)
    }

    private func spill() throws {
        guard !current.entries.isEmpty else { return }
        current.sort()
        let store = try scratch ?? makeScratch()
        scratch = store
        let run = try IndexBlock.write(IndexMerge([IndexCursor(current)]), to: store)
        current.removeAll()
        try keep(run, mergedBefore: 0, in: store)
    }

    private func keep(_ run: [IndexBlock], mergedBefore times: Int, in store: any SegmentStore) throws {
        if times == spilled.count { spilled.append([]) }
        spilled[times].append(run)
        guard spilled[times].count == mergedRuns else { return }
        let merged = try IndexBlock.write(try merge(spilled[times], in: store), to: store)
        spilled[times] = []
        try keep(merged, mergedBefore: times + 1, in: store)
    }

    private func merge(_ runs: [[IndexBlock]], in store: any SegmentStore) throws -> IndexMerge {
        IndexMerge(try runs.map { try IndexCursor($0, in: store) })
    }
}
