/// Entries of a search index: what is searched for, in a form that bytewise comparison orders, and the object's key.
///
/// REALM_FORMAT section 14 cuts a value's bytes into chunks of four, ends them with an `X` and orders chunks as signed
/// integers. Here each chunk's sign is turned, so that unsigned bytes order them; a null has no chunk, and where
/// chunks are missing they count as zero. Behind the chunks stand the bytes past the last one that the index follows.
final class IndexRun {
    /// The levels that an index has at most: it follows no value past byte 200 and the chunk there.
    static let levelLimit = 51
    /// The longest value of an index that keeps whole values, in bytes.
    static let longestWholeValue = 200
    /// Bytes of a chunk.
    static let chunkBytes = 4
    /// The first bytes of eight missing chunk bytes.
    private static let missing: UInt64 = 0x8000_0000_8000_0000

    /// One entry.
    struct Entry {
        /// The first eight bytes of the chunks, the first one most significant.
        var prefix: UInt64
        var key: Int64
        /// Where the entry's bytes are.
        var start: Int
        var chunkLength: UInt16
        var tailLength: UInt32
    }

    private(set) var entries: [Entry] = []
    /// Whether a value is longer than an index that keeps whole values takes, in Realm too.
    private(set) var hasLongValue = false
    private var arena: UnsafeMutableRawPointer
    private var capacity: Int
    private var used = 0

    init(capacity: Int = 1 << 16) {
        self.capacity = capacity
        arena = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { arena.deallocate() }

    /// Bytes of memory that the entries take while they are sorted, which copies them.
    var byteCount: Int { used + entries.count * 2 * MemoryLayout<Entry>.stride }

    /// Adds a value.
    ///
    /// - Parameters:
    ///   - bytes: the value's index bytes; nil for null.
    ///   - order: bytes that order different values of the same index bytes, in an index of mixed values.
    ///   - hasSignedTail: whether what is behind the chunks is in the order of bytes with a sign.
    func add(
        key: Int64, _ bytes: UnsafeRawBufferPointer?, order: [UInt8] = [], hasSignedTail: Bool = false
    ) {
        if let bytes, bytes.count > Self.longestWholeValue { hasLongValue = true }
        let levels = bytes.map { min($0.count / Self.chunkBytes + 1, Self.levelLimit) } ?? 0
        let chunkLength = levels * Self.chunkBytes
        let beyond = max((bytes?.count ?? 0) - chunkLength, 0)
        let tailLength = beyond + order.count
        let target = reserve(chunkLength + tailLength)
        if let bytes, chunkLength > 0 {
            let head = min(bytes.count, chunkLength)
            if let start = bytes.baseAddress {
                UnsafeMutableRawPointer(target).copyMemory(from: start, byteCount: head)
            }
            if head < chunkLength {
                target[head] = UInt8(ascii: "X")
                for index in head + 1..<chunkLength { target[index] = 0 }
            }
            for chunk in stride(from: 0, to: chunkLength, by: Self.chunkBytes) { target[chunk] ^= 0x80 }
        }
        for (index, byte) in order.enumerated() { target[chunkLength + index] = byte }
        if beyond > 0, let start = bytes?.baseAddress {
            let tail = target + chunkLength + tailLength - beyond
            UnsafeMutableRawPointer(tail).copyMemory(from: start + chunkLength, byteCount: beyond)
            if hasSignedTail { for index in 0..<beyond { tail[index] ^= 0x80 } }
        }
        append(key: key, chunkLength: chunkLength, tailLength: tailLength)
    }

    /// Adds an entry as another run has it.
    func add(key: Int64, stored bytes: UnsafeRawBufferPointer, chunkLength: Int) {
        let target = reserve(bytes.count)
        if let start = bytes.baseAddress {
            UnsafeMutableRawPointer(target).copyMemory(from: start, byteCount: bytes.count)
        }
        append(key: key, chunkLength: chunkLength, tailLength: bytes.count - chunkLength)
    }

    /// The chunks of an entry and what is behind them.
    func bytes(of entry: Entry) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: arena + entry.start, count: Int(entry.chunkLength) + Int(entry.tailLength))
    }

    /// The bytes behind the chunks of an entry.
    func tail(of entry: Entry) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes(of: entry)[Int(entry.chunkLength)...])
    }

    /// The chunks of an entry.
    func chunks(of entry: Entry) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: arena + entry.start, count: Int(entry.chunkLength))
    }

    /// Orders the entries by value and, where values are the same, by key.
    ///
    /// The entries were added in ascending order of their keys.
    func sort() {
        RadixSort.sort(&entries) { $0.prefix }
        var start = 0
        while start < entries.count {
            var end = start + 1
            while end < entries.count, entries[end].prefix == entries[start].prefix { end += 1 }
            if end - start > 1 {
                entries[start..<end].sort { Self.precedes($0, of: self, $1, of: self) }
            }
            start = end
        }
    }

    /// Forgets all entries and keeps their memory.
    func removeAll() {
        entries.removeAll(keepingCapacity: true)
        used = 0
    }

    /// Whether an entry comes before another one.
    static func precedes(_ lhs: Entry, of left: IndexRun, _ rhs: Entry, of right: IndexRun) -> Bool {
        if lhs.prefix != rhs.prefix { return lhs.prefix < rhs.prefix }
        let order = compareChunks(left.chunks(of: lhs), right.chunks(of: rhs))
        if order != 0 { return order < 0 }
        // Null and a value of so many zeros that the index does not follow it to its end.
        if lhs.chunkLength != rhs.chunkLength { return lhs.chunkLength < rhs.chunkLength }
        let tails = compare(left.tail(of: lhs), right.tail(of: rhs))
        return tails == 0 ? lhs.key < rhs.key : tails < 0
    }

    private static func compare(_ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer) -> Int {
        for index in 0..<min(lhs.count, rhs.count) where lhs[index] != rhs[index] {
            return lhs[index] < rhs[index] ? -1 : 1
        }
        return lhs.count - rhs.count
    }

    private static func compareChunks(_ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer) -> Int {
        for index in 0..<max(lhs.count, rhs.count) {
            // A missing chunk is zero, its sign turned.
            let missing: UInt8 = index.isMultiple(of: chunkBytes) ? 0x80 : 0
            let left = index < lhs.count ? lhs[index] : missing
            let right = index < rhs.count ? rhs[index] : missing
            if left != right { return left < right ? -1 : 1 }
        }
        return 0
    }

    private func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if used + count > capacity {
            capacity = max(capacity * 2, used + count)
            let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
            larger.copyMemory(from: arena, byteCount: used)
            arena.deallocate()
            arena = larger
        }
        return (arena + used).assumingMemoryBound(to: UInt8.self)
    }

    private func append(key: Int64, chunkLength: Int, tailLength: Int) {
        entries.append(
            Entry(
                prefix: Self.prefix(UnsafeRawPointer(arena + used), chunkLength), key: key, start: used,
                chunkLength: UInt16(chunkLength), tailLength: UInt32(tailLength)))
        used += chunkLength + tailLength
    }

    private static func prefix(_ chunks: UnsafeRawPointer, _ length: Int) -> UInt64 {
        switch length {
        case 0: missing
        case chunkBytes:
            UInt64(UInt32(bigEndian: chunks.loadUnaligned(as: UInt32.self))) << 32 | missing & 0xffff_ffff
        default: UInt64(bigEndian: chunks.loadUnaligned(as: UInt64.self))
        }
    }
}
