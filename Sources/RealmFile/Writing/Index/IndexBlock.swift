import Columns

/// A part of a sorted run in a scratch store.
struct IndexBlock {
    /// Where a block ends, whichever comes first.
    private static let entryLimit = 2048
    private static let byteLimit = 1 << 17

    private let keys: Segment
    private let values: Segment

    /// Writes a run.
    static func write(_ run: IndexMerge, to store: any SegmentStore) throws -> [IndexBlock] {
        var blocks: [IndexBlock] = []
        var keys: [Int64] = []
        var offsets: [Int32] = [0]
        var bytes: [UInt8] = []
        func close() throws {
            guard !keys.isEmpty else { return }
            blocks.append(try IndexBlock(keys, offsets, bytes, to: store))
            keys.removeAll(keepingCapacity: true)
            offsets.removeLast(offsets.count - 1)
            bytes.removeAll(keepingCapacity: true)
        }
        while let (entry, run) = try run.next() {
            keys.append(entry.key)
            bytes.append(UInt8(entry.chunkLength))
            bytes.append(contentsOf: run.bytes(of: entry))
            offsets.append(Int32(bytes.count))
            if keys.count == entryLimit || bytes.count >= byteLimit { try close() }
        }
        try close()
        return blocks
    }

    private init(_ keys: [Int64], _ offsets: [Int32], _ bytes: [UInt8], to store: any SegmentStore) throws {
        self.keys = try store.write(ColumnArray(count: keys.count, values: .int(keys)))
        values = try store.write(
            ColumnArray(count: keys.count, values: .variable(offsets: offsets, bytes: bytes)))
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
