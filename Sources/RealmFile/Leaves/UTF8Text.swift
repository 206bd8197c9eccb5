/// Strings of a file, which may be no valid UTF-8 (files of old Java versions).
enum UTF8Text {
    /// Whether every byte is of ASCII.
    static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var bits: UInt64 = 0
        var index = 0
        while index + 8 <= bytes.count {
            bits |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < bytes.count {
            bits |= UInt64(bytes[index])
            index += 1
        }
        return bits & 0x8080_8080_8080_8080 == 0
    }

    /// Appends bytes, every ill-formed part replaced by U+FFFD.
    ///
    /// - Returns: whether they are appended as they are.
    static func append(_ bytes: UnsafeRawBufferPointer, to cells: inout CellBuffer<UInt8>) -> Bool {
        guard !isValid(bytes) else {
            cells.append(contentsOf: bytes)
            return true
        }
        var repaired = String(decoding: bytes, as: UTF8.self)
        repaired.withUTF8 { cells.append(contentsOf: UnsafeRawBufferPointer($0)) }
        return false
    }

    /// Whether bytes are a text as they are.
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool { isASCII(bytes) || isWellFormed(bytes) }

    private static func isWellFormed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.withMemoryRebound(to: UInt8.self) { (try? UTF8Span(validating: $0.span)) != nil }
    }
}
