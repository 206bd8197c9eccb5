/// Numbers as decimal text.
enum DecimalText {
    /// Appends an integer.
    @inline(__always)
    static func append(_ number: Int64, to out: inout [UInt8]) {
        var rest = number.magnitude
        withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
            var start = 20
            repeat {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                start -= 1
                digits[start] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
                rest = quotient
            } while rest != 0
            if number < 0 { out.append(UInt8(ascii: "-")) }
            out.append(contentsOf: UnsafeRawBufferPointer(rebasing: digits[start...]))
        }
    }

    /// Appends a number in the shortest form that reads back as the same: `0.1`, `NaN`, `-Infinity`.
    static func append(_ number: Double, to out: inout [UInt8]) {
        if number.isFinite {
            out.append(contentsOf: number.description.utf8)
        } else if number.isNaN {
            out.append(contentsOf: "NaN".utf8)
        } else {
            out.append(contentsOf: (number > 0 ? "Infinity" : "-Infinity").utf8)
        }
    }
}
