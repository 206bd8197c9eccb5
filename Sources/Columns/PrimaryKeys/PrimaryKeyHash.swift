import RealmModel

/// The hash of a primary key in stored indexes: the same in every process, and for ever.
///
/// 32 bits, for runs of a million rows: one look-up in four thousand meets another key of the same hash, which whoever looks
/// up tells by its value. Realms whose keys were chosen to collide are slow to look up, and no others.
public struct PrimaryKeyHash: Hashable, Comparable, Sendable {
    /// The hash.
    public let bits: UInt32

    /// A hash that was made otherwise, for an index that is not stored.
    package init(bits: UInt32) { self.bits = bits }

    /// The hash of a value, null included; nil where it is none that a primary key can have.
    public init?(_ value: Value) {
        switch value {
        case .null: self = .null
        case .int(let number): self.init(number)
        case .objectId(let id): self = id.bytes.withUnsafeBytes { Self(bytes: $0) }
        case .uuid(let id): self = id.bytes.withUnsafeBytes { Self(bytes: $0) }
        case .string(var text): self = text.withUTF8 { Self(bytes: UnsafeRawBufferPointer($0)) }
        default: return nil
        }
    }

    /// The hash of null.
    static let null = PrimaryKeyHash(bits: 0)

    /// The hash of an integer.
    init(_ number: Int64) {
        self.init(state: Self.mix(UInt64(bitPattern: number) ^ Self.start, Self.factor))
    }

    /// The hash of the bytes of a string, an ObjectId or a UUID.
    init(bytes: UnsafeRawBufferPointer) {
        var state = Self.start ^ UInt64(bytes.count)
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            state = Self.mix(state ^ word, Self.factor)
            offset += 8
        }
        let rest = bytes[offset...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(state: Self.mix(state ^ rest, Self.factor))
    }

    private init(state: UInt64) {
        bits = UInt32(truncatingIfNeeded: Self.mix(state ^ state >> 29, Self.factor) >> 32)
    }

    // Fractional digits of π and of the golden ratio, the latter made odd.
    private static let start: UInt64 = 0x243f_6a88_85a3_08d3
    private static let factor: UInt64 = 0x9e37_79b9_7f4a_7c15

    /// Both halves of a product, folded: every bit of the operands reaches the middle of it.
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    /// Whether one comes before another in a page.
    public static func < (left: PrimaryKeyHash, right: PrimaryKeyHash) -> Bool { left.bits < right.bits }
}

extension ColumnArray {
    /// Calls with each row and the hash of its primary key, in order.
    ///
    /// - Throws: `ColumnError.damaged` where the cells are none that a primary key can have; what the body throws.
    package func forEachPrimaryKeyHash(_ body: (Int, PrimaryKeyHash) throws -> Void) throws {
        func hash(_ row: Int, _ hash: @autoclosure () -> PrimaryKeyHash) throws {
            try body(row, isNull(row) ? .null : hash())
        }
        switch values {
        case .int(let cells):
            for row in 0..<count { try hash(row, PrimaryKeyHash(cells[row])) }
        case .fixed(let width, let bytes):
            try bytes.withUnsafeBytes { bytes in
                for row in 0..<count {
                    try hash(row, PrimaryKeyHash(bytes: .init(rebasing: bytes[row * width..<(row + 1) * width])))
                }
            }
        case .variable(let offsets, let bytes):
            try bytes.withUnsafeBytes { bytes in
                for row in 0..<count {
                    let cell = bytes[Int(offsets[row])..<Int(offsets[row + 1])]
                    try hash(row, PrimaryKeyHash(bytes: .init(rebasing: cell)))
                }
            }
        default: throw ColumnError.damaged(what: "primary keys of another layout", offset: 0)
        }
    }
}
