import Columns
import RealmModel

/// The bytes that a search index keeps of values, REALM_FORMAT section 14.
enum IndexKeys {
    /// Adds the rows of an array.
    ///
    /// - Parameters:
    ///   - keys: the objects' keys, one a row; the elements of a list all count for its object.
    ///   - type: a type that can be indexed.
    ///   - format: says how strings are ordered that the index does not follow to their ends.
    ///   - tableKeys: the tables' keys by the names of their classes, for links of mixed values.
    static func add(
        _ array: ColumnArray, keys: [Int64], of type: PropertyType, in format: WrittenFormat,
        tableKeys: [NameKey: Int64], to run: IndexRun
    ) throws {
        func addEach(_ add: (Int) throws -> Void) rethrows {
            for row in 0..<array.count {
                if array.isNull(row) {
                    run.add(key: keys[row], nil, order: type == .mixed ? MixedIndexOrder.bytes(of: .null) : [])
                } else {
                    try add(row)
                }
            }
        }
        switch array.values {
        case .list(let offsets, let elements):
            let owners = (0..<array.count).flatMap { row in
                repeatElement(keys[row], count: Int(offsets[row + 1] - offsets[row]))
            }
            try add(elements, keys: owners, of: type, in: format, tableKeys: tableKeys, to: run)
        case .int(let cells): addEach { row in withUnsafeBytes(of: cells[row]) { run.add(key: keys[row], $0) } }
        case .bool(let bits):
            addEach { row in withUnsafeBytes(of: Int64(bits[row] ? 1 : 0)) { run.add(key: keys[row], $0) } }
        case .date(let seconds, let nanoseconds):
            addEach { row in
                date(Timestamp(seconds: seconds[row], nanoseconds: nanoseconds[row])).withUnsafeBytes {
                    run.add(key: keys[row], $0)
                }
            }
        case .fixed(let width, let bytes):
            bytes.withUnsafeBytes { bytes in
                addEach { row in
                    run.add(
                        key: keys[row], UnsafeRawBufferPointer(rebasing: bytes[row * width..<(row + 1) * width]))
                }
            }
        case .variable(let offsets, let bytes) where type != .mixed:
            bytes.withUnsafeBytes { bytes in
                addEach { row in
                    run.add(
                        key: keys[row],
                        UnsafeRawBufferPointer(rebasing: bytes[Int(offsets[row])..<Int(offsets[row + 1])]),
                        hasSignedTail: !format.ordersBytesUnsigned)
                }
            }
        default:
            try addEach { row in
                let value = try array.value(at: row, as: ColumnType(.mixed))
                self.bytes(of: value, tableKeys).withUnsafeBytes {
                    run.add(key: keys[row], $0, order: MixedIndexOrder.bytes(of: value))
                }
            }
        }
    }

    private static func date(_ date: Timestamp) -> [UInt8] {
        bytes(of: date.seconds) + bytes(of: date.nanoseconds)
    }

    private static func bytes(of integer: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: integer.littleEndian) { Array($0) }
    }

    /// Numbers of every type count as integers where they are, so that `1` and `1.0` are found together.
    private static func bytes(of value: Value, _ tableKeys: [NameKey: Int64]) -> [UInt8] {
        switch value {
        case .null, .link: []
        case .int(let number): bytes(of: number)
        case .bool(let flag): bytes(of: Int64(flag ? 1 : 0))
        case .float(let number): Int32(exactly: number).map { bytes(of: Int64($0)) } ?? bytes(of: number.bitPattern)
        case .double(let number): Int32(exactly: number).map { bytes(of: Int64($0)) } ?? bytes(of: number.bitPattern)
        case .decimal128(let number):
            number.truncated.map { bytes(of: $0) } ?? bytes(of: number.low) + bytes(of: number.high)
        case .string(let text): Array(text.utf8)
        case .data(let bytes): bytes
        case .date(let date): self.date(date)
        case .objectId(let id): id.bytes
        case .uuid(let id): id.bytes
        case .typedLink(let className, let key):
            bytes(of: UInt32(truncatingIfNeeded: tableKeys[name: className] ?? 0)) + bytes(of: key.value)
        case .list: Array("__List__".utf8)
        case .dictionary: Array("__Dictionary__".utf8)
        }
    }
}

extension Decimal128 {
    /// The number without its fraction, as indexes of mixed values keep it; nil where 64 bits do not hold it.
    fileprivate var truncated: Int64? {
        guard isFinite else { return nil }
        var magnitude = coefficient
        if exponent < 0 {
            for _ in 0..<min(-exponent, Self.maximumDigits + 1) where magnitude > 0 { magnitude /= 10 }
        } else if magnitude > 0 {
            for _ in 0..<exponent {
                guard magnitude < 1 << 64 else { return nil }
                magnitude *= 10
            }
        }
        guard magnitude <= 1 << 63 else { return nil }
        let number = Int128(magnitude)
        return Int64(exactly: isNegative ? -number : number)
    }
}
