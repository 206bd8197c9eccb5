import Columns

/// Goes through one sorted run, block by block.
final class IndexCursor {
    /// The block that is gone through.
    let run: IndexRun
    private var position = 0
    private var blocks: ArraySlice<IndexBlock> = []
    private let store: (any SegmentStore)?

    /// Starts at the first entry of a run in memory.
    init(_ run: IndexRun) {
        self.run = run
        store = nil
    }

    /// Starts at the first entry of a run in a scratch store.
    init(_ blocks: [IndexBlock], in store: any SegmentStore) throws {
        run = IndexRun()
        self.blocks = blocks[...]
        self.store = store
        try readBlock()
    }

    /// The entry; nil at the end.
    var entry: IndexRun.Entry? { position < run.entries.count ? run.entries[position] : nil }

    /// Goes on to the next entry.
    func advance() throws {
        position += 1
        if position == run.entries.count, store != nil { try readBlock() }
    }

    private func readBlock() throws {
        run.removeAll()
        position = 0
        guard let block = blocks.popFirst(), let store else { return }
        try block.read(into: run, from: store)
    }
}
