/// Arrays of integers and references, REALM_FORMAT section 3.
extension NodeOutput {
    /// Appends an array in the smallest width that holds its elements.
    ///
    /// - Parameters:
    ///   - kind: `hasRefs` where elements are references and tagged integers.
    ///   - width: bits that the width is at least.
    func append(integers cells: UnsafeBufferPointer<Int64>, _ kind: NodeKind = [], atLeast width: Int = 0) -> Int64 {
        var low: Int64 = 0
        var high: Int64 = 0
        for cell in cells {
            low = min(low, cell)
            high = max(high, cell)
        }
        return append(integers: cells, kind, width: max(width, Self.width(from: low, to: high)))
    }

    /// Appends an array in the smallest width that holds its elements.
    func append(integers cells: [Int64], _ kind: NodeKind = [], atLeast width: Int = 0) -> Int64 {
        cells.withUnsafeBufferPointer { append(integers: $0, kind, atLeast: width) }
    }

    /// Appends an array in a width that the caller knows to hold its elements.
    func append(integers cells: UnsafeBufferPointer<Int64>, _ kind: NodeKind, width: Int) -> Int64 {
        append(
            kind, .bits, width: width, count: cells.count, payloadBytes: (cells.count * width + 7) / 8
        ) { payload in
            switch width {
            case 0: break
            case 1, 2, 4: Self.pack(cells, width: width, into: payload)
            case 8: Self.copy(cells, as: UInt8.self, to: payload)
            case 16: Self.copy(cells, as: UInt16.self, to: payload)
            case 32: Self.copy(cells, as: UInt32.self, to: payload)
            default: Self.copy(cells, as: UInt64.self, to: payload)
            }
        }
    }

    /// Appends an array of unsigned integers, which are 8 bits or wider: relative keys and offsets of children.
    func append(unsigned cells: [UInt64]) -> Int64 {
        let high = cells.max() ?? 0
        let width = high <= 0xff ? 8 : high <= 0xffff ? 16 : high <= 0xffff_ffff ? 32 : 64
        return cells.withUnsafeBufferPointer { cells in
            cells.withMemoryRebound(to: Int64.self) { append(integers: $0, [], width: width) }
        }
    }

    /// An integer as an element of an array with references.
    static func tagged(_ value: Int64) -> Int64 { value &<< 1 | 1 }

    /// The smallest width that holds integers; those of less than 8 bits are unsigned.
    static func width(from low: Int64, to high: Int64) -> Int {
        if low >= 0, high <= 15 { return high == 0 ? 0 : high == 1 ? 1 : high <= 3 ? 2 : 4 }
        let magnitude = max(high, ~low)
        return magnitude < 1 << 7 ? 8 : magnitude < 1 << 15 ? 16 : magnitude < 1 << 31 ? 32 : 64
    }

    private static func pack(_ cells: UnsafeBufferPointer<Int64>, width: Int, into payload: UnsafeMutableRawPointer) {
        let bytes = payload.assumingMemoryBound(to: UInt8.self)
        var bit = 0
        for cell in cells {
            bytes[bit >> 3] |= UInt8(truncatingIfNeeded: cell) << UInt8(bit & 7)
            bit += width
        }
    }

    private static func copy<Narrow: FixedWidthInteger & BitwiseCopyable>(
        _ cells: UnsafeBufferPointer<Int64>, as type: Narrow.Type, to payload: UnsafeMutableRawPointer
    ) {
        let elements = payload.bindMemory(to: type, capacity: cells.count)
        for index in 0..<cells.count { elements[index] = Narrow(truncatingIfNeeded: cells[index]) }
    }
}
