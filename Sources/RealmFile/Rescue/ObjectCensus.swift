import RealmModel

/// Which objects of a class come back.
///
/// Takes 58 bytes for each block of up to 256 objects, and at most 8 for each object of a
/// block whose keys have gaps; an embedded class 96 bytes a block more.
final class ObjectCensus {
    /// The most objects of a block.
    static let blockLimit = 256
    private static let wordsPerBlock = blockLimit / 64

    /// Marks that objects have while it is found out which of them have owners.
    struct Marks {
        fileprivate var words: [UInt64]

        /// The marks of a class whose objects get none.
        static let none = Marks(words: [])

        subscript(position: Int) -> Bool {
            get { words[position >> 6] >> UInt64(position & 63) & 1 != 0 }
            set {
                let mask = UInt64(1) << UInt64(position & 63)
                if newValue { words[position >> 6] |= mask } else { words[position >> 6] &= ~mask }
            }
        }
    }

    private var firsts: [Int64] = []
    private var lasts: [Int64] = []
    /// Where a block's gapped keys are, less those that precede; negative where its keys have no gap.
    private var starts: [Int] = []
    private var counts: [UInt16] = []
    /// The keys of blocks with gaps, less the first of the block, and those that need all of their bits.
    private var near: [UInt16] = []
    private var far: [UInt64] = []
    private var alive = Marks(words: [])

    /// The number of blocks.
    var blockCount: Int { firsts.count }

    /// The number of objects that were added.
    private(set) var objectCount = 0

    /// Adds the next block; all of its objects are there.
    func append(_ keys: [Int64]) {
        guard let first = keys.first, let last = keys.last else { return }
        firsts.append(first)
        lasts.append(last)
        counts.append(UInt16(keys.count))
        objectCount += keys.count
        let spread = UInt64(bitPattern: last &- first)
        if spread == UInt64(keys.count - 1) {
            starts.append(-1)
        } else if spread <= UInt64(UInt16.max) {
            starts.append(near.count)
            for key in keys { near.append(UInt16(truncatingIfNeeded: key &- first)) }
        } else {
            starts.append(far.count)
            for key in keys { far.append(UInt64(bitPattern: key &- first)) }
        }
        for word in 0..<Self.wordsPerBlock {
            let bits = min(max(keys.count - word * 64, 0), 64)
            alive.words.append(bits == 64 ? .max : (1 << UInt64(bits)) - 1)
        }
    }

    /// The position of an object by its block, and its place there.
    static func position(_ place: Int, inBlock block: Int) -> Int { block * blockLimit + place }

    /// Whether the object at a position comes back.
    func isAlive(_ position: Int) -> Bool { alive[position] }

    /// Gives up the object at a position.
    func remove(_ position: Int) { alive[position] = false }

    /// Whether there is an object of a key, and it comes back.
    func contains(_ key: Int64) -> Bool { position(of: key) != nil }

    /// The position of an object that comes back, by its key.
    func position(of key: Int64) -> Int? {
        let block = lasts.lowerBound(key)
        guard block < firsts.count, firsts[block] <= key, let place = place(of: key, inBlock: block) else { return nil }
        let position = Self.position(place, inBlock: block)
        return alive[position] ? position : nil
    }

    private func place(of key: Int64, inBlock block: Int) -> Int? {
        let wanted = UInt64(bitPattern: key &- firsts[block])
        guard starts[block] >= 0 else { return Int(wanted) }
        let spread = UInt64(bitPattern: lasts[block] &- firsts[block])
        let places = starts[block]..<starts[block] + Int(counts[block])
        return spread <= UInt64(UInt16.max)
            ? Self.place(of: UInt16(wanted), in: near[places]) : Self.place(of: wanted, in: far[places])
    }

    private static func place<Key: Comparable>(of key: Key, in keys: ArraySlice<Key>) -> Int? {
        keys.index(ofSorted: key).map { $0 - keys.startIndex }
    }

    /// The key of the object at a position.
    func key(at position: Int) -> Int64 {
        let (block, place) = (position / Self.blockLimit, position % Self.blockLimit)
        guard starts[block] >= 0 else { return firsts[block] &+ Int64(place) }
        let spread = UInt64(bitPattern: lasts[block] &- firsts[block])
        let offset = spread <= UInt64(UInt16.max) ? UInt64(near[starts[block] + place]) : far[starts[block] + place]
        return firsts[block] &+ Int64(bitPattern: offset)
    }

    /// No marks for all objects.
    func noMarks() -> Marks { Marks(words: [UInt64](repeating: 0, count: alive.words.count)) }

    /// Calls with the position of each object that comes back.
    func forEachAlive(_ body: (Int) -> Void) {
        for word in alive.words.indices {
            var bits = alive.words[word]
            while bits != 0 {
                body(word * 64 + bits.trailingZeroBitCount)
                bits &= bits - 1
            }
        }
    }
}
