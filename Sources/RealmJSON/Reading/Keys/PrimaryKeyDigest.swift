import RealmModel

/// A primary key in 128 bits: integers, ObjectIds and UUIDs as they are, strings as two keyed hashes.
///
/// Two strings of a realm come out alike with a chance of one in 2^128 / n²; whoever writes them doesn't know the key.
struct PrimaryKeyDigest: Hashable {
    var low: UInt64
    var high: UInt64

    /// A digest that was stored.
    init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// An integer.
    init(_ number: Int64) {
        low = UInt64(bitPattern: number)
        high = 0
    }

    /// An ObjectId's or UUID's bytes, sixteen at most.
    init(fixed bytes: [UInt8]) {
        low = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        high = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A string's UTF-8.
    init(text bytes: UnsafeRawBufferPointer) {
        low = Self.hash(bytes, 1)
        high = Self.hash(bytes, 2)
    }

    /// A value; nil where it is none that a primary key can have.
    init?(_ value: Value) {
        switch value {
        case .int(let number): self.init(number)
        case .objectId(let id): self.init(fixed: id.bytes)
        case .uuid(let id): self.init(fixed: id.bytes)
        case .string(var text):
            self = text.withUTF8 { PrimaryKeyDigest(text: UnsafeRawBufferPointer($0)) }
        default: return nil
        }
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer, _ salt: UInt8) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(salt)
        hasher.combine(bytes: bytes)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
