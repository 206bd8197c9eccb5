import Columns
import Glibc

/// Segments in an unnamed temporary file: what `migrate` and `convert` use in place of PostgreSQL.
///
/// The file has no name from the start, so that nothing is left behind however the program ends, and is enciphered by default.
public final class FileSegmentStore: SegmentStore {
    let file: Int32
    private let batch: BatchID
    private let cipher: SegmentCipher?
    private var entries: [(offset: Int, count: Int)] = []
    private var end = 0

    /// Opens a file in the folder for temporary files.
    ///
    /// - Parameter isPlain: true where all that comes into it lies in plain files anyway, which takes some percent less time.
    /// - Throws: `FileError` where that can't be written.
    public init(isPlain: Bool = false) throws {
        var generator = SystemRandomNumberGenerator()
        batch = BatchID(high: generator.next(), low: generator.next())
        cipher = isPlain ? nil : try SegmentCipher()
        file = try TemporaryFile.open()
    }

    deinit { close(file) }

    /// Appends a segment.
    public func write(segment bytes: [UInt8]) throws -> SegmentID {
        let sealed = try ciphered(bytes, segment: entries.count)
        var written = 0
        while written < sealed.count {
            let count = sealed[written...].withUnsafeBytes {
                pwrite(file, $0.baseAddress, $0.count, off_t(end + written))
            }
            guard count > 0 else { throw FileError.last("a temporary file in \(TemporaryFile.folder)") }
            written += count
        }
        entries.append((end, bytes.count))
        end += bytes.count
        return SegmentID(batch: batch, ordinal: Int32(entries.count - 1))
    }

    /// The bytes of a segment.
    public func read(segment id: SegmentID) throws -> [UInt8] {
        guard id.batch == batch, entries.indices.contains(Int(id.ordinal)) else { throw ColumnError.missing(id) }
        let entry = entries[Int(id.ordinal)]
        var bytes = [UInt8](repeating: 0, count: entry.count)
        var filled = 0
        while filled < bytes.count {
            let count = bytes[filled...].withUnsafeMutableBytes {
                pread(file, $0.baseAddress, $0.count, off_t(entry.offset + filled))
            }
            guard count > 0 else { throw ColumnError.missing(id) }
            filled += count
        }
        return try ciphered(bytes, segment: Int(id.ordinal))
    }

    private func ciphered(_ bytes: [UInt8], segment ordinal: Int) throws -> [UInt8] {
        guard let cipher, !bytes.isEmpty else { return bytes }
        return try [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
            try bytes.withUnsafeBytes {
                try cipher.apply($0, to: UnsafeMutableRawBufferPointer(output), segment: ordinal)
            }
            count = bytes.count
        }
    }

    /// Appends a column.
    public func write(column segments: [Segment]) throws -> SegmentID {
        try write(segment: SnapshotCoding.encode(column: segments))
    }

    /// The segments of a column.
    public func read(column id: SegmentID) throws -> [Segment] {
        try SnapshotCoding.decodeColumn(try read(segment: id))
    }
}
