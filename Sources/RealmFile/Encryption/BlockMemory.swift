/// Memory that is filled block by block: the plain bytes of an encrypted file have to be somewhere.
public protocol BlockMemory {
    /// Calls with memory in which every byte that is read is there.
    ///
    /// - Parameters:
    ///   - count: bytes of the memory.
    ///   - blockBytes: bytes of a block, a multiple of 4096; the last may be shorter.
    ///   - fill: makes the block of a number, wholly, the same each time; called before the first byte of it is read.
    ///   - body: reads on the calling thread, and keeps no pointer.
    /// - Throws: what `fill` throws, whatever the body made of such a block; what the body throws.
    func withBytes<Value>(
        count: Int, blockBytes: Int, fill: @escaping (_ block: Int, UnsafeMutableRawBufferPointer) throws -> Void,
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) throws -> Value
}

/// Memory that is filled as a whole beforehand, for files that are known to be small.
public struct WholeMemory: BlockMemory {
    /// Takes as much as a file needs.
    public init() {}

    /// Fills all blocks, then calls.
    public func withBytes<Value>(
        count: Int, blockBytes: Int, fill: @escaping (_ block: Int, UnsafeMutableRawBufferPointer) throws -> Void,
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) throws -> Value {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        defer { bytes.deallocate() }
        for (block, start) in stride(from: 0, to: count, by: blockBytes).enumerated() {
            try fill(block, UnsafeMutableRawBufferPointer(rebasing: bytes[start..<min(start + blockBytes, count)]))
        }
        return try body(UnsafeRawBufferPointer(bytes))
    }
}
