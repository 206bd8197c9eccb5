/// The primary keys of a class, as far as they are known: the object keys of those that came, and tickets of those linked
/// to before they came.
///
/// It is asked before the objects can be looked at, so that unlike an index of rows (`Columns.PrimaryKeyIndex`) it has to know each
/// key from all others. A hash table with open addressing has the places of digests, which lie in the order in which they came: some
/// 16 bytes for an integer, 24 for another key, as most objects are numbered in that order. Integers that are counted up with the
/// objects are in no table, as long as they come so.
struct PrimaryKeyTable {
    /// Integers that came in their order, before the first key that did not.
    private var runs = PrimaryKeyRuns()
    private var takesRuns = true
    /// Digests whose values are their numbers, counted from `firstNumber`.
    private var numbered = DigestList()
    private var firstNumber: Int64 = 0
    /// Digests with other values.
    private var others = DigestList()
    private var values: [Int64] = []
    private var slots: [Slot] = Array(repeating: .empty, count: 64)
    private var null: Int64?
    private let seed: UInt64

    /// An empty table.
    init() {
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
            if let null { return null }
            let put = value()
            null = put
            return put
        }
        if let known = runs.value(of: digest) { return known }
        if tableCount * 4 + 4 > slots.count * 3 { grow() }
        let hash = hash(of: digest)
        let (index, found) = find(digest, hash)
        if let found { return self.value(of: found) }
        let put = value()
        if put >= 0, putInRun(digest, put) { return put }
        slots[index] = append(digest, put, hash)
        return put
    }

    /// The number of a key that is in a run; nil where it is not.
    func valueInRun(of digest: PrimaryKeyDigest) -> Int64? { runs.value(of: digest) }

    /// Puts a key that is nowhere into a run; false where it does not belong there.
    @inline(__always)
    mutating func putInRun(_ digest: PrimaryKeyDigest, _ value: Int64) -> Bool {
        takesRuns = takesRuns && runs.append(digest, value)
        return takesRuns
    }

    /// Forgets the keys that are in no run, apart from null, and hands them over in any order.
    mutating func removeTable(_ body: (PrimaryKeyDigest, Int64) -> Void) {
        for slot in slots where slot != .empty {
            let number = slot.number(among: slots.count)
            body(slot.isNumbered ? numbered[number] : others[number], value(of: slot))
        }
        (numbered, others, values) = (DigestList(), DigestList(), [])
        slots = Array(repeating: .empty, count: 64)
    }

    /// The keys that are in the table: those of no run.
    var tableCount: Int { numbered.count + others.count }

    /// The number that stands for a primary key; nil where none does.
    ///
    /// - Parameter digest: nil for the primary key null.
    func value(of digest: PrimaryKeyDigest?) -> Int64? {
        guard let digest else { return null }
        return runs.value(of: digest) ?? find(digest, hash(of: digest)).found.map { value(of: $0) }
    }

    /// Puts another value where a ticket, a negative one, stands.
    mutating func replace(_ digest: PrimaryKeyDigest?, by value: Int64) {
        guard let digest else {
            null = value
            return
        }
        let found = find(digest, hash(of: digest)).found
        guard let found, !found.isNumbered else { preconditionFailure("No ticket stands for the key.") }
        values[found.number(among: slots.count)] = value
    }

    private func value(of slot: Slot) -> Int64 {
        let number = slot.number(among: slots.count)
        return slot.isNumbered ? firstNumber + Int64(number) : values[number]
    }

    private mutating func append(_ digest: PrimaryKeyDigest, _ value: Int64, _ hash: UInt64) -> Slot {
        if numbered.count == 0, value >= 0 { firstNumber = value }
        // Numbers between are those of the others, and of null.
        let next = firstNumber + Int64(numbered.count)
        guard value >= next, value <= next + Int64(others.count) + 1 else { return appendOther(digest, value, hash) }
        for _ in next..<value { numbered.append(PrimaryKeyDigest(0)) }
        numbered.append(digest)
        return Slot(numbered.count - 1, isNumbered: true, hash, among: slots.count)
    }

    private mutating func appendOther(_ digest: PrimaryKeyDigest, _ value: Int64, _ hash: UInt64) -> Slot {
        others.append(digest)
        values.append(value)
        return Slot(values.count - 1, isNumbered: false, hash, among: slots.count)
    }

    /// The slot of a digest, or the empty one where it belongs.
    @inline(__always)
    private func find(_ digest: PrimaryKeyDigest, _ hash: UInt64) -> (index: Int, found: Slot?) {
        let count = slots.count
        return slots.withUnsafeBufferPointer { slots in
            var index = Int(truncatingIfNeeded: hash) & (count - 1)
            while slots[index] != .empty {
                let slot = slots[index]
                if slot.mayHave(hash, among: count) {
                    let number = slot.number(among: count)
                    if (slot.isNumbered ? numbered[number] : others[number]) == digest { return (index, slot) }
                }
                index = (index + 1) & (count - 1)
            }
            return (index, nil)
        }
    }

    @inline(__always)
    private func hash(of digest: PrimaryKeyDigest) -> UInt64 {
        let product = (digest.low ^ seed).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        let mixed = (product.high ^ product.low ^ digest.high &* seed).multipliedFullWidth(by: seed)
        return mixed.high ^ mixed.low
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: .empty, count: old.count * 2)
        for slot in old where slot != .empty {
            let number = slot.number(among: old.count)
            let hash = hash(of: slot.isNumbered ? numbered[number] : others[number])
            var index = Int(truncatingIfNeeded: hash) & (slots.count - 1)
            while slots[index] != .empty { index = (index + 1) & (slots.count - 1) }
            slots[index] = Slot(number, isNumbered: slot.isNumbered, hash, among: slots.count)
        }
    }
}

/// The place of a digest, with as much of its hash as there is room for: few digests are looked at in vain.
///
/// The lowest bits are the number, less than there are slots; the highest bit tells the list; the hash's own highest bits are between.
private struct Slot: Equatable {
    private let bits: UInt32

    static let empty = Slot(bits: .max)

    private init(bits: UInt32) { self.bits = bits }

    /// - Precondition: there are 2^31 slots at most, and more than there are digests in each list.
    init(_ number: Int, isNumbered: Bool, _ hash: UInt64, among count: Int) {
        bits = UInt32(number) | Self.part(of: hash, among: count) | (isNumbered ? 0 : 1 << 31)
    }

    var isNumbered: Bool { bits >> 31 == 0 }

    func number(among count: Int) -> Int { Int(bits) & (count - 1) }

    func mayHave(_ hash: UInt64, among count: Int) -> Bool {
        bits & Self.mask(among: count) == Self.part(of: hash, among: count)
    }

    private static func mask(among count: Int) -> UInt32 { ~UInt32(count - 1) & (1 << 31 - 1) }

    private static func part(of hash: UInt64, among count: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: hash >> 32) & mask(among: count)
    }
}

/// Digests one after the other, in pieces that never move: an array that grows has all of them twice for a moment.
private struct DigestList {
    private static let pieceBits = 14

    private(set) var count = 0
    private var low: [[UInt64]] = []
    /// Empty while all are 0, as those of integers are.
    private var high: [[UInt64]] = []

    mutating func append(_ digest: PrimaryKeyDigest) {
        if digest.high != 0, high.isEmpty { high = low.map { Array(repeating: 0, count: $0.count) } }
        let hasHigh = digest.high != 0 || !high.isEmpty
        if count & (1 << Self.pieceBits - 1) == 0 {
            low.append(piece())
            if hasHigh { high.append(piece()) }
        }
        low[low.count - 1].append(digest.low)
        if hasHigh { high[high.count - 1].append(digest.high) }
        count += 1
    }

    subscript(number: Int) -> PrimaryKeyDigest {
        let (piece, place) = (number >> Self.pieceBits, number & (1 << Self.pieceBits - 1))
        return PrimaryKeyDigest(low: low[piece][place], high: high.isEmpty ? 0 : high[piece][place])
    }

    /// An empty piece; the first grows, as most classes are small.
    private func piece() -> [UInt64] {
        var piece: [UInt64] = []
        if count > 0 { piece.reserveCapacity(1 << Self.pieceBits) }
        return piece
    }
}
