/// The pieces of JSON text, appended to a buffer.
enum JSONText {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Appends text that is JSON as it stands.
    @inline(__always)
    static func append(_ text: StaticString, to out: inout [UInt8]) {
        out.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a string with its quotes; everything but what has to be escaped stays as it is.
    static func append(string text: String, to out: inout [UInt8]) {
        var text = text
        text.withUTF8 { append(string: UnsafeRawBufferPointer($0), to: &out) }
    }

    /// Appends a string's UTF-8 with quotes.
    static func append(string utf8: UnsafeRawBufferPointer, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        var start = 0
        for index in 0..<utf8.count where needsEscape(utf8[index]) {
            out.append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[start..<index]))
            append(escaped: utf8[index], to: &out)
            start = index + 1
        }
        out.append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[start...]))
        out.append(UInt8(ascii: "\""))
    }

    /// Appends a finite number in the shortest form that reads back as the same, always with a fraction or exponent.
    static func append(double number: Double, to out: inout [UInt8]) {
        out.append(contentsOf: number.description.utf8)
    }

    /// Whether any of some bytes of UTF-8 has to be escaped in a string.
    static func needsEscape(_ utf8: ArraySlice<UInt8>) -> Bool {
        var found = false
        // Without a way out in the middle, the compiler takes many bytes at a time.
        for byte in utf8 { found = needsEscape(byte) ? true : found }
        return found
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func append(escaped byte: UInt8, to out: inout [UInt8]) {
        switch byte {
        case 0x08: append("\\b", to: &out)
        case 0x09: append("\\t", to: &out)
        case 0x0a: append("\\n", to: &out)
        case 0x0c: append("\\f", to: &out)
        case 0x0d: append("\\r", to: &out)
        case ..<0x20:
            append("\\u00", to: &out)
            out.append(digits[Int(byte >> 4)])
            out.append(digits[Int(byte & 15)])
        default:
            out.append(UInt8(ascii: "\\"))
            out.append(byte)
        }
    }
}
