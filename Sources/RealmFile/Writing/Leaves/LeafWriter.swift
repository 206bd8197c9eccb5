import Columns
import RealmModel

/// Appends leaves of single values, REALM_FORMAT section 10, straight from the cells of an array.
struct LeafWriter {
    /// Where links are kept: as keys in collections, as key + 1 in the columns of clusters.
    enum LinkForm: Int64 {
        case key = 0
        case keyPlusOne = 1
    }

    private static let nullBool: Int64 = 3

    let output: NodeOutput
    let property: Property
    /// The class of the property, for errors.
    let className: String
    let mixed: MixedLeafWriter

    /// Whether values are strings or data, and which.
    var textContent: ByteLeaf.Content? {
        switch property.type {
        case .string: .string
        case .data: .data
        default: nil
        }
    }

    /// Adds strings or data to a leaf.
    func add(_ offsets: [Int32], _ bytes: [UInt8], _ array: ColumnArray, _ rows: Range<Int>, to leaf: inout TextLeaf)
        throws
    {
        try bytes.withUnsafeBytes { bytes in
            for row in rows {
                let run = UnsafeRawBufferPointer(rebasing: bytes[Int(offsets[row])..<Int(offsets[row + 1])])
                guard property.type == .data || run.count <= RealmLimits.stringBytes else {
                    throw InputError.stringTooLong(of: className, property.name)
                }
                leaf.append(array.isNull(row) ? nil : run)
            }
        }
    }

    /// Appends a leaf of some cells of the property's element type.
    func append(_ array: ColumnArray, _ rows: Range<Int>, links: LinkForm = .key) throws -> Int64 {
        switch array.values {
        case .int(let cells) where property.type == .object: return append(links: cells, array, rows, links)
        case .int(let cells): return append(integers: cells, array, rows, isNullable: property.isOptional)
        case .bool(let bits): return append(bools: bits, array, rows)
        case .float(let cells): return append(numbers: cells, array, rows)
        case .double(let cells): return append(numbers: cells, array, rows)
        case .date(let seconds, let nanoseconds): return append(seconds, nanoseconds, array, rows)
        case .fixed(_, let bytes) where property.type == .decimal128: return append(decimals: bytes, array, rows)
        case .fixed(let width, let bytes): return append(identifiers: bytes, width: width, array, rows)
        case .variable where property.type == .mixed:
            return try mixed.append(try rows.map { try array.value(at: $0, as: ColumnType(.mixed)) })
        case .variable(let offsets, let bytes): return try append(offsets, bytes, array, rows)
        case .list, .dictionary: throw ColumnError.typeMismatch(expected: ColumnType(property.type))
        }
    }

    private func append(
        integers cells: [Int64], _ array: ColumnArray, _ rows: Range<Int>, isNullable: Bool
    ) -> Int64 {
        cells.withUnsafeBufferPointer { cells in
            let cells = UnsafeBufferPointer(rebasing: cells[rows])
            return isNullable
                ? append(nullable: cells, array, from: rows.lowerBound) : output.append(integers: cells)
        }
    }

    /// Appends integers behind the one that stands for null, REALM_FORMAT section 10.1.
    private func append(nullable cells: UnsafeBufferPointer<Int64>, _ array: ColumnArray, from first: Int) -> Int64 {
        var low: Int64 = 0
        var high: Int64 = 0
        var hasValue = false
        for (index, cell) in cells.enumerated() where !array.isNull(first + index) {
            low = min(low, cell)
            high = max(high, cell)
            hasValue = true
        }
        guard hasValue else { return output.append(integers: [Int64](repeating: 0, count: cells.count + 1)) }
        let (width, marker) = Self.marker(low, high) ?? (64, unusedValue(cells))
        let marked = [Int64](unsafeUninitializedCapacity: cells.count + 1) { buffer, count in
            buffer[0] = marker
            for index in 0..<cells.count { buffer[index + 1] = array.isNull(first + index) ? marker : cells[index] }
            count = cells.count + 1
        }
        return marked.withUnsafeBufferPointer { output.append(integers: $0, [], width: width) }
    }

    /// The smallest width whose largest integer is above the values, and that integer; nil where 64 bits are needed.
    private static func marker(_ low: Int64, _ high: Int64) -> (width: Int, marker: Int64)? {
        let unsigned: [(Int, Int64)] = [(1, 1), (2, 3), (4, 15)]
        let signed: [(Int, Int64)] = [(8, 0x7f), (16, 0x7fff), (32, 0x7fff_ffff)]
        return unsigned.first { high < $0.1 && low >= 0 } ?? signed.first { high < $0.1 && low >= ~$0.1 }
    }

    private func unusedValue(_ cells: UnsafeBufferPointer<Int64>) -> Int64 {
        var candidate = Int64.max
        while cells.contains(candidate) { candidate -= 1 }
        return candidate
    }

    private func append(links cells: [Int64], _ array: ColumnArray, _ rows: Range<Int>, _ form: LinkForm) -> Int64 {
        let stored = rows.map { array.isNull($0) ? 0 : cells[$0] &+ form.rawValue }
        return output.append(integers: stored)
    }

    private func append(bools bits: Bitmap, _ array: ColumnArray, _ rows: Range<Int>) -> Int64 {
        output.append(integers: rows.map { array.isNull($0) ? Self.nullBool : bits[$0] ? 1 : 0 })
    }

    private func append<Number: StoredFloatingPoint>(
        numbers cells: [Number], _ array: ColumnArray, _ rows: Range<Int>
    ) -> Int64 {
        let width = MemoryLayout<Number>.size
        return appendCells(width: width, rows.count) { payload in
            for (index, row) in rows.enumerated() {
                payload.storeBytes(
                    of: array.isNull(row) ? Number.nullPattern : cells[row].bitPattern, toByteOffset: index * width,
                    as: Number.Bits.self)
            }
        }
    }

    private func append(
        _ seconds: [Int64], _ nanoseconds: [Int32], _ array: ColumnArray, _ rows: Range<Int>
    ) -> Int64 {
        // Seconds can be null whether or not the property can.
        let secondsRef = append(integers: seconds, array, rows, isNullable: true)
        let nanosecondsRef = output.append(integers: rows.map { array.isNull($0) ? 0 : Int64(nanoseconds[$0]) })
        return output.append(integers: [secondsRef, nanosecondsRef], .hasRefs)
    }

    private func append(decimals bytes: [UInt8], _ array: ColumnArray, _ rows: Range<Int>) -> Int64 {
        let width = MemoryLayout<Decimal128>.size
        return appendCells(width: width, rows.count) { payload in
            for (index, row) in rows.enumerated() {
                let cell = UnsafeMutableRawBufferPointer(start: payload + index * width, count: width)
                cell.copyBytes(from: bytes[row * width..<(row + 1) * width])
                guard array.isNull(row) else { continue }
                cell.storeBytes(of: 0xaa, as: UInt64.self)
                cell.storeBytes(of: 0x7c00_0000_0000_0000, toByteOffset: 8, as: UInt64.self)
            }
        }
    }

    /// Appends ids in blocks of eight behind a byte that says which are null, REALM_FORMAT section 10.3.
    private func append(
        identifiers bytes: [UInt8], width: Int, _ array: ColumnArray, _ rows: Range<Int>
    ) -> Int64 {
        let size = (rows.count + 7) / 8 + rows.count * width
        return output.append([], .cells, width: 1, count: size, payloadBytes: size) { payload in
            for (index, row) in rows.enumerated() {
                let block = payload + (index >> 3) * (8 * width + 1)
                if array.isNull(row) {
                    block.storeBytes(of: block.load(as: UInt8.self) | 1 << UInt8(index & 7), as: UInt8.self)
                    continue
                }
                UnsafeMutableRawBufferPointer(start: block + 1 + (index & 7) * width, count: width)
                    .copyBytes(from: bytes[row * width..<(row + 1) * width])
            }
        }
    }

    private func append(
        _ offsets: [Int32], _ bytes: [UInt8], _ array: ColumnArray, _ rows: Range<Int>
    ) throws -> Int64 {
        try offsets.withUnsafeBufferPointer { offsets in
            try bytes.withUnsafeBytes { bytes in
                let runs = NodeOutput.Runs(
                    offsets: UnsafeBufferPointer(rebasing: offsets[rows.lowerBound...rows.upperBound]), bytes: bytes
                ) { array.isNull(rows.lowerBound + $0) }
                let isString = property.type == .string
                guard !isString || runs.longest <= RealmLimits.stringBytes else {
                    throw InputError.stringTooLong(of: className, property.name)
                }
                return output.append(leaf: runs, of: isString ? .string : .data)
            }
        }
    }

    private func appendCells(width: Int, _ count: Int, fill: (UnsafeMutableRawPointer) -> Void) -> Int64 {
        output.append([], .cells, width: width, count: count, payloadBytes: count * width, fill: fill)
    }
}
