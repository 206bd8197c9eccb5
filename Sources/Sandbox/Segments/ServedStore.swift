import Columns
import RealmModel

/// The part of a store that one host may see: what its source snapshot reaches, and what it has written itself.
///
/// A host runs code of a stranger. Even one that has broken out of its language must not read another realm's
/// segments, nor name them in what it hands back.
public final class ServedStore {
    /// A host named a segment that is none of its business.
    public struct Refused: Error {
        /// The segment that it named.
        public let id: SegmentID
    }

    private let store: any SegmentStore
    private let source: Snapshot?
    /// The segments, and the bytes that they take where that is known.
    private var segments: [SegmentID: Int?] = [:]
    private var columns: Set<SegmentID> = []
    /// The names of what the host has written, by its own numbers.
    private var written: [Written] = []
    private let makeScratch: () throws -> any SegmentStore
    /// The scratch space, once the host has written to it.
    private var scratch: (any SegmentStore)?

    /// Where a host's segment or column went, and its name there.
    private enum Written {
        case store(SegmentID)
        case scratch(SegmentID)
    }

    private let writeLimit: Int
    private let byteLimit: Int
    /// Bytes that the host has written.
    public private(set) var writtenBytes = 0

    /// Serves what a snapshot reaches; nothing to begin with where there is none.
    ///
    /// - Parameters:
    ///   - other: another snapshot that it may read.
    ///   - writeLimit: segments and columns that the host may write, whose names take memory here; ten million objects of
    ///     a hundred properties are 61,000.
    ///   - byteLimit: bytes of them together.
    ///   - scratch: makes an empty store for what the host alone reads again; without it the host has no scratch space.
    public init(
        _ store: any SegmentStore, source: Snapshot?, and other: Snapshot? = nil, writeLimit: Int = 1 << 20,
        byteLimit: Int = .max,
        scratch: @escaping () throws -> any SegmentStore = { throw HostFailure.crash("it has no scratch space") }
    ) {
        self.store = store
        self.writeLimit = writeLimit
        self.byteLimit = byteLimit
        self.source = source
        makeScratch = scratch
        for stored in (source?.classes ?? []) + (other?.classes ?? []) {
            if let rowGroups = stored.rowGroups { segments[rowGroups] = .some(nil) }
            for case .segments(let id) in [stored.keys] + stored.columns { columns.insert(id) }
        }
    }

    /// The answer to a host that wants to read a segment or, where its frame says so, a column.
    func answer(_ frame: Frame) throws -> Frame {
        let id = try id(in: frame)
        return Frame(
            .bytes,
            frame.kind == .readColumn ? try readColumn(try column(id)) : try readSegment(id))
    }

    private func readSegment(_ id: SegmentID) throws -> [UInt8] {
        if case .scratch(let name) = try written(id), let scratch { return try scratch.read(segment: name) }
        return try store.read(segment: try segment(id))
    }

    /// Takes a segment that a host has written.
    ///
    /// - Throws: `HostFailure` at the limit, and what the store throws.
    func keep(segment bytes: [UInt8]) throws {
        try spend(bytes.count)
        segments[try note(store.write(segment: bytes)) { .store($0) }] = bytes.count
    }

    /// Takes a segment that a host has written to read it again, and that no snapshot may have.
    ///
    /// - Throws: `HostFailure` at the limit and where there is no scratch space; what that throws.
    func keep(scratch bytes: [UInt8]) throws {
        try spend(bytes.count)
        let scratch = try scratch ?? makeScratch()
        self.scratch = scratch
        _ = try note(scratch.write(segment: bytes)) { .scratch($0) }
    }

    /// Takes a column that a host has written, as `SnapshotCoding` encodes it.
    ///
    /// - Throws: `HostFailure` at the limit, `Refused`, `ColumnError`, and what the store throws.
    func keep(column bytes: [UInt8]) throws {
        try spend(bytes.count)
        columns.insert(
            try note(store.write(column: try SnapshotCoding.decodeColumn(bytes).map(named))) { .store($0) })
    }

    private func spend(_ count: Int) throws(HostFailure) {
        guard count <= byteLimit - writtenBytes else { throw .outputLimit }
        writtenBytes += count
    }

    /// Gives the host's next number to what was stored for it.
    private func note(
        _ store: @autoclosure () throws -> SegmentID, as place: (SegmentID) -> Written
    ) throws -> SegmentID {
        guard written.count < writeLimit else { throw HostFailure.crash("it wrote more than \(writeLimit) segments") }
        let id = try store()
        written.append(place(id))
        return id
    }

    /// A snapshot from a host, with the names that the store has for its segments.
    ///
    /// Readers of the snapshot rely on the checks here.
    ///
    /// - Throws: `Refused` where it names anything else than it may, `ColumnError` where its parts do not fit one
    ///   another.
    public func named(_ snapshot: Snapshot) throws -> Snapshot {
        var named = snapshot
        for index in named.classes.indices {
            let stored = snapshot.classes[index]
            named.classes[index].rowGroups = try stored.rowGroups.map(segment)
            named.classes[index].keys = try self.named(stored.keys)
            named.classes[index].columns = try stored.columns.map(self.named)
            try named.classes[index].checkShape(in: store, knowing: source?[stored.schema.name])
        }
        return named
    }

    private func named(_ column: Column) throws -> Column {
        guard case .segments(let id) = column else { return column }
        return .segments(try self.column(id))
    }

    /// The segment of a column that a host has written; its size is what the store was given.
    private func named(_ segment: Segment) throws -> Segment {
        guard case .stored(let id, _) = segment.content else { return segment }
        var named = segment
        let known = try self.segment(id)
        guard let storedBytes = segments[known] ?? nil else { throw Refused(id: id) }
        named.content = .stored(known, storedBytes: storedBytes)
        return named
    }

    private func readColumn(_ id: SegmentID) throws -> [UInt8] {
        let read = try store.read(column: id)
        for case .stored(let id, let storedBytes) in read.map(\.content) { segments[id] = storedBytes }
        return SnapshotCoding.encode(column: read)
    }

    private func id(in frame: Frame) throws -> SegmentID {
        var reader = ByteReader(frame.payload)
        return try SnapshotCoding.decodeID(from: &reader)
    }

    private func segment(_ id: SegmentID) throws -> SegmentID {
        let known = try stored(id)
        guard segments[known] != nil else { throw Refused(id: id) }
        return known
    }

    private func column(_ id: SegmentID) throws -> SegmentID {
        let known = try stored(id)
        guard columns.contains(known) else { throw Refused(id: id) }
        return known
    }

    /// The store's name for what a host names.
    private func stored(_ id: SegmentID) throws -> SegmentID {
        switch try written(id) {
        case .store(let name): return name
        case .scratch: throw Refused(id: id)
        case nil: return id
        }
    }

    /// What the host has written under a name; nil where the name is not one of the host's own.
    private func written(_ id: SegmentID) throws(Refused) -> Written? {
        guard id.batch == .host else { return nil }
        guard written.indices.contains(Int(id.ordinal)) else { throw Refused(id: id) }
        return written[Int(id.ordinal)]
    }
}
