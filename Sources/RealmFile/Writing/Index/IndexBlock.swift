import Columns

/// A part of a sorted run in a scratch store.
struct IndexBlock {
    private let keys: Segment
    private let values: Segment

    /// Writes entries.
    init(_ entries: ArraySlice<IndexRun.Entry>, of run: IndexRun, to store: any SegmentStore) throws {
        var offsets: [Int32] = [0]
        var bytes: [UInt8] = []
        for entry in entries {
            bytes.append(UInt8(entry.chunkLength))
            bytes.append(contentsOf: run.bytes(of: entry))
            offsets.append(Int32(bytes.count))
        }
        keys = try store.write(ColumnArray(count: entries.count, values: .int(entries.map(\.key))))
        values = try store.write(
            ColumnArray(count: entries.count, values: .variable(offsets: offsets, bytes: bytes)))
    }

    /// Reads the entries into an empty run.
    func read(into run: IndexRun, from store: any SegmentStore) throws {
        guard case .int(let keys) = try store.read(keys, as: ColumnType(.int)).values,
            case .variable(let offsets, let bytes) = try store.read(values, as: ColumnType(.data)).values
        else { throw ColumnError.damaged(what: "a block of an index", offset: 0) }
        bytes.withUnsafeBytes { bytes in
            for (index, key) in keys.enumerated() {
                let entry = UnsafeRawBufferPointer(rebasing: bytes[Int(offsets[index])..<Int(offsets[index + 1])])
                run.add(
                    key: key, stored: UnsafeRawBufferPointer(rebasing: entry.dropFirst()),
                    chunkLength: Int(entry[0]))
            }
        }
    }
}
