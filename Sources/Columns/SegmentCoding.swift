/// The bytes of a segment: buffers in Arrow's layout behind a short header, compressed as one Zstandard frame.
///
/// Integers are stored as the difference from the smallest in as few bytes as hold the largest, and as two numbers
/// where they ascend evenly, as object keys do. `docs/maintainers/columns.md` describes every byte.
public enum SegmentCoding {
    /// The most bytes a segment may claim to unpack to: twice a row group's limit of single values and its offsets.
    static let decodedLimit = 1 << 32

    /// The bytes of an array.
    public static func encode(_ array: ColumnArray) -> [UInt8] { pack(encodePlain(array)) }

    /// The bytes of an array, not compressed.
    static func encodePlain(_ array: ColumnArray) -> [UInt8] {
        var plain = ByteWriter()
        write(array, into: &plain)
        return plain.bytes
    }

    /// Compresses the bytes of an array.
    static func pack(_ plain: [UInt8]) -> [UInt8] {
        var segment = ByteWriter()
        segment.write(count: plain.count)
        segment.write(raw: Zstandard.compress(plain))
        return segment.bytes
    }

    /// The array of bytes that `encode` wrote.
    ///
    /// - Throws: `ColumnError.damaged` where they are anything else, with the offset in the unpacked segment.
    public static func decode(_ segment: [UInt8]) throws(ColumnError) -> ColumnArray {
        var header = ByteReader(segment)
        let count = try header.readCount()
        guard count <= decodedLimit else { throw header.damage("the size of a segment") }
        return try decodePlain(try Zstandard.decompress(segment[header.offset...], count: count))
    }

    /// The array of bytes that `encodePlain` wrote.
    static func decodePlain(_ plain: [UInt8]) throws(ColumnError) -> ColumnArray {
        var reader = ByteReader(plain)
        let array = try readArray(from: &reader)
        guard reader.isAtEnd else { throw reader.damage("bytes follow a segment") }
        return array
    }

    /// Writes the bytes of an array as they are before they are compressed, for a reader nearby.
    public static func encodePlain(_ array: ColumnArray, into writer: inout ByteWriter) {
        write(array, into: &writer)
    }

    /// The array of bytes that `encodePlain` wrote.
    public static func decodePlain(from reader: inout ByteReader) throws(ColumnError) -> ColumnArray {
        try readArray(from: &reader)
    }

    private enum Layout: UInt8 {
        case int, bool, float, double, date, fixed, variable, list, dictionary
    }

    private static func write(_ array: ColumnArray, into writer: inout ByteWriter) {
        writer.write(count: array.count)
        writer.write(byte: array.validity == nil ? 0 : 1)
        if let validity = array.validity { writer.write(raw: validity.bytes) }
        func layout(_ layout: Layout) { writer.write(byte: layout.rawValue) }
        switch array.values {
        case .int(let cells):
            layout(.int)
            IntegerCoding.write(cells, into: &writer)
        case .bool(let bits):
            layout(.bool)
            writer.write(raw: bits.bytes)
        case .float(let cells):
            layout(.float)
            writer.write(cells: cells)
        case .double(let cells):
            layout(.double)
            writer.write(cells: cells)
        case .date(let seconds, let nanoseconds):
            layout(.date)
            IntegerCoding.write(seconds, into: &writer)
            writer.write(cells: nanoseconds)
        case .fixed(let width, let bytes):
            layout(.fixed)
            writer.write(count: width)
            writer.write(raw: bytes)
        case .variable(let offsets, let bytes):
            layout(.variable)
            writer.write(cells: offsets)
            writer.write(bytes: bytes)
        case .list(let offsets, let elements):
            layout(.list)
            writer.write(cells: offsets)
            write(elements, into: &writer)
        case .dictionary(let offsets, let keys, let values):
            layout(.dictionary)
            writer.write(cells: offsets)
            write(keys, into: &writer)
            write(values, into: &writer)
        }
    }

    private static func readArray(from reader: inout ByteReader, depth: Int = 0) throws(ColumnError) -> ColumnArray {
        let count = try reader.readCount()
        guard count <= Int32.max, depth <= 2 else { throw reader.damage("the shape of a column") }
        let validity = try reader.readByte() == 0 ? nil : try readBitmap(count, from: &reader)
        let values = try readValues(count, from: &reader, depth: depth)
        return ColumnArray(count: count, validity: validity, values: values)
    }

    private static func readValues(
        _ count: Int, from reader: inout ByteReader, depth: Int
    ) throws(ColumnError) -> ColumnArray.Values {
        guard let layout = Layout(rawValue: try reader.readByte()) else {
            throw reader.damage("the layout of a column")
        }
        switch layout {
        case .int: return .int(try IntegerCoding.read(count, from: &reader))
        case .bool: return .bool(try readBitmap(count, from: &reader))
        case .float: return .float(try reader.readCells(count))
        case .double: return .double(try reader.readCells(count))
        case .date:
            return .date(
                seconds: try IntegerCoding.read(count, from: &reader), nanoseconds: try reader.readCells(count))
        case .fixed:
            let width = try reader.readCount()
            guard width <= 16 else { throw reader.damage("the width of a cell") }
            return .fixed(width: width, Array(try reader.readRaw(count * width)))
        case .variable:
            let offsets = try readOffsets(count, from: &reader)
            let bytes = try reader.readBytes()
            guard bytes.count == Int(offsets[count]) else { throw reader.damage("the offsets of a column") }
            return .variable(offsets: offsets, bytes: bytes)
        case .list:
            let offsets = try readOffsets(count, from: &reader)
            let elements = try readArray(from: &reader, depth: depth + 1)
            guard elements.count == Int(offsets[count]) else { throw reader.damage("the offsets of a column") }
            return .list(offsets: offsets, elements: elements)
        case .dictionary:
            let offsets = try readOffsets(count, from: &reader)
            let keys = try readArray(from: &reader, depth: depth + 1)
            let values = try readArray(from: &reader, depth: depth + 1)
            guard keys.count == Int(offsets[count]), values.count == keys.count else {
                throw reader.damage("the offsets of a column")
            }
            return .dictionary(offsets: offsets, keys: keys, values: values)
        }
    }

    private static func readBitmap(_ count: Int, from reader: inout ByteReader) throws(ColumnError) -> Bitmap {
        guard let bitmap = Bitmap(bytes: Array(try reader.readRaw((count + 7) / 8)), count: count) else {
            throw reader.damage("a bitmap")
        }
        return bitmap
    }

    private static func readOffsets(_ count: Int, from reader: inout ByteReader) throws(ColumnError) -> [Int32] {
        let offsets: [Int32] = try reader.readCells(count + 1)
        var previous: Int32 = 0
        for offset in offsets {
            guard offset >= previous else { throw reader.damage("the offsets of a column") }
            previous = offset
        }
        guard offsets[0] == 0 else { throw reader.damage("the offsets of a column") }
        return offsets
    }
}
