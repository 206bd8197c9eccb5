import Columns

/// Four numbers that a `RecordSorter` puts in order, the first one first.
struct SortedRecord: Comparable {
    var group: Int64
    var low: UInt64 = 0
    var high: UInt64 = 0
    var value: Int64

    static func < (left: SortedRecord, right: SortedRecord) -> Bool {
        if left.low != right.low, left.group == right.group { return left.low < right.low }
        return (left.group, left.low, left.high, left.value) < (right.group, right.low, right.high, right.value)
    }
}

/// Sorts any number of records within a bound of memory, in scratch space.
///
/// Sorted runs go there in blocks and are merged as they are read. So many runs become one before that, that a block of each run that is
/// left takes little memory.
final class RecordSorter {
    private static let blockRecords = 4096

    private let store: any SegmentStore
    private let runRecords: Int
    private let mergedRuns: Int
    private var current: [SortedRecord] = []
    /// The runs that were merged as often as the place says, each the names of its blocks.
    private var spilled: [[[SegmentID]]] = []

    /// - Parameters:
    ///   - runRecords: records that are sorted at once.
    ///   - mergedRuns: runs that become one.
    init(runRecords: Int, mergedRuns: Int = 32, store: any SegmentStore) {
        self.store = store
        self.runRecords = runRecords
        self.mergedRuns = mergedRuns
    }

    /// Adds a record.
    func add(_ record: SortedRecord) throws {
        current.append(record)
        if current.count >= runRecords { try spill() }
    }

    /// Hands over all records in order, once.
    func forEach(_ body: (SortedRecord) throws -> Void) throws {
        try spill()
        current = []
        try merge(spilled.flatMap { $0 }, body)
    }

    private func spill() throws {
        guard !current.isEmpty else { return }
        current.sort()
        var run = RecordRun(store)
        for record in current { try run.append(record) }
        current.removeAll(keepingCapacity: true)
        try keep(try run.finish(), mergedBefore: 0)
    }

    private func keep(_ run: [SegmentID], mergedBefore times: Int) throws {
        if times == spilled.count { spilled.append([]) }
        spilled[times].append(run)
        guard spilled[times].count == mergedRuns else { return }
        var merged = RecordRun(store)
        try merge(spilled[times]) { try merged.append($0) }
        spilled[times] = []
        try keep(try merged.finish(), mergedBefore: times + 1)
    }

    /// Hands over the records of some runs in order: of a heap of cursors, none of which comes before the one at half its place.
    private func merge(_ runs: [[SegmentID]], _ body: (SortedRecord) throws -> Void) throws {
        var cursors = try runs.compactMap { try RecordCursor($0, in: store) }
        for place in cursors.indices.reversed() { Self.sink(place, in: &cursors) }
        while let first = cursors.first {
            try body(first.record)
            if try !first.advance() {
                cursors.swapAt(0, cursors.count - 1)
                cursors.removeLast()
            }
            Self.sink(0, in: &cursors)
        }
    }

    /// Moves a cursor behind those that come before it.
    private static func sink(_ start: Int, in cursors: inout [RecordCursor]) {
        var place = start
        while 2 * place + 1 < cursors.count {
            var child = 2 * place + 1
            if child + 1 < cursors.count, cursors[child + 1].record < cursors[child].record { child += 1 }
            guard cursors[child].record < cursors[place].record else { return }
            cursors.swapAt(place, child)
            place = child
        }
    }

    /// A run that is being written.
    private struct RecordRun {
        private let store: any SegmentStore
        private var blocks: [SegmentID] = []
        private var open: [SortedRecord] = []

        init(_ store: any SegmentStore) {
            self.store = store
            open.reserveCapacity(blockRecords)
        }

        mutating func append(_ record: SortedRecord) throws {
            open.append(record)
            if open.count == blockRecords { try close() }
        }

        /// The names of the blocks.
        mutating func finish() throws -> [SegmentID] {
            if !open.isEmpty { try close() }
            return blocks
        }

        private mutating func close() throws {
            blocks.append(try store.write(segment: open.withUnsafeBytes { Array($0) }))
            open.removeAll(keepingCapacity: true)
        }
    }
}

/// Goes through one sorted run, block by block.
private final class RecordCursor {
    /// The record at the cursor.
    private(set) var record: SortedRecord
    private let store: any SegmentStore
    private var blocks: ArraySlice<SegmentID>
    private var block: [UInt8] = []
    private var position = 0

    /// Starts at the first record; nil where there is none.
    init?(_ blocks: [SegmentID], in store: any SegmentStore) throws {
        self.store = store
        self.blocks = blocks[...]
        record = SortedRecord(group: 0, value: 0)
        guard try advance() else { return nil }
    }

    /// Goes to the next record; false behind the last.
    func advance() throws -> Bool {
        if position == block.count {
            guard let next = blocks.popFirst() else { return false }
            block = try store.read(segment: next)
            position = 0
        }
        let size = MemoryLayout<SortedRecord>.stride
        guard position + size <= block.count else { throw ColumnError.damaged(what: "a block of keys", offset: 0) }
        record = block.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: SortedRecord.self) }
        position += size
        return true
    }
}
