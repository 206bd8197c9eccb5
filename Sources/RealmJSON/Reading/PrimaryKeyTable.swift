/// The primary keys of a class, as far as they are known: the object keys of those that came, and tickets of those linked
/// to before they came.
///
/// A hash table with open addressing, 24 bytes a slot. It is asked before the objects can be looked at, so that unlike an
/// index of rows (`Columns.PrimaryKeyIndex`) it has to know each key from all others.
struct PrimaryKeyTable {
    private var slots: [(digest: PrimaryKeyDigest, value: Int64)]
    private var count = 0
    private var null = empty
    private let seed: UInt64
    private static let empty = Int64.min

    /// An empty table.
    init() {
        slots = Array(repeating: (PrimaryKeyDigest(0), Self.empty), count: 64)
        var hasher = Hasher()
        hasher.combine(0)
        seed = UInt64(bitPattern: Int64(hasher.finalize())) | 1
    }

    /// The number that stands for a primary key; where none does, `value` is put there and given back.
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

    /// The number that stands for a primary key; nil where none does.
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
