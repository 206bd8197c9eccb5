import CZstd
import Columns

/// The two forms of a segment's bytes: as stored, and unpacked.
enum PackedSegment {
    /// The bytes that a stored segment unpacks to; nil where it can't be.
    static func unpack(_ segment: [UInt8]) -> [UInt8]? {
        var reader = ByteReader(segment)
        guard let count = try? reader.readCount(), count < 1 << 24 else { return nil }
        let frame = segment[reader.offset...]
        var plain = [UInt8](repeating: 0, count: count)
        let written = frame.withUnsafeBytes { ZSTD_decompress(&plain, count, $0.baseAddress, $0.count) }
        return written == count ? plain : nil
    }

    /// The stored segment of what it unpacks to.
    static func pack(_ plain: [UInt8]) -> [UInt8] {
        var frame = [UInt8](repeating: 0, count: ZSTD_compressBound(plain.count))
        let written = ZSTD_compress(&frame, frame.count, plain, plain.count, 1)
        var segment = ByteWriter()
        segment.write(count: plain.count)
        segment.write(raw: frame[..<written])
        return segment.bytes
    }
}
