/// Reads what `ByteWriter` wrote; anything short or out of range is an error with its offset, never a trap.
public struct ByteReader {
    /// The bytes that are read.
    public let bytes: [UInt8]
    /// Bytes from the start up to which all is read.
    public private(set) var offset = 0

    /// Starts at the first byte.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether every byte was read.
    public var isAtEnd: Bool { offset == bytes.count }

    /// The error of something that can't be read here.
    public func damage(_ what: String) -> ColumnError { .damaged(what: what, offset: offset) }

    /// Reads one byte.
    public mutating func readByte() throws(ColumnError) -> UInt8 {
        guard offset < bytes.count else { throw damage("a byte is missing") }
        offset += 1
        return bytes[offset - 1]
    }

    /// Reads a run of bytes of a known number.
    public mutating func readRaw(_ count: Int) throws(ColumnError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count - offset else { throw damage("\(count) bytes are missing") }
        offset += count
        return bytes[offset - count..<offset]
    }

    /// Reads an integer of all its bytes.
    public mutating func readInteger<T: FixedWidthInteger>(_ type: T.Type = T.self) throws(ColumnError) -> T {
        let raw = try readRaw(MemoryLayout<T>.size)
        return raw.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(as: T.self)) }
    }

    /// Reads a LEB128 count that is not negative.
    public mutating func readCount() throws(ColumnError) -> Int {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            let byte = try readByte()
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return Int(value) }
        }
        throw damage("a count is too long")
    }

    /// Reads bytes that stand behind their number.
    public mutating func readBytes() throws(ColumnError) -> [UInt8] {
        Array(try readRaw(try readCount()))
    }

    /// Reads a string that stands behind its number of bytes.
    public mutating func readString() throws(ColumnError) -> String {
        String(decoding: try readRaw(try readCount()), as: UTF8.self)
    }

    /// Reads an array of integers or floating-point numbers as they lie in memory.
    public mutating func readCells<Element: BitwiseCopyable>(
        _ count: Int, of type: Element.Type = Element.self
    ) throws(ColumnError) -> [Element] {
        let (size, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        guard count >= 0, !overflow else { throw damage("a count is out of range") }
        let raw = try readRaw(size)
        return [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
            UnsafeMutableRawBufferPointer(buffer).copyBytes(from: raw)
            initialized = count
        }
    }
}
