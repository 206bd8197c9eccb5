import RealmModel

/// A primary key in 128 bits: integers, ObjectIds and UUIDs as they are, strings as two keyed hashes.
///
/// Two strings of a realm come out alike with a chance of one in 2^128 / n²; whoever writes them doesn't know the key.
struct PrimaryKeyDigest: Hashable {
    var low: UInt64
    var high: UInt64

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

/// What is known of the primary keys of a class: the object keys of those that came, and tickets of those linked to
/// before they came.
///
/// A hash table with open addressing, 24 bytes a slot.
struct PrimaryKeyIndex {
    private var slots: [(digest: PrimaryKeyDigest, value: Int64)]
    private var count = 0
    private var null = empty
    private let seed: UInt64
    private static let empty = Int64.min

    /// An empty index.
    init() {
        slots = Array(repeating: (PrimaryKeyDigest(0), Self.empty), count: 64)
        var hasher = Hasher()
        hasher.combine(0)
        seed = UInt64(bitPattern: Int64(hasher.finalize())) | 1
    }

    /// What stands for a primary key; where nothing does, `value` is put there and given back.
    ///
    /// - Parameter digest: nil for the primary key null.
    @inline(__always)
    mutating func value(of digest: PrimaryKeyDigest?, orPut value: @autoclosure () -> Int64) -> Int64 {
        guard let digest else {
            if null == Self.empty { null = value() }
            return null
        }
        if (count + 1) * 3 > slots.count * 2 { grow() }
        let slot = slot(of: digest)
        if slots[slot].value == Self.empty {
            slots[slot] = (digest, value())
            count += 1
        }
        return slots[slot].value
    }

    /// What stands for a primary key; nil where nothing does.
    ///
    /// - Parameter digest: nil for the primary key null.
    func value(of digest: PrimaryKeyDigest?) -> Int64? {
        let found = digest.map { slots[slot(of: $0)].value } ?? null
        return found == Self.empty ? nil : found
    }

    /// Puts another value where one stands.
    mutating func replace(_ digest: PrimaryKeyDigest?, by value: Int64) {
        guard let digest else {
            null = value
            return
        }
        slots[slot(of: digest)].value = value
    }

    @inline(__always)
    private func slot(of digest: PrimaryKeyDigest) -> Int {
        let product = (digest.low ^ seed).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        let mixed = (product.high ^ product.low ^ digest.high &* seed).multipliedFullWidth(by: seed)
        var slot = Int(truncatingIfNeeded: mixed.high ^ mixed.low) & (slots.count - 1)
        while slots[slot].value != Self.empty, slots[slot].digest != digest { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private mutating func grow() {
        var old: [(digest: PrimaryKeyDigest, value: Int64)] = []
        swap(&old, &slots)
        slots = Array(repeating: (PrimaryKeyDigest(0), Self.empty), count: old.count * 2)
        for entry in old where entry.value != Self.empty { slots[slot(of: entry.digest)] = entry }
    }
}
