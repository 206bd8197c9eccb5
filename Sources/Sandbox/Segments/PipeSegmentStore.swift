import Columns

/// The store that a host sees: every segment is asked of the parent and given to it, none is kept here.
///
/// Written segments go to the parent without an answer: the host numbers them by itself (`BatchID.host`), the parent knows
/// by what names they are stored, and how many bytes they took. Segments that are likely to be read next are asked for
/// early, so that parent and database find them while the script runs.
public final class PipeSegmentStore: SegmentStore {
    /// Segments that may be on their way before they are read, and the bytes that they may take.
    private static let aheadLimit = (segments: 64, bytes: 8 << 20)

    private let channel: HostChannel
    private let encoder: SegmentEncoder
    private let supplies: SegmentSupplies
    private var nextOrdinal: Int32 = 0
    /// Segments that were asked for and not read yet, in the order of the questions, which is that of the answers.
    private var ahead: [Ahead] = []

    private struct Ahead {
        let id: SegmentID
        let storedBytes: Int
        /// The parent's answer; nil where it was not received yet.
        var bytes: [UInt8]?
    }

    /// An empty store.
    ///
    /// - Parameter supplies: what came with the task and need not be asked for.
    public init(channel: HostChannel, supplies: SegmentSupplies = SegmentSupplies()) {
        self.channel = channel
        self.supplies = supplies
        encoder = SegmentEncoder { try channel.send(Frame(.writeSegment, $0), canWait: true) }
    }

    // MARK: Writing

    /// Hands a segment to the parent.
    public func write(segment bytes: [UInt8]) throws -> SegmentID {
        try encoder.finish()
        try channel.send(Frame(.writeSegment, bytes), canWait: true)
        return nextID()
    }

    /// Hands the parent a segment that this host alone reads again.
    func write(scratch bytes: [UInt8]) throws -> SegmentID {
        try encoder.finish()
        try channel.send(Frame(.writeScratch, bytes), canWait: true)
        return nextID()
    }

    /// Hands a column to the parent.
    public func write(column segments: [Segment]) throws -> SegmentID {
        try encoder.finish()
        try channel.send(Frame(.writeColumn, SnapshotCoding.encode(column: segments)), canWait: true)
        return nextID()
    }

    /// Encodes an array on another thread, which hands it to the parent.
    public func write(_ array: ColumnArray) throws -> Segment {
        let nullCount = array.nullCount
        guard nullCount < array.count else { return Segment(repeating: .null, rowCount: array.count) }
        try encoder.encode(array)
        return Segment(rowCount: array.count, nullCount: nullCount, content: .stored(nextID(), storedBytes: 0))
    }

    /// Waits until everything that was written is on its way to the parent, and everything that was asked for is here;
    /// the store is of no use afterwards.
    ///
    /// To be called before the task's answer is sent, whatever it is: what came behind it would be taken for the next
    /// task's, and a parent that still answers would find the host gone.
    public func finish() throws {
        defer { encoder.close() }
        try encoder.finish()
        try receiveAhead()
        ahead.removeAll()
    }

    private func nextID() -> SegmentID {
        defer { nextOrdinal += 1 }
        return SegmentID(batch: .host, ordinal: nextOrdinal)
    }

    // MARK: Reading

    /// Asks the parent for a segment.
    public func read(segment id: SegmentID) throws -> [UInt8] {
        if let bytes = supplies.segments[id] { return bytes }
        if let index = ahead.firstIndex(where: { $0.id == id }) {
            try receiveAhead(through: index)
            return ahead.remove(at: index).bytes ?? []
        }
        if id.batch == .host { try encoder.finish() }
        try channel.send(Frame(.readSegment, id))
        try receiveAhead()
        return try channel.receive(.bytes)
    }

    /// Asks the parent for a column.
    public func read(column id: SegmentID) throws -> [Segment] {
        if let bytes = supplies.columns[id] { return try SnapshotCoding.decodeColumn(bytes) }
        if id.batch == .host { try encoder.finish() }
        try channel.send(Frame(.readColumn, id))
        try receiveAhead()
        return try SnapshotCoding.decodeColumn(try channel.receive(.bytes))
    }

    /// Asks the parent early.
    public func willRead(_ segment: Segment) {
        guard case .stored(let id, let storedBytes) = segment.content, id.batch != .host,
            supplies.segments[id] == nil, !ahead.contains(where: { $0.id == id })
        else { return }
        // Those that came and were not read: the script has gone elsewhere.
        if ahead.count >= Self.aheadLimit.segments { ahead.removeAll { $0.bytes != nil } }
        let bytesAhead = ahead.reduce(storedBytes) { $0 + $1.storedBytes }
        guard ahead.count < Self.aheadLimit.segments, bytesAhead <= Self.aheadLimit.bytes else { return }
        // A parent that is gone is found out by the read.
        guard (try? channel.send(Frame(.readSegment, id))) != nil else { return }
        ahead.append(Ahead(id: id, storedBytes: storedBytes))
    }

    /// Receives the answers to what was asked early.
    ///
    /// - Parameter last: the place of the last one in `ahead` to receive; all of them unless said otherwise.
    private func receiveAhead(through last: Int = .max) throws {
        for index in ahead.indices where index <= last && ahead[index].bytes == nil {
            ahead[index].bytes = try channel.receive(.bytes)
        }
    }
}

extension BatchID {
    /// The name that a host has for what it writes, whatever the store calls it: RFC 9562's Max UUID, which names
    /// nothing else.
    package static let host = BatchID(high: .max, low: .max)
}
