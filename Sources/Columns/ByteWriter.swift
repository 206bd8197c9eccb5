/// Appends integers, strings and runs of bytes to a buffer, little-endian.
public struct ByteWriter {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []

    /// An empty buffer.
    public init() {}

    /// Writes one byte.
    public mutating func write(byte: UInt8) {
        bytes.append(byte)
    }

    /// Writes bytes as they are, without their number.
    public mutating func write(raw: some Sequence<UInt8>) {
        bytes.append(contentsOf: raw)
    }

    /// Writes an integer in all its bytes, least significant first.
    public mutating func write(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes a count as LEB128, seven bits a byte.
    public mutating func write(count: Int) {
        var rest = UInt64(bitPattern: Int64(count))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Writes bytes behind their number.
    public mutating func write(bytes run: some Collection<UInt8>) {
        write(count: run.count)
        bytes.append(contentsOf: run)
    }

    /// Writes a string's UTF-8 behind its number of bytes.
    public mutating func write(string: String) {
        write(bytes: Array(string.utf8))
    }

    /// Writes the cells of an array of integers or floating-point numbers as they lie in memory, little-endian.
    public mutating func write<Element: BitwiseCopyable>(cells: [Element]) {
        cells.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }
}
