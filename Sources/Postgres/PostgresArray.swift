/// A one-dimensional array without nulls, for parameters of array types.
public struct PostgresArray<Element: PostgresCodable>: PostgresCodable {
    /// The elements in order.
    public var elements: [Element]

    /// Wraps elements.
    public init(_ elements: [Element]) { self.elements = elements }

    /// The array type of the element's type.
    public static var postgresType: PostgresType {
        PostgresType(oid: Element.postgresType.arrayOID, arrayOID: 0)
    }

    /// PostgreSQL's binary form of arrays: dimensions, null flag, element type, length and lower bound, elements.
    public var postgresBytes: [UInt8] {
        var bytes: [UInt8] = []
        for word in [elements.isEmpty ? 0 : 1, 0, Int32(bitPattern: Element.postgresType.oid)] {
            bytes += word.bigEndianBytes
        }
        guard !elements.isEmpty else { return bytes }
        bytes += Int32(elements.count).bigEndianBytes + Int32(1).bigEndianBytes
        for element in elements {
            let encoded = element.postgresBytes
            bytes += Int32(encoded.count).bigEndianBytes
            bytes += encoded
        }
        return bytes
    }

    /// Reads an array of one dimension, or an empty one; nil where an element is null.
    public init?(postgresBytes bytes: UnsafeRawBufferPointer) {
        var position = 0
        func word() -> Int? {
            guard position + 4 <= bytes.count else { return nil }
            defer { position += 4 }
            return Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int32.self)))
        }
        guard let dimensions = word(), dimensions <= 1, word() != nil, word() != nil else { return nil }
        elements = []
        guard dimensions == 1 else { return }
        guard let count = word(), word() != nil else { return nil }
        for _ in 0..<max(count, 0) {
            guard let length = word(), length >= 0, length <= bytes.count - position else { return nil }
            let slice = UnsafeRawBufferPointer(rebasing: bytes[position..<position + length])
            guard let element = Element(postgresBytes: slice) else { return nil }
            elements.append(element)
            position += length
        }
    }
}
