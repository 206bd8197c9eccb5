extension ValueCoding {
    /// A mixed cell, as far as it is a plain value.
    package enum PlainCell: Equatable {
        case bool(Bool)
        case int(Int64)
        case float(Float)
        case double(Double)
        /// UTF-8 in a range of the bytes.
        case string(Range<Int>)
        /// A value of any other type, or none that can be read.
        case other
    }

    /// The plain value that stands in a range of bytes.
    package static func plainCell(_ bytes: UnsafeRawBufferPointer, _ cell: Range<Int>) -> PlainCell {
        guard let tag = cell.isEmpty ? nil : Tag(rawValue: bytes[cell.lowerBound]) else { return .other }
        let (start, count) = (cell.lowerBound + 1, cell.count - 1)
        switch tag {
        case .bool where count == 1: return .bool(bytes[start] != 0)
        case .int where count == 8:
            return .int(Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int64.self)))
        case .float where count == 4:
            let bits = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
            return .float(Float(bitPattern: bits))
        case .double where count == 8:
            let bits = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            return .double(Double(bitPattern: bits))
        case .string: return plainString(bytes, start..<cell.upperBound)
        default: return .other
        }
    }

    /// Appends a string of UTF-8.
    package static func encode(string utf8: ArraySlice<UInt8>, into writer: inout ByteWriter) {
        writer.write(byte: Tag.string.rawValue)
        writer.write(bytes: utf8)
    }

    private static func plainString(_ bytes: UnsafeRawBufferPointer, _ cell: Range<Int>) -> PlainCell {
        var (length, place, shift) = (0, cell.lowerBound, 0)
        while place < cell.upperBound, shift < 35 {
            let byte = bytes[place]
            place += 1
            length |= Int(byte & 0x7f) << shift
            shift += 7
            if byte < 0x80 { return length == cell.upperBound - place ? .string(place..<cell.upperBound) : .other }
        }
        return .other
    }
}
