import Glibc

/// Memory whose blocks are made when they are read, and let go when others need their room.
///
/// Reading a block that is not there is a fault (SIGSEGV), whose handler makes it; the reader notices nothing. So
/// addresses stay good for however long a reader keeps them, and of a file of any size some blocks are held alone. One
/// such memory is in use in a process at a time, and one thread reads it.
public struct PagedMemory: Sendable {
    /// The memory could not be had.
    public struct Unavailable: Error {
        /// The error number of the call that failed.
        public let errno: Int32
    }

    private let residentBytes: Int

    /// Keeps so many bytes of blocks at once, two blocks at least.
    public init(residentBytes: Int = 32 << 20) {
        self.residentBytes = residentBytes
    }

    /// Calls with memory in which every byte that is read is there.
    ///
    /// - Parameters:
    ///   - count: bytes of the memory.
    ///   - blockBytes: bytes of a block, a multiple of a page's; the last may be shorter.
    ///   - fill: makes the block of a number, wholly, the same each time. It runs while the reader is interrupted in the
    ///     middle of a load, and reads nothing of this memory.
    ///   - body: reads.
    /// - Throws: `Unavailable`; what `fill` throws, whatever the body made of such a block; what the body throws.
    public func withBytes<Value>(
        count: Int, blockBytes: Int, fill: @escaping (_ block: Int, UnsafeMutableRawBufferPointer) throws -> Void,
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) throws -> Value {
        guard count > 0 else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        let region = try FaultedRegion(
            count: count, blockBytes: blockBytes, residentBlocks: max(residentBytes / blockBytes, 2), fill: fill)
        region.catchFaults()
        let result = Result { try body(region.bytes) }
        region.stop()
        if let failure = region.failure { throw failure }
        return try result.get()
    }
}
