import CZstd
import Synchronization

/// Compression of segments by Zstandard (RFC 8878).
package enum Zstandard {
    /// Level 1: on columns it is as small as level 3 and a quarter faster.
    private static let level: Int32 = 1

    /// One frame of the bytes.
    package static func compress(_ bytes: [UInt8]) -> [UInt8] {
        let bound = ZSTD_compressBound(bytes.count)
        return [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            // With a buffer of `compressBound` bytes only a lack of memory can make this fail.
            let written = compressors.withContext(byteCount: bytes.count) {
                ZSTD_compressCCtx($0, buffer.baseAddress, bound, bytes, bytes.count, level)
            }
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
                filled = decompressors.withContext(byteCount: count) {
                    ZSTD_decompressDCtx($0, buffer.baseAddress, count, source.baseAddress, source.count)
                }
            }
            failed = ZSTD_isError(filled) != 0 || filled != count
            if failed { filled = 0 }
        }
        if failed { throw .damaged(what: "zstd frame", offset: bytes.startIndex) }
        return plain
    }

    private static let compressors = IdleContexts(make: ZSTD_createCCtx, free: { _ = ZSTD_freeCCtx($0) })
    private static let decompressors = IdleContexts(make: ZSTD_createDCtx, free: { _ = ZSTD_freeDCtx($0) })
}

/// Contexts of Zstandard that wait for another frame: to make one takes longer than to compress a small segment in it.
private final class IdleContexts: Sendable {
    /// Nobody else has it.
    private struct Context: @unchecked Sendable { let reference: OpaquePointer }

    private static let mostIdle = 4
    /// A context of a larger frame keeps memory of that size.
    private static let largestFrame = 256 << 10

    private let make: @Sendable () -> OpaquePointer?
    private let free: @Sendable (OpaquePointer) -> Void
    private let idle = Mutex<[Context]>([])

    init(make: @escaping @Sendable () -> OpaquePointer?, free: @escaping @Sendable (OpaquePointer) -> Void) {
        self.make = make
        self.free = free
    }

    /// Lends a context for a frame of some bytes.
    ///
    /// - Parameter body: answers what Zstandard does; nothing of a frame outlives it in the context.
    func withContext(byteCount: Int, _ body: (OpaquePointer) -> Int) -> Int {
        guard let context = idle.withLock({ $0.popLast() }) ?? make().map(Context.init) else {
            preconditionFailure("zstd has no memory for a context")
        }
        defer {
            let isKept =
                byteCount <= Self.largestFrame
                && idle.withLock { idle in
                    guard idle.count < Self.mostIdle else { return false }
                    idle.append(context)
                    return true
                }
            if !isKept { free(context.reference) }
        }
        return body(context.reference)
    }
}
