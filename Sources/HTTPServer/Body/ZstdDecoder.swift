import CZstd

/// Decodes Zstandard (RFC 8878): one frame after another.
final class ZstdDecoder: ContentDecoder {
    /// 8 MiB, the most that RFC 9659 lets a content coding ask the receiver to keep.
    private static let windowLogMax: Int32 = 23

    private let context: OpaquePointer?
    private var buffer = [UInt8](repeating: 0, count: 128 << 10)
    /// The decoder's last hint of how much it still needs; 0 at the end of a frame.
    private var pending = 1

    init() {
        context = ZSTD_createDCtx()
        if let context { ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.windowLogMax) }
    }

    deinit { ZSTD_freeDCtx(context) }

    func decode(_ bytes: UnsafeRawBufferPointer, into output: (UnsafeRawBufferPointer) throws(HTTPError) -> Void)
        throws(HTTPError)
    {
        guard let context else { throw .overloaded }
        guard bytes.count > 0 else { return }
        var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        var isFull = false
        while input.pos < input.size || isFull {
            let size = buffer.count
            let count = buffer.withUnsafeMutableBytes { buffer in
                var result = ZSTD_outBuffer(dst: buffer.baseAddress, size: size, pos: 0)
                pending = ZSTD_decompressStream(context, &result, &input)
                return result.pos
            }
            if ZSTD_isError(pending) != 0 { throw .malformedContentCoding("zstd") }
            isFull = count == size && pending != 0
            guard count > 0 else { continue }
            try buffer.withUnsafeBufferPointer { (bytes) throws(HTTPError) in
                try output(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<count])))
            }
        }
    }

    func finish() throws(HTTPError) {
        if pending != 0 { throw .malformedContentCoding("zstd") }
    }
}
