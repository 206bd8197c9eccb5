import CZstd

/// Compression of segments by Zstandard (RFC 8878).
package enum Zstandard {
    /// Level 1: on columns it is as small as level 3 and a quarter faster.
    private static let level: Int32 = 1

    /// One frame of the bytes.
    package static func compress(_ bytes: [UInt8]) -> [UInt8] {
        let bound = ZSTD_compressBound(bytes.count)
        return [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            // With a buffer of `compressBound` bytes only a lack of memory can make this fail.
            let written = ZSTD_compress(buffer.baseAddress, bound, bytes, bytes.count, level)
            precondition(ZSTD_isError(written) == 0, "zstd has no memory to compress in")
            count = written
        }
    }

    /// - Throws: `ColumnError.damaged` where the bytes are not one whole frame of exactly `count` bytes.
    static func decompress(_ bytes: ArraySlice<UInt8>, count: Int) throws(ColumnError) -> [UInt8] {
        // Asked first, so that a wrong count takes no memory.
        let frameCount = bytes.withUnsafeBytes { ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
        guard frameCount == UInt64(count) else { throw .damaged(what: "zstd frame", offset: bytes.startIndex) }
        var failed = false
        let plain = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            bytes.withUnsafeBytes { source in
                filled = ZSTD_decompress(buffer.baseAddress, count, source.baseAddress, source.count)
            }
            failed = ZSTD_isError(filled) != 0 || filled != count
            if failed { filled = 0 }
        }
        if failed { throw .damaged(what: "zstd frame", offset: bytes.startIndex) }
        return plain
    }
}
