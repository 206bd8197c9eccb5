import RealmModel

/// Integer arrays, references and tagged integers, REALM_FORMAT section 3.
extension Node {
    /// This node, if its elements are integers.
    func asIntegers(_ what: String) throws(InputError) -> Node {
        guard layout == .bits else { throw damaged("\(what) is no array of integers") }
        return self
    }

    /// This node, if its elements are values and no references.
    func asValues(_ what: String) throws(InputError) -> Node {
        guard !hasRefs else { throw damaged("\(what) holds references") }
        return try asIntegers(what)
    }

    /// One element of an array of signed integers.
    func integer(at index: Int) throws(InputError) -> Int64 {
        guard layout == .bits, index >= 0, index < count else {
            throw damaged("element \(index) of an array of \(count) is missing")
        }
        return uncheckedInteger(at: index)
    }

    /// One element of an array of unsigned integers (relative keys, key offsets).
    func unsigned(at index: Int) throws(InputError) -> UInt64 {
        let value = UInt64(bitPattern: try integer(at: index))
        return width < 64 ? value & ((1 << UInt64(width)) &- 1) : value
    }

    /// The reference in an element of an array; nil where it is 0 or the array is shorter.
    func reference(at index: Int) throws(InputError) -> Int64? {
        guard index < count else { return nil }
        let element = try integer(at: index)
        guard element & 1 == 0 else { throw damaged("element \(index) of an array is no reference") }
        return element == 0 ? nil : element
    }

    /// The tagged integer in an element of an array; nil where it is 0 or the array is shorter.
    func tagged(at index: Int) throws(InputError) -> Int64? {
        guard index < count else { return nil }
        let element = try integer(at: index)
        guard element & 1 == 1 || element == 0 else { throw damaged("element \(index) of an array is no number") }
        return element == 0 ? nil : element >> 1
    }

    /// Writes elements of an array of signed integers to memory for as many; the caller has checked range and layout.
    func copyIntegers(_ range: Range<Int>, to cells: UnsafeMutableBufferPointer<Int64>) {
        switch width {
        case 0: cells.update(repeating: 0)
        case 1, 2, 4: copyPacked(range, to: cells)
        case 8: copy(range, as: Int8.self, to: cells)
        case 16: copy(range, as: Int16.self, to: cells)
        case 32: copy(range, as: Int32.self, to: cells)
        default: copy(range, as: Int64.self, to: cells)
        }
    }

    private func copyPacked(_ range: Range<Int>, to cells: UnsafeMutableBufferPointer<Int64>) {
        guard let source = payload.baseAddress?.assumingMemoryBound(to: UInt8.self), let target = cells.baseAddress
        else { return }
        let mask = UInt8(truncatingIfNeeded: (1 << width) - 1)
        var bit = range.lowerBound * width
        for index in 0..<range.count {
            target[index] = Int64(source[bit >> 3] >> UInt8(bit & 7) & mask)
            bit += width
        }
    }

    private func copy<Element: FixedWidthInteger & SignedInteger & BitwiseCopyable>(
        _ range: Range<Int>, as type: Element.Type, to cells: UnsafeMutableBufferPointer<Int64>
    ) {
        guard let source = payload.baseAddress, let target = cells.baseAddress else { return }
        let elements = (source + range.lowerBound * MemoryLayout<Element>.size).assumingMemoryBound(to: Element.self)
        for index in 0..<range.count { target[index] = Int64(elements[index]) }
    }

    private func uncheckedInteger(at index: Int) -> Int64 {
        switch width {
        case 0: 0
        case 1, 2, 4: Int64(packedBits(at: index * width))
        case 8: Int64(Int8(bitPattern: payload[index]))
        case 16: Int64(payload.loadUnaligned(fromByteOffset: index * 2, as: Int16.self))
        case 32: Int64(payload.loadUnaligned(fromByteOffset: index * 4, as: Int32.self))
        default: payload.loadUnaligned(fromByteOffset: index * 8, as: Int64.self)
        }
    }

    private func packedBits(at bit: Int) -> UInt8 {
        (payload[bit >> 3] >> UInt8(bit & 7)) & UInt8(truncatingIfNeeded: (1 << width) - 1)
    }
}
