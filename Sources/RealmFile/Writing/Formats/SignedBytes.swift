import Columns

/// The order that format 23 has for strings and data: bytewise, each byte a number with a sign.
enum SignedBytes {
    /// Whether one comes before the other; of two that begin alike the shorter one.
    static func precedes(_ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer) -> Bool {
        for index in 0..<min(lhs.count, rhs.count) where lhs[index] != rhs[index] {
            return Int8(bitPattern: lhs[index]) < Int8(bitPattern: rhs[index])
        }
        return lhs.count < rhs.count
    }

    /// The elements of a set or the keys of a dictionary in that order, null first.
    ///
    /// - Parameter rows: where in the array they are, in the order of bytes without a sign.
    /// - Returns: the rows as they are to be written; nil where the order is the same.
    static func order(_ array: ColumnArray, _ rows: Range<Int>) -> [Int]? {
        guard case .variable(let offsets, let bytes) = array.values else { return nil }
        let span = Int(offsets[rows.lowerBound])..<Int(offsets[rows.upperBound])
        guard bytes[span].contains(where: { $0 >= 0x80 }) else { return nil }
        return bytes.withUnsafeBytes { bytes in
            func run(_ row: Int) -> UnsafeRawBufferPointer {
                UnsafeRawBufferPointer(rebasing: bytes[Int(offsets[row])..<Int(offsets[row + 1])])
            }
            return rows.sorted { lhs, rhs in
                guard !array.isNull(lhs), !array.isNull(rhs) else { return array.isNull(lhs) && !array.isNull(rhs) }
                return precedes(run(lhs), run(rhs))
            }
        }
    }
}
