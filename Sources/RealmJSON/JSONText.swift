/// The pieces of JSON text, appended to a buffer.
enum JSONText {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Appends a string with its quotes; everything but what has to be escaped stays as it is.
    static func append(string utf8: some Sequence<UInt8>, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        for byte in utf8 { append(escaped: byte, to: &out) }
        out.append(UInt8(ascii: "\""))
    }

    /// Appends an integer.
    static func append(int number: Int64, to out: inout [UInt8]) {
        var rest = number.magnitude
        let end = out.count + (number < 0 ? 1 : 0)
        if number < 0 { out.append(UInt8(ascii: "-")) }
        repeat {
            out.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest != 0
        out[end...].reverse()
    }

    /// Appends a finite number in the shortest form that reads back as the same, always with a fraction or exponent.
    static func append(double number: Double, to out: inout [UInt8]) {
        out.append(contentsOf: number.description.utf8)
    }

    private static func append(escaped byte: UInt8, to out: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): escape(byte, to: &out)
        case 0x20...: out.append(byte)
        case 0x08: escape(UInt8(ascii: "b"), to: &out)
        case 0x09: escape(UInt8(ascii: "t"), to: &out)
        case 0x0a: escape(UInt8(ascii: "n"), to: &out)
        case 0x0c: escape(UInt8(ascii: "f"), to: &out)
        case 0x0d: escape(UInt8(ascii: "r"), to: &out)
        default: out.append(contentsOf: [92, 117, 48, 48, digits[Int(byte >> 4)], digits[Int(byte & 15)]])
        }
    }

    private static func escape(_ letter: UInt8, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\\"))
        out.append(letter)
    }
}
