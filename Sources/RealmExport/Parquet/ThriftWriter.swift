/// Structures in Thrift's compact protocol, which Parquet's own are written in.
struct ThriftWriter {
    private(set) var bytes: [UInt8] = []
    /// The number of the last field of each structure that is open.
    private var last: [Int16] = [0]

    private enum Kind: UInt8 {
        case yes = 1
        case no, byte, int16, int32, int64, double, binary, list, set, map, structure
    }

    mutating func field(_ number: Int16, _ value: Int32) {
        begin(number, .int32)
        append(zigzag: Int64(value))
    }

    mutating func field(_ number: Int16, _ value: Int64) {
        begin(number, .int64)
        append(zigzag: value)
    }

    mutating func field(_ number: Int16, _ value: Bool) { begin(number, value ? .yes : .no) }

    mutating func field(_ number: Int16, _ value: [UInt8]) {
        begin(number, .binary)
        append(binary: value)
    }

    mutating func field(_ number: Int16, _ text: String) { field(number, Array(text.utf8)) }

    mutating func field(_ number: Int16, _ body: (inout ThriftWriter) -> Void) {
        begin(number, .structure)
        structure(body)
    }

    mutating func field<Element>(
        _ number: Int16, structures elements: [Element], _ body: (inout ThriftWriter, Element) -> Void
    ) {
        begin(number, .list)
        head(elements.count, .structure)
        for element in elements { structure { body(&$0, element) } }
    }

    mutating func field(_ number: Int16, texts: [String]) {
        begin(number, .list)
        head(texts.count, .binary)
        for text in texts { append(binary: Array(text.utf8)) }
    }

    mutating func field(_ number: Int16, numbers: [Int32]) {
        begin(number, .list)
        head(numbers.count, .int32)
        for number in numbers { append(zigzag: Int64(number)) }
    }

    /// Ends the outermost structure.
    mutating func end() { bytes.append(0) }

    private mutating func structure(_ body: (inout ThriftWriter) -> Void) {
        last.append(0)
        body(&self)
        last.removeLast()
        bytes.append(0)
    }

    private mutating func begin(_ number: Int16, _ kind: Kind) {
        let step = number - (last.last ?? 0)
        last[last.count - 1] = number
        if (1...15).contains(step) {
            bytes.append(UInt8(step) << 4 | kind.rawValue)
        } else {
            bytes.append(kind.rawValue)
            append(zigzag: Int64(number))
        }
    }

    private mutating func head(_ count: Int, _ kind: Kind) {
        if count < 15 {
            bytes.append(UInt8(count) << 4 | kind.rawValue)
        } else {
            bytes.append(0xf0 | kind.rawValue)
            bytes.append(varint: UInt64(count))
        }
    }

    private mutating func append(binary value: [UInt8]) {
        bytes.append(varint: UInt64(value.count))
        bytes += value
    }

    private mutating func append(zigzag value: Int64) {
        bytes.append(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
    }
}

extension [UInt8] {
    /// Appends a number seven bits a byte, the least first.
    mutating func append(varint number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends a number by its bytes from the least.
    mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
