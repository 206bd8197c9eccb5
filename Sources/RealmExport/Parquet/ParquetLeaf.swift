import Columns

/// A column of a Parquet file: its place in the schema, and the values and levels of the row group that is being made.
final class ParquetLeaf {
    let path: [String]
    let type: ParquetType
    /// The definition level of a value that is there.
    let maximumDefinition: UInt8
    /// The number of repeated groups that the values are in.
    let maximumRepetition: UInt8
    private var definitions: [UInt8] = []
    private var repetitions: [UInt8] = []
    private var values: [UInt8] = []
    private var bits = Bitmap(count: 0)
    private var statistics = ParquetStatistics()

    init(_ path: [String], _ type: ParquetType, definition: UInt8, repetition: UInt8) {
        self.path = path
        self.type = type
        maximumDefinition = definition
        maximumRepetition = repetition
    }

    /// Appends the absence of a value, as far as it is defined.
    func appendNull(repetition: UInt8, definition: UInt8) {
        repetitions.append(repetition)
        definitions.append(definition)
        statistics.nullCount += 1
    }

    /// Appends a cell; null where the column says so.
    func append(_ cells: ParquetCells, _ row: Int, repetition: UInt8, definition: UInt8) throws {
        guard !cells.isNull(row) else {
            guard definition < maximumDefinition else {
                throw ColumnError.damaged(what: "a null where a value is required", offset: row)
            }
            return appendNull(repetition: repetition, definition: definition)
        }
        repetitions.append(repetition)
        definitions.append(maximumDefinition)
        try appendValue(cells, row)
    }

    /// Appends the cells of rows that are in no repeated group.
    func append(_ cells: ParquetCells, rows: [Int]) throws {
        let all = rows.count == cells.count && cells.validity == nil
        if all, try appendAll(cells) { return }
        let below = maximumDefinition == 0 ? 0 : maximumDefinition - 1
        for row in rows { try append(cells, row, repetition: 0, definition: below) }
    }

    /// Appends all cells at once, none of them null, where the type lets that be done.
    private func appendAll(_ cells: ParquetCells) throws -> Bool {
        switch cells.values {
        case .integers(let numbers):
            numbers.withUnsafeBytes { values.append(contentsOf: $0) }
            statistics.take(all: numbers)
        case .doubles(let numbers):
            numbers.withUnsafeBytes { values.append(contentsOf: $0) }
            statistics.take(all: numbers)
        case .floats(let numbers):
            numbers.withUnsafeBytes { values.append(contentsOf: $0) }
            statistics.take(all: numbers)
        case .bytes(let offsets, let bytes): try appendAll(offsets, bytes)
        case .bools, .fixed: return false
        }
        definitions.append(contentsOf: repeatElement(maximumDefinition, count: cells.count))
        repetitions.append(contentsOf: repeatElement(0, count: cells.count))
        return true
    }

    private func appendAll(_ offsets: [Int32], _ bytes: [UInt8]) throws {
        let count = offsets.count - 1
        let start = values.count
        let size = bytes.count + 4 * count
        values.append(contentsOf: repeatElement(0, count: size))
        // The leaf is asked for its statistics once, not for each text.
        var found = statistics
        values.withUnsafeMutableBytes { out in
            bytes.withUnsafeBytes { text in
                var place = start
                for row in 0..<count {
                    let (from, to) = (Int(offsets[row]), Int(offsets[row + 1]))
                    out.storeBytes(of: UInt32(to - from).littleEndian, toByteOffset: place, as: UInt32.self)
                    let cell = UnsafeRawBufferPointer(rebasing: text[from..<to])
                    UnsafeMutableRawBufferPointer(rebasing: out[(place + 4)...]).copyMemory(from: cell)
                    found.take(cell)
                    place += 4 + to - from
                }
            }
        }
        statistics = found
    }

    private func appendValue(_ cells: ParquetCells, _ row: Int) throws {
        switch cells.values {
        case .integers(let numbers):
            values.append(littleEndian: numbers[row])
            statistics.take(numbers[row])
        case .doubles(let numbers):
            values.append(littleEndian: numbers[row].bitPattern)
            statistics.take(numbers[row])
        case .floats(let numbers):
            values.append(littleEndian: numbers[row].bitPattern)
            statistics.take(numbers[row])
        case .bools(let flags): bits.append(flags[row])
        case .fixed(let width, let bytes):
            let cell = bytes[row * width..<(row + 1) * width]
            values += cell
            cell.withUnsafeBytes { statistics.take($0) }
        case .bytes(let offsets, let bytes):
            let cell = bytes[Int(offsets[row])..<Int(offsets[row + 1])]
            values.append(littleEndian: UInt32(cell.count))
            values += cell
            cell.withUnsafeBytes { statistics.take($0) }
        }
    }

    /// The column's part of the row group, and what the file's end says of it; begins the next.
    ///
    /// - Parameter offset: where the part stands in the file.
    func finish(at offset: Int64) throws -> (bytes: [UInt8], chunk: ParquetChunk) {
        var page: [UInt8] = []
        if maximumRepetition > 0 { ParquetLevels.append(repetitions, maximum: maximumRepetition, to: &page) }
        if maximumDefinition > 0 { ParquetLevels.append(definitions, maximum: maximumDefinition, to: &page) }
        page += type == .bool ? bits.bytes : values
        guard page.count <= Int32.max else { throw ColumnError.rowGroupTooLarge }
        let stored = Zstandard.compress(page)
        let head = ParquetFooter.pageHead(
            plainBytes: page.count, storedBytes: stored.count, valueCount: definitions.count)
        let chunk = ParquetChunk(
            path: path, type: type, valueCount: definitions.count, plainBytes: head.count + page.count,
            storedBytes: head.count + stored.count, offset: offset, statistics: statistics)
        definitions.removeAll(keepingCapacity: true)
        repetitions.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        bits = Bitmap(count: 0)
        statistics = ParquetStatistics()
        return (head + stored, chunk)
    }
}

/// Levels in Parquet's hybrid of runs and packed bits.
enum ParquetLevels {
    /// Appends the levels behind the number of their bytes: as one run where all are the same, else packed.
    static func append(_ levels: [UInt8], maximum: UInt8, to out: inout [UInt8]) {
        var bytes: [UInt8] = []
        if let first = levels.first, levels.allSatisfy({ $0 == first }) {
            bytes.append(varint: UInt64(levels.count) << 1)
            bytes.append(first)
        } else {
            let width = 8 - maximum.leadingZeroBitCount
            let groups = (levels.count + 7) / 8
            bytes.append(varint: UInt64(groups) << 1 | 1)
            var packed = [UInt8](repeating: 0, count: groups * width)
            for (index, level) in levels.enumerated() {
                let bit = index * width
                let shifted = UInt16(level) << UInt16(bit & 7)
                packed[bit >> 3] |= UInt8(truncatingIfNeeded: shifted)
                if shifted > 0xff { packed[(bit >> 3) + 1] |= UInt8(shifted >> 8) }
            }
            bytes += packed
        }
        out.append(littleEndian: UInt32(bytes.count))
        out += bytes
    }
}
