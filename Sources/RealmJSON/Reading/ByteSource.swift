/// Bytes that can be read from any place: a spooled upload, a file, or an array.
public protocol ByteSource {
    /// Reads bytes into a buffer.
    ///
    /// - Parameters:
    ///   - offset: bytes from the start, 0 up to their number.
    ///   - buffer: where they go; not empty.
    /// - Returns: how many were read; 0 at the end alone.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// Bytes that are in memory already.
public struct ByteArraySource: ByteSource {
    private let bytes: [UInt8]

    /// Wraps an array.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Copies bytes into a buffer.
    public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard offset >= 0, offset < bytes.count else { return 0 }
        let count = min(buffer.count, bytes.count - offset)
        buffer.copyBytes(from: bytes[offset..<offset + count])
        return count
    }
}

/// Bytes that somebody else keeps in memory, most likely a mapped file.
public struct MappedSource: ByteSource {
    private let bytes: UnsafeRawBufferPointer

    /// Wraps bytes that outlive the source and do not change.
    public init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Copies bytes into a buffer.
    public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = max(0, min(buffer.count, bytes.count - offset))
        guard count > 0 else { return 0 }
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        return count
    }
}

extension ByteSource {
    /// The line and column of an offset, by reading everything before it once more.
    func place(of offset: Int) throws -> TextPlace {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
        defer { buffer.deallocate() }
        var place = TextPlace()
        while place.offset < offset {
            let wanted = min(buffer.count, offset - place.offset)
            let count = try read(at: place.offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
            guard count > 0 else { break }
            place.advance(over: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        return place
    }
}
