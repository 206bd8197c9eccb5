/// The coding of 64-bit cells within a segment.
///
/// Evenly ascending runs (object keys) become two numbers; all else the smallest value and the differences from it in
/// 0, 1, 2, 4 or 8 bytes each.
enum IntegerCoding {
    private static let evenly: UInt8 = 0xff
    /// The most cells that a few bytes may stand for: 1 GiB of them.
    private static let impliedLimit = 1 << 27

    static func write(_ cells: [Int64], into writer: inout ByteWriter) {
        if let step = evenStep(cells) {
            writer.write(byte: evenly)
            writer.write(cells[0])
            writer.write(step)
            return
        }
        let smallest = cells.min() ?? 0
        let range = UInt64(bitPattern: (cells.max() ?? 0) &- smallest)
        switch range {
        case 0: writeHeader(0, smallest, into: &writer)
        case 1...0xff: write(cells, from: smallest, as: UInt8.self, into: &writer)
        case 0x100...0xffff: write(cells, from: smallest, as: UInt16.self, into: &writer)
        case 0x1_0000...0xffff_ffff: write(cells, from: smallest, as: UInt32.self, into: &writer)
        default: write(cells, from: smallest, as: UInt64.self, into: &writer)
        }
    }

    static func read(_ count: Int, from reader: inout ByteReader) throws(ColumnError) -> [Int64] {
        let width = try reader.readByte()
        let first: Int64 = try reader.readInteger()
        if width == evenly || width == 0, count > impliedLimit { throw reader.damage("the number of integers") }
        switch width {
        case evenly:
            let step: Int64 = try reader.readInteger()
            return (0..<count).map { first &+ step &* Int64($0) }
        case 0: return [Int64](repeating: first, count: count)
        case 1: return try read(count, from: first, as: UInt8.self, reader: &reader)
        case 2: return try read(count, from: first, as: UInt16.self, reader: &reader)
        case 4: return try read(count, from: first, as: UInt32.self, reader: &reader)
        case 8: return try read(count, from: first, as: UInt64.self, reader: &reader)
        default: throw reader.damage("the width of integers")
        }
    }

    private static func evenStep(_ cells: [Int64]) -> Int64? {
        guard cells.count > 2 else { return nil }
        let step = cells[1] &- cells[0]
        for index in 2..<cells.count where cells[index] &- cells[index - 1] != step { return nil }
        return step
    }

    private static func writeHeader(_ width: Int, _ smallest: Int64, into writer: inout ByteWriter) {
        writer.write(byte: UInt8(width))
        writer.write(smallest)
    }

    private static func write<Narrow: FixedWidthInteger & BitwiseCopyable>(
        _ cells: [Int64], from smallest: Int64, as type: Narrow.Type, into writer: inout ByteWriter
    ) {
        writeHeader(MemoryLayout<Narrow>.size, smallest, into: &writer)
        writer.write(cells: cells.map { Narrow(truncatingIfNeeded: $0 &- smallest) })
    }

    private static func read<Narrow: FixedWidthInteger & BitwiseCopyable>(
        _ count: Int, from smallest: Int64, as type: Narrow.Type, reader: inout ByteReader
    ) throws(ColumnError) -> [Int64] {
        let cells: [Narrow] = try reader.readCells(count)
        return cells.map { smallest &+ Int64(truncatingIfNeeded: $0) }
    }
}
