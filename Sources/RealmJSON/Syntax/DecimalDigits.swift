/// Integers as decimal text.
public enum DecimalDigits {
    /// The most bytes that an integer of 64 bits takes, with its sign.
    public static let longest = 20

    /// `00`, `01` … `99`, one after the other.
    private static let pairs: [UInt8] = (0..<100).flatMap {
        [UInt8(ascii: "0") + $0 / 10, UInt8(ascii: "0") + $0 % 10]
    }

    /// Appends an integer, with a minus where it is negative.
    public static func append(_ number: Int64, to out: inout [UInt8]) {
        append(number.magnitude, isNegative: number < 0, to: &out)
    }

    /// Appends an integer without a sign.
    public static func append(_ number: UInt64, to out: inout [UInt8]) { append(number, isNegative: false, to: &out) }

    private static func append(_ magnitude: UInt64, isNegative: Bool, to out: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest) { text in
            let start = write(magnitude, isNegative: isNegative, toEndOf: text)
            out.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        }
    }

    /// Writes integers one behind the other, and tells where each ends.
    ///
    /// - Returns: the text, and the bytes up to the end of each.
    static func texts(of numbers: [Int64], rows: [Int]) -> (bytes: [UInt8], ends: [Int]) {
        var ends: [Int] = []
        ends.reserveCapacity(rows.count)
        let bytes = [UInt8](unsafeUninitializedCapacity: rows.count * longest) { out, count in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest) { text in
                for row in rows {
                    let start = write(numbers[row].magnitude, isNegative: numbers[row] < 0, toEndOf: text)
                    let digits = text[start...]
                    _ = out[count...].update(fromContentsOf: digits)
                    count += digits.count
                    ends.append(count)
                }
            }
        }
        return (bytes, ends)
    }

    /// Writes digits up to the end of a buffer of `longest` bytes.
    ///
    /// - Returns: where they begin.
    @inline(__always)
    private static func write(
        _ magnitude: UInt64, isNegative: Bool, toEndOf text: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var (rest, start) = (magnitude, longest)
        pairs.withUnsafeBufferPointer { pairs in
            while rest >= 10 {
                let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
                start -= 2
                text[start] = pairs[Int(pair) * 2]
                text[start + 1] = pairs[Int(pair) * 2 + 1]
                rest = quotient
            }
        }
        // A single digit is left, or none: then the last pair was all.
        if rest > 0 || start == longest {
            start -= 1
            text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest)
        }
        if isNegative {
            start -= 1
            text[start] = UInt8(ascii: "-")
        }
        return start
    }
}
