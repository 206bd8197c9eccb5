/// A one-dimensional array, for parameters of array types.
public struct PostgresArray<Element: PostgresCodable>: PostgresCodable {
    private let members: [Element?]

    /// The elements in order, without nulls, which no array has that was read.
    public var elements: [Element] { members.compactMap(\.self) }

    /// Wraps elements.
    public init(_ elements: [Element]) { members = elements }

    /// Wraps elements of which some are null.
    public init(nullable elements: [Element?]) { members = elements }

    /// The array type of the element's type.
    public static var postgresType: PostgresType {
        PostgresType(oid: Element.postgresType.arrayOID, arrayOID: 0)
    }

    /// PostgreSQL's binary form of arrays: dimensions, null flag, element type, length and lower bound, elements.
    public var postgresBytes: [UInt8] {
        var bytes: [UInt8] = []
        let hasNulls: Int32 = members.contains { $0 == nil } ? 1 : 0
        for word in [members.isEmpty ? 0 : 1, hasNulls, Int32(bitPattern: Element.postgresType.oid)] {
            bytes += word.bigEndianBytes
        }
        guard !members.isEmpty else { return bytes }
        bytes += Int32(members.count).bigEndianBytes + Int32(1).bigEndianBytes
        for member in members {
            let encoded = member?.postgresBytes
            bytes += Int32(encoded?.count ?? -1).bigEndianBytes
            bytes += encoded ?? []
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
        guard dimensions == 1 else {
            members = []
            return
        }
        guard let count = word(), word() != nil else { return nil }
        var elements: [Element] = []
        for _ in 0..<max(count, 0) {
            guard let length = word(), length >= 0, length <= bytes.count - position else { return nil }
            let slice = UnsafeRawBufferPointer(rebasing: bytes[position..<position + length])
            guard let element = Element(postgresBytes: slice) else { return nil }
            elements.append(element)
            position += length
        }
        members = elements
    }
}
